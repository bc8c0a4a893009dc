"""How many calls an endpoint gets at once and in a minute, over all workers."""

import subprocess
import sys
from uuid import uuid4

import pytest
from django.conf import settings
from redis import Redis

from agents import slots
from agents.calls import Ask, Model, Purpose, ask_all
from agents.models import Endpoint
from agents.providers import Message, connect
from agents.reply_store import StoredReplies
from tests.model_server import ModelServer, slow
from tests.stack import until


@pytest.fixture
def name():
    """An endpoint of one test's own."""
    return f"test {uuid4()}"


def worker():
    """Another worker's counter: a connection of its own."""
    return slots.Together(Redis.from_url(settings.REDIS_URL))


@pytest.fixture(params=["together", "alone"])
def counters(request, name):
    """Two that count the same."""
    alone = slots.Alone()
    one, other = (worker(), worker()) if request.param == "together" else (alone, alone)
    yield one, other
    for token in "abcd":
        one.give_back(name, token)
        other.give_back(name, token)


def test_all_workers_together_get_so_many_slots_and_no_more(counters, name):
    one, other = counters
    assert [c.take(name, t, 2, None) == 0 for c, t in ((one, "a"), (other, "b"), (one, "c"), (other, "d"))] == [
        True, True, False, False,
    ]  # fmt: skip
    other.give_back(name, "b")
    assert one.take(name, "c", 2, None) == 0
    assert other.take(f"{name} elsewhere", "d", 2, None) == 0, "every endpoint has slots of its own"


def test_so_many_calls_begin_in_any_minute_and_the_wait_is_told(counters, name, monkeypatch):
    monkeypatch.setattr(slots, "WINDOW", 0.4)
    one, other = counters
    for counter, token in ((one, "a"), (other, "b")):
        assert counter.take(name, token, 9, 2) == 0
        counter.give_back(name, token)
    assert 0 < other.take(name, "c", 9, 2) <= 0.4
    until(lambda: other.take(name, "c", 9, 2) == 0, "the minute is over")


def test_a_slot_is_kept_while_it_is_renewed_and_free_when_it_is_not(name, monkeypatch):
    monkeypatch.setattr(slots, "HELD_SECONDS", 0.5)
    monkeypatch.setattr(slots, "RENEW_EVERY", 0.05)
    living, other = worker(), worker()
    assert living.take(name, "a", 1, None) == 0
    left = Redis.from_url(settings.REDIS_URL).zscore(f"magic:slots:{name}", "a")
    until(lambda: living._client.zscore(f"magic:slots:{name}", "a") > left + 600, "the slot is renewed")
    assert other.take(name, "b", 1, None) > 0
    living.give_back(name, "a")
    assert other.take(name, "b", 1, None) == 0
    other.give_back(name, "b")


@pytest.mark.slow
def test_a_killed_worker_gives_its_slots_back(name):
    code = f"""
from redis import Redis
from agents import slots
slots.HELD_SECONDS, slots.RENEW_EVERY = 0.6, 0.1
slots.Together(Redis.from_url({settings.REDIS_URL!r})).take({name!r}, "a", 1, None)
print("taken", flush=True)
input()
"""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "taken\n"
        assert worker().take(name, "b", 1, None) > 0
    finally:
        process.kill()
        process.communicate()
    until(lambda: worker().take(name, "b", 1, None) == 0, "the slot is free")


def test_without_redis_each_process_counts_for_itself(name, monkeypatch):
    nobody = slots.Together(Redis.from_url(f"unix://{settings.VAR_DIR}/nobody.sock"))
    monkeypatch.setattr(slots, "_together", lambda: nobody)
    monkeypatch.setattr(slots, "_alone_until", 0.0)
    slot = slots.slot(name, "OpenAI", 1, None)
    with slot(1), pytest.raises(slots.NoSlotError, match="So many others asked OpenAI"), slot(0.01):
        raise AssertionError("there was no second slot")
    with slot(1):
        pass


# Through the calls


def asks(server, count, **settings):
    provider = connect("openai", server.openai_url, "")
    model = Model(provider, "small-1", {"backoff": 0.01, "retries": 0, **settings})
    match = str(uuid4())
    return [
        Ask(Purpose(match, "5:1:vote", 1, f"view {n}", 1), model, (Message("user", "Well?"),), None)
        for n in range(count)
    ]


@pytest.mark.django_db
def test_calls_of_one_decision_wait_for_slots_and_waiting_is_neither_a_timeout_nor_a_retry():
    with ModelServer(then=slow(150)) as server:
        Endpoint.objects.create(provider="openai", base_url=server.openai_url, at_once=2)
        replies = ask_all(asks(server, 6, timeout=0.4), 30, store=StoredReplies())
    arrivals = [call.at for call in server.calls]
    assert [reply.attempts for reply in replies] == [1] * 6
    assert arrivals[2] - arrivals[0] >= 0.14
    assert arrivals[4] - arrivals[0] >= 0.29


@pytest.mark.django_db
def test_waiting_for_a_slot_uses_patience_up():
    with ModelServer(then=slow(800)) as server:
        Endpoint.objects.create(provider="openai", base_url=server.openai_url, at_once=1)
        replies = ask_all(asks(server, 2), 1.0, store=StoredReplies())
    assert sum(isinstance(reply, Exception) for reply in replies) == 1


@pytest.mark.django_db
def test_where_nothing_is_set_the_usual_number_is_asked_at_once():
    with ModelServer(then=slow(200)) as server:
        replies = ask_all(asks(server, 8), 30, store=StoredReplies())
    assert all(reply.text for reply in replies)
    assert server.calls[-1].at - server.calls[0].at < 0.2
