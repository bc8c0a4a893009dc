"""How often somebody may knock: counts in the shared cache, in windows of fixed length, the same for all processes.

Where the cache cannot be reached each process counts for itself.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from games.people import person_of
from magic_site import addresses, clock

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
CONNECTING = Limit("connect", 60, 60)
MISSING = Limit("miss", 20, 600)
"""Codes of no table, from one address."""

SIGNING_IN_FROM = Limit("sign-in-address", 20, 600)
SIGNING_IN_AS = Limit("sign-in-name", 120, 600)
"""Wrong passwords, from one address and for one name: more of these, so that no visitor locks somebody else out."""


def allow(limit: Limit, who: str) -> bool:
    """Count one more try; False once the tries of this window are used up."""
    return _counted(limit, who, 1) <= limit.tries


def forgive(limit: Limit, who: str) -> None:
    """A try that should not have counted."""
    _counted(limit, who, -1)


def used_up(limit: Limit, who: str) -> bool:
    """Whether another try would not be allowed; nothing is counted."""
    return _counted(limit, who, 0) >= limit.tries


def allow_visitor(limit: Limit, person: str, address: str) -> bool:
    """Count a try of a person, and of their address; False once the tries of either are used up."""
    return (not person or allow(limit, person)) and allow(limit.of_address(), address)


def _counted(limit: Limit, who: str, more: int) -> int:
    """How many tries there are in this window, with `more`."""
    hashed = hashlib.sha256(who.encode()).hexdigest()[:32]
    key = f"limit:{limit.name}:{hashed}:{int(clock.carried_on().timestamp()) // limit.seconds}"
    try:
        return _count_in(caches["default"], key, more, limit.seconds)
    except RedisError as error:
        log.warning("Tries are counted by this process alone", exc_info=error)
        return _count_in(caches["alone"], key, more, limit.seconds)


def _count_in(cache: BaseCache, key: str, more: int, seconds: int) -> int:
    cache.add(key, 0, timeout=2 * seconds)
    try:
        return cache.incr(key, more) if more else cache.get(key, 0)
    except ValueError:  # it was thrown away between the two lines
        return more


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
