"""Whom something said at a table asks for an answer.

People who speak to an agent, or ask the table something, are answered beside the game. Such a call is no request of the
rules: nothing waits for it, and no answer is as good as one. Who is called follows from the log and the match's seed
alone; agents answer people, and never one another.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from . import table_talk
from .core import last_round
from .fields import Choice, Text
from .play import Play
from .sentences import sentence
from .values import Event, Request

KIND = "chat"
SPOKEN = ("chat", "say", "speech")
"""Kinds of event in which somebody speaks freely."""

MOST = 60
"""So many times agents answer in a match."""

NAMED = 2
"""So many agents answer at most, where several are spoken to."""

BOTH = 0.25
"""How often two answer what nobody in particular was asked."""

LATE = 12
"""After so many more things were said, an answer would come too late."""


def calls(play: Play, fresh: Iterable[Event]) -> list[Request]:
    """The calls to agents that these events of its log make."""
    if not play.options.table_talk:
        return []
    answered = sum(event.kind in SPOKEN and event.by.startswith("agent:") for event in play.log)
    asked = [call for event in fresh if _by_a_person(event) for call in _calls(play, event)]
    return asked[: max(0, MOST - answered)]


def call(play: Play, request_id: str) -> Request | None:
    """A call by its id; None where it comes too late: the round is over, the match, or much was said since."""
    seq, seat = parts(request_id)
    if play.over or not 0 < seq <= len(play.log) or last_round(play.rules, play.log) >= seq:
        return None
    since = sum(event.kind in SPOKEN and event.data["text"] is not None for event in play.log[seq:])
    return request(seq, seat, play.log[seq - 1].audience) if since <= LATE else None


def is_call(request_id: str) -> bool:
    """Whether this is the id of a call."""
    return request_id.endswith(f":{KIND}")


def parts(request_id: str) -> tuple[int, int]:
    """The event that a call is about, and the seat that is called."""
    seq, seat, _kind = request_id.split(":")
    return int(seq), int(seat)


def asked_of(log: list[Event], request_id: str) -> int | None:
    """The seat that was called by something in a log; None where nothing there is such a call."""
    if not re.fullmatch(rf"\d{{1,6}}:\d{{1,2}}:{KIND}", request_id):
        return None
    seq, seat = parts(request_id)
    return seat if 0 < seq <= len(log) and _by_a_person(log[seq - 1]) else None


def spoken_to(text: str, names: dict[int, str]) -> list[int]:
    """The seats that a text speaks to, by name or by number, in the order in which it does."""
    places: dict[int, int] = {}
    for seat, name in names.items():
        by_name = rf"(?<!\w){re.escape(name)}(?!\w)" if name else r"(?!)"
        by_number = rf"\b(?:seat|player|no\.?|number)\s*{seat}\b|(?<!\w)[#@]{seat}\b"
        found = re.search(f"{by_name}|{by_number}", text, re.IGNORECASE)
        if found:
            places[seat] = found.start()
    return sorted(places, key=places.__getitem__)


def _by_a_person(event: Event) -> bool:
    return event.kind in SPOKEN and event.by == "person" and bool(event.data.get("text"))


def _calls(play: Play, event: Event) -> list[Request]:
    agents = [seat.seat for seat in play.header.seats if seat.kind == "agent"]
    out = {int(seat) for seat in play.rules.public(play.state).get("out", {})}
    hear = [seat for seat in agents if (seat in out) == (event.audience is not None)]
    names = {seat.seat: seat.name for seat in play.header.seats if seat.seat != event.seat}
    named = spoken_to(event.data["text"], names)
    if not named and "?" in event.data["text"]:
        chance = random.Random(f"{play.header.seed}:called:{event.seq}")
        chance.shuffle(hear)
        named = hear[: 2 if chance.random() < BOTH else 1]
    return [request(event.seq, seat, event.audience) for seat in named if seat in hear][:NAMED]


def request(seq: int, seat: int, audience: tuple[int, ...] | None = None) -> Request:
    """What a seat is asked that an event speaks to; audience: of the event, who hear the answer too."""
    text, heard = table_talk.FIELDS[KIND]
    fields = (
        Text(text.name, optional=True, label=sentence("What do you answer?")),
        Choice(heard.name, options=(table_talk.ALL if audience is None else table_talk.OUT,), label=heard.label),
    )
    return Request(f"{seq}:{seat}:{KIND}", KIND, seat, fields, seq, False, audience)
