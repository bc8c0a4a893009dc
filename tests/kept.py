"""What the tests of a module share in the database: made once, seen by each, undone after the last.

Each test's own changes are undone after it, as ever: its transaction lies within the one that is held here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def kept(django_db_blocker) -> Iterator[None]:
    """Keep what is written before the first yield of a fixture with scope "module" until that fixture ends."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
