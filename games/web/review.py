"""The review of a match that is over: how likely a side was to win, move by move, and the moments that mattered.

Who can tell that puts it here when it starts (`agents/reviews`); this is what pages show of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext

from games.match.cache import CachedMatch
from games.match.changes import WORDS, Kept
from games.match.view import View
from games.rules.values import PUBLIC
from games.translation import translated

EVEN = 0.5


class Point(NamedTuple):
    """From event `seq` on the chance was `share`."""

    seq: int
    share: float

    @property
    def percent(self) -> int:
        return round(100 * self.share)


@dataclass(frozen=True)
class Curve:
    """How likely a side was to win after each event that everybody saw. about: whose chance it is, in words; above,
    below: what it means to be at the top and at the bottom. The last point is how it ended."""

    points: Sequence[Point]
    about: str
    above: str
    below: str

    def at(self, seq: int) -> float:
        """The chance after an event."""
        return next((point.share for point in reversed(self.points) if point.seq <= seq), self.points[0].share)

    @property
    def lost_at(self) -> int:
        """The event with which the side that lost fell below even for good; if it never stood there, its deepest
        fall."""
        end = self.points[-1].share
        losers = [(seq, abs(share - end)) for seq, share in self.points]
        steps = [(seq, before, after) for (_seq, before), (seq, after) in pairwise(losers)]
        falls = [seq for seq, before, after in steps if before > EVEN >= after]
        return falls[-1] if falls else max(steps, key=lambda step: step[1] - step[2])[0]

    @property
    def sentence(self) -> str:
        """The curve in words."""
        before = self.points[:-1]
        low, high = min(before, key=lambda point: point.share), max(before, key=lambda point: point.share)
        return gettext(
            "{about}, move by move: at first {first} of 100, at the most {high} at event {high_at}, at the least {low} "
            "at event {low_at}, before the end {last}. The table has every figure."
        ).format(
            about=translated(self.about),
            first=before[0].percent,
            high=high.percent,
            high_at=high.seq,
            low=low.percent,
            low_at=low.seq,
            last=before[-1].percent,
        )


def no_curve(seen: View) -> Curve | None:
    """Where nobody can tell."""
    return None


curve_of: Callable[[View], Curve | None] = no_curve
"""The curve of a match that was played to its end, from what everybody saw of it."""

_curves: Kept[Curve | None] = Kept(200, WORDS)


def curve(source: CachedMatch) -> Curve | None:
    """The curve of a match; None while it runs, or where there is none. Takes a while the first time."""
    match = source.match
    if match.status != "finished":
        return None
    seen = source.view(PUBLIC)
    seen.check()
    return _curves.of(match.pk, match.erasures, lambda: curve_of(seen)) if seen.over else None
