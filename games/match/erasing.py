"""Erasing a person: the one change that stored logs allow.

Their words become `[erased]`, wherever others quoted them too; their name becomes that of the seat, and nothing ties
the seat to their browser any more. What they did stays: a match goes on adding up, and its log can still be imported.
Copies of their matches that were imported are changed alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games import audit
from games.match import access, identity, store
from games.match.rows import MatchSeat
from games.match.words import Change
from games.models import ErasedSeat, Match, Notes, Room, Seat
from games.registry import RULES
from games.rules.erasing import erasure, erasure_of_event

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
    elsewhere = (Match.Origin.IMPORT, Match.Origin.FORK)
    running = [match for match, _seat in every if match.status == "running"]
    playing = next((match for match in running if match.origin not in elsewhere), None)
    if playing is not None:
        raise ValueError(f"They still play match {playing.pk}. End it first.")
    found = [erase_from(match, seat) for match, seat in every]
    audit.erase(lambda text: reduce(lambda left, erased: erased[1](left), found, text))
    for tell in told:
        tell([identity.remember(match, seat) for match, seat in every])
    return Erased(len(every), sum(words for words, _without in found))


def _with_copies(seats: dict[UUID, int]) -> list[tuple[Match, int]]:
    """These matches, and all that are the same or begin with one of them, each with the seat. They are held until the
    transaction ends, so that nobody adds to them meanwhile or lets another match begin with them."""
    every: dict[UUID, tuple[Match, int]] = {}
    while seats:
        held = [(match, seats[match.pk]) for match in store.held(seats)]
        every |= {match.pk: (match, seat) for match, seat in held}
        copies = {copy.pk: seat for match, seat in held for copy in identity.copies_of(match)}
        seats = {key: seat for key, seat in copies.items() if key not in every}
    return list(every.values())


def erase_from(match: Match, seat: int) -> tuple[int, Change]:
    """Erase whoever played a seat from this one match: how many of their texts that are; what takes these and their
    name out of a text."""
    identity.remember(match, seat)
    found = erasure(RULES[match.game], match.header, match.events.plain(), seat)
    store.erase(match, seat, found.changes, found.without)
    for change in also:
        change(match, found.without)
    return found.words, found.without


@transaction.atomic
def erase_event(match: Match, seq: int) -> bool:
    """Take the words of one event by a person out of a match and all that quotes them; whether there were any. Their
    other words and their name stay."""
    (held,) = store.held([match.pk])
    found = erasure_of_event(RULES[held.game], held.header, held.events.plain(), seq)
    if found.changes:
        store.erase_words(held, found.changes, found.without)
        for change in also:
            change(held, found.without)
    return bool(found.changes)
