"""The pages on which people look at the API: every way to call, and what it answers to them and to nobody else."""

from __future__ import annotations

import html
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import ApiKey, Match, Room
from games.web.api.looking import ways
from tests.games.tables import browser, match_at, room_of

pytestmark = pytest.mark.django_db
WAYS = "/api/ways/"


@pytest.fixture
def match() -> Match:
    return match_at(room_of(listed=False))


def look(client: Client, name: str, /, **given: str) -> str:
    """What stands under the heading of the answer."""
    page = client.get(f"{WAYS}{name}/", given | {"ask": "1"})
    assert page.status_code == 200
    return html.unescape(page.content.decode().partition('id="answer"')[2])


def said(client: Client, name: str, /, **given: str) -> dict:
    return json.loads(
        look(client, name, **given).partition('<pre class="panel" tabindex="0">')[2].partition("</pre>")[0]
    )


def test_all_ways_are_listed_and_those_that_read_json_can_be_looked_at(client):
    page = client.get(WAYS).content.decode()
    for way in ways().values():
        assert way.path in page and (f"{WAYS}{way.name}/" in page) == way.shows
        assert client.get(f"{WAYS}{way.name}/").status_code == (200 if way.shows else 404), way.name
    assert len({way.about for way in ways().values()}) == len(ways()), "each has words of its own"
    assert client.get(f"{WAYS}nothing/").status_code == 404
    assert WAYS in client.get("/api/").content.decode()


def test_each_person_is_answered_by_their_own_rights(match, researcher):
    code = match.room.code
    own = look(browser("key-1"), "get_observation", code=code)
    assert "coffee" in own and "tea" not in own
    assert said(browser("key-9"), "get_table", code=code)["status"] == "running"
    hidden = {"match_id": str(match.pk), "as": "all"}
    assert said(browser("key-1"), "get_onematch", **hidden)["status"] == 403
    assert "tea" in look(researcher, "get_onematch", **hidden)
    assert said(Client(), "get_thoughts", match_id=str(match.pk))["code"] == "not_allowed"
    assert said(researcher, "get_tasks")["results"] == [] and said(browser("key-1"), "get_tasks")["status"] == 403
    assert not ApiKey.objects.exists()


def test_whatever_is_asked_is_answered_on_the_page(match):
    for code in ("NONE-1111", "\n", "..", "a b", "x" * 500):
        assert said(browser("key-1"), "get_table", code=code)["status"] == 404, code
    assert 'id="answer"' not in browser("key-1").get(f"{WAYS}get_table/?ask=1").content.decode()
    file = f"{match.pk}/log"
    assert browser("key-1").get(f"{WAYS}get_onematch/", {"match_id": file, "ask": "1"}).status_code == 404
    room = Room.objects.get(pk=match.room.pk)
    room.code = "<script>"
    assert (
        "<script>"
        not in browser("key-1").get(f"{WAYS}get_table/", {"code": room.code}).content.decode().split("main")[1]
    )


def test_looking_does_nothing_in_anybodys_place(match):
    User.objects.create_user("ada")
    before = match.events.count(), Room.objects.count()
    for way in ways().values():
        if way.shows:
            look(browser("key-1"), way.name, **{field["name"]: "1" for field in way.fields})
    assert (match.events.count(), Room.objects.count()) == before
