"""How requests for pages are answered: each by one of a few threads, which goes through all middleware and the view.

Django's own ASGI handler starts a thread for each request, which opens the database anew, and changes threads twice
for every middleware. It also reads a file that is sent piece by piece whole before it sends the first one.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from magic_site.health import ALIVE, alive

THREADS = 24
"""How many requests are answered at once, at most; each thread keeps a connection to the database."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")
Done = TypeVar("Done")


async def in_thread(do: Callable[..., Done], *arguments: object) -> Done:
    """What `do` gives, in one of these threads."""
    return await database_sync_to_async(do, thread_sensitive=False, executor=_threads)(*arguments)


class Pages(ASGIHandler):
    """The ASGI application of all pages."""

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == ALIVE:  # though every thread may wait for a database that is away
            return alive()
        response = await in_thread(self.get_response, request)
        later = getattr(response, "later", None)  # of a long poll (games.web.api.waiting): whether it is answered then
        if later is None or await later():
            return response
        return await in_thread(self.get_response, request)

    async def send_response(self, response: HttpResponseBase, send: Any) -> None:
        if response.streaming and not response.is_async:  # type: ignore[attr-defined]  # of those that stream
            response.streaming_content = pieces(response.streaming_content, send)  # type: ignore[attr-defined]
        await super().send_response(response, send)


async def pieces(content: Iterator[bytes], send: Any) -> AsyncIterator[bytes]:
    """Each piece once the browser has taken most of those before it: a file is never whole in this process."""
    with taken_by(send) as gate:
        while (piece := await in_thread(next, content, None)) is not None:
            await gate.wait()
            yield piece


@contextmanager
def taken_by(send: Any) -> Iterator[asyncio.Event]:
    """What is set while the connection takes more. send: of Daphne; of another server it is always set."""
    gate = asyncio.Event()
    gate.set()
    request: Any = next(iter(getattr(send, "args", ())), None)
    if not hasattr(request, "registerProducer"):
        yield gate
        return
    request.registerProducer(Producer(gate), True)
    try:
        yield gate
    finally:
        if request.channel is not None:  # else the connection is lost
            request.unregisterProducer()


class Producer:
    """What Twisted tells whether a connection takes more (`twisted.internet.interfaces.IPushProducer`)."""

    def __init__(self, gate: asyncio.Event) -> None:
        self.pauseProducing, self.resumeProducing, self.stopProducing = gate.clear, gate.set, gate.set
