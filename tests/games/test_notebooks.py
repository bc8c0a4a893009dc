"""Marks of a notebook reach research only by the person's own hand, after the match, and without any words."""

from __future__ import annotations

import json

import pytest

from evaluation.counting.stored import records
from evaluation.records.record import Mark
from games.match import notebooks
from games.match.erasing import erase
from games.models import Match, Notebook
from games.room.rooms import Refused
from tests.games.tables import match_at, play_out, room_of

pytestmark = pytest.mark.django_db
WORDS = {"civilian_word": "coffee", "undercover_word": "tea"}
MARKS = [[9, 2, "trust"], [12, 2, "doubt"], [12, 3, "unsure"]]


@pytest.fixture
def match():
    found = match_at(room_of(4, "undercover", "party", 4), WORDS)
    play_out(found)
    return Match.objects.get(pk=found.pk)


def test_given_marks_are_read_as_trust_and_doubt_at_the_event_before_them(match):
    notebooks.give(match, 1, json.dumps(MARKS))
    notebooks.give(match, 1, json.dumps([[1, 4, "doubt"]]))
    (found,) = records(Match.objects.all())
    assert found.marks == [Mark(1, 2, False, 9), Mark(1, 2, True, 12)], "what was given first stays"


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", '["x"]', '[[1, 1, "doubt"]]', '[[1, 9, "doubt"]]', '[[1, 2, "words of mine"]]'),
        *('[[-1, 2, "trust"]]', '[[true, 2, "trust"]]', '[[1, 2, ["trust"]]]', "[" * 9000),
        json.dumps([[1, 2, "doubt"]] * 401),
    ],
)
def test_what_is_no_mark_is_refused_and_nothing_is_kept(match, text):
    with pytest.raises(Refused):
        notebooks.give(match, 1, text)
    assert not Notebook.objects.exists()


def test_while_a_match_runs_and_for_onlookers_there_is_nothing_to_give(match):
    with pytest.raises(Refused):
        notebooks.give(match, None, json.dumps(MARKS))
    match.status = "running"
    with pytest.raises(Refused):
        notebooks.give(match, 1, json.dumps(MARKS))


def test_a_person_gives_marks_at_the_own_table_and_gets_the_page_back(client):
    room = room_of(4, "undercover", "party", 4)
    found = match_at(room, WORDS)
    play_out(found)
    answer = client.post(f"/t/{room.code}/notebook/", {"marks": json.dumps(MARKS)})
    assert answer.status_code == 409, "whoever sat nowhere has nothing to give"
    assert not Notebook.objects.exists()


def test_erasing_a_person_erases_what_they_gave(match):
    notebooks.give(match, 1, json.dumps(MARKS))
    notebooks.give(match, 2, json.dumps([[3, 1, "doubt"]]))
    person = match.seated[0].person
    assert person
    erase(person)
    assert [kept.seat for kept in Notebook.objects.all()] == [2]
