"""What was said at a table, read off the log that a seat sees."""

from collections.abc import Iterable
from typing import NamedTuple

from games.rules.values import ERASED, Event, Seen

TALK = frozenset(("speech", "say", "ready", "chat"))
"""The kinds of event by which seats talk with one another, in any game."""


class Line(NamedTuple):
    """Something said. to: `out` where only those who are out hear it."""

    seq: int
    seat: int
    text: str
    kind: str
    to: str


def lines(log: Iterable[Seen], kinds: frozenset[str] = TALK) -> list[Line]:
    """Everything said aloud, oldest first."""
    return [
        Line(event.seq, event.seat, event.data["text"], event.kind, event.data.get("to", "all"))
        for event in log
        if event.kind in kinds and isinstance(event, Event) and event.data.get("text") not in (None, "", ERASED)
    ]
