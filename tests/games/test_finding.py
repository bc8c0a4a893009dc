"""Tables are found by a short code: guessing one stops soon, and hampers nobody who was asked to come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client

from games.web import limits
from games.web.limits import MISSING
from games.web.sockets import NOT_FOUND, TOO_MANY
from tests.games.pages import Page
from tests.games.tables import browser, room_of

pytestmark = pytest.mark.django_db(transaction=True)
GET, JOIN, SIT = "get", "join", "sit"


@pytest.fixture(autouse=True)
def one_window(monkeypatch):
    cache.clear()
    monkeypatch.setattr(limits.clock, "carried_on", lambda: datetime(2026, 1, 1, tzinfo=UTC))


def ask(way: str, code: str, key: str = "", client: Client | None = None) -> int:
    """The status of the answer to somebody who has a code, by one of the ways in. Each time another visitor."""
    client = client or Client()
    if way == JOIN:
        return client.post("/join/", {"code": code}).status_code
    if way == SIT:
        return client.post(f"/t/{code}/sit/", {"name": "Eve", "key": key}).status_code
    return client.get(f"/t/{code}/?key={key}").status_code


def guess_until_refused(way: str) -> int:
    """Try code after code, each as another visitor; gives how many were answered."""
    for number in range(1000):
        if ask(way, f"KITE-{1000 + number}") == 429:
            return number
    raise AssertionError("never refused")


@pytest.mark.parametrize("way", [GET, JOIN, SIT])
def test_codes_cannot_be_guessed_by_trying_whatever_is_asked_with_them(way):
    secret = room_of(1, listed=False)
    assert guess_until_refused(way) == MISSING.tries
    for other in (GET, JOIN, SIT):  # the right code is not told from a wrong one any more
        assert ask(other, secret.code) == ask(other, "KITE-9999") == 429


def test_whoever_has_the_link_or_sits_there_is_not_held_up_by_what_others_at_their_address_try():
    room = room_of(1, listed=False)
    guess_until_refused(GET)
    assert ask(GET, room.code, room.key) == 200
    assert ask(SIT, room.code, room.key) == 302
    assert ask(GET, room.code, client=browser("key-1")) == 200
    assert ask(GET, room.code, "wrong") == 429


def test_a_table_that_the_lobby_shows_is_open_to_all():
    room = room_of(1, listed=True)
    guess_until_refused(JOIN)
    assert ask(GET, room.code) == 200


def test_the_link_that_a_host_gives_away_has_the_key():
    room = room_of(1, listed=False)
    page = browser("key-1").get(f"/t/{room.code}/").content.decode()
    assert f'data-invite="{room.link}"' in page
    assert room.key in room.link and len(room.key) == 20


async def test_sockets_are_no_way_to_guess_codes_either():
    for number in range(MISSING.tries + 1):
        page = Page(None, path=f"/ws/t/KITE-{1000 + number}/")
        assert (await page.socket.connect())[0]
        assert await page.closed() == (NOT_FOUND if number < MISSING.tries else TOO_MANY)
