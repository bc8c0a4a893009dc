"""What the methods need to know of a game beside its rules: who is looked for, and who knows what of oneself.

A game that is not in `HIDDEN` is played as one without hidden roles.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.core import Rules

from .base import Turn


@dataclass(frozen=True)
class Hidden:
    """A game of hidden roles.

    odd: what the sought ones are called, good: what the others are, as they stand in prompts and polls.
    """

    odd: str
    good: str


HIDDEN = {
    "undercover": Hidden("undercover", "civilian"),
    "chameleon": Hidden("chameleon", "non-chameleons"),
    "avalon": Hidden("evil", "good"),
    "spygame": Hidden("spy", "citizens"),
}


def hides_roles(rules: Rules) -> bool:
    """Whether there is somebody to be found out."""
    return rules.name in HIDDEN


def hidden(turn: Turn) -> Hidden:
    """The game's hidden roles."""
    return HIDDEN[turn.situation.rules.name]


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


def roles(turn: Turn) -> tuple[str, ...]:
    """The roles that a player may have, as far as everybody knows."""
    if turn.situation.rules.name == "avalon":
        return tuple(dict.fromkeys(turn.public["roles"]))
    found = hidden(turn)
    return found.good, found.odd


def suspect_roles(turn: Turn) -> tuple[str, ...]:
    """Those of `roles` that are sought."""
    evil = {"morgana", "mordred", "oberon", "minion", hidden(turn).odd}
    return tuple(role for role in roles(turn) if role in evil)
