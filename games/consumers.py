"""The live side of pages: of a table, and of the replay of a match that is still played.

Frames to a table: {"kind": "parts", "html": ...} with parts of the page; {"kind": "leave"} when the page is not this
person's any more; {"kind": "thinking", "seat": n} while the model at that seat is at work; {"kind": "pong", "away":
seats, "now": milliseconds}. Frames to a replay: {"kind": "moved", "n": the
seq of the last event that its viewer sees}, {"kind": "thoughts"}, "leave" and {"kind": "pong"}.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils import translation

from games import access, looks, panels, presence
from games.finding import TooManyMisses, find
from games.mirror import mirror
from games.models import Match
from games.rules.values import OMNISCIENT, Viewer
from games.sockets import NOT_FOUND, TOO_MANY, PageConsumer
from magic_site import clock

# What is being read just now, so that all sockets of this process wait for the same reading.
_reading: dict[tuple, asyncio.Future] = {}


class TableConsumer(PageConsumer):
    """One page at one table. What it may see is asked anew whenever the room or the match may have changed it."""

    look: looks.Look | None = None
    seq = 0  # the last public event that was sent
    sent: dict[str, Any]

    async def begin(self) -> None:
        self.sent = {}
        self.language = _language(self.asked("lang"))
        code = self.scope["url_route"]["kwargs"]["code"]
        try:
            room = await database_sync_to_async(find)(
                code, person=self.person, address=self.address, key=self.asked("key")
            )
        except TooManyMisses:
            await self.close(TOO_MANY)
            return
        if room is None:
            await self.close(NOT_FOUND)
            return
        self.room = room
        await self.join(room.code)
        await self.renew()

    async def pinged(self) -> None:
        if self.look is not None:
            await self.renew()
        if self.look is not None:
            away = await self._away()
            await self.tell("pong", away=away, now=int(clock.carried_on().timestamp() * 1000))

    async def hinted(self, message: dict[str, Any]) -> None:
        """Something moved on: the log of the match that is shown, or anything else about the room."""
        seen = self.look
        if seen is None or message["part"] == "thoughts" or message["part"] == "presence":
            return
        shown = seen.match is not None and str(seen.match.pk) == message["match"]
        if message["part"] == "thinking":
            if shown and seen.sight is not None and not seen.delayed:
                await self.tell("thinking", seat=message["n"])
        elif message["part"] == "log" and shown:
            await self._catch_up(message["n"])
        else:
            await self.renew()

    # Sending --------------------------------------------------------------------------------------------------------

    async def renew(self) -> None:
        """Look at the room anew, and send whatever this page does not have yet; everything, the first time."""
        self.look = await database_sync_to_async(looks.look)(self.room, self.scope["user"], self.person)
        if self.look.shut:
            self.look = None
            await self.dismiss()
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


def _language(asked: str) -> str:
    """The language that the page was sent in, which it names in the socket's address."""
    try:
        return translation.get_supported_language_variant(asked)
    except LookupError:
        return settings.LANGUAGE_CODE


class ReplayConsumer(PageConsumer):
    """The replay of one running match, seen as the address's ?as= says. It is told that there is something new for
    that viewer, and fetches it; of what the viewer may not see, or not yet, it hears nothing."""

    viewer: Viewer | None = None
    seq = 0  # the last event that was told of

    async def begin(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        match = await Match.objects.select_related("room").filter(pk=self.match_id, room__isnull=False).afirst()
        if match is None:
            await self.close(NOT_FOUND)
            return
        await self.join(match.room.code)
        await self.renew()

    async def pinged(self) -> None:
        await self.renew()
        if self.viewer is not None:
            await self.tell("pong")

    async def hinted(self, message: dict[str, Any]) -> None:
        own = message["match"] == str(self.match_id)
        if message["part"] == "room" or (own and message["part"] == "log"):
            await self.renew()
        elif own and message["part"] == "thoughts" and self.viewer == OMNISCIENT:
            await self.tell("thoughts")

    async def renew(self) -> None:
        """Ask anew what this person may see, and tell if there is more of it than before."""
        self.viewer, reached = await self._reached()
        if self.viewer is None:
            await self.dismiss()
        elif reached > self.seq:
            self.seq = reached
            await self.tell("moved", n=reached)

    @database_sync_to_async
    def _reached(self) -> tuple[Viewer | None, int]:
        """As whom the match is seen, and the last event seen; nobody where it may not be seen so."""
        match = Match.objects.select_related("room").filter(pk=self.match_id).first()
        sight = match and access.sight(match, self.scope["user"], self.person)
        viewer = sight.chosen(self.asked("as")) if sight else None
        if viewer is None:
            return None, 0
        return viewer, mirror(match).catch_up().share(viewer, sight.delayed).seq
