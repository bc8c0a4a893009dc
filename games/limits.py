"""How often somebody may knock: counts in the shared cache, in windows of fixed length, the same for all processes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from games.people import person_of
from magic_site import clock

log = logging.getLogger(__name__)

JOINING = ("join", 30, 60)
ACTING = ("act", 40, 10)
CONNECTING = ("connect", 60, 60)


def allow(limit: tuple[str, int, int], who: str) -> bool:
    """Count one more try of `who` under (name, tries, seconds); False once the tries of this window are used up.

    Where the cache cannot be reached nothing is counted: games go on without it.
    """
    name, tries, seconds = limit
    key = f"limit:{name}:{who}:{int(clock.carried_on().timestamp()) // seconds}"
    try:
        cache.add(key, 0, timeout=2 * seconds)
        return cache.incr(key) <= tries
    except ValueError:  # the window ended between the two lines
        return True
    except RedisError as error:
        log.warning("Nothing is counted: the cache cannot be reached (%s)", type(error).__name__)
        return True


def limited(limit: tuple[str, int, int]) -> Callable:
    """A view that each person may call so often, and all from one address eight times as often. Only posts count.

    A person's key is as easily thrown away as a cookie, so the address counts as well. Behind a proxy, Daphne must be
    started with --proxy-headers, or all visitors have the proxy's.
    """

    def wrap(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def counted(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            if request.method == "POST":
                name, tries, seconds = limit
                address = request.META.get("REMOTE_ADDR") or "unknown"
                of_address = (f"{name}-address", 8 * tries, seconds)
                if not (allow(limit, person_of(request)) and allow(of_address, address)):
                    response = render(request, "429.html", status=429)
                    response["Retry-After"] = str(seconds)
                    return response
            return view(request, *args, **kwargs)

        return counted

    return wrap
