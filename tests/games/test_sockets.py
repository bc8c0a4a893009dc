"""What sockets cost and what they wait for: nothing is read for a ping, one slow read holds up no other table, all that
a page is told is of one moment, and those who come back together take turns."""

import json
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async as on_thread
from autobahn.exception import Disconnected
from django.core.cache import cache
from django.db import connection
from django.db.backends.utils import CursorWrapper

from games.match import cache as mirrors
from games.match import changes, store
from games.room import chairs, presence
from games.web import panels, sockets, visits, watch
from tests.games.pages import Page, clue
from tests.games.tables import browser, match_at, room_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def queries(monkeypatch) -> Iterator[SimpleNamespace]:
    """What is asked of the database, by any thread. No query is asked under the lock of a log: the event loop takes it
    too. before: what else happens before each query, given its text and its parameters."""
    seen, under_a_lock, execute = SimpleNamespace(asked=[], before=lambda sql, params: None), [], CursorWrapper.execute

    def noted(self, sql, params=None):
        seen.asked.append(sql)
        under_a_lock.extend(sql for _as_of, known in list(mirrors._mirrors._things.values()) if known.lock._is_owned())
        seen.before(sql, params)
        return execute(self, sql, params)

    cache.clear()
    monkeypatch.setattr(CursorWrapper, "execute", noted)
    yield seen
    assert under_a_lock == []


@pytest.fixture
def match():
    return match_at(room_of())


def without_hints(do, *arguments):
    """What `do` does without its hints reaching anybody."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "tell", lambda *hint, **more: None)
        return do(*arguments)


async def test_nothing_is_read_for_a_ping(match, queries, monkeypatch):
    pages = [await Page(match.room, person).open() for person in ("key-1", "key-2", "")]
    monkeypatch.setattr(presence, "exchange", lambda *marks: pytest.fail("a ping went to the cache"))
    queries.asked.clear()
    for page in pages:
        await page.socket.send_to(text_data='{"kind": "ping"}')
        pong = json.loads(await page.frame())
        assert pong["kind"] == "pong" and pong["now"] > 0
    assert queries.asked == []
    for page in pages:
        await page.close()


async def test_a_change_of_the_room_is_read_once_for_all_its_pages(queries):
    room = await on_thread(room_of)(2)
    pages = [await Page(room, person).open() for person in ("key-1", "key-2", "", "", "", "", "", "")]
    await on_thread(without_hints)(chairs.sit, room, "key-9", "Zoe")
    queries.asked.clear()
    for page in pages:
        await page.rest()
        assert "Zoe" in page.html()
    assert sum('FROM "games_seat"' in sql for sql in queries.asked) == 1
    for page in pages:
        await page.close()


async def test_a_page_whose_log_the_process_does_not_keep_any_more_hears_what_the_others_hear(match):
    """Of many matches only the last are kept; a page that is open goes on with the one that it has."""
    pages = [await Page(match.room, "key-1").open()]
    mirrors._mirrors.clear()
    pages.append(await Page(match.room, "key-2").open())
    await on_thread(clue)(match, "bitter")
    for page in pages:
        while "bitter" not in page.html():
            await page.frame()
        await page.close()


async def test_a_slow_read_of_one_table_holds_up_no_other(match, queries):
    """Nor does it hold up the event loop, when a page of the slow table shows what is known already."""
    other = await on_thread(match_at)(await on_thread(room_of)())
    slow, fast = await Page(match.room, "key-1").open(), await Page(other.room, "key-1").open()
    reading, released = threading.Event(), threading.Event()

    def wait(sql, params):
        if 'FROM "games_event"' in sql and any(str(given).replace("-", "") == match.pk.hex for given in params or ()):
            reading.set()
            assert released.wait(20)

    def move_at_both():
        without_hints(clue, match, "sticky")
        queries.before = wait
        changes.tell(match.room.code, "log", match.pk, 9)
        assert reading.wait(10)
        changes.tell(match.room.code, "log", match.pk, 1)
        clue(other, "bitter")

    try:
        await on_thread(move_at_both)()
        while "bitter" not in fast.html():
            await fast.frame()
        assert "sticky" not in slow.html()
    finally:
        released.set()
    while "sticky" not in slow.html():
        await slow.frame()
    await slow.close()
    await fast.close()


@pytest.fixture
def a_log_that_goes_on(match, monkeypatch):
    """Between the public and the own part of a page the match ends, and another thread reads that if it may."""
    key, parts = panels.OwnParts.key, panels.OwnParts.parts

    def go_on(own: panels.OwnParts) -> None:
        def end_and_read() -> None:
            without_hints(store.end, match.pk, "abandoned", "enough")
            source = mirrors.cached_match(match)
            if source.lock.acquire(blocking=False):
                source.catch_up()
                source.lock.release()

        monkeypatch.setattr(panels.OwnParts, "key", key)
        monkeypatch.setattr(panels.OwnParts, "parts", parts)
        thread = threading.Thread(target=lambda: (end_and_read(), connection.close()))
        thread.start()
        thread.join()

    monkeypatch.setattr(panels.OwnParts, "key", lambda own: (go_on(own), key(own))[1])
    monkeypatch.setattr(panels.OwnParts, "parts", lambda own: (go_on(own), parts(own))[1])


def says_over(html: str) -> bool:
    return 'data-mode="over"' in html


async def test_public_and_own_frames_are_of_one_moment(match, a_log_that_goes_on):
    page = Page(match.room, "key-1")
    await page.socket.connect(timeout=5)
    while 'id="act"' not in page.html():
        await page.frame()
    assert not says_over(page.html()) and "ended early" not in page.html()
    await page.rest()
    assert says_over(page.html()) and "ended early" in page.html()
    await page.close()


def test_the_parts_of_a_page_are_of_one_moment(match, a_log_that_goes_on):
    html = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert not says_over(html) and "ended early" not in html
    html = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert says_over(html) and "ended early" in html


def test_a_page_of_a_match_that_has_ended_since_it_was_looked_at_is_looked_at_anew(match, monkeypatch):
    visit_at, taken = visits.visit_at, []

    def end_meanwhile(*seen):
        taken.append(visit_at(*seen))
        if len(taken) == 1:
            without_hints(store.end, match.pk, "abandoned", "enough")
            mirrors.cached_match(match).catch_up()
        return taken[-1]

    monkeypatch.setattr(visits, "visit_at", end_meanwhile)
    html = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert says_over(html) and f"/m/{match.pk}/" in html and len(taken) == 2


async def test_a_page_that_is_gone_in_the_middle_of_a_word_is_forgotten(match, monkeypatch):
    async def gone(*said, **more):
        raise Disconnected("Attempt to send on a closed protocol")

    page = await Page(match.room, "key-1").open()
    monkeypatch.setattr(sockets.PageConsumer, "tell", gone)
    await page.socket.send_to(text_data='{"kind": "ping"}')
    await page.socket.wait(timeout=5)
    assert match.room.code not in watch.watch()._pages


async def test_those_who_come_back_together_take_turns(match, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(sockets, "BEGINNING", 1)
    monkeypatch.setattr(sockets, "allow_visitor", lambda *who: released.wait(20))
    pages = [Page(match.room, person) for person in ("key-1", "key-2", "key-3")]
    for page in pages:
        await page.socket.connect(timeout=5)
    for page in pages[1:]:
        assert json.loads(await page.frame()) == {"kind": "wait"}
    released.set()
    for page in pages:
        await page.rest()
        assert 'id="card"' in page.html()
        await page.close()
