"""Leases of work under way, renewed for as long as this process lives and works on it.

A worker that dies renews nothing, so that its work is given out again within seconds; a worker that waits long for a
model keeps it all the while. What is leased is a row with a field `lease_until`.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, models

from games.match import pending
from games.models import Pending
from magic_site import clock

log = logging.getLogger(__name__)

Row = tuple[type[models.Model], int]

# What this process works on: model and key of the rows, each with the moment at which it is given up.
_held: dict[Row, float] = {}
_guard = threading.Lock()
_renewer: threading.Thread | None = None


@contextmanager
def leased(queue: str, longest: float) -> Iterator[Pending | None]:
    """Claim the next request of a queue and hold it inside of the block, for `longest` seconds at most; gives it, or
    None where there is none."""
    row = pending.claim(queue, settings.LEASE_SECONDS)
    if row is None:
        yield None
        return
    with held(Pending, row.pk, longest):
        yield row


@contextmanager
def held(model: type[models.Model], key: int, longest: float) -> Iterator[None]:
    """Renew the lease of a row inside of the block, for `longest` seconds at most."""
    row = (model, key)
    _hold(row, longest)
    try:
        yield
    finally:
        with _guard:
            _held.pop(row, None)


def renew() -> int:
    """Renew all leases that this process holds, one by one: whoever held several rows would wait for those that write
    a match, and they for it. Returns how many they are."""
    now, until = time.monotonic(), clock.after(settings.LEASE_SECONDS)
    with _guard:
        rows = [row for row, given_up_at in _held.items() if given_up_at > now]
    return sum(model._default_manager.filter(pk=key).update(lease_until=until) for model, key in rows)


def _hold(row: Row, longest: float) -> None:
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
        pause.wait(settings.LEASE_SECONDS / 3)
        with _guard:
            if not _held:
                _renewer = None
                break
        try:
            renew()
        except (DatabaseError, InterfaceError):
            log.exception("Leases were not renewed; what this process decides may be given out again")
        connections.close_all()
