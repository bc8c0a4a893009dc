"""Pages as their sockets know them: what a browser's page sends and hears, without a browser."""

from __future__ import annotations

import json
import re

from channels.testing import WebsocketCommunicator

from games import table, watch
from games.models import Room
from games.people import COOKIE
from magic_site.asgi import application
from tests.games.tables import asked, cookie

ORIGIN = b"http://testserver"


class Page:
    """A browser's page at a table, as far as the socket can tell."""

    def __init__(self, room: Room, person: str = "", origin: bytes = ORIGIN, path: str = ""):
        headers = [(b"origin", origin), (b"host", b"testserver")]
        if person:
            headers.append((b"cookie", f"{COOKIE}={cookie(person)}".encode()))
        self.socket = WebsocketCommunicator(application, path or f"/ws/t/{room.code}/?lang=en", headers=headers)
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
        await self.socket.send_to(text_data='{"kind": "ping"}')
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
        await self.socket.send_to(text_data='{"kind": "ping"}')
        return json.loads(await self.socket.receive_from(timeout=5))["away"]

    async def silent(self) -> bool:
        return await self.socket.receive_nothing(timeout=0.3)

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
    return table.act(match.pk, request.seat, request.id, {"text": words})
