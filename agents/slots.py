"""Slots of endpoints: how many calls may be under way at once, and how many may begin in any minute.

They are counted in Redis for all workers together. A slot is a lease that is renewed while its call lasts, so a worker
that is killed gives it back within seconds. Where no Redis can be reached each process counts for itself.
"""

import logging
import random
import threading
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Protocol

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from agents.providers import ProviderError
from agents.providers.values import Slot

log = logging.getLogger(__name__)

HELD_SECONDS = 12.0
RENEW_EVERY = 4.0
LOOK_EVERY = 0.2
"""Seconds after which somebody who waits looks again; a slot that this process gives back is seen at once."""

ALONE_SECONDS = 15.0
"""How long a process counts for itself before it tries to reach Redis again."""

WINDOW = 60.0

TAKE = """
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 1 end
local most, window = tonumber(ARGV[3]), tonumber(ARGV[5])
if most > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - window)
  if redis.call('ZCARD', KEYS[2]) >= most then
    return redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2] + window - now
  end
  redis.call('ZADD', KEYS[2], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2], window)
end
redis.call('ZADD', KEYS[1], now + ARGV[4], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 0
"""
RENEW = """
local now = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'XX', now[1] * 1000 + math.floor(now[2] / 1000) + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""


class NoSlotError(ProviderError):
    """Other calls took all the time that there was; none was made."""


class Counter(Protocol):
    """Who counts."""

    def take(self, name: str, token: str, at_once: int, a_minute: int | None) -> float:
        """Take a slot: 0, or how many seconds to wait before it is tried again."""

    def give_back(self, name: str, token: str) -> None:
        """Free a slot that was taken."""


class Together:
    """Counts in Redis."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._take, self._renew = client.register_script(TAKE), client.register_script(RENEW)
        self._held: dict[str, str] = {}
        self._guard = threading.Lock()
        self._renewing = False

    def take(self, name: str, token: str, at_once: int, a_minute: int | None) -> float:
        lease, window = round(HELD_SECONDS * 1000), round(WINDOW * 1000)
        wait = self._take(_keys(name), [token, at_once, a_minute or 0, lease, window]) / 1000
        if not wait:
            with self._guard:
                self._held[token] = name
                if not self._renewing:
                    self._renewing = True
                    threading.Thread(target=self._renew_for_ever, name="slots", daemon=True).start()
        return wait

    def give_back(self, name: str, token: str) -> None:
        with self._guard:
            self._held.pop(token, None)
        try:
            self._client.zrem(_keys(name)[0], token)
        except RedisError:
            log.warning("A slot of %s was not given back; it runs out in %g s", name, HELD_SECONDS)

    def renew(self) -> None:
        """Renew all that this process holds."""
        with self._guard:
            held = list(self._held.items())
        for token, name in held:
            self._renew(_keys(name)[:1], [token, round(HELD_SECONDS * 1000)])

    def _renew_for_ever(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(RENEW_EVERY)
            try:
                self.renew()
            except RedisError as error:
                log.warning("Slots were not renewed", exc_info=error)


class Alone:
    """Counts in this process."""

    def __init__(self) -> None:
        self._under_way: dict[str, set[str]] = defaultdict(set)
        self._begun: dict[str, deque[float]] = defaultdict(deque)
        self._guard = threading.Lock()

    def take(self, name: str, token: str, at_once: int, a_minute: int | None) -> float:
        with self._guard:
            now, under_way, begun = time.monotonic(), self._under_way[name], self._begun[name]
            if len(under_way) >= at_once:
                return 0.001
            while begun and begun[0] <= now - WINDOW:
                begun.popleft()
            if a_minute and len(begun) >= a_minute:
                return begun[0] + WINDOW - now
            begun.append(now)
            under_way.add(token)
            return 0.0

    def give_back(self, name: str, token: str) -> None:
        with self._guard:
            self._under_way[name].discard(token)


_alone = Alone()
_alone_until = 0.0
_freed = threading.Condition()


def slot(name: str, title: str, at_once: int, a_minute: int | None) -> Slot:
    """What each call to the endpoint `name` goes through. Raises `NoSlotError` when the seconds are up; `title` is how
    its sentence calls the endpoint."""

    @contextmanager
    def through(seconds: float) -> Iterator[None]:
        token, until = uuid.uuid4().hex, time.monotonic() + seconds
        while True:
            counter, wait = _take(name, token, at_once, a_minute)
            if not wait:
                break
            left = until - time.monotonic()
            if wait >= left:
                raise NoSlotError(f"So many others asked {title} that no time was left for this move.")
            with _freed:
                _freed.wait(min(left, LOOK_EVERY * random.uniform(0.5, 1.0)))
        try:
            yield
        finally:
            counter.give_back(name, token)
            with _freed:
                _freed.notify_all()

    return through


def _take(name: str, token: str, at_once: int, a_minute: int | None) -> tuple[Counter, float]:
    global _alone_until
    if time.monotonic() >= _alone_until:
        try:
            return _together(), _together().take(name, token, at_once, a_minute)
        except RedisError as error:
            with _freed:
                first = time.monotonic() >= _alone_until
                _alone_until = time.monotonic() + ALONE_SECONDS
            if first:
                log.warning("Calls to models are counted by this process alone", exc_info=error)
    return _alone, _alone.take(name, token, at_once, a_minute)


@cache
def _together() -> Together:
    return Together(Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3))


def _keys(name: str) -> list[str]:
    return [f"magic:slots:{name}", f"magic:begun:{name}"]
