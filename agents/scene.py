"""How a game's cast looks from a seat: who is looked for, who knows what of oneself, and when something was learned.

Read is only what a game declares (`games.rules.cast`); one in which nobody is sought is played as one without hidden
roles.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from games.rules.core import Rules
from games.rules.play import deal_ends
from games.rules.values import Seen

if TYPE_CHECKING:
    from agents.methods import Turn
    from agents.situation import Situation


def hides_roles(rules: Rules) -> bool:
    """Whether there is somebody to be found out."""
    return bool(rules.sought)


# Who is there -------------------------------------------------------------------------------------------------------


def alive(turn: Turn) -> tuple[int, ...]:
    """The seats that are still in the game, in order."""
    return tuple(sorted(turn.public.get("alive") or turn.situation.names))


def others(turn: Turn) -> tuple[int, ...]:
    """The other seats that are still in the game."""
    return tuple(seat for seat in alive(turn) if seat != turn.situation.seat)


def own_side(turn: Turn) -> str | None:
    """The side that the own card tells; None where it does not."""
    return turn.situation.rules.own_side(turn.card)


def is_odd(turn: Turn) -> bool | None:
    """Whether the own seat is one of the sought; None where it was not told, or is on no team."""
    rules, side = turn.situation.rules, own_side(turn)
    return side == rules.sought if side in rules.teams else None


def roles(turn: Turn) -> Counter[str]:
    """What players may be, and how many of each were dealt, as far as everybody knows."""
    return turn.situation.rules.dealt(turn.situation.options, turn.public)


def suspect_roles(turn: Turn) -> tuple[str, ...]:
    """Those of `roles` that are sought."""
    rules = turn.situation.rules
    return tuple(role for role in roles(turn) if rules.side_of(role) == rules.sought)


def possible_roles(turn: Turn) -> dict[int, tuple[str, ...]]:
    """By seat still in the game what it may be, as far as the own seat was told; one role: that is known."""
    every = tuple(roles(turn))
    found = turn.situation.rules.possible(turn.card, turn.situation.seat, alive(turn), every)
    return _without_used_up(turn, found)


def _without_used_up(turn: Turn, found: dict[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The same without roles all of whose holders are known."""
    dealt = roles(turn)
    while True:
        known = Counter(names[0] for names in found.values() if len(names) == 1)
        used_up = {role for role, count in known.items() if count >= dealt[role]}
        narrowed = {
            seat: names if len(names) == 1 else tuple(role for role in names if role not in used_up)
            for seat, names in found.items()
        }
        if narrowed == found:
            return found
        found = narrowed


# When something was learned -----------------------------------------------------------------------------------------


def tells(rules: Rules, event: Seen) -> bool:
    """Whether an event tells something beyond the deal: neither what the moderator only asks, nor a sealed move, which
    its own seat knows and others do not see, nor polls, pauses and whoever plays a seat."""
    sealed_move = event.request is not None and event.kind in rules.sealed
    return event.kind in rules.kinds and not sealed_move and event.kind not in rules.asking


def dealt(situation: Situation) -> int:
    """The seq of the last event of the deal."""
    return deal_ends(situation.options.seats)


def last_news(situation: Situation) -> int:
    """The seq of the last event that told this seat something; of the deal, where nothing has yet."""
    first = dealt(situation)
    told = (event.seq for event in situation.log if event.seq > first and tells(situation.rules, event))
    return max(told, default=first)
