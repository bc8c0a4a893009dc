"""An outage is not the players' time: while nothing can be reached no deadline passes, and then it moves by the gap."""

import re
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, InterfaceError
from django.db.models import F

from games.management.commands import sweep
from games.match import heartbeat, store, sweeper
from games.match.heartbeat import SITE, SWEEPER, WEB
from games.models import Heartbeat, Job, Match, Pending, Room
from magic_site import clock
from tests.games.tables import asked, browser, match_at, room_of

pytestmark = pytest.mark.django_db


def timed_match() -> Match:
    return match_at(room_of(move_seconds=300, absence=Room.Absence.DEFAULT))


def last(name: str, seconds_ago: float) -> None:
    """When something beat last."""
    at = clock.now() - timedelta(seconds=seconds_ago)
    Heartbeat.objects.update_or_create(name=name, defaults={"at": at})


def age(seconds: float) -> None:
    """Let what is asked have been asked so long ago."""
    for row in Pending.objects.all():
        row.opened_at -= timedelta(seconds=seconds)
        row.deadline -= timedelta(seconds=seconds)
        row.save()
    Match.objects.update(created_at=F("created_at") - timedelta(seconds=seconds))


def deadline(match: Match) -> datetime:
    return Pending.objects.get(match=match).deadline


def beats() -> dict[str, datetime]:
    return dict(Heartbeat.objects.values_list("name", "at"))


def test_while_no_web_process_beats_no_deadline_passes():
    match = timed_match()
    age(1000)
    for name, ago in ((WEB, 800), (SITE, 800), (SWEEPER, 1)):
        last(name, ago)
    assert sweeper.sweep() == 0 and asked(match)


def test_an_outage_is_given_back_and_shown():
    match = timed_match()
    age(1000)  # asked a thousand seconds ago, and for the last eight hundred nobody could answer
    for name, ago in ((WEB, 0), (SITE, 800), (SWEEPER, 1)):
        last(name, ago)
    before, beat = deadline(match), beats()
    assert sweeper.sweep() == 0
    moved = deadline(match)
    assert moved - before == beat[WEB] - beat[SITE] and Room.objects.get().revision == 1
    assert sweeper.sweep() == 0 and deadline(match) == moved
    match.events.update(at=Pending.objects.get().opened_at)
    html = browser("key-2").get(f"/t/{match.room.code}/").content.decode()
    (shown,) = re.findall(r'data-clock="([^"]*)"', html)
    assert abs(datetime.fromisoformat(shown) - moved) < timedelta(seconds=1)


def test_what_was_opened_in_the_middle_of_an_outage_gets_its_whole_time():
    match = timed_match()
    age(200)
    for name, ago in ((WEB, 0), (SITE, 800), (SWEEPER, 1)):
        last(name, ago)
    sweeper.sweep()
    assert deadline(match) - beats()[WEB] == timedelta(seconds=300)


def test_a_beat_that_is_a_little_late_is_no_outage():
    match = timed_match()
    age(301)
    for name, ago in ((WEB, 0.5), (SITE, 3), (SWEEPER, 1)):
        last(name, ago)
    assert sweeper.sweep() == 1
    assert match.events.filter(by="default").exists()


def test_where_nothing_ever_beat_deadlines_pass():
    match = timed_match()
    age(301)
    assert sweeper.sweep() == 1
    assert match.events.filter(by="default").exists()


def test_after_an_outage_of_the_sweeper_or_the_database_workers_have_time_to_renew_their_leases(workers):
    sent = workers.moves
    job = Job.objects.create(kind="count", key="a", state="running", lease_until=clock.now() - timedelta(seconds=20))
    match = match_at(room_of(1, pace=0))
    while not (row := Pending.objects.get(match=match)).agent:
        store.act(match.pk, row.seat, row.request, {"text": "black"})
    ago = clock.now() - timedelta(seconds=20)
    Pending.objects.update(lease_until=ago, nudge_at=ago, attempts=1)
    sent.clear()
    last(SWEEPER, 30)
    assert sweeper.sweep() == 0 and sent == []
    job.refresh_from_db()
    assert job.lease_until > clock.now() + timedelta(seconds=settings.LEASE_SECONDS - 2)
    Pending.objects.update(lease_until=ago)
    assert sweeper.sweep() == 1 and sent


def test_a_beat_is_kept_once_for_all_processes():
    heartbeat.beat(WEB)
    heartbeat.beat(WEB)
    assert clock.now() - Heartbeat.objects.get(name=WEB).at < timedelta(seconds=5)


@pytest.mark.parametrize("error", [DatabaseError, InterfaceError])
def test_neither_the_beat_nor_the_sweeper_ends_with_an_outage(error, monkeypatch):
    class Enough(BaseException):
        """Ends what beats for ever."""

    beaten = []

    def beat(name):
        beaten.append(name)
        raise error if len(beaten) == 1 else Enough

    monkeypatch.setattr(heartbeat, "beat", beat)
    monkeypatch.setattr(heartbeat, "BEAT_EVERY", 0)
    for module in (heartbeat, sweep):  # the test's own connection stays open
        monkeypatch.setattr(module, "close_old_connections", lambda: None)
    with pytest.raises(Enough):
        heartbeat._beat_for_ever()
    beaten.clear()
    call_command("sweep", "--once")
    assert beaten == [SWEEPER]
