"""Who is withdrawn of the matches of a file, and what takes them out of it, wherever it tells of these.

Which seats are withdrawn is known by marks without words (`withdrawals.Mark`); the words are found in the file itself,
as an erasure here finds them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evaluation.withdrawals.withdrawals import Mark
from games.match.words import everywhere
from games.registry import RULES
from games.rules import logfile
from games.rules.erasing import Erasure, called, erasure
from games.rules.values import ERASED, Event

BY = ("person", "seat")
"""As whom somebody acts in a file: where it hides who is an agent, all are seats."""


class Unreadable(ValueError):
    """A file that cannot be scrubbed; the text is a sentence."""


@dataclass
class Withdrawn:
    """What is withdrawn of the matches of a file, by the id that they have in it."""

    marks: Iterable[Mark]
    erasures: dict[str, dict[int, Erasure]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by: dict[str, set[int]] = defaultdict(set)
        for mark in self.marks:
            for known in filter(None, (mark.begun, mark.dealt, mark.match)):
                self._by[known].add(mark.seat)

    def look(self, log: logfile.LogFile[Event]) -> None:
        """Find what becomes of a match, if a seat of it is withdrawn."""
        header, log.events = log.header, [event for event in log.events if event.data is not None]
        seats = set(self._by.get(header.id, ())) | self._by.get(logfile.beginning(log), set()) if log.events else set()
        if not seats:
            return
        if header.game not in RULES:
            raise Unreadable(f"There is no game '{header.game}' here: what are words in it is not known.")
        found = {seat: erasure(RULES[header.game], header, log.events, seat, by=BY) for seat in sorted(seats)}
        self.erasures.setdefault(header.id, {}).update(found)

    def of(self, match: str) -> Scrub | None:
        """What takes the people out of a match; None if none is withdrawn."""
        return Scrub(self.erasures[match]) if match in self.erasures else None


class Scrub:
    """Takes people out of one match, wherever a file tells of it."""

    def __init__(self, erasures: dict[int, Erasure]) -> None:
        self.erasures = erasures

    def text(self, text: str) -> str:
        """Any text without their words and names."""
        for erased in self.erasures.values():
            text = erased.without(text)
        return text

    def value(self, value: Any) -> Any:
        """A JSON value without them."""
        return everywhere(value, self.text)

    def data(self, seq: int, data: Any) -> Any:
        """What an event has afterwards."""
        for erased in self.erasures.values():
            changed = erased.changes.get(seq, {})
            data = data | {name: value for name, value in changed.items() if value != data.get(name)} if data else data
        return self.value(data) if any(seq in erased.changes for erased in self.erasures.values()) else data

    def record(self, kind: str, record: dict[str, Any]) -> dict[str, Any]:
        """A line of a log file without them."""
        if kind == "match":
            seats = [s | {"name": called(s["seat"])} if s["seat"] in self.erasures else s for s in record["seats"]]
            return record | {"seats": seats}
        if kind == "event":
            return record | {"data": self.data(record["seq"], record.get("data"))}
        if kind == "attempt" and record["seat"] in self.erasures and record["by"] in BY:
            action = everywhere(record["action"], lambda text: ERASED)
            return record | {"action": action, "sentence": self.text(record["sentence"])}
        fields = {"text": ("text",), "thought": ("prompt", "reply", "data"), "attempt": ("sentence", "action")}
        fields["label"] = ("note",)
        return record | {name: self.value(record[name]) for name in fields.get(kind, ()) if name in record}
