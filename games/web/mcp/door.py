"""MCP by streamable HTTP. Each post is answered by itself and nothing is kept in between, so that it does not matter
which web process gets the next one."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import mcp_types as types
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http.request import validate_host
from django.utils.translation import gettext as _
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError

from games.web import mcp
from games.web.api import problems
from games.web.api.waiting import hold
from games.web.mcp.tools import ABOUT, TOOLS, Call
from magic_site import addresses, outages
from magic_site.pages import in_thread

log = logging.getLogger(__name__)


class Door:
    """ASGI: answers the posts of MCP clients; of all else, and of posts that this site would not take at any address,
    what stands behind it tells."""

    def __init__(self, pages: mcp.Application) -> None:
        self.pages = pages
        self.server = Server(
            "magic-table",
            version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
            title="Magic Table",
            instructions=ABOUT,
            on_list_tools=_listed,
            on_call_tool=self._called,
        )

    async def __call__(self, scope: dict[str, Any], receive: Callable, send: Callable) -> None:
        if scope["path"] != mcp.PATH or scope["method"] != "POST" or not _taken(ASGIRequest(scope, io.BytesIO())):
            await self.pages(scope, receive, send)
            return
        manager = StreamableHTTPSessionManager(self.server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    async def _called(
        self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool, request = TOOLS.get(params.name), context.request
        if tool is None or request is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}.")
        authorization, address = request.headers.get("authorization", ""), addresses.of_scope(request.scope)
        try:
            call = await in_thread(Call.begin, tool, params.arguments or {}, authorization, address)
            if call.sent.get("wait") and (waiter := await in_thread(call.waiter)) is not None:
                await hold(waiter, address)
            return result(await in_thread(call.answer))
        except Exception as error:
            return refusal(error)


def result(told: dict[str, Any]) -> types.CallToolResult:
    """What a tool gives, for models as text and for programs as it is."""
    return types.CallToolResult(content=[_text(json.dumps(told, ensure_ascii=False))], structured_content=told)


def refusal(error: Exception) -> types.CallToolResult:
    """Why there is none, in the sentence of the page and, for programs, as the problem of the API."""
    problem = problems.told(error)
    if problem is None:
        if outages.met(error):
            sentence = _("The site cannot reach its data just now. Wait a little, then try again. Nothing is lost.")
            problem = {"status": 503, "code": "away", "detail": sentence}
        else:
            log.error("A tool failed", exc_info=error)
            sentence = _("Something broke on our side. It is not your fault, and we have a record of it.")
            problem = {"status": 500, "code": "broken", "detail": sentence}
    elif (wait := problems.wait_after(error, problem["status"])) is not None:
        problem["retry_after"] = wait
    return types.CallToolResult(content=[_text(problem["detail"])], structured_content=problem, is_error=True)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


async def _listed(context: ServerRequestContext[Any, Any], params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=name,
                description=tool.about,
                input_schema=tool.schema,
                annotations=types.ToolAnnotations(
                    read_only_hint=not tool.changes, destructive_hint=False, idempotent_hint=True, open_world_hint=False
                ),
            )
            for name, tool in TOOLS.items()
        ]
    )


def _taken(request: ASGIRequest) -> bool:
    """Whether a request came to this site by a name of its own, as safely as the site wants it, and from no page of
    another site."""
    try:
        request.get_host()
        origin = urlsplit(request.headers.get("Origin", "")).hostname
    except (DisallowedHost, ValueError):  # a name or an origin that cannot be one
        return False
    if origin and not validate_host(origin, settings.ALLOWED_HOSTS):
        return False
    return request.is_secure() or not settings.SECURE_SSL_REDIRECT
