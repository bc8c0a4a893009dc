"""Reading for sockets: in a few threads, so that one slow read holds up no other table, and once for all who ask for
the same at about the same time."""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

THREADS = 4
Read = TypeVar("Read")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="sockets")


async def in_thread(read: Callable[..., Read], *arguments: object) -> Read:
    """What `read` gives, which may ask the database."""
    return await database_sync_to_async(read, thread_sensitive=False, executor=_threads)(*arguments)


class SharedReadings:
    """The readings of one event loop. Each begins after everybody asked whom it is given to, so that nobody gets what
    was read before the change that they ask about."""

    def __init__(self) -> None:
        self._next: dict[Hashable, asyncio.Task] = {}
        self._running: dict[Hashable, asyncio.Task] = {}

    async def read(self, key: Hashable, read: Callable[[], Read]) -> Read:
        if key not in self._next:
            self._next[key] = asyncio.create_task(self._read(key, read))
        return await asyncio.shield(self._next[key])

    async def _read(self, key: Hashable, read: Callable[[], Read]) -> Read:
        if key in self._running:
            await asyncio.wait([self._running[key]])
        self._running[key] = self._next.pop(key)
        try:
            return await in_thread(read)
        finally:
            del self._running[key]


_shared: WeakKeyDictionary[asyncio.AbstractEventLoop, SharedReadings] = WeakKeyDictionary()


async def shared(key: Hashable, read: Callable[[], Read]) -> Read:
    """As `in_thread`, once for all sockets of this process that ask for the same key before the reading has begun."""
    return await _shared.setdefault(asyncio.get_running_loop(), SharedReadings()).read(key, read)
