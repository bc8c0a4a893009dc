"""The live side of the table: who is let in, what is sent to whom, and that nothing is missed whatever hints do."""

import asyncio
import json
import re
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.match import changes, store
from games.models import Match, Room
from games.room import chairs
from games.room.people import COOKIE
from games.web import sockets, watch
from tests.games.pages import Page, clue
from tests.games.tables import asked, browser, match_at, room_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def match():
    return match_at(room_of())


# Who is let in -------------------------------------------------------------------------------------------------------


async def test_a_page_of_another_site_is_refused(match):
    page = Page(match.room, "key-1", origin=b"http://elsewhere.example")
    connected, _ = await page.socket.connect()
    assert not connected


async def test_an_unknown_table_closes_the_line(match):
    page = Page(Room(code="NOWHERE-1"), "key-1")
    await page.socket.connect()
    assert await page.closed() == sockets.NOT_FOUND


async def test_where_nobody_may_watch_a_visitor_hears_nothing(match):
    await Room.objects.filter(pk=match.room.pk).aupdate(watching=Room.Watching.NOBODY)
    page = Page(match.room)
    await page.socket.connect()
    assert await page.closed() == sockets.NOT_YOURS
    assert page.html() == ""


async def test_a_forged_cookie_is_a_visitor(match):
    page = Page(match.room)
    page.socket.scope["headers"].append((b"cookie", f"{COOKIE}=key-1".encode()))
    await page.open()
    assert "coffee" not in page.html()
    await page.close()


async def test_a_page_that_shouts_is_closed(match):
    page = await Page(match.room, "key-1").open()
    for _ in range(20):
        await page.socket.send_to(text_data='{"kind": "ping"}')
    assert await page.closed() == sockets.TOO_MANY


@pytest.mark.parametrize("noise", ["[]", "{", '{"kind": "act"}', "null", "é" * 60])
async def test_what_is_no_ping_is_ignored(match, noise):
    page = await Page(match.room, "key-1").open()
    await page.socket.send_to(text_data=noise)
    assert await page.silent()
    await page.close()


async def test_that_a_model_is_at_work_is_told_by_its_seat_alone(match):
    page = await Page(match.room).open()
    await on_thread(changes.tell)(match.room.code, "thinking", match.pk, 2)
    assert json.loads(await page.frame()) == {"kind": "thinking", "seat": 2}
    await on_thread(changes.tell)(match.room.code, "thinking", uuid4(), 2)
    assert await page.silent()
    await page.close()


async def test_who_watches_a_round_behind_is_not_told_who_is_at_work_now(match):
    await Room.objects.filter(pk=match.room.pk).aupdate(watching=Room.Watching.DELAYED)
    page = await Page(match.room).open()
    await on_thread(changes.tell)(match.room.code, "thinking", match.pk, 2)
    assert await page.silent()
    await page.close()


# What is sent --------------------------------------------------------------------------------------------------------


async def test_an_opened_line_brings_the_whole_table(match):
    page = await Page(match.room, "key-1").open()
    assert all(f'id="{part}"' in page.html() for part in ("status", "seats", "board", "stage", "card", "act"))
    assert page.lines() == [1, 6]
    await page.close()


async def test_only_the_own_socket_gets_the_own_card(match):
    own, other, visitor = [await Page(match.room, person).open() for person in ("key-1", "key-3", "")]
    word = '<span class=\\"word\\">'
    assert "coffee" in own.html() and "coffee" not in other.html() + visitor.html()
    assert ">tea<" in other.html() and ">tea<" not in own.html() + visitor.html()
    assert word not in json.dumps(visitor.html())
    for page in (own, other, visitor):
        await page.close()


async def test_everybody_gets_the_same_public_frame_and_it_holds_what_is_new(match):
    pages = [await Page(match.room, person).open() for person in ("key-1", "key-2", "key-3", "")]
    await on_thread(clue)(match, "bitter")
    frames = [await page.frame() for page in pages]
    assert len(set(frames)) == 1
    assert "bitter" in frames[0] and 'data-seq="6"' not in frames[0]
    for page in pages:
        await page.close()


async def test_every_frame_says_of_which_match_it_is():
    room = await on_thread(room_of)(4, "undercover", "party", 4, options={"discussion": "free"})
    match = await on_thread(match_at)(room, {"civilian_word": "coffee", "undercover_word": "tea"})
    for word in ("one", "two", "three", "four"):
        await on_thread(clue)(match, word)
    page = await Page(room, "key-1").open()
    await on_thread(clue)(match, "hello")
    assert "hello" in (frame := await page.frame()) and 'data-n=\\"1.' in frame
    await page.close()


async def test_the_form_is_sent_only_when_it_changes(match):
    request = await on_thread(asked)(match)
    other = await Page(match.room, f"key-{request.seat % 3 + 1}").open()
    mover = await Page(match.room, f"key-{request.seat}").open()
    assert "Give clue" in mover.html()
    await on_thread(store.pause)(match.pk)
    await on_thread(store.resume)(match.pk)
    for page in (other, mover):
        await page.rest()
    await on_thread(clue)(match, "bitter")
    own = [text for text in await other.rest() if 'id=\\"act\\"' in text]
    following = await on_thread(asked)(match)
    assert len(own) == (following.seat == request.seat % 3 + 1)
    await other.close()
    await mover.close()


async def test_a_sealed_vote_reaches_only_its_own_seat(match):
    for word in ("one", "two", "three", "four", "five", "six"):
        await on_thread(clue)(match, word)
    pages = {person: await Page(match.room, person).open() for person in ("key-1", "key-2", "")}
    request = await on_thread(asked)(match, 1)
    assert request.kind == "vote"
    await on_thread(store.act)(match.pk, 1, request.id, {"seat": 2})
    fresh = {person: "".join(await page.rest()) for person, page in pages.items()}
    assert "You voted for" in fresh["key-1"]
    assert "You voted" not in fresh["key-2"] + fresh[""] and "done" in fresh[""]
    for page in pages.values():
        await page.close()


async def test_a_quest_card_moves_nothing_on_other_pages():
    match = await on_thread(match_at)(await on_thread(room_of)(6, "avalon", "recon", 6))

    def to_the_quest():
        while (request := asked(match)).kind != "quest":
            action = {"team": {"seats": [1, 5]}, "speech": {"text": "fine"}, "team_vote": {"approve": True}}
            store.act(match.pk, request.seat, request.id, action[request.kind])

    await on_thread(to_the_quest)()
    pages = [await Page(match.room, person).open() for person in ("key-2", "key-5", "")]
    assert "The moderator asks." in pages[2].html()
    request = await on_thread(asked)(match, 1)
    await on_thread(store.act)(match.pk, 1, request.id, {"success": True})
    assert [await page.rest() for page in pages] == [[], [], []]
    for page in pages:
        await page.close()


async def test_delayed_watchers_hear_nothing_until_the_round_is_over():
    room = await on_thread(room_of)(5, "undercover", "wiu", 5, watching=Room.Watching.DELAYED)
    match = await on_thread(match_at)(room, {"civilian_word": "coffee", "undercover_word": "tea"})
    page = await Page(room).open()
    for word in ("one", "two", "three", "four", "five"):
        await on_thread(clue)(match, word)
    assert await page.rest() == [] and page.lines() == []

    def to_the_end_of_the_round():
        while not match.events.filter(kind="out").exists():
            store.expire(match.pk, asked(match).id)

    await on_thread(to_the_end_of_the_round)()
    await page.rest()
    assert ">one<" in page.html()
    await page.close()


async def test_the_end_and_the_rematch_come_without_a_reload(match):
    page = await Page(match.room, "key-2").open()
    await on_thread(store.end)(match.pk, "abandoned", "enough")
    await page.rest()
    assert "The match ended early." in page.html() and f"/m/{match.pk}/" in page.html()
    page.texts.clear()
    again = await on_thread(match_at)(match.room)
    await page.rest()
    asks_me = (await on_thread(asked)(again)).seat == 2
    assert (str(again.pk) if asks_me else "is giving a clue") in page.html()
    assert 'data-n="2.' in page.html() and page.lines() == [1, 6]
    await page.close()


# Hints that are lost, doubled or late --------------------------------------------------------------------------------


async def test_the_next_hint_fills_the_gap_of_a_lost_one(match, monkeypatch):
    page = await Page(match.room, "key-1").open()
    with monkeypatch.context() as patch:
        patch.setattr(changes, "tell", lambda *hint, **more: None)
        await on_thread(clue)(match, "lost")
        assert await page.silent()
    await on_thread(clue)(match, "heard")
    await page.frame()
    await page.rest()
    assert "lost" in page.html() and "heard" in page.html()
    await page.close()


async def test_the_watch_tells_pages_of_what_all_hints_missed(match, monkeypatch):
    monkeypatch.setattr(watch, "SECONDS", 0.05)
    pages = [await Page(match.room, "key-1").open(), await Page(match.room, path=f"/ws/m/{match.pk}/?as=public").open()]
    monkeypatch.setattr(changes, "tell", lambda *hint, **more: None)
    await on_thread(clue)(match, "unheard")
    table_frame, replay_frame = [await page.frame() for page in pages]
    moved = json.loads(replay_frame)
    assert "unheard" in table_frame and (moved["kind"], moved["n"]) == ("moved", 9)
    assert "unheard" in moved["html"] and moved["since"] < 9
    await on_thread(store.end)(match.pk, "abandoned", "enough")
    await on_thread(match_at)(match.room)
    while 'data-n="2.' not in pages[0].html():
        await pages[0].frame()
    for page in pages:
        await page.close()


async def test_the_watch_asks_once_for_all_rooms_and_bothers_no_page_that_has_heard(match, monkeypatch):
    looks = asyncio.Event()
    measured = watch.states

    def measure(codes):
        with CaptureQueriesContext(connection) as queries:
            found = measured(codes)
        assert len(queries) == 1
        assert {(match.room.code, match.pk, 9, 0, 0, 0), (other.room.code, other.pk, 7, 0, 0, 0)} <= set(found)
        loop.call_soon_threadsafe(looks.set)
        return found

    monkeypatch.setattr(watch, "SECONDS", 0.05)
    other, loop = await on_thread(match_at)(await on_thread(room_of)()), asyncio.get_running_loop()
    pages = [await Page(match.room, "key-1").open(), await Page(other.room, "key-1").open()]
    await on_thread(clue)(match, "bitter")
    await pages[0].rest()
    monkeypatch.setattr(watch, "states", measure)
    await asyncio.wait_for(looks.wait(), 5)
    await watch.watch().look()
    assert [await page.silent() for page in pages] == [True, True]
    for page in pages:
        await page.close()


async def test_a_doubled_or_late_hint_sends_nothing(match):
    page = await Page(match.room, "key-2").open()
    await on_thread(clue)(match, "bitter")
    await page.rest()
    for seq in (8, 7, 1):
        await on_thread(changes.tell)(match.room.code, "log", match.pk, seq)
    assert await page.silent()
    await page.close()


async def test_who_reconnects_gets_all_that_happened(match):
    page = await Page(match.room, "key-1").open()
    await page.close()
    for word in ("one", "two"):
        await on_thread(clue)(match, word)
    again = await Page(match.room, "key-1").open()
    assert ">one<" in again.html() and ">two<" in again.html() and "coffee" in again.html()
    await again.close()


# The room ------------------------------------------------------------------------------------------------------------


async def test_who_sits_down_is_seen_by_those_who_wait():
    room = await on_thread(room_of)(2)
    page = await Page(room, "key-1").open()
    await on_thread(chairs.sit)(room, "key-9", "Zoe")
    await page.rest()
    assert "Zoe" in page.html()
    await page.close()


async def test_who_is_sent_away_loses_the_page():
    room = await on_thread(room_of)(3)
    page = await Page(room, "key-2").open()
    await on_thread(chairs.kick)(room, "key-1", 2)
    assert await page.closed() == sockets.NOT_YOURS
    assert json.loads(page.texts[-1]) == {"kind": "leave"}


async def test_whose_page_is_closed_is_told_only_where_agents_are_named():
    for named, away in ((True, [2, 3]), (False, [])):
        room = await on_thread(room_of)(3, agents_named=named)
        page = await Page(room, "key-1").open()
        assert await page.away() == away
        await page.close()


@pytest.mark.parametrize("named", [True, False])
async def test_who_was_away_is_offered_the_own_seat_back(match, named):
    await Match.objects.filter(pk=match.pk).aupdate(kinds_named=named)
    own, other = [await Page(match.room, person).open() for person in ("key-2", "key-1")]
    await on_thread(store.take_over)(match.pk, 2)
    while "Take my seat back" not in own.html():
        await own.frame()
    told = "".join(await other.rest())
    assert ("An agent plays on for them." in told) == named and bool(told) == named
    await own.close()
    await other.close()


async def test_the_next_host_is_told_at_once_what_a_host_may_do(match):
    friend = await Page(match.room, "key-2").open()
    assert "/pause/" not in friend.html()
    await on_thread(chairs.leave)(match.room, "key-1")
    while "/pause/" not in friend.html():
        await friend.frame()
    await friend.close()


async def test_a_second_tab_keeps_the_seat_present():
    room = await on_thread(room_of)(2)
    tabs = [await Page(room, "key-2").open() for _ in range(2)]
    await tabs[0].close()
    page = await Page(room, "key-1").open()
    assert await page.away() == []
    await page.close()
    await tabs[1].close()


async def test_the_page_after_its_frames_equals_the_page_from_scratch(match):
    page = await Page(match.room, "key-2").open()
    for word in ("one", "two", "three"):
        await on_thread(clue)(match, word)
    await page.rest()
    scratch = await on_thread(lambda: browser("key-2").get(f"/t/{match.room.code}/").content.decode())()
    assert page.lines() == sorted({int(seq) for seq in re.findall(r'data-seq="(\d+)"', scratch)})
    for name in ("status", "seats", "board", "stage"):
        assert part(page.html(), name)[1:] == part(scratch, name)[1:] != []  # the first holds its number
    await page.close()


class Part(HTMLParser):
    """Everything inside of the element with an id, as it was last rendered."""

    def __init__(self, name: str):
        super().__init__()
        self.name, self.depth, self.tokens = name, 0, []

    def handle_starttag(self, tag, attrs):
        if ("id", self.name) in attrs:
            self.tokens, self.depth = [], 0
        elif not self.depth:
            return
        self.tokens.append((tag, attrs))
        self.depth += tag != "input"

    def handle_endtag(self, tag):
        self.depth -= bool(self.depth)

    def handle_data(self, data):
        if self.depth:
            self.tokens.append(data)


def part(html: str, name: str) -> list:
    parser = Part(name)
    parser.feed(html)
    return parser.tokens
