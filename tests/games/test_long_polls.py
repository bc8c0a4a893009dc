"""A program that waits is answered when there is something new for it, and is here meanwhile."""

import asyncio
import json
from urllib.parse import urlencode

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache

from games.match import changes, store
from games.models import Room
from games.room import api_keys, chairs, outside, presence
from games.web import visits
from games.web.api import waiting
from games.web.limits import MISSING, READING, allow
from games.web.watch import watch
from magic_site.pages import Pages
from tests.games.tables import asked, match_at, room_of

pytestmark = pytest.mark.django_db(transaction=True)


class Poll:
    """A program's request, and what came of it."""

    def __init__(self, path: str, secret: str = "", **query) -> None:
        headers = [(b"host", b"testserver")]
        headers += [(b"authorization", f"Bearer {secret}".encode())] if secret else []
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/api/v1/{path}",
            "query_string": urlencode({"wait": 20} | query).encode(),
            "headers": headers,
            "client": ["127.0.0.1", 1],
        }
        self.line = ApplicationCommunicator(Pages(), scope)
        self.answer = asyncio.ensure_future(self._answer())

    async def _answer(self) -> tuple[int, dict]:
        await self.line.send_input({"type": "http.request"})
        start, body = await self.line.receive_output(20), await self.line.receive_output(20)
        assert dict(start["headers"])[b"Content-Length"] == str(len(body["body"])).encode()
        return start["status"], json.loads(body["body"])

    async def leave(self) -> None:
        await self.line.send_input({"type": "http.disconnect"})
        await self.line.wait(20)
        self.answer.cancel()


def poll(room, secret: str = "", **query) -> Poll:
    return Poll(f"tables/{room.code}/observation/", secret, **query)


def waiting_at(room) -> list:
    return [waiter for bench in watch()._pages.get(room.code, ()) for waiter in bench.waiters]


async def held(room, polls: int = 1) -> None:
    """Return once so many polls wait at this room."""
    while len(waiting_at(room)) < polls:
        await asyncio.sleep(0)


def a_match(watching: str = Room.Watching.LIVE):
    match = match_at(room_of(watching=watching))
    return match, api_keys.make("key-1", None, "a test", ["play"], 1)[1], asked(match), store.load(match)


@database_sync_to_async
def do(function, *arguments, **more):
    return function(*arguments, **more)


async def test_a_poll_is_answered_when_something_is_added_to_the_log():
    match, secret, request, play = await do(a_match)
    one = poll(match.room, secret, after=len(play.log), match=match.pk)
    await held(match.room)
    await do(store.act, match.pk, request.seat, request.id, {"text": "warm by day"})
    status, told = await one.answer
    assert status == 200
    assert [event["data"]["text"] for event in told["match"]["events"] if event["kind"] == "clue"] == ["warm by day"]
    assert not waiting_at(match.room)
    assert not watch()._pages


async def test_many_polls_at_a_table_are_answered_by_one_reading_each_by_what_its_seat_sees(monkeypatch):
    match, secret, request, play = await do(a_match)
    others = [(await do(api_keys.make, f"key-{n}", None, "a test", ["play"], 1))[1] for n in (2, 3)]
    after = {"after": len(play.log), "match": match.pk}
    polls = [poll(match.room, one, **after) for one in (secret, *others)]
    await held(match.room, 3)
    while waiting.known(match.room.code) is None:
        await asyncio.sleep(0)
    readings = []
    monkeypatch.setattr(waiting, "place", lambda **which: readings.append(which) or visits.place(**which))
    await do(store.act, match.pk, request.seat, request.id, {"text": "warm by day"})
    told = [(await one.answer)[1]["match"] for one in polls]
    assert [one["seat"] for one in told] == [1, 2, 3]
    assert len({one["card"]["word"] for one in told}) == 2
    assert len(readings) == 1
    again = poll(match.room, secret, after=told[0]["seq"], match=match.pk)
    await held(match.room)
    assert len(readings) == 1  # whoever comes back at once knows what the others were told
    await again.leave()
    assert not waiting_at(match.room)


async def test_what_is_new_already_is_answered_at_once():
    match, secret, _request, play = await do(a_match)
    for query in ({"after": 0}, {"after": len(play.log), "match": "another"}, {"wait": 0, "after": len(play.log)}):
        assert (await poll(match.room, secret, **query).answer)[0] == 200
    assert (await poll(match.room, "magic_unknown", after=len(play.log)).answer)[0] == 401


async def test_after_its_time_a_poll_is_answered_by_how_things_stand():
    match, secret, _request, play = await do(a_match)
    status, told = await poll(match.room, secret, after=len(play.log), match=match.pk, wait=1).answer
    assert status == 200
    assert told["match"]["events"] == []


async def test_a_key_that_is_withdrawn_while_it_waits_is_told_nothing_more():
    match, secret, request, play = await do(a_match)
    one = poll(match.room, secret, after=len(play.log), match=match.pk)
    await held(match.room)
    key = await do(api_keys.of("key-1").get)
    await do(api_keys.withdraw, "key-1", key.pk, AnonymousUser())
    await do(store.act, match.pk, request.seat, request.id, {"text": "warm by day"})
    status, told = await one.answer
    assert status == 401
    assert "match" not in told


async def test_who_is_sent_away_while_they_wait_is_told_nothing_more():
    match, _secret, _request, play = await do(a_match)
    secret = (await do(api_keys.make, "key-9", None, "a test", ["read"], 1))[1]
    one = poll(match.room, secret, after=len(play.log), match=match.pk)
    await held(match.room)

    def send_away() -> None:
        Room.objects.filter(pk=match.room.pk).update(kicked=["key-9"])
        changes.tell(match.room.code, "room")

    await do(send_away)
    status, told = await one.answer
    assert status == 403
    assert "match" not in told


async def test_rights_that_are_lost_while_a_program_waits_show_nothing_more():
    match, _secret, request, play = await do(a_match, Room.Watching.NOBODY)
    ada = await do(User.objects.create_superuser, "ada")
    secret = (await do(api_keys.make, "key-9", ada, "a test", ["read", "read_hidden"], 1))[1]
    one = poll(match.room, secret, after=len(play.log), match=match.pk)
    await held(match.room)
    await do(User.objects.update, is_superuser=False)
    await do(store.act, match.pk, request.seat, request.id, {"text": "warm by day"})
    status, told = await one.answer
    assert status == 403
    assert "match" not in told


async def test_before_the_match_a_program_waits_for_its_beginning_and_is_here():
    room = await do(room_of)
    secret = (await do(api_keys.make, "key-2", None, "a test", ["play"], 1))[1]
    one = poll(room, secret)
    await held(room)
    await do(cache.clear)
    watch()._presence_at = 0.0
    await watch().look()
    assert await do(presence.exchange, [], [(room.code, 2), (room.code, 3)]) == {(room.code, 3)}
    await do(match_at, room)
    assert (await one.answer)[1]["match"]["number"] == 1


async def test_so_many_of_one_address_wait_and_the_next_is_answered_at_once(settings):
    settings.MOST_SOCKETS_OF_AN_ADDRESS = 1
    match, secret, _request, play = await do(a_match)
    one = poll(match.room, secret, after=len(play.log))
    await held(match.room)
    assert (await poll(match.room, secret, after=len(play.log)).answer)[0] == 200
    await one.leave()
    assert not waiting_at(match.room)


async def test_after_too_many_wrong_codes_waiting_does_not_tell_which_tables_there_are():
    room = await do(lambda: room_of(listed=False))
    while await do(allow, (MISSING, "127.0.0.1")):
        pass
    assert (await poll(room).answer)[0] == 429
    by_link = poll(room, key=room.key)
    await held(room)
    await by_link.leave()


async def test_a_chair_that_is_freed_lets_its_program_wait_no_longer():
    room = await do(room_of, 2)
    chair, secret = await do(outside.invite, room, "key-1")
    one = poll(room, secret)
    await held(room)
    await do(chairs.kick, room, "key-1", chair.number)
    assert (await one.answer)[0] == 401


async def test_who_asks_too_often_is_refused_before_they_wait():
    room = await do(room_of)
    secret = (await do(api_keys.make, "key-2", None, "a test", ["play"], 1))[1]
    while await do(allow, (READING, "key-2")):
        pass
    status, told = await poll(room, secret).answer
    assert (status, told["code"]) == (429, "too_often")
