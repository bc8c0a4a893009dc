"""People as matches know them: found by a name, an account, or a seat that they had; for who is to erase them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User

from games.match import access, erasing
from games.match.rows import Event, MatchSeat
from games.models import Match
from games.registry import RULES

MOST = 50
"""So many are found at once, at most."""


@dataclass(frozen=True)
class Person:
    """One person. key: theirs, which no page shows; "" for one of an imported match. match, seat: one that they had, by
    which they are named. seats: all that are theirs here, by match."""

    key: str
    match: UUID
    seat: int
    seats: dict[UUID, int]

    @property
    def names(self) -> list[str]:
        """What they were called."""
        rows = MatchSeat.objects.filter(match__in=self.seats).values_list("match", "seat", "name")
        return sorted({name for match, seat, name in rows if self.seats[match] == seat})

    @property
    def account(self) -> User | None:
        """Their account."""
        return access.account_of(self.key) if self.key else None

    @property
    def matches(self) -> list[Match]:
        """Their matches, the newest first."""
        return list(Match.objects.filter(pk__in=self.seats).select_related("room").order_by("-created_at"))

    @property
    def said(self) -> int:
        """In how many events stand words of theirs."""
        rows = Event.objects.filter(match__in=self.seats, by="person").order_by()
        told = rows.values_list("match", "match__game", "seat", "kind", "data")
        return sum(
            self.seats[match] == seat and game in RULES and bool(set(RULES[game].words_of(kind, data)) & data.keys())
            for match, game, seat, kind, data in told
        )


def search(words: str) -> list[Person]:
    """People who were called so, or whose account is."""
    seats = MatchSeat.objects.filter(kind="person").order_by("-pk")
    named = seats.filter(name__icontains=words).exclude(person="").values_list("person", flat=True)
    accounts = User.objects.filter(username__icontains=words).exclude(person_keys=None)
    keys = [*dict.fromkeys([*named[: 20 * MOST], *accounts.values_list("person_keys__key", flat=True)[:MOST]])]
    found = [person for key in keys[:MOST] for person in _of_key(key)]
    elsewhere = seats.filter(person="", match__origin=Match.Origin.IMPORT, name__icontains=words)
    return [*found, *(_of_import(seat) for seat in elsewhere[: MOST - len(found)])]


def of_key(key: str) -> Person | None:
    """Who has this key; None where they have played nothing."""
    return next(_of_key(key), None) if key else None


def of_seat(match: UUID, seat: int) -> Person | None:
    """Who played a seat; None where no person did, or they are erased already."""
    row = MatchSeat.objects.filter(match=match, seat=seat, kind="person").select_related("match").first()
    if row is None or not (row.person or row.match.origin == Match.Origin.IMPORT):
        return None
    return next(_of_key(row.person), None) if row.person else _of_import(row)


def _of_key(key: str) -> Iterator[Person]:
    seats = erasing.seats_of(key)
    for match, seat in list(seats.items())[:1]:
        yield Person(key, match, seat, seats)


def _of_import(row: MatchSeat) -> Person:
    return Person("", row.match_id, row.seat, {row.match_id: row.seat})
