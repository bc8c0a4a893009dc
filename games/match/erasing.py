"""Erasing a person: the one change that stored logs allow.

Their words become `[erased]`, wherever others quoted them too; their name becomes that of the seat, and nothing ties
the seat to their browser any more. What they did stays: a match goes on adding up, and its log can still be imported.
Copies of their matches that were imported are changed alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games import audit
from games.match import access, archive, identity, writer
from games.match.changes import WORDS, changed
from games.match.rows import Event, MatchSeat
from games.match.words import Change, change_words
from games.models import ErasedSeat, Match, Notes, Room, Seat
from games.registry import RULES
from games.rules import values
from games.rules.erasing import called, erasure, erasure_of_event

# What other apps keep of a match is changed by them; they put it here when they start.
also: list[Callable[[Match, Change], None]] = []

# What is kept of people beside matches is let go of by who keeps it; they put it here when they start.
beside: list[Callable[[str], None]] = []

# Who keeps account of what left the house is told which seats were erased, all in the same transaction.
told: list[Callable[[list[ErasedSeat]], None]] = []


@dataclass(frozen=True)
class Erased:
    """How much was erased."""

    matches: int
    words: int


def erase(person: str) -> Erased:
    """Erase a person by the key in their cookie, from every match and table. Raises `ValueError` with a sentence while
    they still play one."""
    with transaction.atomic():
        erased = _erase_seats(seats_of(person))
        Notes.objects.filter(person=person).delete()
        for let_go in beside:
            let_go(person)
        Seat.objects.filter(person=person).update(person="", name="", ready=False)
        Room.objects.filter(host=person).update(host="")
        Room.objects.filter(own_by=person).update(own_by="", own_words=[])
        for room in access.kicked_from(person):
            room.kicked.remove(person)
            room.save(update_fields=["kicked"])
    return erased


def seats_of(person: str) -> dict[UUID, int]:
    """The seats of this person in all matches, by match; also those that were freed for others. What both said there is
    told apart by nothing."""
    sat = MatchSeat.objects.filter(Q(person=person) | Q(former__contains=person))
    return dict(sat.values_list("match", "seat")) if person else {}


@transaction.atomic
def erase_seat(match: Match, seat: int) -> Erased:
    """Erase whoever played a seat of an imported match: no more is known of them here. Raises `ValueError`."""
    return _erase_seats({match.pk: seat})


def _erase_seats(seats: dict[UUID, int]) -> Erased:
    every = _with_copies(seats)
    playing = next((part.match for part in every if plays_here(part.match) and not part.others_now), None)
    if playing is not None:
        raise ValueError(f"They still play match {playing.pk}. End it first.")
    found = [erase_from(*part) for part in every]
    audit.erase(lambda text: reduce(lambda left, erased: erased[1](left), found, text))
    for tell in told:
        tell([identity.remember(part.match, part.seat) for part in every])
    return Erased(len(every), sum(words for words, _without in found))


def plays_here(match: Match) -> bool:
    """Whether people may be playing this match: it is no unfinished import, and no fork for agents alone."""
    alone = match.origin == Match.Origin.IMPORT or (match.origin == Match.Origin.FORK and match.room_id is None)
    return match.status == "running" and not alone


class Part(NamedTuple):
    """What of a match is somebody's: what was done at this seat after one event and up to another (None: to the end).
    name: what they are called, if not what the seat is."""

    match: Match
    seat: int
    after: int = 0
    until: int | None = None
    name: str = ""

    @property
    def others_now(self) -> bool:
        """Whether somebody else has sat down there since: at a table that plays on from theirs."""
        return self.until is not None and self.match.room_id is not None

    def copied(self, copy: Match) -> Part:
        """The same part in a copy of the match, or in one that begins with it."""
        begins = copy.forked_from or {}
        forks = copy.parent_id == self.match.pk or begins.get("match") == str(self.match.pk)
        until = min((seq for seq in (begins["seq"] if forks else None, self.until) if seq is not None), default=None)
        return Part(copy, self.seat, self.after, until, self.name or self.match.names()[self.seat])


def _with_copies(seats: dict[UUID, int]) -> list[Part]:
    """These seats, and the same in all matches that are the same or begin with one of them. They are held until the
    transaction ends, so that nobody adds to them meanwhile or lets another match begin with them."""
    fresh = []
    for match in writer.held(seats):
        began_elsewhere = match.forked_from is not None and match.room_id is not None
        after = match.forked_from["seq"] if match.forked_from and began_elsewhere else 0
        fresh.append(Part(match, seats[match.pk], after))
    every: dict[tuple[UUID, int, int], Part] = {}
    while fresh:
        every |= {(part.match.pk, part.seat, part.after): part for part in fresh}
        found = [part.copied(copy) for part in fresh for copy in identity.copies_of(part.match)]
        fresh = [part for part in found if (part.match.pk, part.seat, part.after) not in every]
        held = {match.pk: match for match in writer.held(part.match.pk for part in fresh)}
        fresh = [part._replace(match=held[part.match.pk]) for part in fresh]
    return list(every.values())


def erase_from(match: Match, seat: int, after: int = 0, until: int | None = None, name: str = "") -> tuple[int, Change]:
    """Erase whoever played a seat from this one match, or a `Part` of it: how many of their texts that are; what takes
    these and their name out of a text."""
    identity.remember(match, seat)
    log = match.events.plain()
    found = erasure(RULES[match.game], match.header, log, seat, after=after, until=until, name=name)
    others_now = Part(match, seat, after, until).others_now
    _write_seat(match, seat, found.changes, found.without, others_now=others_now)
    for change in also:
        change(match, found.without)
    return found.words, found.without


@transaction.atomic
def erase_event(match: Match, seq: int) -> bool:
    """Take the words of one event by a person out of a match and all that quotes them; whether there were any. Their
    other words and their name stay."""
    (held,) = writer.held([match.pk])
    found = erasure_of_event(RULES[held.game], held.header, held.events.plain(), seq)
    if found.changes:
        _write_words(held, found.changes, found.without)
        for change in also:
            change(held, found.without)
    return bool(found.changes)


def _write_seat(
    match: Match, seat: int, changes: dict[int, dict[str, Any]], without: Change, *, others_now: bool = False
) -> None:
    """Write what is left of a person's seat in a match that is `held`. changes: by seq the data
    that an event has afterwards; without: takes their words and name out of a text; others_now: somebody else has sat
    down at the seat since, and keeps it."""
    if not others_now:
        change_words(match.attempts.filter(seat=seat, by="person"), ["action"], lambda text: values.ERASED)
        match.notebooks.filter(seat=seat).delete()
        writer.reseat(match, seat, name=called(seat), person="", former="")
    _write_words(match, changes, without)


def _write_words(match: Match, changes: dict[int, dict[str, Any]], without: Change) -> None:
    """Write what is left of words in a match that is `held`, wherever they stand; the same parameters."""
    events = list(match.events.filter(seq__in=changes))
    for event in events:
        event.data = changes[event.seq]
    Event.objects.bulk_update(events, ["data"])
    change_words(match.attempts.all(), ("sentence", "action"), without)
    change_words(match.thoughts.all(), ("reply", "data"), without)
    writer.derive_lookup(match)
    change_words(match.prompt_texts.all(), ("text",), without)
    change_words(match.pending.all(), ("kept",), without)
    change_words(match.notes.all(), ("text",), without)
    archive.forget(match)
    match.erasures += 1
    match.save(update_fields=["erasures"])
    changed(match, WORDS)
