"""A file leaves a web process piece by piece, as fast as the browser takes it."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from django.http import StreamingHttpResponse

from magic_site.pages import Pages

PIECES = 5


class Connection:
    """A request of Daphne's whose browser takes so many pieces and then pauses."""

    def __init__(self, takes: int) -> None:
        self.takes, self.bodies, self.producer, self.channel = takes, [], None, object()

    def registerProducer(self, producer, streaming: bool) -> None:  # noqa: N802 (Twisted's name)
        self.producer = producer

    def unregisterProducer(self) -> None:  # noqa: N802
        self.producer = None

    async def reply(self, message: dict) -> None:
        if message.get("body"):
            self.bodies.append(message["body"])
            if len(self.bodies) == self.takes:
                self.producer.pauseProducing()


async def reply(connection: Connection, message: dict) -> None:
    await connection.reply(message)


def content(read: list[int]):
    for number in range(PIECES):
        read.append(number)
        yield bytes([number])


async def settled() -> None:
    """Let all that can go on go on."""
    for _ in range(50):
        await asyncio.sleep(0)


def at_once(take, **how):
    """In place of a thread."""

    async def taken(*given):
        return take(*given)

    return taken


@pytest.fixture
def handler(monkeypatch):
    """Pages without threads."""
    monkeypatch.setattr("magic_site.pages.database_sync_to_async", at_once)
    return object.__new__(Pages)


def test_no_more_is_read_of_a_file_than_the_browser_takes(handler):
    read: list[int] = []
    connection = Connection(takes=2)

    async def sent() -> None:
        response = StreamingHttpResponse(content(read))
        sending = asyncio.create_task(handler.send_response(response, partial(reply, connection)))
        await settled()
        assert (len(connection.bodies), len(read)) == (2, 3), "one piece waits"
        connection.producer.resumeProducing()
        await sending

    asyncio.run(sent())
    assert connection.bodies == [bytes([number]) for number in range(PIECES)] and connection.producer is None


def test_a_browser_that_goes_away_holds_nothing_up(handler):
    connection = Connection(takes=1)

    async def sent() -> None:
        response = StreamingHttpResponse(content([]))
        sending = asyncio.create_task(handler.send_response(response, partial(reply, connection)))
        await settled()
        connection.channel = None
        connection.producer.stopProducing()
        await sending

    asyncio.run(sent())


def test_another_server_gets_piece_after_piece(handler):
    bodies = []

    async def send(message: dict) -> None:
        bodies.append(message.get("body"))

    asyncio.run(handler.send_response(StreamingHttpResponse(content([])), send))
    assert [body for body in bodies if body] == [bytes([number]) for number in range(PIECES)]
