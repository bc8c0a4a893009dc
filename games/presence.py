"""Who is at a table just now: each open page renews its seat's mark in the shared cache, and a mark fades by itself.

Marks need no counting of tabs and no good-bye: a page that dies says nothing, and a second tab keeps the mark alive.
That anybody at all has a table open, to play or to watch, is kept with the room (`Room.seen_at`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import timedelta

from django.core.cache import cache
from django.db.models.functions import Now
from redis.exceptions import RedisError

from games.models import Room
from magic_site import clock

GRACE = 25  # seconds; pages renew every ten
SEEN_EVERY = timedelta(seconds=10)


def renew(code: str, seat: int) -> None:
    """This seat's player has the page open."""
    with suppress(RedisError):  # a cache that cannot be reached keeps no marks; the game goes on
        cache.set(_key(code, seat), 1, timeout=GRACE)


def away(code: str, seats: Iterable[int]) -> list[int]:
    """Those of these seats whose players have no page open, in order; nobody, where the marks cannot be read."""
    keys = {_key(code, seat): seat for seat in seats}
    try:
        marked = cache.get_many(keys)
    except RedisError:
        return []
    return sorted(set(keys.values()) - {keys[key] for key in marked})


def seen(codes: Collection[str]) -> None:
    """Somebody has these rooms open just now."""
    Room.objects.filter(code__in=codes).update(seen_at=Now())


def seen_now(room: Room) -> None:
    """Somebody has this room open just now; written once in a while."""
    if room.seen_at is None or room.seen_at < clock.now() - SEEN_EVERY:
        seen([room.code])


def _key(code: str, seat: int) -> str:
    return f"here:{code}:{seat}"
