"""Two stories beside each other: which matches go together, and at which moments both stand."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from django.db.models import QuerySet

from games.models import Match
from games.web.replay import Step

MOST = 50
"""So many other matches of a deal are offered, the newest."""


def of_one_deal(match: Match, among: QuerySet[Match]) -> QuerySet[Match]:
    """The other matches that were dealt alike: the same game from the same setting by the same seed. Scripts have no
    seed, and of two forks of a match either was dealt as it was."""
    if not match.seed:
        return among.none()
    alike = among.filter(game=match.game, preset=match.preset, seed=match.seed, setting=match.setting)
    return alike.exclude(pk=match.pk).order_by("-created_at", "-pk")[:MOST]


def together(left: Sequence[Step], right: Sequence[Step], *, same: bool) -> list[tuple[tuple[int, int], Step]]:
    """The moments of two stories: for each the seq at which either stands, and the step that is new there.

    same: both are of one match, and stand at the same event. Else the nth event of a kind by a seat stands beside the
    nth of the other story, as far as both go through them in one order; what only one has is a moment of its own.
    """
    pairs = _by_seq(left, right) if same else _by_kind(left, right)
    at, found = (0, 0), []
    for one, other in pairs:
        at = one.seq if one else at[0], other.seq if other else at[1]
        found.append((at, one or other))
    return [(seqs, step) for seqs, step in found if step is not None]


Pair = tuple[Step | None, Step | None]


def _by_seq(left: Sequence[Step], right: Sequence[Step]) -> list[Pair]:
    ours, theirs = ({step.seq: step for step in steps} for steps in (left, right))
    return [(ours.get(seq), theirs.get(seq)) for seq in sorted(ours.keys() | theirs.keys())]


def _by_kind(left: Sequence[Step], right: Sequence[Step]) -> list[Pair]:
    found: list[Pair] = []
    names = _numbered(left), _numbered(right)
    for what, i, j, k, m in SequenceMatcher(None, *names, autojunk=False).get_opcodes():
        if what == "equal":
            found += zip(left[i:j], right[k:m], strict=True)
        else:
            found += zip_longest(left[i:j], right[k:m])
    return found


def _numbered(steps: Sequence[Step]) -> list[tuple[str, int | None, int]]:
    """Each as the nth of its kind by its seat."""
    times: dict[tuple[str, int | None], int] = {}
    names = []
    for step in steps:
        kind = step.kind, step.seat
        times[kind] = times.get(kind, 0) + 1
        names.append((*kind, times[kind]))
    return names
