"""Pages as their sockets know them: what a browser's page sends and hears, without a browser."""

from __future__ import annotations

import json
import re
from itertools import chain, count

from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator

from games.match import store
from games.models import Room
from games.room.people import COOKIE
from games.web import watch
from magic_site.asgi import application
from tests.games.tables import asked, cookie

ORIGIN = b"http://testserver"
PING = '{"kind": "ping"}'
_numbers = count(1)


class Page:
    """A browser's page at a table, as far as the socket can tell."""

    def __init__(self, room: Room, person: str = "", origin: bytes = ORIGIN, path: str = ""):
        headers = [(b"origin", origin), (b"host", b"testserver")]
        if person:
            headers.append((b"cookie", f"{COOKIE}={cookie(person)}".encode()))
        self.number = str(next(_numbers))
        address = path or f"/ws/t/{room.code}/?lang=en"
        address += f"{'&' if '?' in address else '?'}page={self.number}"
        self.socket = WebsocketCommunicator(application, address, headers=headers)
        self.texts: list[str] = []

    async def open(self) -> Page:
        connected, _ = await self.socket.connect(timeout=5)
        assert connected
        await self.rest()
        return self

    async def rest(self) -> list[str]:
        """The frames that have come since the last look. The watch makes good what hints are still under way for, and
        a ping answered means that all before it is there."""
        await watch.watch().look()
        await self.socket.send_to(text_data=PING)
        fresh = []
        while True:
            text = await self.socket.receive_from(timeout=5)
            if json.loads(text)["kind"] == "pong":
                self.texts += fresh
                return fresh
            fresh.append(text)

    async def frame(self) -> str:
        """The next frame, without asking."""
        text = await self.socket.receive_from(timeout=5)
        self.texts.append(text)
        return text

    async def away(self) -> list[int]:
        """Whose pages are closed, as a ping's answer tells."""
        await self.rest()
        await self.socket.send_to(text_data=PING)
        return json.loads(await self.socket.receive_from(timeout=5))["away"]

    async def silent(self) -> bool:
        """Whether nothing comes of what the page or the room's line has sent: a ping behind each is answered first."""
        pages = chain.from_iterable(watch.watch()._pages.values())
        (own,) = [page for page in pages if page.asked("page") == self.number]
        await self.socket.send_to(text_data=PING)
        await get_channel_layer().send(own.channel_name, {"type": "websocket.receive", "text": PING})
        return [json.loads(await self.socket.receive_from(timeout=5))["kind"] for _ in range(2)] == ["pong", "pong"]

    async def closed(self) -> int:
        while (message := await self.socket.receive_output(timeout=5))["type"] != "websocket.close":
            self.texts.append(message.get("text", ""))
        return message["code"]

    async def close(self) -> None:
        await self.socket.disconnect()

    def html(self) -> str:
        return "".join(json.loads(text).get("html", "") for text in self.texts)

    def lines(self) -> list[int]:
        return sorted({int(seq) for seq in re.findall(r'data-seq="(\d+)"', self.html())})


def clue(match, words: str):
    request = asked(match)
    return store.act(match.pk, request.seat, request.id, {"text": words})
