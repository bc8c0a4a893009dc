"""What the methods need to know of a game beside its rules: who is looked for, who knows what of oneself, and when
something was learned.

A game that is not in `HIDDEN` is played as one without hidden roles.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from games.avalon.setting import EVIL, MERLIN, MORDRED, MORGANA, OBERON, side_of
from games.rules.core import Rules
from games.rules.play import deal_ends
from games.rules.values import Event

if TYPE_CHECKING:
    from agents.methods import Turn
    from agents.situation import Situation


@dataclass(frozen=True)
class Hidden:
    """A game of hidden roles.

    odd: what the sought ones are called, good: what the others are, as they stand in prompts and polls. asks: the kinds
    of event by which the moderator only asks; looks: after which kinds of event a table is looked at anew, besides
    before a move. told: each seat knows its own side.
    """

    odd: str
    good: str
    asks: frozenset[str]
    looks: frozenset[str] = frozenset()
    told: bool = True


_CLUES = frozenset(("round", "turn", "voting", "discussing", "guessing"))
HIDDEN = {
    "undercover": Hidden("undercover", "civilian", _CLUES, frozenset(("clue",)), told=False),
    "chameleon": Hidden("chameleon", "non-chameleons", _CLUES, frozenset(("clue",))),
    "avalon": Hidden("evil", "good", frozenset(("proposing", "discussing", "questing", "assassinating"))),
    "spygame": Hidden("spy", "citizens", frozenset(("asking", "turn", "accused", "voting", "discussing"))),
}


def hides_roles(rules: Rules) -> bool:
    """Whether there is somebody to be found out."""
    return rules.name in HIDDEN


def hidden(turn: Turn) -> Hidden:
    """The game's hidden roles."""
    return HIDDEN[turn.situation.rules.name]


# Who is there -------------------------------------------------------------------------------------------------------


def alive(turn: Turn) -> tuple[int, ...]:
    """The seats that are still in the game, in order."""
    return tuple(sorted(turn.public.get("alive") or turn.situation.names))


def others(turn: Turn) -> tuple[int, ...]:
    """The other seats that are still in the game."""
    return tuple(seat for seat in alive(turn) if seat != turn.situation.seat)


def is_odd(turn: Turn) -> bool | None:
    """Whether the own seat is one of the sought; None where it was not told."""
    card = turn.card
    match turn.situation.rules.name:
        case "chameleon":
            return card["chameleon"]
        case "spygame":
            return card["spy"]
        case "avalon":
            return card["side"] == "evil"
    return None


def roles(turn: Turn) -> Counter[str]:
    """The roles that players may have, and how many of each were dealt, as far as everybody knows."""
    game, options = hidden(turn), turn.situation.options
    if turn.situation.rules.name == "avalon":
        return Counter(turn.public["roles"])
    odd, blanks = getattr(options, "undercovers", 1), getattr(options, "blanks", 0)
    found = Counter({game.good: options.seats - odd - blanks, game.odd: odd})
    return found + Counter({"blank": blanks})


def suspect_roles(turn: Turn) -> tuple[str, ...]:
    """Those of `roles` that are sought."""
    return tuple(role for role in roles(turn) if role in (*EVIL, hidden(turn).odd))


def possible_roles(turn: Turn) -> dict[int, tuple[str, ...]]:
    """By seat still in the game what it may be, as far as the own seat was told; one role: that is known."""
    every, card, me = tuple(roles(turn)), turn.card, turn.situation.seat
    found = dict.fromkeys(alive(turn), every)
    if turn.situation.rules.name == "avalon":
        return found | _shown_roles(turn, every)
    odd = is_odd(turn)
    if odd is not None:
        own = hidden(turn).odd if odd else hidden(turn).good
        found = {seat: (own,) if seat == me else every for seat in found}
    elif card.get("blank"):
        found[me] = ("blank",)
    return _without_used_up(turn, found)


def _shown_roles(turn: Turn, every: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    """Avalon: what a seat's own card, those that it sees and those that it does not see leave open."""
    card, me = turn.card, turn.situation.seat
    seen: set[str] = set()
    match card["sees_as"]:
        case "evil":
            seen = {*EVIL} - {MORDRED}
        case "fellow evil":
            seen = {*EVIL} - {OBERON}
        case "merlin or morgana":
            seen = {MERLIN, MORGANA}
    shown = {look["seat"]: look["side"] for look in card["shown"]}
    found = {}
    for seat in alive(turn):
        found[seat] = tuple(
            role
            for role in every
            if (role == card["role"] if seat == me else (role in seen) == (seat in card["sees"]))
            and shown.get(seat, side_of(role)) == side_of(role)
        )
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


def tells(rules: Rules, event: Event) -> bool:
    """Whether an event tells something beyond the deal: neither what the moderator only asks, nor a sealed move, which
    its own seat knows and others do not see, nor polls, pauses and whoever plays a seat."""
    sealed_move = event.request is not None and event.kind in rules.sealed
    asks = rules.name in HIDDEN and event.kind in HIDDEN[rules.name].asks
    return event.kind in rules.kinds and not sealed_move and not asks


def dealt(situation: Situation) -> int:
    """The seq of the last event of the deal."""
    return deal_ends(situation.options.seats)


def last_news(situation: Situation) -> int:
    """The seq of the last event that told this seat something; of the deal, where nothing has yet."""
    first = dealt(situation)
    told = (event.seq for event in situation.log if event.seq > first and tells(situation.rules, event))
    return max(told, default=first)
