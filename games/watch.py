"""What hints have missed: each process looks every other second, in one query for all rooms whose pages it has open,
how long their logs are, and gives a hint of its own to the pages that have not heard of it.

So pages stay live while the channel layer is away, and whatever becomes of this process's line to it. What else may
change at a room is looked for by the pings of its pages, less often (games/sockets.py).
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Collection
from typing import TYPE_CHECKING
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async
from django.db.models import OuterRef, Subquery

from games import live, presence
from games.models import Event, Match, Room

if TYPE_CHECKING:
    from games.sockets import PageConsumer

log = logging.getLogger(__name__)

SECONDS = 2.0
SEEN_EVERY = 5
"""Looks after which it is kept anew that somebody has these rooms open."""


class Watch:
    """The open pages of one event loop. It looks for as long as there are any."""

    def __init__(self) -> None:
        self._pages: dict[str, set[PageConsumer]] = {}
        self._looking: asyncio.Task | None = None

    def add(self, code: str, page: PageConsumer) -> None:
        """Look after a page at this room from now on."""
        self._pages.setdefault(code, set()).add(page)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_again_and_again())

    def discard(self, code: str, page: PageConsumer) -> None:
        """The page is closed."""
        pages = self._pages.get(code, set())
        pages.discard(page)
        if not pages:
            self._pages.pop(code, None)
        if not self._pages and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look_again_and_again(self) -> None:
        for looks in itertools.count(1):
            await asyncio.sleep(SECONDS)
            codes = list(self._pages)
            try:
                if looks % SEEN_EVERY == 0:
                    await database_sync_to_async(presence.seen)(codes)
                found = await database_sync_to_async(log_lengths)(codes)
            except Exception:  # whatever it was: a watch that ends would leave pages behind
                log.exception("The logs could not be looked at; the next look tries again")
                continue
            for code, match, seq in found:
                behind = [page for page in self._pages.get(code, ()) if not page.has_heard(str(match), seq)]
                hint = live.hint("log", match, seq)
                for page, outcome in zip(behind, await _tell_all(behind, hint), strict=True):
                    if outcome is not None:
                        log.error("A page at %s could not be told what is new", page.code, exc_info=outcome)


async def _tell_all(pages: list[PageConsumer], hint: dict) -> list[BaseException | None]:
    return await asyncio.gather(*(page.hint(hint) for page in pages), return_exceptions=True)


def log_lengths(codes: Collection[str]) -> list[tuple[str, UUID, int]]:
    """The newest match of each of these rooms that has one, and the seq of the last event in its log: one query."""
    newest = Match.objects.filter(room=OuterRef("pk")).order_by("-number")
    last = Event.objects.filter(match=OuterRef("newest")).order_by("-seq")
    rooms = Room.objects.filter(code__in=codes).annotate(newest=Subquery(newest.values("pk")[:1]))
    rooms = rooms.annotate(last=Subquery(last.values("seq")[:1])).filter(last__isnull=False)
    return list(rooms.values_list("code", "newest", "last"))


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, Watch] = WeakKeyDictionary()


def watch() -> Watch:
    """The watch over the pages of the running event loop."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())
