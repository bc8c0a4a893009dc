"""One match as an export tells it: its log file, and all that the flat files say of it."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from uuid import UUID

from evaluation.counting.stored import records
from evaluation.exports.content import Content, Pseudonyms
from evaluation.labelling import labels
from evaluation.labelling.labels import Held, Said
from evaluation.metrics import METRICS
from evaluation.metrics.base import Counted
from evaluation.metrics.measuring import Amount, amounts
from evaluation.records.record import Record
from games.match import bulk
from games.match.quick_json import encoded
from games.models import Match
from games.registry import RULES
from games.rules import logfile
from games.rules.replay import must_stand
from games.rules.values import Event, LogError, Outcome

CHUNK = 20
"""So many matches are in memory at a time."""


@dataclass
class Told:
    """A match of an export. log: with the content that was chosen. people: by seat the pseudonym of the person. whole:
    the record of all of it, None where that is not told. said, held: labels of raters, and final ones. thoughts: whole,
    for what they cost. reworded: calls people otherwise in a text."""

    match: Match
    log: logfile.LogFile[Any]
    people: Mapping[int, str]
    content: Content
    whole: Record | None = None
    amounts: Sequence[Amount] = ()
    said: Sequence[Said] = ()
    held: Sequence[Held] = ()
    thoughts: Sequence[dict[str, Any]] = ()
    reworded: Callable[[str], str] = str

    @cached_property
    def id(self) -> str:
        """The match's id."""
        return str(self.match.pk)

    @property
    def outcome(self) -> Outcome:
        """How it stands."""
        return self.log.outcome or Outcome()

    @cached_property
    def events(self) -> list[Event]:
        """The events that are told in full."""
        return [event for event in self.log.events if isinstance(event, Event)]

    @cached_property
    def texts(self) -> list[str | None]:
        """What each event of the log holds, as JSON text; None where that is not told."""
        return [None if event.data is None else encoded(event.data) for event in self.log.events]

    def lines(self) -> Iterator[str]:
        """The lines of the log file."""
        events = [event._replace(data=text) for event, text in zip(self.log.events, self.texts, strict=True)]
        return logfile.write(replace(self.log, events=events))

    @cached_property
    def record(self) -> Record | None:
        """The record, where today's rules can tell who was what."""
        if self.whole is None or self.whole.game not in RULES:
            return None
        try:
            must_stand(self.whole.rules, self.log.header, self.whole.events)
        except LogError:
            return None
        return self.whole

    @property
    def roles(self) -> Mapping[int, str]:
        """What each seat was, where that is told and known."""
        return self.record.roles if self.record is not None else {}

    @property
    def sides(self) -> Mapping[int, str]:
        """The side of each seat, where that is told and known."""
        return self.record.sides if self.record is not None else {}


def told(keys: Sequence[UUID], content: Content, pseudonyms: Pseudonyms) -> Iterator[Told]:
    """These matches in their order, those of a chunk at a time in memory."""
    for chunk in chunks(keys):
        yield from _chunk(chunk, content, pseudonyms)
        gc.collect(0)  # a match and its seats, which name one another


def chunks(keys: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    """So many of them that are in memory at a time."""
    return (keys[first : first + CHUNK] for first in range(0, len(keys), CHUNK))


def _chunk(keys: Sequence[UUID], content: Content, pseudonyms: Pseudonyms) -> Iterator[Told]:
    thinking = content.thoughts or content.calls
    measured = _measured(keys) if content.metrics else {}
    said, held = (_by_match(labels.given(keys)), _by_match(labels.finals(keys))) if content.labels else ({}, {})
    logs = bulk.logs(keys, hidden=content.roles, thoughts=thinking, prompts=content.prompts)
    for one in logs:
        called = pseudonyms.of(one)
        thoughts, reworded = one.log.thoughts, content.reworded(called)
        log = content.apply(one.log, called)
        key = one.match.pk
        yield Told(
            match=one.match,
            log=log,
            people=called.seats,
            content=content,
            whole=_record(log) if content.roles else None,
            amounts=measured.get(key, ()),
            said=said.get(key, ()),
            held=held.get(key, ()),
            thoughts=thoughts,
            reworded=reworded,
        )


def _record(log: logfile.LogFile[Event]) -> Record:
    """What the flat files ask of a log; without thoughts, of which they ask nothing that way."""
    header = log.header
    played = header.id, header.game, header.preset, header.options, header.setting, header.seats
    return Record(*played, log.events, outcome=log.outcome or Outcome(), labels=log.labels)


def _measured(keys: Collection[UUID]) -> dict[UUID, list[Amount]]:
    names = [metric.name for metric in METRICS.values() if isinstance(metric, Counted) and not metric.heavy]
    return {UUID(record.id): amounts(record, names) for record in records(Match.objects.filter(pk__in=keys))}


def _by_match(rows: Any) -> dict[UUID, list[Any]]:
    found: dict[UUID, list[Any]] = defaultdict(list)
    for row in rows:
        found[row.match].append(row)
    return found
