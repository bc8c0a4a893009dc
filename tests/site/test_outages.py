"""While the database or Redis is away: a line when that begins and one when it is over, and pages that go on."""

import asyncio
import logging
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async as on_thread
from channels.layers import channel_layers
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError

from games.match import changes
from games.room import chairs
from games.web import visits, watch
from games.web.limits import CONNECTING, allow
from games.web.pages import lobby
from magic_site import layer, outages
from magic_site.cache import SharedCache
from magic_site.parts import embedded_server, end
from tests.games.pages import Page, clue
from tests.games.tables import match_at, room_of
from tests.stack import until

REFUSED = RedisConnectionError("Error 111 connecting to 127.0.0.1:6379. Connection refused.")


@pytest.fixture
def said(monkeypatch) -> list[str]:
    """What the console shows."""
    lines: list[str] = []

    class Console(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    console = Console()
    console.addFilter(outages.OneLine())
    logging.getLogger().addHandler(console)
    monkeypatch.setattr(outages, "LOOK_EVERY", 0.01)
    yield lines
    logging.getLogger().removeHandler(console)


@pytest.fixture
def away(monkeypatch, said):
    """Lets Redis and the database be away, as outages see them, until the returned function is called."""
    back: list[bool] = []

    def answers() -> None:
        if not back:
            raise RedisConnectionError("refused")

    for name in ("redis", "database"):
        monkeypatch.setattr(outages, name, outages.Outage(name.title(), answers))
    return lambda: back.append(True)


def broker_away() -> BrokerError:
    error = BrokerError("no broker")
    error.__cause__ = REFUSED
    return error


def test_one_outage_is_two_lines_however_much_fails(away, said):
    log = logging.getLogger("anything")
    for _ in range(50):
        log.error("a task failed", exc_info=REFUSED)
        log.error("Cannot connect to %s: %s. Trying again", "redis://", REFUSED)
        log.warning("Sent later", exc_info=broker_away())
    until(lambda: said, "the outage is told")
    away()
    until(lambda: len(said) == 2, "its end is told")
    assert said[0].startswith("Redis cannot be reached: Error 111")
    assert "is back after" in said[1] and "150 failures" in said[1]


def test_what_is_no_outage_is_told_each_time(away, said):
    log = logging.getLogger("anything")
    try:
        raise REFUSED
    except RedisConnectionError:
        try:
            raise KeyError("a mistake while an outage is minded")
        except KeyError as mistake:
            log.exception("wrong", exc_info=mistake)
    log.error("locked", exc_info=OperationalError("deadlock detected"))
    assert [line.splitlines()[0] for line in said][:1] == ["wrong"] and "KeyError" in said[0]
    assert any("locked" in line for line in said) == (connection.vendor == "sqlite")


def test_the_task_of_a_page_that_is_cancelled_is_no_line(away, said):
    logging.getLogger("anything").error("Unexpected exception while cleaning up", exc_info=asyncio.CancelledError())
    logging.getLogger("anything").error("a mistake", exc_info=KeyError("x"))
    assert [line.splitlines()[0] for line in said] == ["a mistake"]


def test_a_server_that_cut_lines_and_is_there_is_told_once(away, said):
    away()
    log = logging.getLogger("anything")
    log.error("a task failed", exc_info=REFUSED)
    until(lambda: said, "the line is told")
    assert said == [f"Redis has cut a line, and answers: {REFUSED}"]


def at_redis(monkeypatch, path: Path) -> None:
    """Let pages and the cache of this process look for Redis there."""
    configured = channel_layers.configs["default"]["CONFIG"] | {"hosts": [f"unix://{path}"]}
    monkeypatch.setitem(channel_layers.backends, "default", layer.Layer(**configured))
    monkeypatch.setattr(layer, "LATER", 0.02)


@pytest.mark.django_db(transaction=True)
async def test_while_redis_is_away_a_new_page_gets_its_socket_and_hears_hints_when_it_is_back(
    tmp_path, monkeypatch, away, said
):
    monkeypatch.setattr(watch, "SECONDS", 0.05)
    cache.clear()
    at_redis(monkeypatch, tmp_path / "r.sock")
    match = await on_thread(match_at)(await on_thread(room_of)())
    page = await Page(match.room, "key-1").open()
    assert "coffee" in page.html()
    await on_thread(clue)(match, "unheard")
    while "unheard" not in page.html():
        await page.frame()
    monkeypatch.setattr(watch, "SECONDS", 3600)
    server = embedded_server(tmp_path / "r.sock", tmp_path)
    server.start()
    try:
        await on_thread(until)((tmp_path / "r.sock").exists, "Redis is there")
        subscribed = channel_layers.backends["default"]._get_layer()._shards[0]
        while subscribed._missed:
            await asyncio.sleep(0.01)
        await on_thread(changes.tell)(match.room.code, "thinking", match.pk, 2)
        while "thinking" not in (await page.frame()):
            pass
        await page.close()
        await channel_layers.backends["default"].flush()
    finally:
        end([server], within=2)
    away()
    await on_thread(until)(lambda: len(said) == 2, "the end of the outage is told")


@pytest.mark.django_db(transaction=True)
async def test_a_page_stays_through_an_outage_and_a_new_one_tries_again(monkeypatch, away, said):
    def fail(*given, **more):
        raise RedisConnectionError("refused")

    cache.clear()
    room = await on_thread(room_of)(2)
    page = await Page(room, "key-1").open()
    with monkeypatch.context() as outage:
        outage.setattr(visits, "place", fail)
        await on_thread(chairs.sit)(room, "key-9", "Zoe")
        await page.rest()
        new = Page(room, "key-2")
        await new.socket.connect(timeout=5)
        assert 3000 <= await new.closed() < 5000, "browsers and servers know no other codes"
    await page.rest()
    assert "Zoe" in page.html()
    await page.close()


@pytest.mark.parametrize(
    ("error", "status", "words"), [(REFUSED, 503, "all clocks at tables stand still"), (KeyError(), 500, "broke")]
)
def test_a_page_that_needs_what_is_away_says_so(client, monkeypatch, away, said, error, status, words):
    client.raise_request_exception = False
    monkeypatch.setattr(lobby, "_lobby", lambda request: (_ for _ in ()).throw(error))
    answer = client.get("/")
    assert answer.status_code == status and words in answer.content.decode()


@pytest.mark.django_db
def test_without_redis_visitors_are_let_in(monkeypatch, away, said):
    monkeypatch.setattr(SharedCache, "count", lambda *given, **more: (_ for _ in ()).throw(REFUSED))
    assert all(allow((CONNECTING, "somebody")) for _ in range(5))
    until(lambda: said, "the outage is told")
    assert len(said) == 1


def test_every_line_on_the_console_is_filtered():
    handlers = settings.LOGGING["handlers"].values()
    assert all("outages" in handler["filters"] for handler in handlers)
