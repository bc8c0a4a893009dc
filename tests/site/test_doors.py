"""What one visitor may send and hold open, on a real Daphne; signing in; and all of it while the cache is away."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import AsyncRequestFactory, Client
from redis import Redis

from games.web import limits
from games.web.limits import JOINING, SIGNING_IN_AS, SIGNING_IN_FROM, allow_visitor
from magic_site import addresses
from magic_site.doors import CappedSockets
from magic_site.pages import Pages
from tests.stack import free_port, until

ECHO = """
import sys
from django.conf import settings
settings.configure(MOST_BYTES_OF_A_BODY=1000, DEFAULT_HASHING_ALGORITHM="sha256")
from daphne.cli import CommandLineInterface
from magic_site import doors
doors.mind_sizes()

async def application(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d" % len(body)})

sys.modules["echo"] = sys.modules["__main__"]
CommandLineInterface().run(["-v", "0", "-b", "127.0.0.1", "-p", sys.argv[1], "echo:application"])
"""


@pytest.fixture(scope="module")
def daphne():
    """The port of a Daphne whose bodies may have 1,000 bytes, and which answers how many it got."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", ECHO, str(port)])

    def answers() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    until(answers, "Daphne answers", seconds=30)
    yield port
    process.terminate()
    process.wait(5)


def said(port: int, head: str, body: bytes = b"", path: str = "/") -> str:
    """What the server answers to these bytes, and nothing more is sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{head}\r\n\r\n".encode() + body)
        heard = b""
        while piece := line.recv(4096):
            heard += piece
    return heard.decode()


def test_a_body_within_the_limit_arrives(daphne):
    assert said(daphne, "Content-Length: 1000", b"x" * 1000).endswith("\r\n1000\r\n0\r\n\r\n")
    assert "\r\n1000\r\n" in said(daphne, "Transfer-Encoding: chunked", b"3e8\r\n" + b"x" * 1000 + b"\r\n0\r\n\r\n")


def test_a_body_too_large_is_refused_by_its_length_before_any_of_it_is_sent(daphne):
    answer = said(daphne, "Content-Length: 150000000")
    assert answer.startswith("HTTP/1.1 413 ") and "At most 0.001 MB" in answer


def test_a_body_of_no_declared_length_is_cut_off_at_the_limit(daphne):
    answer = said(daphne, "Transfer-Encoding: chunked", b"3e9\r\n" + b"x" * 1001 + b"\r\n")
    assert answer.startswith("HTTP/1.1 413 ")


def test_an_address_too_long_is_refused_in_a_sentence(daphne):
    ids = "/matches/?match=" + ",".join(["0123456789abcdef0123456789abcdef"] * 1000)
    answer = said(daphne, "Content-Length: 0", path=ids)
    assert answer.startswith("HTTP/1.1 414 ") and "This address is too long." in answer
    assert said(daphne, "Content-Length: 0", path=ids[:10_000]).startswith("HTTP/1.1 200 ")


def test_programs_are_refused_in_a_problem(daphne):
    long = "/api/v1/matches/?match=" + "0" * 40_000
    for path, head, status, code in (
        ("/api/v1/tables/", "Content-Length: 150000000", 413, "too_large"),
        (long, "Content-Length: 0", 414, "too_long"),
    ):
        heads, _blank, body = said(daphne, head, path=path).partition("\r\n\r\n")
        assert "Content-Type: application/problem+json" in heads
        assert (json.loads(body)["status"], json.loads(body)["code"]) == (status, code)


async def test_sockets_are_capped_by_address_and_at_all(settings):
    settings.MOST_SOCKETS_OF_AN_ADDRESS, settings.MOST_SOCKETS = 2, 3

    async def accepts(scope, receive, send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    capped = CappedSockets(accepts)

    async def opened(address: str) -> WebsocketCommunicator | None:
        page = WebsocketCommunicator(capped, "/ws/")
        page.scope["client"] = [address, 1]
        return page if (await page.connect())[0] else None

    first, second = await opened("192.0.2.1"), await opened("192.0.2.1")
    assert first and second and await opened("192.0.2.1") is None
    assert await opened("192.0.2.2") and await opened("192.0.2.3") is None
    await first.disconnect()
    assert await opened("192.0.2.3")


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", addresses.UNKNOWN),
    ],
)
def test_what_one_visitor_has_many_of_counts_as_one_address(rf, peer, counted):
    assert addresses.of_request(rf.get("/", REMOTE_ADDR=peer)) == counted
    assert addresses.of_scope({"client": [peer, 1] if peer else None}) == counted


# Signing in ---------------------------------------------------------------------------------------------------------

PAGES = ("/sign-in/", "/admin/login/")
TOO_MANY = "You tried a wrong password too often"


@pytest.fixture
def one_window(db, monkeypatch):
    cache.clear()
    monkeypatch.setattr(limits.clock, "carried_on", lambda: datetime(2026, 1, 1, tzinfo=UTC))
    User.objects.create_superuser("ada", password="right")


def sign_in(page: str, name: str, password: str, address: str = "192.0.2.1"):
    return Client(REMOTE_ADDR=address).post(page, {"username": name, "password": password})


@pytest.mark.parametrize("page", PAGES)
def test_passwords_cannot_be_tried_on_and_on_from_one_address(one_window, page):
    for number in range(SIGNING_IN_FROM.tries):
        assert TOO_MANY not in sign_in(page, f"name {number}", "wrong").content.decode()
    assert TOO_MANY in sign_in(page, "ada", "right").content.decode()
    assert sign_in(page, "ada", "right", "192.0.2.2").status_code == 302


@pytest.mark.parametrize("page", PAGES)
def test_passwords_cannot_be_tried_on_and_on_for_one_name(one_window, page):
    for number in range(SIGNING_IN_AS.tries):
        sign_in(page, "Ada", "wrong", f"192.0.2.{number}")
    assert TOO_MANY in sign_in(page, "ada", "right", "198.51.100.1").content.decode()


def test_one_visitor_cannot_lock_somebody_else_out(one_window):
    while TOO_MANY not in sign_in("/sign-in/", "ada", "wrong").content.decode():
        pass
    assert sign_in("/sign-in/", "ada", "right", "198.51.100.1").status_code == 302


def test_who_knows_the_password_may_sign_in_as_often_as_they_like(one_window):
    assert {sign_in("/sign-in/", "ada", "right").status_code for _ in range(SIGNING_IN_FROM.tries + 2)} == {302}


def test_without_the_cache_each_process_counts_for_itself(one_window, settings):
    settings.CACHES = settings.CACHES | {
        "default": {
            "BACKEND": "magic_site.cache.SharedCache",
            "LOCATION": f"unix://{settings.VAR_DIR}/nobody.sock",
        }
    }
    for _ in range(SIGNING_IN_FROM.tries):
        assert sign_in("/sign-in/", "ada", "wrong").status_code == 200
    assert sign_in("/sign-in/", "ada", "right").status_code == 429
    assert Client().post("/join/", {"code": "KITE-1234"}).status_code == 404


def test_what_is_refused_to_one_visitor_is_not_counted_for_their_address(one_window):
    for number in range(JOINING.of_address().tries + 1):
        assert allow_visitor(JOINING, "insistent", "192.0.2.1") == (number < JOINING.tries)
    assert allow_visitor(JOINING, "neighbour", "192.0.2.1")


def test_tries_are_counted_in_one_trip(one_window, monkeypatch):
    trips, send = [], Redis.execute_command
    monkeypatch.setattr(Redis, "execute_command", lambda *given, **more: trips.append(given) or send(*given, **more))
    assert allow_visitor(JOINING, "anybody", "192.0.2.1")
    assert len(trips) == 1


async def test_requests_are_answered_by_threads_that_are_kept(monkeypatch):
    pages = Pages()
    monkeypatch.setattr(pages, "get_response", lambda request: HttpResponse(threading.current_thread().name))
    names = set()
    for _ in range(3):
        asking = ApplicationCommunicator(pages, AsyncRequestFactory()._base_scope(path="/", type="http"))
        await asking.send_input({"type": "http.request"})
        assert (await asking.receive_output(5))["status"] == 200
        names.add((await asking.receive_output(5))["body"])
    assert len(names) == 1 and names.pop().startswith(b"pages")
