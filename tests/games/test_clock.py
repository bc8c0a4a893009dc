"""One clock decides, the database's: machines whose clocks are wrong disturb nothing, and order goes by counters."""

import ast
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from games.match import pending, store, sweeper
from games.models import Match, Pending, Room
from magic_site import clock
from magic_site.parts import BASE_DIR
from tests.games.tables import asked, match_at, room_of

OWN = ("games", "agents", "evaluation", "magic_site")
OWN_CLOCKS = {("timezone", "now"), ("time", "time"), ("time", "time_ns"), ("datetime", "now"), ("datetime", "utcnow")}
"""How Python asks this machine for the time of day."""


def is_code(path: Path) -> bool:
    return "migrations" not in path.parts and path != Path(clock.__file__)


def test_no_code_asks_a_machine_for_the_time_of_day():
    """`magic_site.clock` tells the time that all machines agree on."""
    found = []
    for path in (path for app in OWN for path in (BASE_DIR / app).rglob("*.py") if is_code(path)):
        asked = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute))
        names = {(node.value.id, node.attr) for node in asked if isinstance(node.value, ast.Name)}
        found += [f"{path.relative_to(BASE_DIR)}: {'.'.join(name)}" for name in names & OWN_CLOCKS]
    assert found == []


def test_no_field_is_set_by_a_machine_s_clock():
    fields = [field for app in OWN for model in apps.get_app_config(app).get_models() for field in model._meta.fields]
    assert [str(f) for f in fields if isinstance(f, models.DateField) and (f.auto_now or f.auto_now_add)] == []


@pytest.fixture
def an_hour_wrong(monkeypatch):
    """Lets this process's clock go wrong by so many hours, as Django and Python see it."""

    def go_wrong(hours: float) -> None:
        off = timedelta(hours=hours)
        right, seconds = timezone.now, time.time
        monkeypatch.setattr(timezone, "now", lambda: right() + off)
        monkeypatch.setattr(time, "time", lambda: seconds() + off.total_seconds())

    return go_wrong


@pytest.mark.django_db
def test_the_database_s_time_is_told_whatever_this_machine_says(an_hour_wrong):
    before = datetime.now(timezone.get_current_timezone())
    an_hour_wrong(1)
    clock.read()
    assert timedelta(0) <= clock.now() - before + timedelta(milliseconds=1) < timedelta(seconds=60)
    assert clock.carried_on() >= clock.now() - timedelta(seconds=1)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_sweeper_with_a_wrong_clock_takes_no_decision_from_its_worker_and_no_time_from_a_person(
    transactional_db, workers, an_hour_wrong, hours
):
    sent = workers.moves
    timed = match_at(room_of(move_seconds=30, absence=Room.Absence.DEFAULT))
    match = match_at(room_of(1, pace=0))
    while not (row := Pending.objects.get(match=match)).agent:
        store.act(match.pk, row.seat, row.request, {"text": "black"})
    assert pending.claim("house", 9)
    sent.clear()
    an_hour_wrong(hours)
    assert sweeper.sweep() == 0 and sent == []
    assert pending.claim("house", 9) is None
    ago = clock.now() - timedelta(seconds=1)
    Pending.objects.filter(match=match).update(lease_until=ago)
    Pending.objects.filter(match=timed).update(deadline=ago)
    assert sweeper.sweep() == 2 and sent[0] == ("house", 0.0)


def test_a_rematch_begun_by_a_machine_that_is_behind_is_the_one_that_is_shown(transactional_db):
    first = match_at(room := room_of())
    store.end(first.pk, "abandoned", "enough")
    again = match_at(room)
    Match.objects.filter(pk=again.pk).update(created_at=first.created_at - timedelta(minutes=10))
    assert room.match == again and (first.number, again.number) == (1, 2)
    assert asked(room.match)
