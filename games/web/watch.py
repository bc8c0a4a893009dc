"""What hints have missed: each process looks every other second, in one query for all rooms whose pages it has open,
how long their logs are and what else has changed, and gives a hint of its own to the pages that do not know it.

So pages stay live while the channel layer is away, and whatever becomes of this process's line to it. The same look
keeps the database's time, and every few seconds who has the page open: what a page's ping asks is then known.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from itertools import chain
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakKeyDictionary

from games.match import changes
from games.match.cache import State, states
from games.room import presence
from games.room.presence import Mark
from games.web.reading import in_thread

log = logging.getLogger(__name__)

SECONDS = 2.0
PRESENCE_SECONDS = 8.0


class Page(Protocol):
    """What is looked after: the socket of a page, or programs that wait (`games.web.api.waiting`). The attributes are
    those of `games.web.sockets.PageConsumer`."""

    code: str | None
    revision: int
    said: float
    shown: tuple[UUID, int] | None
    asks: Collection[Mark]

    @property
    def marks(self) -> Collection[Mark]: ...

    def has_heard(self, match: str, seq: int) -> bool: ...

    async def dispatch(self, message: dict[str, Any]) -> None: ...


class Watch:
    """The open pages of one event loop. It looks for as long as there are any."""

    def __init__(self) -> None:
        self.away: set[Mark] = set()  # the seats that its pages ask about and whose players have no page open
        self._pages: dict[str, set[Page]] = {}
        self._looking: asyncio.Task | None = None
        self._presence_at = 0.0

    def add(self, code: str, page: Page) -> None:
        """Look after a page at this room from now on."""
        self._pages.setdefault(code, set()).add(page)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_again_and_again())

    def hurry(self) -> None:
        """A page has another mark, or asks about other seats: the next look tells who is here, and asks."""
        self._presence_at = 0.0

    def discard(self, code: str, page: Page) -> None:
        """The page is closed."""
        pages = self._pages.get(code, set())
        pages.discard(page)
        if not pages:
            self._pages.pop(code, None)
        if not self._pages and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(SECONDS)
            try:
                await self.look()
            except Exception:  # whatever it was: a watch that ends would leave pages behind
                log.exception("The rooms could not be looked at; the next look tries again")

    async def look(self) -> None:
        """Tell each page what it does not know yet, and who is here."""
        if time.monotonic() - self._presence_at >= PRESENCE_SECONDS:
            self._presence_at = time.monotonic()
            pages = list(chain.from_iterable(self._pages.values()))
            here = set(chain.from_iterable(page.marks for page in pages))
            await in_thread(presence.seen, list(self._pages))
            self.away = await in_thread(presence.exchange, here, set(chain.from_iterable(p.asks for p in pages)))
        found = await in_thread(states, list(self._pages))
        told = [(page, _news(page, state)) for state in found for page in self._pages.get(state.code, ())]
        behind = [(page, hint) for page, hint in told if hint]
        outcomes = await asyncio.gather(*(page.dispatch(hint) for page, hint in behind), return_exceptions=True)
        for (page, _hint), outcome in zip(behind, outcomes, strict=True):
            if outcome is not None:
                log.error("A page at %s could not be told what is new", page.code, exc_info=outcome)


def _news(page: Page, state: State) -> dict[str, Any] | None:
    """The hint that this page needs, if it needs one."""
    if page.revision < state.revision:
        return changes.hint("room")
    if page.said < state.said:
        return changes.hint(changes.TALK)
    if page.shown is not None and page.shown[0] == state.match and page.shown[1] != state.erasures:
        return changes.hint(changes.WORDS, state.match)
    if state.match is not None and state.seq is not None and not page.has_heard(str(state.match), state.seq):
        return changes.hint(changes.LOG, state.match, state.seq)
    return None


_watches: WeakKeyDictionary[asyncio.AbstractEventLoop, Watch] = WeakKeyDictionary()


def watch() -> Watch:
    """The watch over the pages of the running event loop."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())
