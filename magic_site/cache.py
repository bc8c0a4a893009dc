"""The shared cache's connections: one pool a process."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

from redis import ConnectionPool


class SharedPool(ConnectionPool):
    """A pool that is made once for each address.

    Django makes a cache client, and with it a pool, for every asynchronous context: without sharing, each message of
    each socket would open a connection of its own.
    """

    _pools: ClassVar[dict[str, ConnectionPool]] = {}
    _guard: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def from_url(cls, url: str, **options: Any) -> ConnectionPool:
        with cls._guard:
            if url not in cls._pools:
                cls._pools[url] = super().from_url(url, **options)
            return cls._pools[url]
