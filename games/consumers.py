"""The live side of a table page: one socket a page, told by hints that there is something new.

Frames to the browser are JSON: {"kind": "parts", "html": ...} with parts of the page; {"kind": "leave"} when the page
is not this person's any more; and every ten seconds, in answer to the browser's {"kind": "ping"},
{"kind": "pong", "away": seats, "now": milliseconds}.
A hint carries nothing, so one that is lost, doubled or late does no harm: what is new is read from the log, and every
ping looks for what hints have missed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from games import live, looks, panels, presence
from games.limits import CONNECTING, allow
from games.mirror import mirror
from games.models import Room
from games.people import person_of_scope

NOT_FOUND, TOO_MANY, NOT_YOURS = 4404, 4429, 4403
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 2, 10
MESSAGE_LIMIT = 200

# What is being read just now, so that all sockets of this process wait for the same reading.
_reading: dict[tuple, asyncio.Future] = {}


class TableConsumer(AsyncWebsocketConsumer):
    """One page at one table. What it may see is asked anew whenever the room or the match may have changed it."""

    look: looks.Look | None = None
    seq = 0  # the last public event that was sent
    sent: dict[str, Any]

    async def connect(self) -> None:
        self.sent = {}
        self.credit, self.credit_at = float(MESSAGES_AT_ONCE), time.monotonic()
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.person = person_of_scope(self.scope) or ""
        self.language = _language(self.scope)
        room = await self._admit()
        await self.accept()
        if isinstance(room, int):
            await self.close(room)
            return
        self.room = room
        await self.channel_layer.group_add(live.group(room.code), self.channel_name)
        await self.renew()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As in the base class, but for a trip to the database thread before each message: every call into the
        database minds its connection by itself, and with many tables that thread is what all wait for."""
        await getattr(self, get_handler_name(message))(message)

    async def disconnect(self, code: int) -> None:
        if self.look is not None:
            await self.channel_layer.group_discard(live.group(self.room.code), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        now = time.monotonic()
        self.credit = min(MESSAGES_AT_ONCE, self.credit + (now - self.credit_at) * MESSAGES_A_SECOND) - 1
        self.credit_at = now
        if self.credit < 0 or text_data is None or len(text_data) > MESSAGE_LIMIT:
            await self.close(TOO_MANY)
            return
        if self.look is not None and _is_ping(text_data):
            await self.renew()
            if self.look is not None:
                now = int(time.time() * 1000)
                await self.send(json.dumps({"kind": "pong", "away": await self._away(), "now": now}))

    async def hint(self, message: dict[str, Any]) -> None:
        """Something moved on: the log of the match that is shown, or anything else about the room."""
        seen = self.look
        if seen is None or message["part"] == "thoughts" or message["part"] == "presence":
            return
        if message["part"] == "log" and seen.match is not None and str(seen.match.pk) == message["match"]:
            await self._catch_up(message["n"])
        else:
            await self.renew()

    # Sending --------------------------------------------------------------------------------------------------------

    async def renew(self) -> None:
        """Look at the room anew, and send whatever this page does not have yet; everything, the first time."""
        self.look = await database_sync_to_async(looks.look)(self.room, self.scope["user"], self.person)
        if self.look.shut:
            self.look = None
            await self.send(json.dumps({"kind": "leave"}))
            await self.close(NOT_YOURS)
            return
        if self.sent.get("generation") != self.look.generation:
            self.seq, self.sent = 0, {"generation": self.look.generation}
        await self._send_new()

    async def _catch_up(self, seq: int) -> None:
        """Send what a log that is `seq` events long has that this page has not."""
        match = self.look.match
        source = mirror(match)
        if not source.knows(seq):
            await _once((match.pk, seq), lambda: source.catch_up(seq))
        if source.over != (match.status != "running"):
            await self.renew()  # the end opens more to see
        else:
            await self._send_new()

    async def _send_new(self) -> None:
        """Send the public and the own parts if they have changed. Rendering needs no database, so it is done here:
        with many tables, changing threads costs more than it does."""
        seen = self.look
        key, reached = panels.public_key(seen), panels.last_seq(seen)
        if self.sent.get("public key") != key:
            frame = self._frame(lambda: panels.public_frame(seen, self.seq))
            self.sent["public key"], self.seq = key, reached
            await self.send(frame)
        own = panels.Own(seen)
        key, reached = own.key(), panels.own_seq(seen)
        if self.sent.get("own key") != key:
            frame = self._frame(lambda: own.frame(self.sent.get("own seq", 0)))
            self.sent |= {"own key": key, "own seq": reached}
            if self.sent.get("own") != frame:
                self.sent["own"] = frame
                await self.send(frame)

    def _frame(self, render: Callable[[], str]) -> str:
        with translation.override(self.language):
            return json.dumps({"kind": "parts", "html": render()})

    # Reading --------------------------------------------------------------------------------------------------------

    @database_sync_to_async
    def _admit(self) -> Room | int:
        """The room, or the code with which the socket is closed."""
        address = (self.scope.get("client") or ["unknown"])[0]
        if not allow(CONNECTING, self.person or address):
            return TOO_MANY
        return Room.objects.filter(code=self.code.upper()).first() or NOT_FOUND

    @database_sync_to_async
    def _away(self) -> list[int]:
        """Whose page is closed; nobody is told where agents are not named, since agents have no page to open."""
        seen = self.look
        chair = seen.seat or seen.chair
        if chair is not None:
            presence.renew(self.room.code, chair)
        if not seen.room.agents_named:
            return []
        return presence.away(self.room.code, [seat.number for seat in seen.chairs if seat.person])


async def _once(key: tuple, read: Callable[[], Any]) -> None:
    """Let `read` run in the database thread, once for all sockets that ask for the same at about the same time."""
    key = (id(asyncio.get_running_loop()), *key)
    reading = _reading.get(key)
    if reading is None:
        reading = _reading[key] = asyncio.ensure_future(database_sync_to_async(read)())
        reading.add_done_callback(lambda _: _reading.pop(key, None))
    await asyncio.shield(reading)


def _is_ping(text: str) -> bool:
    try:
        return json.loads(text).get("kind") == "ping"
    except (ValueError, AttributeError):
        return False


def _language(scope: dict[str, Any]) -> str:
    """The language that the page was sent in, which it names in the socket's address."""
    query = scope.get("query_string", b"").decode("latin1")
    asked = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair).get("lang", "")
    try:
        return translation.get_supported_language_variant(asked)
    except LookupError:
        return settings.LANGUAGE_CODE
