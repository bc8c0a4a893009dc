"""What of matches an export holds, by choice, and by what names it calls people."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.match.bulk import Bulk
from games.match.quick_json import encoded, read
from games.match.words import everywhere
from games.registry import RULES
from games.rules import logfile
from games.rules.values import Event

POLLS = ("polling", "poll", "polled")
"""The kinds of event that are about beliefs, and that no move depends on."""

CALLS = ("model", "tokens_in", "tokens_out", "cached", "stored", "cost", "ms", "attempts")
"""What of a thought tells of calls of models."""

PARTS: dict[str, Any] = {
    "roles": gettext_lazy("Hidden roles: who was what, what was dealt, secret moves"),
    "thoughts": gettext_lazy("Thoughts of agents, and what did not count"),
    "prompts": gettext_lazy("Prompts: what models were told, whole"),
    "polls": gettext_lazy("Polls about beliefs"),
    "labels": gettext_lazy("Labels of raters, and how far they agree"),
    "metrics": gettext_lazy("Values of metrics, by seat"),
    "calls": gettext_lazy("Calls of models, and what they cost"),
}
"""What may be chosen, by name."""

NEEDS = dict.fromkeys(("thoughts", "polls", "labels", "metrics", "calls"), "roles") | {"prompts": "thoughts"}
"""What tells of something else, and so is there only with it."""


HIDDEN = "Person"
"""In the place of a name whose letters have several cases."""


@dataclass(frozen=True)
class Content:
    """What an export holds besides what everybody at the tables could know before the end (see `PARTS`). names: people
    by the names that they gave, in place of pseudonyms. Raises `ValidationError` for what cannot be together."""

    roles: bool = True
    thoughts: bool = True
    prompts: bool = True
    polls: bool = True
    labels: bool = True
    metrics: bool = True
    calls: bool = True
    names: bool = False

    def __post_init__(self) -> None:
        for part, needed in NEEDS.items():
            if getattr(self, part) and not getattr(self, needed):
                told = {"part": PARTS[part], "needed": PARTS[needed]}
                raise ValidationError(
                    _("“%(part)s” would tell of “%(needed)s”, which is left out. Choose both or neither.") % told
                )

    @classmethod
    def of(cls, chosen: Iterable[str]) -> Content:
        """That holds what is named."""
        chosen = set(chosen)
        return cls(**{field.name: field.name in chosen for field in fields(cls)})

    def has(self, part: str) -> bool:
        """Whether it holds a part; "" is in every export."""
        return not part or getattr(self, part)

    @property
    def chosen(self) -> list[str]:
        """The names of what it holds."""
        return [name for name, there in asdict(self).items() if there]

    @property
    def importable(self) -> bool:
        """Whether its logs can be played again: nothing that was played is left out."""
        return self.roles and self.polls

    def reworded(self, called: Called) -> Callable[[str], str]:
        """What puts the pseudonyms of people in the place of their names in a text, unless names are told."""
        return str if self.names else _renaming(called.names)

    def apply(self, log: logfile.LogFile[Any], called: Called) -> logfile.LogFile[Any]:
        """The log file with what this holds."""
        change = self.reworded(called)
        if not self.polls:
            log.events = [event for event in log.events if event.kind not in POLLS]
        if not self.thoughts:
            log.thoughts, log.attempts = [], []
        without = {"prompt"} if not self.prompts else set()
        without |= set() if self.calls else set(CALLS)
        if without:
            log.thoughts = [{n: value for n, value in t.items() if n not in without} for t in log.thoughts]
        if not self.labels:
            log.annotations = []
        if change is not str:
            _rename(log, called, change)
        return log


class Called(NamedTuple):
    """The pseudonyms of a match's people: by seat, and by each name that they have there or had in a match that it
    begins with."""

    seats: dict[int, str]
    names: dict[str, str]


class Pseudonyms:
    """What people are called in one export: the same in all of it, and otherwise in another one. key: the export's
    own, and in no file of it."""

    LETTERS = str.maketrans("0123456789abcdef", "bcdfghjknpqrstxz")
    """In place of digits: they make no words, and none looks like another."""
    LENGTH = 10

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._known: dict[str, str] = {}

    def of(self, bulk: Bulk) -> Called:
        """The people of a match. Somebody without a key here is known by the name in an imported log."""
        names = bulk.log.header.names
        seats = {seat: self.called(person or f"name {names[seat]}") for seat, person in bulk.people.items()}
        before = {name: self.called(person or f"name {name}") for name, person in bulk.before.items()}
        return Called(seats, before | {names[seat]: pseudonym for seat, pseudonym in seats.items()})

    def called(self, person: str) -> str:
        """The pseudonym of a person, by their key."""
        if person not in self._known:
            letters = hmac.new(self.key, person.encode(), sha256).hexdigest()[: self.LENGTH]
            self._known[person] = f"Person {letters.translate(self.LETTERS)}"
        return self._known[person]


def _rename(log: logfile.LogFile[Any], called: Called, change: Callable[[str], str]) -> None:
    """Call people otherwise, in the header and wherever somebody says their name. An agent that goes on at a person's
    seat bears their name."""
    seats = tuple(
        seat if seat.name not in called.names else type(seat)(seat.seat, called.names[seat.name], seat.kind, seat.agent)
        for seat in log.header.seats
    )
    log.header = type(log.header)(**vars(log.header) | {"seats": seats})
    words_of = RULES[log.header.game].words_of if log.header.game in RULES else _every_word
    log.events = [_reworded(event, words_of, change) for event in log.events]
    log.thoughts = [_rethought(thought, change) for thought in log.thoughts]
    log.attempts = [everywhere(attempt, change) for attempt in log.attempts]
    log.annotations = [
        label | {"note": change(label["note"])} if "note" in label else label for label in log.annotations
    ]


def _every_word(kind: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(data)


def _reworded(event: Any, words_of: Callable[[str, Any], Iterable[str]], change: Callable[[str], str]) -> Any:
    if not isinstance(event, Event):
        return event
    said = {name: event.data[name] for name in words_of(event.kind, event.data) if name in event.data}
    return event._replace(data=event.data | everywhere(said, change)) if said else event


def _rethought(thought: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    changed = everywhere(thought | {"data": read(thought["data"])}, change)
    return changed | {"data": encoded(changed["data"])}


def _renaming(names: Mapping[str, str]) -> Callable[[str], str]:
    """What puts pseudonyms in the place of names that stand as whole words in a text, in whatever case they are
    written."""
    known = {name.casefold(): pseudonym for name, pseudonym in names.items() if name}
    if not known:
        return str
    found = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    pattern = re.compile(rf"(?<!\w)(?:{found})(?!\w)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda match: known.get(match[0].casefold(), HIDDEN), text)
