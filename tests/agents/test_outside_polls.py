"""A program that waits for what an agent from outside is asked is answered when the agent is asked something."""

import asyncio

import pytest
from django.core.management import call_command

from agents.api import waiting
from agents.models import AgentProfile
from games.room import api_keys, chairs, rooms
from games.web import reading
from tests.games.test_long_polls import Poll, do
from tests.people import account

pytestmark = pytest.mark.django_db(transaction=True)


def poll(secret: str, **query) -> Poll:
    return Poll("profiles/their-lab/requests/", secret, **query)


def an_agent() -> tuple[str, str]:
    """The keys of who may answer for it, and of who may not."""
    call_command("prepare", verbosity=0)
    ada = account("ada", "researcher")
    AgentProfile.objects.create(name="their-lab", title="Theirs", provider="remote", method="remote", owner=ada)
    return (
        api_keys.make("key-1", ada, "a test", ["run"], 1)[1],
        api_keys.make("key-2", None, "a test", ["run"], 1)[1],
    )


def ask_it() -> None:
    """A table is begun at which it sits on all seats."""
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="key-3", name="Ann", place=None, pace=0.0)
    chairs.fill(room, "key-3", "their-lab")
    rooms.start(room, "key-3", researcher=True)


async def test_who_waits_is_answered_when_the_agent_is_asked_and_who_may_not_at_once(monkeypatch):
    looked = asyncio.Event()

    async def looking(read):
        found = await reading.in_thread(read)
        looked.set()
        return found

    mine, others = await do(an_agent)
    assert (await poll(others).answer)[0] == 403
    assert (await poll("magic_unknown").answer)[0] == 401
    monkeypatch.setattr(waiting, "in_thread", looking)
    one = poll(mine)
    await looked.wait()
    assert not one.answer.done()
    await do(ask_it)
    status, told = await one.answer
    assert status == 200
    assert told["requests"]
    assert (await poll(mine).answer)[1]["requests"]
