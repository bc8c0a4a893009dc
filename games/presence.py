"""Who is at a table just now: each open page renews its seat's mark in the shared cache, and a mark fades by itself.

Marks need no counting of tabs and no good-bye: a page that dies says nothing, and a second tab keeps the mark alive.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.core.cache import cache

GRACE = 25  # seconds; pages renew every ten


def renew(code: str, seat: int) -> None:
    """This seat's player has the page open."""
    cache.set(_key(code, seat), 1, timeout=GRACE)


def away(code: str, seats: Iterable[int]) -> list[int]:
    """Those of these seats whose players have no page open, in order."""
    keys = {_key(code, seat): seat for seat in seats}
    return sorted(set(keys.values()) - {keys[key] for key in cache.get_many(keys)})


def _key(code: str, seat: int) -> str:
    return f"here:{code}:{seat}"
