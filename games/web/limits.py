"""How often somebody may knock: counts in the shared cache, in windows of fixed length, the same for all processes.

Where the cache cannot be reached each process counts for itself.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable
from functools import wraps
from typing import NamedTuple, cast

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from games.room.people import person_of
from magic_site import addresses, clock
from magic_site.cache import Count, SharedCache

log = logging.getLogger(__name__)


class Limit(NamedTuple):
    """How many tries in how many seconds."""

    name: str
    tries: int
    seconds: int

    def of_address(self) -> Limit:
        """For all from one address: a person's key is as easily thrown away as a cookie."""
        return Limit(f"{self.name}-address", ADDRESS_TIMES * self.tries, self.seconds)


ADDRESS_TIMES = 8
JOINING = Limit("join", 30, 60)
ACTING = Limit("act", 40, 10)
READING = Limit("read", 100, 10)
NOTING = Limit("note", 30, 10)
TALKING = Limit("talk", 15, 20)
REPORTING = Limit("report", 15, 600)
CONNECTING = Limit("connect", 60, 60)
MISSING = Limit("miss", 20, 600)
"""Codes of no table, from one address."""

SIGNING_IN_FROM = Limit("sign-in-address", 20, 600)
SIGNING_IN_AS = Limit("sign-in-name", 120, 600)
"""Wrong passwords, from one address and for one name: more of these, so that no visitor locks somebody else out."""


Try = tuple[Limit, str]
"""What is tried, and by whom."""


def allow(*tries: Try) -> bool:
    """Count one more of each, in order; False as soon as those of one are used up in this window, and of the rest none
    is counted then."""
    return all(count <= limit.tries for (limit, _who), count in zip(tries, _counted(tries, 1), strict=False))


def forgive(*tries: Try) -> None:
    """Tries that should not have counted."""
    _counted(tries, -1)


def used_up(limit: Limit, who: str) -> bool:
    """Whether another try would not be allowed; nothing is counted."""
    return _counted([(limit, who)], 0)[0] >= limit.tries


def allow_visitor(limit: Limit, person: str, address: str) -> bool:
    """Count a try of a person, and of their address; False once the tries of either are used up."""
    of_address = (limit.of_address(), address)
    return allow((limit, person), of_address) if person else allow(of_address)


def _counted(tries: Iterable[Try], more: int) -> list[int]:
    """How many there are of each in this window, with `more`, up to the first of which there are too many."""
    counts = [Count(_key(limit, who), limit.tries, 2 * limit.seconds) for limit, who in tries]
    try:
        return cast(SharedCache, caches["default"]).count(counts, more)
    except RedisError as error:
        log.warning("Tries are counted by this process alone", exc_info=error)
        return _counted_alone(counts, more)


def _key(limit: Limit, who: str) -> str:
    hashed = hashlib.sha256(who.encode()).hexdigest()[:32]
    return f"limit:{limit.name}:{hashed}:{int(clock.carried_on().timestamp()) // limit.seconds}"


def _counted_alone(counts: Iterable[Count], more: int) -> list[int]:
    cache, found = caches["alone"], []
    for key, most, seconds in counts:
        cache.add(key, 0, timeout=seconds)
        try:
            found.append(cache.incr(key, more))
        except ValueError:  # it was thrown away between the two lines
            found.append(more)
        if found[-1] > most:
            break
    return found


def limited(limit: Limit) -> Callable:
    """A view that each person may call so often, and all from one address more often. Only posts count."""

    def wrap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def counted(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            if request.method == "POST" and not allow_visitor(limit, person_of(request), addresses.of_request(request)):
                return too_many(request, limit)
            return view(request, *args, **kwargs)

        return counted

    return wrap


def too_many(request: HttpRequest, limit: Limit) -> HttpResponse:
    """The page that says that this was too often."""
    response = render(request, "429.html", {"minutes": -(-limit.seconds // 60)}, status=429)
    response["Retry-After"] = str(limit.seconds)
    return response
