"""The room's screen: what everybody may see, whoever opens it, and the way to the table."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async

from games.models import Room
from games.web.pages.screen import picture
from tests.games.pages import Page
from tests.games.tables import WORDS, asked, browser, match_at, play_out, post_move, room_of

SECRETS = {WORDS["civilian_word"], WORDS["undercover_word"]}


def told(client, room: Room) -> str:
    answer = client.get(f"/t/{room.code}/screen/")
    assert answer.status_code == 200
    return re.sub(r'"X-CSRFToken": "\w+"', "", answer.content.decode())


@pytest.mark.django_db
def test_before_the_match_it_shows_the_way_to_the_table():
    room = room_of(2, seats=3)
    page = told(browser("key-1"), room)
    assert room.code in page and picture(f"http://testserver{room.link}") in page
    assert "Waiting for 1 more to sit down." in page and "Ann" in page


@pytest.mark.django_db
@pytest.mark.parametrize("person", ["key-1", "key-3", "key-9"])
def test_it_shows_no_seat_its_own_card_or_form(person):
    match = match_at(room_of())
    page = told(browser(person), match.room)
    assert not SECRETS & set(page.split()) and not any(f">{word}<" in page for word in SECRETS)
    assert 'id="card"' not in page and 'id="act"' not in page and "data-request" not in page
    assert page == told(browser("key-8"), match.room)


@pytest.mark.django_db
def test_a_match_that_nobody_may_watch_is_not_shown_but_the_link_is():
    match = match_at(room_of(watching="nobody"))
    for person in ("key-1", "key-9"):
        page = told(browser(person), match.room)
        assert "This match is not open to watch." in page and match.room.code in page
        assert 'id="feed"' not in page and "data-who" not in page


@pytest.mark.django_db(transaction=True)
async def test_its_line_brings_what_everybody_sees_and_no_more():
    room = await sync_to_async(room_of)()
    match = await sync_to_async(match_at)(room)
    page = await Page(room, "key-1", path=f"/ws/t/{room.code}/?lang=en&screen=1").open()
    request = await sync_to_async(asked)(match)
    await sync_to_async(post_move)(browser(f"key-{request.seat}"), match, request, {"text": "a warm thing"})
    await page.rest()
    heard = "".join(page.texts)
    assert "a warm thing" in heard and "seats" in heard
    assert "data-request" not in heard and not any(word in heard for word in SECRETS)


@pytest.mark.django_db
def test_at_the_end_it_tells_the_result_as_nobody_s_own():
    match = match_at(room_of())
    play_out(match)
    page = told(browser("key-1"), match.room)
    assert re.search(r'id="over-title">\s*\S', page)
    assert "You won" not in page and "You lost" not in page
