"""Who is at a table just now: the watch renews the marks of the seats whose pages its process has open, all in one trip
to the shared cache (games/web/watch.py), and a mark fades by itself.

Marks need no counting of tabs and no good-bye: a page that dies says nothing, and a second tab keeps the mark alive.
That anybody at all has a table open, to play or to watch, is kept with the room (`Room.seen_at`).
"""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.core.cache import cache
from django.db.models.functions import Now
from redis.exceptions import RedisError

from games.models import Room
from magic_site import clock

GRACE = 25  # seconds
WAITING_GRACE = 5 * 60
"""Seconds for which who waits for a chair keeps their place in the queue with no page open."""

SEEN_EVERY = timedelta(seconds=10)

Mark = tuple[str, int | str]
"""A seat at a room: the room's code and the seat's number; of a bystander without a chair, their key."""


def exchange(here: Iterable[Mark], asked: Iterable[Mark]) -> set[Mark]:
    """Mark the seats whose players have their pages open here; returns those of the asked seats whose players have none
    open anywhere. A cache that cannot be reached keeps no marks, and nobody is away: the game goes on."""
    here = list(here)
    waiting = {_key(mark): 1 for mark in here if isinstance(mark[1], str)}
    sitting = {_key(mark): 1 for mark in here if isinstance(mark[1], int)}
    keys = {_key(mark): mark for mark in asked}
    try:
        for marks, seconds in ((sitting, GRACE), (waiting, WAITING_GRACE)):
            if marks:
                cache.set_many(marks, timeout=seconds)
        marked = cache.get_many(keys) if keys else {}
    except RedisError:
        return set()
    return {mark for key, mark in keys.items() if key not in marked}


def seen(codes: Collection[str]) -> None:
    """Somebody has these rooms open just now."""
    Room.objects.filter(code__in=codes).update(seen_at=Now())


def seen_now(room: Room) -> None:
    """Somebody has this room open just now; written once in a while."""
    if room.seen_at is None or room.seen_at < clock.now() - SEEN_EVERY:
        seen([room.code])


def _key(mark: Mark) -> str:
    return f"here:{mark[0]}:{mark[1]}"
