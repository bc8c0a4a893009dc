"""Long polls: a request for what is seen at a table, with `wait`, is held back until there is something new.

Held back, it takes no thread and asks no database again and again: like a page it hears the room's hints, and the watch
tells it what they miss. Then the view answers as it always does.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.layers import get_channel_layer
from django.conf import settings

from games.match import changes
from games.models import Room
from games.room import api_keys
from games.room.presence import Mark
from games.web.api.callers import Caller
from games.web.api.tables import counted_from, reached
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


class LongPolls:
    """ASGI: all requests of one process; as many of one address wait as may have sockets open, and others are answered
    at once."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.held: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Callable, send: Callable) -> None:
        asked = _asked(scope)
        if asked is not None:
            await self.hold(asked, addresses.of_scope(scope))
        await self.application(scope, receive, send)

    async def hold(self, asked: Waiter, address: str) -> None:
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

    def __init__(self, code: str, secret: str, seconds: float, params: Mapping[str, str]) -> None:
        self.code: str | None = code.upper()
        self.secret, self.seconds = secret, seconds
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
        code, layer = str(self.code), get_channel_layer()
        channel = await layer.new_channel()
        hearing = asyncio.create_task(self._hear(layer, channel))
        watch().add(code, self)
        try:
            await layer.group_add(changes.group(code), channel)
            with suppress(TimeoutError):
                async with asyncio.timeout(self.seconds):
                    while not self._has_news(await shared(("place", key), lambda: place(pk=key).caught_up()), caller):
                        await self.hint.wait()
                        self.hint.clear()
        finally:
            watch().discard(code, self)
            await layer.group_discard(changes.group(code), channel)
            hearing.cancel()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """A hint, of the layer or the watch."""
        if message.get("part") in TELLING:
            self.hint.set()

    def has_heard(self, match: str, seq: int) -> bool:
        return self.heard[0] == match and self.heard[1] >= seq

    async def _hear(self, layer: Any, channel: str) -> None:
        while True:
            await self.dispatch(await layer.receive(channel))

    def _begin(self) -> tuple[Caller, int] | None:
        """Who asks, and the key of the room; None where the view has the answer."""
        api_key = api_keys.find(self.secret) if self.secret else None
        if self.secret and api_key is None:
            return None
        caller = Caller.of(api_key)
        room = Room.objects.filter(code=self.code).first()
        return None if room is None or caller.stays_out(room) else (caller, room.pk)

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


def _asked(scope: dict[str, Any]) -> Waiter | None:
    """What a request waits for; None where it does not, or not in a way that can be read."""
    found = OBSERVATION.fullmatch(scope.get("path", "")) if scope.get("method") == "GET" else None
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
    return Waiter(found[1], secret.strip(), min(int(wait), LONGEST), params)
