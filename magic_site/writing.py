"""Transactions of many threads on SQLite, one after the other.

SQLite lets one connection write at a time, and a connection that waits for another looks again only after a while, up
to a tenth of a second. Where many threads of a process write at the same moment, they wait for one another here.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

_turn = threading.RLock()


def _begin_anew() -> None:
    """A forked process has none of the threads that may have held it."""
    global _turn
    _turn = threading.RLock()


os.register_at_fork(after_in_child=_begin_anew)


@contextmanager
def written() -> Iterator[None]:
    """`transaction.atomic`, on SQLite in this process's turn."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        with transaction.atomic():
            yield
    else:
        with _turn, transaction.atomic():
            yield
