"""Stored matches of other rules than those of today: what these cannot read is said, and nothing of it is lost."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client

from evaluation.metrics.base import measure
from evaluation.stored import records
from games.match import store
from games.match.erasing import erase
from games.match.rows import Event
from games.match.view import whole
from games.models import Match, Room
from games.rules.values import ERASED, LogError
from tests.games.matches import dealt, play_on, stored
from tests.games.tables import match_at, play_out, room_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[{"kind": "riddle"}, {"data": {}}], ids=["a kind that is no more", "fields that are no more"])
def match(request) -> Match:
    found = stored(play_on(dealt("undercover", "magic", 3)), room=Room.objects.create(game="undercover", host="ann"))
    Event.objects.filter(match=found, kind="clue").update(**request.param)
    Match.objects.filter(pk=found.pk).update(rules_version=99)
    return Match.objects.get(pk=found.pk)


def test_its_pages_say_why_it_cannot_be_shown(match):
    pages = [f"/m/{match.pk}/", f"/m/{match.pk}/?as=all", f"/t/{match.room.code}/", f"/m/{match.pk}/thoughts/?seat=3"]
    answers = [Client().get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [409] * len(pages)
    assert all("played under other rules" in answer.content.decode() for answer in answers)
    assert Client().get("/matches/").status_code == 200


@pytest.mark.parametrize("watching", ["live", "delayed"])
def test_so_do_those_of_one_that_is_still_played(watching):
    found = match_at(room_of(watching=watching))
    play_out(found, stop=3)
    Match.objects.filter(pk=found.pk).update(rules_version=99)
    Event.objects.filter(match=found, kind="clue").update(kind="riddle")
    for page in (f"/m/{found.pk}/", f"/t/{found.room.code}/"):
        answer = Client().get(page)
        assert answer.status_code == 409 and "played under other rules" in answer.content.decode()


def test_all_of_it_can_be_taken_away(match):
    file = whole(match).file()
    assert [event.seq for event in file.events] == list(range(1, match.events.count() + 1))
    assert (file.outcome.status, file.outcome.result) == ("finished", match.result) and file.outcome.winners
    answer = Client().get(f"/m/{match.pk}/export/?as=all")
    assert answer.status_code == 200 and len(answer.content.splitlines()) > len(file.events)


def test_who_played_it_can_be_erased(match):
    said = match.events.filter(seat=1, kind="vote").get()
    said.kind, said.data = "riddle", {"riddle": "what is round and red"}
    said.save()
    erase("ann")
    file = whole(Match.objects.get(pk=match.pk)).file()
    assert file.events[said.seq - 1].data == {"riddle": ERASED}
    assert file.header.seats[0].name == "Player 1"


def test_who_wants_to_move_in_it_is_told_which_rules_it_had(match, capsys):
    with pytest.raises(LogError, match="version 99 of Undercover"):
        store.load(match)
    call_command("rebuild_seats")
    assert str(match.pk) in capsys.readouterr().err


def test_a_fault_in_a_log_of_todays_rules_is_not_taken_for_old_age(match):
    match.rules_version = 2
    with pytest.raises((KeyError, TypeError)):
        whole(match)


def test_what_is_counted_leaves_it_out_and_says_so(match):
    stored(play_on(dealt("undercover", "magic", 3, seed=8)))
    (old, new) = sorted(records(Match.objects.all()), key=lambda record: record.finished)
    assert (old.id, old.finished, new.finished) == (str(match.pk), False, True)
    counted = measure([old, new], lambda record, seat: "all")
    assert (counted.records, counted.left_out) == (2, 1)
    assert repr(counted.values) == repr(measure([new], lambda record, seat: "all").values)
