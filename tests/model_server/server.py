"""The server itself: loopback only, in a thread of the test or as a process.

POST   /v1/chat/completions, /v1/responses, /v1/messages: a model's answer, by the script
GET    /record: all calls so far, as JSON
DELETE /record: forget them
PUT    /script: {"steps": [...], "then": ..., "latency_ms": ...}: a new script
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from types import ModuleType
from typing import Any

from aiohttp import web

from . import anthropic, openai, openai_responses, player, strict
from .calls import Call
from .script import Behaviour, Script

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ModelServer:
    """`with ModelServer(steps) as server:` serves a Script of them until the block ends. Port 0 takes a free one."""

    def __init__(self, steps: Any = (), *, then: Any = "good", latency_ms: int = 0, port: int = 0) -> None:
        self.set_script(steps, then, latency_ms)
        self.calls: list[Call] = []
        self.port = port
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, name="model-server", daemon=True)

    def set_script(self, steps: Any = (), then: Any = "good", latency_ms: int = 0) -> None:
        """Answer by another script from now on."""
        self.script = Script(steps, then, latency_ms)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai_url(self) -> str:
        """The base URL that an OpenAI client takes."""
        return f"{self.url}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL that an Anthropic client takes."""
        return self.url

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        self._ready.wait()
        if self._failed:
            raise self._failed
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024**2)
        for protocol in (openai, openai_responses, anthropic):
            app.router.add_post(protocol.PATH, self._answering(protocol))
        app.router.add_get("/record", self._show_record)
        app.router.add_delete("/record", self._clear_record)
        app.router.add_put("/script", self._change_script)
        return app

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = web.AppRunner(self.app(), access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        try:
            self._loop.run_until_complete(runner.setup())
            site = web.TCPSite(runner, "127.0.0.1", self.port)
            self._loop.run_until_complete(site.start())
            self.port = runner.addresses[0][1]
        except OSError as error:
            self._failed = error
        self._ready.set()
        if not self._failed:
            self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()

    def _answering(self, protocol: ModuleType) -> Handler:
        async def answer(request: web.Request) -> web.StreamResponse:
            headers = {name.lower(): value for name, value in request.headers.items()}
            call = protocol.read(await request.json(), headers)
            self.calls.append(call)
            if not protocol.has_key(headers):
                behaviour = Behaviour("unauthorised", status=401, message="No key was sent.")
            else:
                behaviour = self.script.next(call)
            call.behaviour = behaviour.kind
            if behaviour.latency_ms:
                await asyncio.sleep(behaviour.latency_ms / 1000)
            for wish in _wishes(call) & set(behaviour.refuses):
                param = wish if wish.startswith("reasoning") else None
                return _failure(protocol, call, Behaviour(status=400, message=f"{wish} is not supported."), param)
            if call.strict and (wrong := strict.objection(call.schema, f"{call.structure} 'answer'")):
                return _failure(protocol, call, Behaviour(status=400, message=wrong), call.structure)
            if behaviour.status != 200:
                return _failure(protocol, call, behaviour)
            text = player.answer(call) if behaviour.text is None else behaviour.text
            if behaviour.garbled:
                return web.Response(text="<html>it works!</html>", content_type="text/html")
            if behaviour.cut:
                return await _cut(request, protocol, call, text)
            call.status, call.usage, call.called = 200, behaviour.usage, behaviour.called
            call.cached, call.stored = behaviour.cached, behaviour.stored
            call.tool, call.thought = behaviour.tool or call.tool, behaviour.thought
            if call.stream and not behaviour.whole:
                return await _streamed(request, protocol, call, text, behaviour)
            return web.json_response(protocol.reply(call, text, behaviour.finish))

        return answer

    async def _show_record(self, request: web.Request) -> web.Response:
        return web.json_response([call.as_json() for call in self.calls])

    async def _clear_record(self, request: web.Request) -> web.Response:
        self.calls.clear()
        return web.Response(status=204)

    async def _change_script(self, request: web.Request) -> web.Response:
        self.set_script(**await request.json())
        return web.Response(status=204)


def _wishes(call: Call) -> set[str]:
    """What a request asks for that not every endpoint has."""
    summed = (call.body.get("reasoning") or {}).get("summary")
    found = {call.structure, "stream" if call.stream else None, "reasoning.summary" if summed else None}
    return {wish for wish in found if wish}


def _failure(protocol: ModuleType, call: Call, behaviour: Behaviour, param: str | None = None) -> web.Response:
    call.status = behaviour.status
    headers = {} if behaviour.retry_after is None else {"Retry-After": str(behaviour.retry_after)}
    if behaviour.location:
        headers["Location"] = behaviour.location
    body = protocol.error(behaviour.status, behaviour.message, param)
    return web.json_response(body, status=behaviour.status, headers=headers)


async def _streamed(
    request: web.Request, protocol: ModuleType, call: Call, text: str, behaviour: Behaviour
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for event in protocol.stream(call, text, behaviour.finish):
        await response.write(event)
        await asyncio.sleep(behaviour.gap_ms / 1000)
    await response.write_eof()
    return response


async def _cut(request: web.Request, protocol: ModuleType, call: Call, text: str) -> web.StreamResponse:
    """Half of the reply, then the line is dropped."""
    if call.stream:
        events = list(protocol.stream(call, text, "stop"))
        half, headers = b"".join(events[: len(events) // 2]), {"Content-Type": "text/event-stream"}
    else:
        whole = web.json_response(protocol.reply(call, text, "stop")).body
        half, headers = whole[: len(whole) // 2], {"Content-Type": "application/json"}
        headers["Content-Length"] = str(len(whole))
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    await response.write(half)
    request.transport.close()
    return response
