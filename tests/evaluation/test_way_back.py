"""From the replay of a match back to the competition that it belongs to."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.urls import reverse

from evaluation.competitions import running
from evaluation.models import StudyTable
from evaluation.suites import Entry
from games.room.rooms import open_room
from tests.games.matches import dealt, play_on, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def bout():
    call_command("load_fixtures", verbosity=0)
    more = {"game": "undercover", "preset": "wiu"}
    return running.make("Words & deeds", "own", Entry(("house",), matches=1, more=more)).bouts.first()


def of_the_competition(bout):
    bout.match = stored(play_on(dealt("undercover", "wiu", 5)))
    bout.save()
    return bout.match


def at_a_table_of_the_study(bout):
    room = open_room(game="undercover", preset="wiu", seats=5, person="ann", name="Ann")
    StudyTable.objects.create(bout=bout, room=room)
    return stored(play_on(dealt("undercover", "wiu", 5)), room=room)


@pytest.mark.parametrize("played", [of_the_competition, at_a_table_of_the_study])
def test_the_replay_leads_back_to_its_competition(researcher, bout, played):
    page = researcher.get(reverse("games:replay", args=[played(bout).pk])).content.decode()
    assert f'<a href="{reverse("evaluation:competition", args=[bout.competition.pk])}">Words &amp; deeds</a>' in page


def test_who_may_not_see_competitions_is_told_of_none(client, bout):
    page = client.get(reverse("games:replay", args=[at_a_table_of_the_study(bout).pk]))
    assert page.status_code == 200
    assert "Competition" not in page.content.decode()
    assert "Words &amp; deeds" not in page.content.decode()


def test_a_match_of_no_competition_has_no_such_link(researcher):
    page = researcher.get(reverse("games:replay", args=[stored(play_on(dealt("undercover", "wiu", 5))).pk]))
    assert "Competition:" not in page.content.decode()
