"""Requests that no page of ours sends: each is answered in plain words, none ends in a fault of ours."""

from __future__ import annotations

import json
import uuid

import pytest
from django.core import signing
from django.test import Client

from games.match import store
from games.room import people
from tests.games.tables import asked, browser, match_at, room_of

pytestmark = pytest.mark.django_db

ODD_NAMES = [
    "\u202eevil",  # right to left
    "\U0001f469\u200d\U0001f680 Zo\u00eb",  # an emoji of several
    "a\u0300\u0301\u0302" * 8,  # a tower of accents
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629",
    "<b>&amp;\"'</b>",
    "\x00\x07nul",
    "{{ 7 }}{% now %}",
    "%s%n %(x)s",
]


def fearless(client: Client) -> Client:
    """A client that shows the page of a fault instead of raising it."""
    client.raise_request_exception = False
    return client


@pytest.fixture
def room():
    return room_of(3)


@pytest.fixture
def match(room):
    return match_at(room)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_an_odd_name_sits_down_or_is_refused_and_is_shown_as_text(name):
    room = room_of(2)
    response = fearless(browser("key-9")).post(f"/t/{room.code}/sit/", {"name": name})
    assert response.status_code in (302, 409)
    page = browser("key-1").get(f"/t/{room.code}/").content.decode()
    assert "<b>&amp;" not in page and "\x00" not in page and "\u202e" not in page


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"match": "x"},
        {"request": ["7:1:clue", "7:2:clue"], "text.text": ["one", "two"]},
        {"request": "7:-1:clue", "text.text": "x"},
        {"request": "7:1:", "text.text": "x"},
        {"request": ":::::", "seat.seat": "-3"},
        {"request": "9" * 5000, "number.x": "9" * 5000},
        {"request": "7:1:clue", "flag.x": "", "seats.y": ["", "a", "1"], "split.z": ["1e9", "-1", "\u0661"]},
        {"request": "\x00:1:clue", "text.text": "\x00"},
        {"request": "7:1:clue", "text.text": "\ud83d", ".": "x", "text.": "y", "nosuch.kind": "z"},
        {"since": "-1"},
        {"since": "\u0661\u0662"},
        {"skip": "1", "request": "7:1:poll"},
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_a_form_that_no_page_sends_changes_nothing(match, body, htmx):
    before = match.events.count()
    data = {"match": str(match.pk)} | body
    data = {
        k: [v.encode("utf-8", "replace").decode() for v in ([vs] if isinstance(vs, str) else vs)]
        for k, vs in data.items()
    }
    client = fearless(browser(f"key-{asked(match).seat}"))
    headers = {"HX-Request": "true"} if htmx else {}
    response = client.post(f"/t/{match.room.code}/act/", data, headers=headers)
    if response.status_code in (200, 302):
        assert "7:1:clue" in str(body.get("request"))
    else:
        assert 400 <= response.status_code < 500
        assert match.events.count() == before


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", "application/xml"]
)
@pytest.mark.parametrize("body", ["", "{", "[1]", json.dumps({"request": "7:1:clue"}), "--x\r\n"])
def test_another_kind_of_body_is_no_move(match, kind, body):
    before = match.events.count()
    for path in (f"/t/{match.room.code}/act/", f"/t/{match.room.code}/sit/", "/play/undercover/", "/join/"):
        response = fearless(browser("key-1")).post(path, body, content_type=kind)
        assert response.status_code < 500
    assert match.events.count() == before


@pytest.mark.parametrize("what", ["seat", "agent", "name"])
@pytest.mark.parametrize(
    "value", ["", "-1", "0", "99", "999999999999999", "\u00b2", "\u0663", "1.5", "\x00", "a" * 3000]
)
def test_what_is_no_seat_no_agent_and_no_name_is_refused(what, value):
    room = room_of(2)
    for verb in ("sit", "kick", "fill", "start", "rematch", "leave", "pause", "resume", "end", "return"):
        response = fearless(browser("key-1")).post(f"/t/{room.code}/{verb}/", {what: value})
        assert response.status_code < 500, verb


@pytest.mark.parametrize("method", ["get", "head", "put", "delete", "patch", "options", "trace"])
def test_every_address_withstands_every_method(match, method):
    code = match.room.code
    paths = ["/", "/join/", "/play/undercover/", "/tables/new/avalon/", "/rules/avalon/", "/matches/", "/admin/"]
    paths += [f"/t/{code}/", f"/m/{match.pk}/", f"/m/{match.pk}/thoughts/", f"/m/{match.pk}/export/", "/sign-in/"]
    paths += [f"/t/{code}/{verb}/" for verb in "act sit leave kick fill start rematch pause resume end return".split()]
    for path in paths:
        assert getattr(fearless(browser("key-1")), method)(path).status_code < 500, path


@pytest.mark.parametrize("value", ["abc", "-1", "1e5", "9" * 400, "\u0661", "", "%00", "1&seq=2"])
@pytest.mark.parametrize("names", ["seq seat page game result code next", "since", "as"], ids=["where", "since", "who"])
def test_an_odd_number_in_an_address_is_no_error(match, names, value):
    """Those of one line are read together; each of the others decides by itself what is answered."""
    query = "&".join(f"{name}={value}" for name in names.split())
    for path in (f"/m/{match.pk}/", "/matches/", "/join/", f"/m/{match.pk}/export/", f"/t/{match.room.code}/"):
        response = fearless(browser("key-1")).get(f"{path}?{query}")
        assert response.status_code < 500, path


@pytest.mark.parametrize(
    "code", ["KITE-0", "kite", "%00", "a" * 3000, "-", "..", "%E2%80%8D", "\u00df-1", "KITE-4271/../x"]
)
def test_an_odd_code_leads_to_a_page_with_a_way_back(code):
    for path in (f"/t/{code}/", f"/join/?code={code}", f"/m/{code}/"):
        response = fearless(Client()).get(path)
        assert response.status_code in (200, 404), path


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        "x",
        "a:b:c",
        "\xff",
        "x" * 20_000,
        signing.dumps({"key": "key-1", "name": "Ann"}, salt="another"),
        signing.dumps({"key": "key-1", "name": "Ann"}, salt=people.SALT)[:-1],
    ],
    ids=["empty", "unsigned", "wrongly signed", "no ASCII", "long", "for another purpose", "cut off"],
)
def test_a_cookie_that_is_not_ours_is_a_visitor(match, cookie):
    client = fearless(Client())
    client.cookies[people.COOKIE] = cookie
    page = client.get(f"/t/{match.room.code}/")
    assert page.status_code == 200 and "coffee" not in page.content.decode()
    assert client.post(f"/t/{match.room.code}/act/", {"match": match.pk, "request": "7:1:clue"}).status_code == 403


def test_a_session_that_holds_a_nul_is_no_session(match):
    response = fearless(Client()).get("/", headers={"cookie": 'sessionid="\\000\\000\\000\\000\\000\\000\\000\\000"'})
    assert response.status_code == 200


def test_without_its_token_a_form_is_refused_in_words(match):
    client = Client(enforce_csrf_checks=True)
    for token in ({}, {"csrfmiddlewaretoken": "x" * 64}, {"csrfmiddlewaretoken": "\x00"}):
        response = client.post(f"/t/{match.room.code}/act/", token)
        assert response.status_code == 403 and "<h1>" in response.content.decode()


def test_while_it_runs_nobody_at_the_table_gets_thoughts_or_another_seats_view(match):
    for client in (browser("key-1"), Client()):
        assert client.get(f"/m/{match.pk}/thoughts/?seat=2").status_code == 403
        for wanted in ("all", "2", "3", "-1", "99"):
            for path in (f"/m/{match.pk}/", f"/m/{match.pk}/export/"):
                assert client.get(f"{path}?as={wanted}").status_code == 403
    own = b"".join(browser("key-3").get(f"/m/{match.pk}/export/"))
    assert b"tea" in own and b"coffee" not in own and b"key-" not in own
    assert Client().get(f"/m/{uuid.uuid4()}/").status_code == 404


@pytest.mark.parametrize(
    "path", ["", "games/match/", "agents/agentprofile/add/", "games/event/1/change/", "auth/user/"]
)
def test_the_admin_pages_ask_who_one_is(path):
    assert "/login/" in Client().get(f"/admin/{path}", follow=False).headers.get("Location", "")


@pytest.mark.parametrize("join", ["\u200d", "\u200b", "\u00ad", "\u2060", "\ufeff", "\u0336", "\ufe0f", "\u180e"])
def test_an_invisible_letter_does_not_hide_the_own_word(match, join):
    request = asked(match)
    word = store.load(match).state.words[request.seat]
    moved = store.act(match.pk, request.seat, request.id, {"text": f"hot {join.join(word)} here"})
    assert moved.refusal is not None and moved.refusal.code == "own_word"
