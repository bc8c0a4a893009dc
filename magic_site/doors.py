"""What a visitor may send at once and hold open, minded before any page is asked."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from autobahn.exception import Disconnected
from daphne import http_protocol
from django.conf import settings
from twisted.web import http

from magic_site import addresses, outages

Application = Callable[[dict[str, Any], Callable, Callable], Awaitable[None]]


class CappedSockets:
    """Lets in so many sockets from one address, and so many at all, of those that this process holds open."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Callable, send: Callable) -> None:
        address = addresses.of_scope(scope)
        if _full(self.open[address], settings.MOST_SOCKETS_OF_AN_ADDRESS) or _full(
            self.open.total(), settings.MOST_SOCKETS
        ):
            await receive()
            await send({"type": "websocket.close"})
            return
        self.open[address] += 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]


class PatientSockets:
    """Lets a page try again later whose socket cannot be opened because of an outage; lets go of one that is gone."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Callable, send: Callable) -> None:
        try:
            await self.application(scope, receive, send)
        except Disconnected:
            return
        except Exception as error:
            if not outages.met(error):
                raise
            await send({"type": "websocket.close"})


def _full(held: int, most: int) -> bool:
    return bool(most) and held >= most


REFUSAL = (
    "HTTP/1.1 {status} {title}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{told}"
)


def _refusal(path: bytes, status: int, code: str, title: str, sentence: str) -> bytes:
    """A sentence for whoever asks at this path; for programs as a problem (RFC 9457)."""
    kind, told = "text/plain; charset=utf-8", sentence
    if path.startswith(b"/api/v1/"):
        problem = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": sentence}
        kind, told = "application/problem+json", json.dumps(problem)
    return REFUSAL.format(status=status, title=title, kind=kind, length=len(told), told=told).encode("ascii")


class Request(http_protocol.WebRequest):
    """Daphne's request, which would be read to its end and kept on disk before anybody is asked: one with too large a
    body is refused by its declared length, and cut off at the limit where it declares none."""

    refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 (Twisted's name)
        super().gotLength(length)
        self._refuse_over(length or 0)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 (Twisted's name)
        if not self.refused:
            self._refuse_over(self.content.tell() + len(data))
        if not self.refused:
            super().handleContentChunk(data)

    def process(self) -> None:
        if not self.refused:
            super().process()

    def _refuse_over(self, length: int) -> None:
        most = settings.MOST_BYTES_OF_A_BODY
        if most and length > most:
            self.refused = True
            sentence = f"At most {most / 1e6:g} MB can be sent at once."
            refusal = _refusal(self.channel._path, 413, "too_large", "Content Too Large", sentence)
            self.channel.transport.write(refusal)
            self.channel.transport.loseConnection()


class Channel(http.HTTPChannel):
    """Twisted's channel, which would hang up on too long an address and say nothing."""

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802 (Twisted's name)
        sentence = "This address is too long. Choose less at once: a few hundred matches fit into one."
        transport: Any = self.transport
        path = [*line.split(maxsplit=2), b"", b""][1]
        transport.write(_refusal(path, 414, "too_long", "URI Too Long", sentence))
        transport.loseConnection()


def mind_sizes() -> None:
    """Let Daphne, in this process, make requests and channels of these kinds; it has no setting for that."""
    http_protocol.WebRequest = Request
    http.HTTPChannel = Channel  # type: ignore[misc]
