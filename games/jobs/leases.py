"""Leases of work under way, renewed for as long as this process lives and works on it.

A worker that dies renews nothing, so that its work is given out again within seconds; a worker that waits long for a
model keeps it all the while. What is leased are rows with a field `lease_until`.
"""

import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections
from django.db.models import QuerySet

from magic_site import clock

log = logging.getLogger(__name__)

# What this process works on: rows, each with the moment at which it is given up.
_held: dict[object, tuple[QuerySet, float]] = {}
_guard = threading.Lock()
_renewer: threading.Thread | None = None
_at_work = threading.Lock()
"""Held while the renewer uses the database."""


@contextmanager
def held(rows: QuerySet, longest: float) -> Iterator[None]:
    """Renew the lease of a row inside of the block, for `longest` seconds at most. rows: finds the row as long as it is
    this process that works on it."""
    mine = object()
    _hold(mine, rows, longest)
    try:
        yield
    finally:
        with _guard:
            _held.pop(mine, None)


def renew() -> int:
    """Renew all leases that this process holds, one by one: whoever held several rows would wait for those that write
    a match, and they for it. Returns how many they are."""
    now, until = time.monotonic(), clock.after(settings.LEASE_SECONDS)
    with _guard:
        held = [rows for rows, given_up_at in _held.values() if given_up_at > now]
    return sum(rows.update(lease_until=until) for rows in held)


def prolong(rows: QuerySet, span: timedelta) -> None:
    """Let no lease of these rows run out so soon, one by one: who holds one could not renew it."""
    for key in rows.filter(lease_until__lt=clock.after(span)).values_list("pk", flat=True):
        rows.filter(pk=key, lease_until__isnull=False).update(lease_until=clock.after(span))


def _hold(mine: object, rows: QuerySet, longest: float) -> None:
    global _renewer
    with _guard:
        _held[mine] = (rows, time.monotonic() + longest)
        if _renewer is None or not _renewer.is_alive():
            _renewer = threading.Thread(target=_renew_while_any_is_held, name="leases", daemon=True)
            _renewer.start()


def _renew_while_any_is_held() -> None:
    global _renewer
    pause = threading.Event()
    while True:
        pause.wait(settings.LEASE_SECONDS / 3)
        with _guard:
            if not _held:
                _renewer = None
                break
        with _at_work:
            try:
                renew()
            except (DatabaseError, InterfaceError):
                log.exception("Leases were not renewed; what this process works on may be given out again")
            connections.close_all()


# Forks --------------------------------------------------------------------------------------------------------------

LONGEST_TO_FORK = 2.0
"""Seconds that a fork waits for the renewer to leave the database: what it holds inside of SQLite, a child could never
let go."""

_waited = False


def _before_fork() -> None:
    global _waited
    _waited = _at_work.acquire(timeout=LONGEST_TO_FORK)


def _after_fork() -> None:
    if _waited:
        _at_work.release()


def _begin_anew() -> None:
    """A forked process works on nothing yet, and has none of the threads that may have held a lock."""
    global _guard, _at_work, _renewer
    _guard, _at_work, _renewer = threading.Lock(), threading.Lock(), None
    _held.clear()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_begin_anew)
