"""What the socket of any page does: it lets in so many, hears the room's hints and the page's pings, and minds noise.

Frames are JSON with a `kind`. A hint carries nothing, so one that is lost, doubled or late does no harm: what is new is
read from the database. The watch (games/web/watch.py) looks for what hints have missed, every other second for all
pages at once; a page's ping, ten seconds apart, is answered from memory.
"""

import asyncio
import json
import math
import time
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID
from weakref import WeakKeyDictionary

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from games.match import changes
from games.room.people import person_of_scope
from games.room.presence import Mark
from games.rules.values import LogError
from games.web.limits import CONNECTING, allow_visitor
from games.web.reading import in_thread
from games.web.watch import watch
from magic_site import addresses, outages

NOT_FOUND, TOO_MANY, NOT_YOURS, TRY_AGAIN = 4404, 4429, 4403, 4503
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 2, 10
MESSAGE_LIMIT = 200
BEGINNING = 8
"""How many pages may be read whole at once; after an outage all come back together, and the others wait."""


class PageConsumer(AsyncWebsocketConsumer):
    """The socket of one page of one person. A subclass writes `begin` and `hinted`."""

    joined: tuple[str, ...] = ()  # the groups of which it hears what is sent
    code: str | None = None  # of the room that is watched for it
    heard: tuple[str | None, int] = (None, 0)  # the match that it last heard of, and how long its log is
    revision = 0  # of the room, as it was last read for this page
    said: float = math.inf  # the last message of the room's talk that it knows of; all of them where it shows none
    shown: tuple[UUID, int] | None = None  # the match on the page, and how often words had been erased from it then
    marks: Collection[Mark] = ()  # the seat whose player has this page open
    asks: Collection[Mark] = ()  # whose players it tells about

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.turn = asyncio.Lock()

    async def begin(self) -> None:
        """Find what the page shows, or close; then send all that it should have."""
        raise NotImplementedError

    async def pinged(self) -> None:
        """Send an answer; nothing is read for it."""
        await self.tell("pong")

    async def hinted(self, message: dict[str, Any]) -> None:
        """Something moved on at the room; see games/match/changes.py."""
        raise NotImplementedError

    async def connect(self) -> None:
        self.credit, self.credit_at = float(MESSAGES_AT_ONCE), time.monotonic()
        self.address = addresses.of_scope(self.scope)
        await self.accept()
        gate = _gates.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(BEGINNING))
        if gate.locked():
            await self.tell("wait")  # so that the page does not take the line for dead
        async with gate:
            if await in_thread(self._let_in):
                await self.begin()
            else:
                await self.close(TOO_MANY)

    def _let_in(self) -> bool:
        self.person = person_of_scope(self.scope) or ""
        return allow_visitor(CONNECTING, self.person, self.address)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As in the base class, one message after the other whoever brings it, and without a trip to a database thread
        before each: every call into the database minds its connection by itself."""
        async with self.turn:
            try:
                await getattr(self, get_handler_name(message))(message)
            except LogError:
                await self.dismiss()  # the page says why
            except Exception as error:
                if not outages.met(error):
                    raise
                if message["type"] == "websocket.connect":
                    await self.close(TRY_AGAIN)  # who is here already stays, and is told later by the watch

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        now = time.monotonic()
        self.credit = min(MESSAGES_AT_ONCE, self.credit + (now - self.credit_at) * MESSAGES_A_SECOND) - 1
        self.credit_at = now
        if self.credit < 0 or text_data is None or len(text_data) > MESSAGE_LIMIT:
            await self.close(TOO_MANY)
        elif self.joined and _is_ping(text_data):
            await self.pinged()

    async def __call__(self, *connection: Any) -> None:
        """However the page leaves, nothing is told to it any more."""
        try:
            await super().__call__(*connection)
        finally:
            if self.code is not None:
                watch().discard(self.code, self)
            for group in self.joined:
                await self.channel_layer.group_discard(group, self.channel_name)

    async def join(self, code: str) -> None:
        """Hear the hints of a room from now on, and of what they miss."""
        self.code = code
        watch().add(code, self)
        await self.join_group(changes.group(code))

    async def join_group(self, group: str) -> None:
        """Hear what is sent to a channel group from now on."""
        self.joined += (group,)
        await self.channel_layer.group_add(group, self.channel_name)

    async def hint(self, message: dict[str, Any]) -> None:
        """What the channel layer has to say, or through `dispatch` the watch."""
        await self.hinted(message)
        if message.get("part") == changes.LOG and not self.has_heard(message["match"], message["n"]):
            self.heard = (message["match"], message["n"])

    def has_heard(self, match: str, seq: int) -> bool:
        """Whether a hint came already that told of this match's log up to this seq."""
        return self.heard[0] == match and self.heard[1] >= seq

    async def tell(self, kind: str, **content: Any) -> None:
        """Send one frame."""
        await self.send(json.dumps({"kind": kind, **content}))

    async def dismiss(self) -> None:
        """The page is not this person's any more, or not to be shown as it stands; it is fetched again."""
        await self.tell("leave")
        await self.close(NOT_YOURS)

    def asked(self, name: str) -> str:
        """A value from the socket's address; '' where there is none."""
        return parse_qs(self.scope.get("query_string", b"").decode("latin1")).get(name, [""])[0]


_gates: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def _is_ping(text: str) -> bool:
    try:
        return json.loads(text).get("kind") == "ping"
    except (ValueError, AttributeError):
        return False
