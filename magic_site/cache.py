"""The shared cache: one pool of connections a process, and counts in one trip."""

import threading
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Self

from django.core.cache.backends.redis import RedisCache
from redis import ConnectionPool


class SharedPool(ConnectionPool):
    """A pool that is made once for each address.

    Django makes a cache client, and with it a pool, for every asynchronous context: without sharing, each message of
    each socket would open a connection of its own.
    """

    _pools: ClassVar[dict[str, Any]] = {}
    _guard: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def from_url(cls, url: str, **options: Any) -> Self:
        with cls._guard:
            if url not in cls._pools:
                cls._pools[url] = super().from_url(url, **options)
            return cls._pools[url]


class Count(NamedTuple):
    """What is counted under a key, for so many seconds, while it is at most so much."""

    key: str
    most: int
    seconds: int


COUNT = """
local found = {}
for n, key in ipairs(KEYS) do
  found[n] = redis.call('INCRBY', key, ARGV[1])
  redis.call('EXPIRE', key, ARGV[2 * n + 1])
  if found[n] > tonumber(ARGV[2 * n]) then break end
end
return found
"""


class SharedCache(RedisCache):
    """Django's, which can count several things in one trip."""

    def count(self, counts: Iterable[Count], more: int) -> list[int]:
        """Add `more` to each in turn, and no further than to the first that is over its most then; returns what they
        are."""
        keys, limits = [], []
        for key, most, seconds in counts:
            keys.append(self.make_and_validate_key(key))
            limits += [most, seconds]
        return self._cache.get_client(write=True).eval(COUNT, len(keys), *keys, more, *limits)
