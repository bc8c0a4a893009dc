"""In which order agents get their turns when there is more to do than workers can: who has many tables waits for
themselves, and tables that nobody looks at wait for the others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.match import beginning, pending, store, sweeper
from games.models import Match, Pending, Room
from tests.games.tables import browser

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(workers) -> list[tuple[str, float]]:
    """What is sent to agents' workers."""
    return workers.moves


def waiting_table(host: str, origin: str = "", seen: bool = True, queue: str = "house") -> Match:
    """A table of three agents of which one is asked for a clue."""
    seen_at = timezone.now() - timedelta(hours=0 if seen else 1)
    room = Room.objects.create(game="undercover", preset="magic", host=host, origin=origin, seen_at=seen_at, pace=0)
    seats = [{"seat": n, "name": f"Agent {n}", "kind": "agent", "agent": "house"} for n in (1, 2, 3)]
    setting = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3]}
    match = beginning.begin(game=room.game, preset=room.preset, seats=seats, setting=setting, room=room)
    match.pending.update(queue=queue)
    return match


def answered() -> str:
    """Let a worker answer the next request; gives whose table it was at."""
    row = pending.claim("house", 30)
    moved = store.act(row.match_id, row.seat, row.request, {"text": f"clue {row.pk}"}, "agent:house")
    assert moved
    return row.match.room.host


def test_who_has_many_tables_waits_for_themselves():
    for _ in range(6):
        waiting_table("many")
    waiting_table("one")
    served = [answered() for _ in range(6)]
    assert served.count("one") == 3
    assert "one" in served[:2]


def test_many_names_from_one_address_count_as_one_visitor():
    for number in range(6):
        waiting_table(f"name {number}", origin="a")
    waiting_table("somebody else", origin="b")
    served = [answered() for _ in range(6)]
    assert served.count("somebody else") == 3


def test_people_behind_one_address_take_turns():
    for number in range(3):
        waiting_table(f"name {number}", origin="a")
    assert sorted(answered() for _ in range(3)) == ["name 0", "name 1", "name 2"]


def test_the_tables_of_one_visitor_take_turns():
    tables = [waiting_table("many") for _ in range(3)]
    for _ in range(6):
        answered()
    assert [match.events.filter(kind="clue").count() for match in tables] == [2, 2, 2]


def test_tables_that_somebody_has_open_come_first():
    waiting_table("nobody there", seen=False)
    waiting_table("somebody there")
    assert [answered() for _ in range(4)] == ["somebody there"] * 4


def test_what_costs_money_waits_while_nobody_is_there(sent):
    match = waiting_table("host", seen=False, queue="models")
    sent.clear()
    later = timezone.now() + timedelta(minutes=10)
    assert sweeper.sweep(later) == 0 and not sent
    assert pending.claim("models", 30) is None
    match.pending.update(queue="house")
    assert sweeper.sweep(later) == 1
    assert pending.claim("house", 30)


def test_what_costs_money_goes_on_when_somebody_comes_back_and_is_told(sent):
    match = waiting_table("host", seen=False, queue="models")
    sent.clear()
    ago = timezone.now() - timedelta(minutes=5)
    Pending.objects.update(due_at=ago, nudge_at=ago)
    page = browser("host").get(f"/t/{match.room.code}/").content.decode()
    assert "While nobody was here, agents whose moves cost money waited." in page
    assert sweeper.sweep() == 1 and sent == [("models", 0.0)]
    assert pending.claim("models", 30).match_id == match.pk
    assert "While nobody was here" not in browser("host").get(f"/t/{match.room.code}/").content.decode()


def test_the_queue_of_an_agent_is_asked_for_once_however_many_seats_it_plays(monkeypatch):
    asked = []
    monkeypatch.setattr(pending, "queue_of", lambda agent: asked.append(agent) or "house")
    match = waiting_table("one")
    while match.pending.count() < 3:  # until all vote
        row = match.pending.get()
        store.act(match.pk, row.seat, row.request, {"text": f"clue {row.pk}"}, "agent:house")
        asked.clear()
    match.pending.all().delete()
    assert len(pending.project(match, store.load(match))) == 3 and asked == ["house"]
