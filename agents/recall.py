"""Polls read off: what a method believes at the moment of a poll, in the poll's own fields and without a call.

A poll measures the method, not a second mind (MAgIC, section 3.3; "Who is Undercover?", section 5.2). Between equals
nobody is named: a tie is no belief in the lowest seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agents import scene
from agents.beliefs import Beliefs, highest
from games.rules.fields import Field, Malformed, OneSeat, SomeSeats

if TYPE_CHECKING:
    from agents.methods import Turn

STAGE = "recall"
OPPONENT = "opponent"
"""The label of a matrix that tells one's own team from the other, not one role from another."""

UNHELD: Any = object()


@dataclass(frozen=True)
class Held:
    """What a method believes at one moment.

    beliefs: its matrix; side: which side the seat takes itself to be on, "odd", "good" or "unsure"; None where it does
    not think of that. given: what a call is told that asks for the rest.
    """

    beliefs: Beliefs | None = None
    side: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)

    def kept(self) -> dict[str, Any]:
        """What the thought of the answer keeps."""
        return {"beliefs": self.beliefs.to_json()} if self.beliefs else {}


def read(turn: Turn, held: Held) -> dict[str, Any]:
    """By name the fields of a poll whose answer is held; None is an answer: nobody stands out."""
    found = {}
    for item in turn.situation.request.fields:
        value = _side(turn, held) if item.name == "side" else _seats(item, turn, held)
        try:
            if value is not UNHELD:
                found[item.name] = None if value is None and item.optional else item.read(value)
        except Malformed:
            continue  # a seat that cannot be named here
    return found


def _side(turn: Turn, held: Held) -> Any:
    """The own side in the poll's words; what the method makes of it counts before what the seat was told."""
    if (held.side is None and held.beliefs is None) or not scene.hides_roles(turn.situation.rules):
        return UNHELD
    told = scene.is_odd(turn)
    side = held.side or (None if told is None else "odd" if told else "good")
    rules = turn.situation.rules
    names = {"odd": rules.sought, "good": rules.seeking, "unsure": "unsure"}
    return names.get(side or "", UNHELD)


def _seats(item: Field, turn: Turn, held: Held) -> Any:
    """The seat or seats that a field asks for."""
    beliefs, me = held.beliefs, turn.situation.seat
    if beliefs is None or me not in beliefs.rows:
        return UNHELD
    if OPPONENT in beliefs.labels:
        return _of_teams(item, turn, held, beliefs)
    names_suspects = item.name == turn.situation.rules.suspect_field
    if names_suspects and isinstance(item, SomeSeats):
        return _likeliest({seat: beliefs.suspicion(seat) for seat in item.seats if seat in beliefs.own}, item.count)
    if not isinstance(item, OneSeat):
        return UNHELD
    if names_suspects:
        return beliefs.standout(among=item.seats)
    viewer = item.name.removeprefix("suspect_of_")
    if not viewer.isdecimal() or int(viewer) not in beliefs.rows:
        return UNHELD
    own_too = not turn.situation.rules.told
    return beliefs.standout(int(viewer), [seat for seat in item.seats if own_too or seat != int(viewer)])


def _of_teams(item: Field, turn: Turn, held: Held, beliefs: Beliefs) -> Any:
    """What a matrix of the own team and the other one says."""
    against = {seat: beliefs.suspicion(seat) for seat in beliefs.own}
    if item.name == "suspected":
        return [seat for seat, chance in against.items() if chance > 0.5]
    if item.name in ("trusted", "same_word"):
        return [seat for seat, chance in against.items() if chance < 0.5]
    if item.name == turn.situation.rules.suspect_field and isinstance(item, SomeSeats) and held.side in ("odd", "good"):
        odd = against if held.side == "good" else {seat: 1 - chance for seat, chance in against.items()}
        return _likeliest({seat: chance for seat, chance in odd.items() if seat in item.seats}, item.count)
    return UNHELD


def _likeliest(chances: Mapping[int, float], count: int | None) -> list[int] | None:
    """So many seats with the highest chances; None where the last of them is level with the next."""
    if count is None:
        return [seat for seat, chance in chances.items() if chance > 0.5]
    chosen: list[int] = []
    while len(chosen) < count:
        top = highest({seat: chance for seat, chance in chances.items() if seat not in chosen})
        if not top or len(chosen) + len(top) > count:
            return None
        chosen += top
    return sorted(chosen)
