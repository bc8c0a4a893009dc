"""What a process says while its database or its Redis is away: a line when that begins, and one when it is over.

Everything that needs them fails meanwhile, again and again, and is tried again by whoever needs it. A filter on the log
knows such failures by their exception, wherever they come from, and leaves them out.
"""

import logging
import threading
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

log = logging.getLogger(__name__)

Done = TypeVar("Done")

LOOK_EVERY = 1.0
"""Seconds between two tries to reach what is away."""

AFTERMATH = 120.0
"""For how many seconds after an outage lines that it cut may still turn up; they are old news."""

CUT = ("08", "57P", "53300")
"""How PostgreSQL's codes begin that say that a server goes, is gone, or takes nobody; no code: it cannot be reached."""


class Outage:
    """One thing that may be away. answers: raises where it is."""

    def __init__(self, name: str, answers: Callable[[], object]) -> None:
        self.name, self._answers = name, answers
        self._guard = threading.Lock()
        self._left_out = 0
        self._looking = False
        self._over_at = float("-inf")

    def met(self, error: BaseException) -> None:
        """Something failed because of it. The first time it is told; then this process looks until it is back."""
        with self._guard:
            self._left_out += 1
            if self._looking:
                return
            self._looking = True
        threading.Thread(target=self._look, args=(error,), name=f"outage of {self.name}", daemon=True).start()

    def _look(self, error: BaseException) -> None:
        began, told, pause = time.monotonic(), False, threading.Event()
        while not self._back():
            if not told:
                log.error("%s cannot be reached: %s", self.name, " ".join(str(error).split()) or type(error).__name__)
                told = True
            pause.wait(LOOK_EVERY)
        with self._guard:
            left_out, self._left_out, self._looking = self._left_out, 0, False
            fresh = time.monotonic() - self._over_at > AFTERMATH
            self._over_at = time.monotonic() if told else self._over_at
        if told:
            log.warning(
                "%s is back after %.0f s; %d failures were left out", self.name, time.monotonic() - began, left_out
            )
        elif fresh:
            log.warning("%s has cut a line, and answers: %s", self.name, " ".join(str(error).split()))

    def _back(self) -> bool:
        try:
            self._answers()
        except Exception:
            return False
        return True


def _ask_database() -> None:
    try:
        connection.ensure_connection()
    finally:
        connection.close()


def _ask_redis() -> None:
    with Redis.from_url(settings.REDIS_URL, socket_timeout=3, socket_connect_timeout=3) as client:
        client.ping()


database = Outage("The database", _ask_database)
redis = Outage("Redis", _ask_redis)

UNREACHABLE = (OSError, RedisError)
"""What a client of Redis may raise while it is away."""


def met(error: BaseException | None) -> bool:
    """Whether an error comes of an outage, which is then told of."""
    for cause in _causes(error):
        if isinstance(cause, OperationalError | InterfaceError) and connection.vendor != "sqlite":
            code = getattr(cause.__cause__, "sqlstate", None)
            if code is None or code.startswith(CUT):
                database.met(cause)
                return True
        if isinstance(cause, RedisConnectionError | RedisTimeoutError):
            redis.met(cause)
            return True
    return False


def patiently(do: Callable[[], Done], seconds: float) -> Done:
    """What `do` gives, tried again for so long while an outage is what it fails for."""
    pause, until = threading.Event(), time.monotonic() + seconds
    while True:
        try:
            return do()
        except Exception as error:
            if not met(error) or time.monotonic() > until:
                raise
        connection.close()
        pause.wait(LOOK_EVERY)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__


class OneLine(logging.Filter):
    """Leaves out records about an outage: those with its exception, as what went wrong or as a part of what is said.

    And those of a task that was cancelled, as the tasks of pages are whose line an outage cuts: that is no error.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        known = vars(record)
        if "of_an_outage" not in known:  # another handler may have asked
            given = record.args if isinstance(record.args, tuple) else ()
            errors = [record.exc_info[1] if record.exc_info else None, *given]
            known["of_an_outage"] = any(
                isinstance(error, CancelledError) or met(error) for error in errors if isinstance(error, BaseException)
            )
        return not known["of_an_outage"]
