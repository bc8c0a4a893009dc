"""The one clock that decides: the database's. The clocks of machines go wrong, and are compared with nothing.

A query says `Now()`, or `after(...)` for a moment to come; `now` tells the same time where Python needs it.
"""

import time
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

KEPT_SECONDS = 10.0
"""How long a reading is carried on, by this machine's steady counter, before the database is asked again."""

_read: tuple[datetime, float] | None = None


def after(span: timedelta | float) -> Combinable:
    """In a query, the moment that is so far (in seconds, or a span) after the one at which the query is run."""
    return Now() + (span if isinstance(span, timedelta) else timedelta(seconds=span))


def now() -> datetime:
    """The database's time, asked for now and then."""
    if _read is None or time.monotonic() - _read[1] > KEPT_SECONDS:
        read()
    return carried_on()


def carried_on() -> datetime:
    """The database's time as far as this process knows it without asking; its machine's before it ever asked."""
    if _read is None:
        return datetime.now(UTC)
    at, counter = _read
    return at + timedelta(seconds=time.monotonic() - counter)


def read() -> None:
    """Ask the database for its time."""
    global _read
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("SELECT STRFTIME('%Y-%m-%dT%H:%M:%f', 'now')" if sqlite else "SELECT STATEMENT_TIMESTAMP()")
        (found,) = cursor.fetchone()
    at = datetime.fromisoformat(found).replace(tzinfo=UTC) if sqlite else found
    _read = (at, time.monotonic())
