"""The matches that are being played and may be watched by anybody: what the lobby tells of each."""

from __future__ import annotations

from typing import NamedTuple

from games.match import access, lookup
from games.models import Match, Room
from games.registry import RULES
from magic_site import keyset


class Playing(NamedTuple):
    """A match that may be watched. round: the one that its watchers see; delayed: it is one behind the table's."""

    room: Room
    title: str
    way: str
    round: int
    seats: int
    delayed: bool


def playing(person: str, size: int, at: str = "") -> tuple[list[Playing], keyset.Page]:
    """So many of them, the newest first, from where an address says, and the page that they are; in as many queries
    however many they are."""
    page = keyset.page(access.open_to_watch().filter(game__in=RULES), size, at, "created_at")
    shown = [match for match in page.rows if match.room is not None and person not in match.room.kicked]
    ended = lookup.rounds_ended(shown) if shown else {}
    return [_told(match, match.room, ended[match.pk]) for match in shown], page


def _told(match: Match, room: Room, ended: int) -> Playing:
    rules, delayed = RULES[match.game], room.watching == Room.Watching.DELAYED
    at = max(ended, 1) if delayed else ended + 1
    return Playing(room, rules.title, rules.called(match.preset), at, len(match.seated), delayed)
