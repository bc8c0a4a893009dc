"""How whoever shows or keeps something of a match hears that it is not as it was.

Who writes (`games.match.writer`, `games.match.erasing`) says after each commit what has `changed`. The pages of the
match's room hear it and read what is new; every process hears it and lets go of what it has `Kept`. What is told holds
no content and no secret, and may be lost or come twice: of new events and of what was erased a page is told again by
the watch (`games/web/watch.py`), and what is kept is as of a number in the match's row, and given to nobody who has
read another number there.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

if TYPE_CHECKING:
    from games.match.models import Match

log = logging.getLogger(__name__)

LOG, THOUGHTS, ATTEMPTS = "log", "thoughts", "attempts"
"""What may have been added to."""

TALK = "talk"
"""What was said around the matches of a room; n is then the number of the message."""

REVIEW = "review"
"""The moments of a seat in a match that is over, as far as they are worked out; n is then the seat."""

WORDS, SEATS = "words", "seats"
"""What that was stored may be another now: something was erased (`Match.erasures`); somebody else has a seat or plays
it (`Match.seating`)."""

PROCESSES = "processes"
"""The channel group of all processes."""


# What drops what is kept of a match that is over; other apps put it here when they start.
outdated: list[Callable[[UUID], None]] = []


def changed(match: Match, what: str, n: int = 0) -> None:
    """Tell of it once the transaction is committed. n: of the log its length."""
    if match.status != "running":
        outdate(match.pk)
    transaction.on_commit(lambda: _tell_of(match, what, n))


def outdate(match: UUID) -> None:
    """Drop what is kept of a match that is over and has changed, or what is beside it: at once, and once more when
    others can see the change, since until then they read the match as it was."""
    for drop in outdated:
        drop(match)
        transaction.on_commit(partial(drop, match))


def _tell_of(match: Match, what: str, n: int) -> None:
    if what in (WORDS, SEATS):
        let_go(match.pk, what)
        send(PROCESSES, {"type": "changed", "match": str(match.pk), "what": what})
    if match.room is not None:
        tell(match.room.code, what, match.pk, n)


# Pages --------------------------------------------------------------------------------------------------------------


def group(code: str) -> str:
    """The channel group of a room."""
    return f"room-{code}"


def hint(part: str, match: UUID | None = None, n: int = 0) -> dict[str, Any]:
    """A hint as it comes to the sockets: {part: what has changed, room or thinking, match, n}; n is a seq, of thinking
    a seat."""
    return {"type": "hint", "part": part, "match": str(match) if match else None, "n": n}


def tell(code: str, part: str, match: UUID | None = None, n: int = 0) -> None:
    """Send a hint to everybody at a room."""
    send(group(code), hint(part, match, n))


def send(to: str, message: dict[str, Any]) -> None:
    """Send to a channel group. A channel layer that cannot be reached is logged and no more: who is not told looks in
    the database."""
    try:
        async_to_sync(get_channel_layer().group_send)(to, message)
    except (OSError, RedisError) as error:
        log.warning("Nobody of %s is told", to, exc_info=error)


# Agents from outside ------------------------------------------------------------------------------------------------


def asked_group(agent: str) -> str:
    """The channel group of the programs that wait for what an agent is asked."""
    return f"asked-{agent}"


# Processes ----------------------------------------------------------------------------------------------------------

Thing = TypeVar("Thing")


class Kept(Generic[Thing]):
    """The last things that this process made of matches. Any thread may ask; nothing is made under a lock.

    old_by: which changes make them old.
    """

    every: ClassVar[list[Kept]] = []

    def __init__(self, most: int, *old_by: str) -> None:
        self.most, self.old_by = most, old_by
        self._things: OrderedDict[tuple, tuple[int, Thing]] = OrderedDict()
        self._guard = threading.Lock()
        Kept.every.append(self)

    def of(self, match: UUID, as_of: int, make: Callable[[], Thing], *key: Any) -> Thing:
        """What was made of the match with this number in its row, under this key; else what `make` gives."""
        key = (match, *key)
        last = self._things.get(key)
        fresh = last if last and last[0] == as_of else (as_of, make())
        with self._guard:
            now = self._things.get(key)
            if now is None or now[0] != as_of:  # no other thread was quicker
                now = self._things[key] = fresh
            self._things.move_to_end(key)
            while len(self._things) > self.most:
                self._things.popitem(last=False)
        return now[1]

    def clear(self, match: UUID | None = None) -> None:
        """Let go of what is kept of a match, or of all."""
        with self._guard:
            for key in [key for key in self._things if match in (None, key[0])]:
                del self._things[key]


def let_go(match: UUID, what: str) -> None:
    """Let go of all that this process keeps of a match and that is old by such a change."""
    for kept in Kept.every:
        if what in kept.old_by:
            kept.clear(match)


def listen() -> None:
    """Hear from now on, in this process, what others change."""
    threading.Thread(target=lambda: asyncio.run(_hear()), name="changes", daemon=True).start()


async def _hear() -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(PROCESSES, channel)
    while True:
        message = await layer.receive(channel)
        let_go(UUID(message["match"]), message["what"])
