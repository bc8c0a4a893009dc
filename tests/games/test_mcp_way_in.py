"""Who comes through the MCP door and who does not: the extra, names of the site, other sites' pages, how often."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client
from rest_framework.exceptions import Throttled

from games.room import api_keys
from games.web import mcp
from games.web.limits import Limit
from games.web.mcp.tools import TOOLS, Call
from tests.games.tables import room_of

pytestmark = pytest.mark.django_db
needs_mcp = pytest.mark.skipif(not mcp.installed(), reason="MCP is not installed (requirements-mcp.txt)")
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def answered(method: str = "POST", scheme: str = "http", path: str = "/mcp", **headers: str) -> str:
    """Who answers such a request: the door, or what stands behind it."""

    async def behind(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})

    usual = {"host": "testserver", "content-type": "application/json", "accept": "application/json"}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "scheme": scheme,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in (usual | headers).items()],
        "client": ["127.0.0.1", 1],
    }
    one = ApplicationCommunicator(mcp.before(behind), scope)
    await one.send_input({"type": "http.request", "body": json.dumps(PING).encode()})
    status = (await one.receive_output(20))["status"]
    await one.wait(20)
    return {200: "the door", 404: "behind"}[status]


@needs_mcp
@pytest.mark.parametrize(
    ("request_", "who"),
    [
        ({}, "the door"),
        ({"origin": "http://localhost:8000"}, "the door"),
        ({"origin": "https://elsewhere.example"}, "behind"),
        ({"origin": "http://["}, "behind"),
        ({"host": "elsewhere.example"}, "behind"),
        ({"method": "GET"}, "behind"),
        ({"path": "/mcp/more"}, "behind"),
    ],
)
async def test_posts_to_this_site_by_its_own_name_come_through(request_, who):
    assert await answered(**request_) == who


@needs_mcp
async def test_where_a_site_wants_https_nothing_else_comes_through(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert (await answered(), await answered(scheme="https")) == ("behind", "the door")


def test_behind_the_door_it_is_said_why_nobody_answers(monkeypatch):
    site = Client()
    answer = site.get("/mcp")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")
    for there, status in ((True, 403), (False, 501)):
        monkeypatch.setattr(mcp, "installed", lambda there=there: there)
        answer = site.post("/mcp", "{}", content_type="application/json")
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert "requirements-mcp.txt" in answer.json()["detail"]
    assert mcp.before(site) is site


def test_who_calls_too_often_is_told_so_and_others_are_not():
    room, tool = room_of(2), replace(TOOLS["observe"], limit=Limit("read", 3, 10))
    keys = [api_keys.make(f"key-{n}", None, "a test", ["play"], 1)[1] for n in (1, 2)]

    def call(key: str) -> dict:
        return Call.begin(tool, {"table": room.code}, f"Bearer {key}", "127.0.0.1").answer()

    assert [call(keys[0])["match"] for _ in range(3)] == [None] * 3
    with pytest.raises(Throttled):
        call(keys[0])
    assert call(keys[1])["chair"] == 2
