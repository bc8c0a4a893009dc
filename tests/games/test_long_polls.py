"""A program that waits is answered when there is something new for it, and is here meanwhile."""

import asyncio

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async

from games.match import store
from games.room import api_keys, presence
from games.web.api.waiting import LongPolls
from games.web.limits import MISSING, allow
from games.web.watch import watch
from tests.games.tables import asked, match_at, room_of

pytestmark = pytest.mark.django_db(transaction=True)


async def answered(scope, receive, send) -> None:
    """What stands behind the polls here: it says that it was asked."""
    await send({"type": "asked", "path": scope["path"]})


def poll(room, secret: str = "", **query) -> ApplicationCommunicator:
    params = "&".join(f"{name}={value}" for name, value in ({"wait": 20} | query).items())
    headers = [(b"authorization", f"Bearer {secret}".encode())] if secret else []
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/v1/tables/{room.code}/observation/",
        "query_string": params.encode(),
        "headers": headers,
        "client": ["127.0.0.1", 1],
    }
    return ApplicationCommunicator(LongPolls(answered), scope)


async def held(room) -> None:
    """Return once a poll waits at this room."""
    while not watch()._pages.get(room.code):
        await asyncio.sleep(0)


def a_match():
    match = match_at(room_of())
    return match, api_keys.make("key-1", None, "a test", ["play"], 1)[1], asked(match), store.load(match)


@database_sync_to_async
def do(function, *arguments):
    return function(*arguments)


async def test_a_poll_is_answered_when_something_is_added_to_the_log():
    match, secret, request, play = await do(a_match)
    one = poll(match.room, secret, after=len(play.log), match=match.pk)
    waiting = asyncio.ensure_future(one.receive_output(20))
    await held(match.room)
    assert not waiting.done()
    await do(store.act, match.pk, request.seat, request.id, {"text": "warm by day"})
    assert (await waiting)["type"] == "asked"
    assert not watch()._pages


async def test_what_is_new_already_is_answered_at_once():
    match, secret, _request, play = await do(a_match)
    for query in ({"after": 0}, {"after": len(play.log), "match": "another"}, {"wait": 0, "after": len(play.log)}):
        assert await poll(match.room, secret, **query).receive_output(20)
    assert await poll(match.room, "magic_unknown", after=len(play.log)).receive_output(20)


async def test_before_the_match_a_program_waits_for_its_beginning_and_is_here():
    room = await do(room_of)
    secret = (await do(api_keys.make, "key-2", None, "a test", ["play"], 1))[1]
    one = poll(room, secret)
    waiting = asyncio.ensure_future(one.receive_output(20))
    await held(room)
    while next(iter(watch()._pages[room.code])).mark is None:
        await asyncio.sleep(0)
    watch()._presence_at = 0.0
    await watch().look()
    assert await do(presence.exchange, [], [(room.code, 2), (room.code, 3)]) == {(room.code, 3)}
    await do(match_at, room)
    assert await waiting


async def test_so_many_of_one_address_wait_and_the_next_is_answered_at_once(settings):
    settings.MOST_SOCKETS_OF_AN_ADDRESS = 1
    match, secret, _request, play = await do(a_match)
    one, next_one = (poll(match.room, secret, after=len(play.log)) for _ in range(2))
    next_one.application = one.application
    waiting = asyncio.ensure_future(one.receive_output(20))
    await held(match.room)
    assert await next_one.receive_output(20)
    waiting.cancel()


async def test_after_too_many_wrong_codes_waiting_does_not_tell_which_tables_there_are():
    room = await do(lambda: room_of(listed=False))
    while await do(allow, (MISSING, "127.0.0.1")):
        pass
    assert await poll(room).receive_output(20)
    by_link = poll(room, key=room.key)
    waiting = asyncio.ensure_future(by_link.receive_output(20))
    await held(room)
    waiting.cancel()
