"""Leases of decisions under way, renewed for as long as this process lives and works on them.

A worker that dies renews nothing, so that the sweeper gives its decisions out again within seconds; a worker that
waits long for a model keeps them all the while.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

from django.db import DatabaseError, connections
from django.utils import timezone

from games import pending
from games.models import Pending

log = logging.getLogger(__name__)

LEASE_SECONDS = 9.0
RENEW_EVERY = 3.0

# The decisions that this process works on: keys of pending rows, each with the moment at which it is given up.
_held: dict[int, float] = {}
_guard = threading.Lock()
_renewer: threading.Thread | None = None


@contextmanager
def leased(match_id: UUID, request: str, attempt: int, longest: float) -> Iterator[bool]:
    """Claim a request and hold it inside of the block, for `longest` seconds at most; gives whether it was there to
    be claimed."""
    row = pending.claim(match_id, request, attempt, LEASE_SECONDS)
    if row is None:
        yield False
        return
    _hold(row, longest)
    try:
        yield True
    finally:
        with _guard:
            _held.pop(row, None)


def renew() -> int:
    """Renew all leases that this process holds; returns how many rows they are."""
    now = time.monotonic()
    with _guard:
        rows = [row for row, until in _held.items() if until > now]
    if not rows:
        return 0
    return Pending.objects.filter(pk__in=rows).update(lease_until=timezone.now() + timedelta(seconds=LEASE_SECONDS))


def _hold(row: int, longest: float) -> None:
    global _renewer
    with _guard:
        _held[row] = time.monotonic() + longest
        if _renewer is None or not _renewer.is_alive():
            _renewer = threading.Thread(target=_renew_while_any_is_held, name="leases", daemon=True)
            _renewer.start()


def _renew_while_any_is_held() -> None:
    global _renewer
    pause = threading.Event()
    while True:
        pause.wait(RENEW_EVERY)
        with _guard:
            if not _held:
                _renewer = None
                break
        try:
            renew()
        except DatabaseError:
            log.exception("Leases were not renewed; what this process decides may be given out again")
        connections.close_all()
