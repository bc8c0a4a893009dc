"""Agents answer around matches whoever speaks to them by name: in the waiting room and after the end.

What they say is the room's, as what people say there; during a match they answer by its log (`games.rules.answering`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from games.models import Match, Room, RoomMessage
from games.models import Seat as Chair
from games.room import talk
from games.rules import answering

MOST = 20
"""So many times an agent answers around the matches of a room."""


class Asked(NamedTuple):
    """Something said to an agent. number: of the message; seat: the agent's; agent: the profile that plays it; over:
    whether a match is over, or none has begun; said: what it answered here before."""

    text: str
    number: int
    seat: int
    agent: str
    names: Mapping[int, str]
    over: bool
    said: Sequence[str]


def _silent(asked: Asked) -> str:
    return ""


answer: Callable[[Asked], str] = _silent
"""What an agent says, "" for nothing. The agents app puts its own here when it starts."""


def reply(room: Room, message: RoomMessage, match: Match | None, chairs: Sequence[Chair]) -> None:
    """Let the agent answer that a person's message speaks to first, where nobody plays."""
    if match is not None:
        names, agents = match.names(), {sitter.seat: sitter.agent for sitter in match.seated if sitter.agent}
    else:
        names = {chair.number: chair.name for chair in chairs if chair.name}
        agents = {chair.number: chair.agent for chair in chairs if chair.agent}
    called = [seat for seat in answering.spoken_to(message.text, names) if seat in agents]
    if not called:
        return
    seat = called[0]
    mark = talk.mark_of(room, "", seat)
    said = list(room.messages.filter(mark=mark).values_list("text", flat=True))
    if len(said) >= MOST:
        return
    asked = Asked(message.text, message.number, seat, agents[seat], names, match is not None, said)
    if text := answer(asked):
        talk.say(room, talk.ROOM, text, name=names[seat], seat=seat)
