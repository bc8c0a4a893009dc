"""Long polls: a request for what is new, with `wait`, is held back until there is something new.

Held back, it takes no thread and asks no database again and again: at a table it hears the room's hints like a page,
and the watch tells it what they miss. Then the view answers as it always does.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qs
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings

from games.match import changes
from games.room import api_keys
from games.room.presence import Mark
from games.web.api.callers import Caller
from games.web.api.tables import counted_from, reached
from games.web.finding import TooManyMisses, find
from games.web.reading import in_thread, shared
from games.web.visits import Place, place, visit_at
from games.web.watch import watch
from magic_site import addresses, outages

LONGEST = 25
"""Seconds; what stands between programs and the site gives up after 30 or more."""

OBSERVATION = re.compile(r"/api/v1/tables/([-\w]{1,40})/observation/")
TELLING = (changes.LOG, changes.SEATS, changes.WORDS, "room")
"""The hints after which there may be something new to see."""

Application = Callable[[dict[str, Any], Callable, Callable], Any]


class Waits(Protocol):
    """A request that waits."""

    async def wait(self) -> None:
        """Return when there is something to answer."""


class Knock(NamedTuple):
    """A request for what is new. found: what its address names; secret: of the key that it shows, if any."""

    found: str
    secret: str
    seconds: float
    params: Mapping[str, str]


class LongPolls:
    """ASGI: all requests of one process; as many of one address wait as may have sockets open, and others are answered
    at once. doors: each tells what a request waits for there, None for another's or one that does not wait."""

    def __init__(self, application: Application, *doors: Callable[[dict[str, Any]], Waits | None]) -> None:
        self.application, self.doors = application, (at_table, *doors)
        self.held: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Callable, send: Callable) -> None:
        asked = next(filter(None, (door(scope) for door in self.doors)), None)
        if asked is not None:
            await self.hold(asked, addresses.of_scope(scope))
        await self.application(scope, receive, send)

    async def hold(self, asked: Waits, address: str) -> None:
        """Return when there is something to answer, or at once where too many wait."""
        if not self._has_place(address):
            return
        self.held[address] += 1
        try:
            await asked.wait()
        except Exception as error:
            if not outages.met(error):  # of an outage the view tells
                raise
        finally:
            self.held[address] -= 1
            self.held += Counter()  # without those who hold none

    def _has_place(self, address: str) -> bool:
        most, of_one = settings.MOST_SOCKETS, settings.MOST_SOCKETS_OF_AN_ADDRESS
        return (not most or self.held.total() < most) and (not of_one or self.held[address] < of_one)


class Waiter:
    """One request that waits. To the watch it is a page at its room: its seat counts as one whose player is here."""

    said = math.inf
    shown: tuple[UUID, int] | None = None
    asks: Collection[Mark] = ()

    def __init__(self, code: str, secret: str, seconds: float, params: Mapping[str, str], address: str) -> None:
        self.code: str | None = code.upper()
        self.secret, self.seconds = secret, seconds
        self.address, self.key = address, params.get("key", "")[:80]
        self.after, self.match = reached(params)
        self.revision, self.heard = 0, ("", 0)
        self.mark: Mark | None = None
        self.hint = asyncio.Event()

    async def wait(self) -> None:
        """Return when there is something to answer."""
        found = await in_thread(self._begin)
        if found is None:
            return
        caller, key = found
        code = str(self.code)
        watch().add(code, self)
        try:
            async with hearing(changes.group(code), self.dispatch):
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.seconds):
                        while not self._has_news(
                            await shared(("place", key), lambda: place(pk=key).caught_up()), caller
                        ):
                            await self.hint.wait()
                            self.hint.clear()
        finally:
            watch().discard(code, self)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """A hint, of the layer or the watch."""
        if message.get("part") in TELLING:
            self.hint.set()

    def has_heard(self, match: str, seq: int) -> bool:
        return self.heard[0] == match and self.heard[1] >= seq

    def _begin(self) -> tuple[Caller, int] | None:
        """Who asks, and the key of the room; None where the view has the answer."""
        api_key = api_keys.find(self.secret) if self.secret else None
        if self.secret and api_key is None:
            return None
        caller = Caller.of(api_key)
        try:
            found = find(str(self.code), person=caller.person, address=self.address, key=self.key, counts=False)
        except TooManyMisses:
            return None
        return None if found is None or caller.stays_out(found.room) else (caller, found.room.pk)

    def _has_news(self, at: Place, caller: Caller) -> bool:
        """Whether a caller would be told what they do not know; or anything but what is seen at the table."""
        seen = visit_at(at, caller.sees, caller.person)
        if seen.shut or seen.stand_in:
            return True
        self.revision = at.room.revision
        self.mark = None if seen.chair is None else (at.room.code, seen.chair)
        if seen.shown is None or seen.match is None:
            return bool(self.match)
        self.heard = (str(seen.match.pk), seen.shown.length)
        known = counted_from(self.after, self.match, str(seen.match.pk))
        return seen.shown.view(seen.viewer, seen.delayed).seq > known


def at_table(scope: dict[str, Any]) -> Waits | None:
    """What a request at a table waits for; None where it does not, or not in a way that can be read."""
    knock = knock_at(OBSERVATION, scope)
    return knock and Waiter(*knock, addresses.of_scope(scope))


def knock_at(pattern: re.Pattern[str], scope: dict[str, Any]) -> Knock | None:
    """A request that waits at an address like this."""
    found = pattern.fullmatch(scope.get("path", "")) if scope.get("method") == "GET" else None
    if found is None:
        return None
    query = parse_qs(scope.get("query_string", b"").decode("latin1"), max_num_fields=20)
    params = {name: values[-1] for name, values in query.items()}
    wait = params.get("wait", "")
    if not (wait.isascii() and wait.isdigit() and len(wait) < 4 and int(wait)):
        return None
    header = next((value for name, value in scope["headers"] if name == b"authorization"), b"").decode("latin1")
    word, _space, secret = header.partition(" ")
    if word and word.lower() != "bearer":
        return None
    return Knock(found[1], secret.strip(), min(int(wait), LONGEST), params)


@asynccontextmanager
async def hearing(group: str, told: Callable[[dict[str, Any]], Awaitable[None]]) -> AsyncIterator[None]:
    """Inside of the block `told` gets the messages of a channel group."""
    layer = get_channel_layer()
    channel = await layer.new_channel()

    async def hear() -> None:
        while True:
            await told(await layer.receive(channel))

    task = asyncio.create_task(hear())
    try:
        await layer.group_add(group, channel)
        yield
    finally:
        await layer.group_discard(group, channel)
        task.cancel()
