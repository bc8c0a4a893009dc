"""Recorded examples: one a method, open to everybody with thoughts, marked as such, and counted nowhere."""

from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.test import Client

from agents.methods import METHODS
from evaluation.counting.boards import Choice
from evaluation.desk.selection import Selection
from games.match import access, examples
from games.models import Match
from tests.games.matches import dealt, play_on, stored
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def loaded(django_db_setup, django_db_blocker):
    with kept(django_db_blocker):
        assert examples.load() == len(METHODS)
        yield


def example(method: str) -> Match:
    return Match.objects.get(origin=Match.Origin.EXAMPLE, labels__method=method)


def test_they_are_loaded_once_and_what_is_recorded_anew_takes_the_place_of_the_old():
    output = StringIO()
    call_command("load_examples", stdout=output)
    assert output.getvalue() == "0 example matches added.\n"
    example("cot").delete()
    stale = stored(play_on(dealt("undercover", "magic", 3)))
    Match.objects.filter(pk=stale.pk).update(origin=Match.Origin.EXAMPLE)
    assert examples.load() == 1
    assert Match.objects.filter(origin=Match.Origin.EXAMPLE).count() == len(METHODS)


def test_they_are_small():
    assert sum(path.stat().st_size for path in examples.FOLDER.iterdir()) < 300_000


@pytest.mark.parametrize("method", METHODS)
def test_each_way_of_thinking_has_one_that_anybody_may_read_with_its_thoughts(method):
    match = example(method)
    listed = Client().get("/examples/").content.decode()
    assert METHODS[method].title in listed and f"/m/{match.pk}/?as=all&amp;seq=" in listed
    page = Client().get(f"/m/{match.pk}/?as=all").content.decode()
    assert "An example, recorded with a scripted model." in page
    thoughts = Client().get(f"/m/{match.pk}/thoughts/?seat=every").content.decode()
    assert "data-stage" in thoughts and "scripted" in thoughts
    assert not match.attempts.exists()
    assert {row.method for row in match.thoughts.all()} == {method}


def test_they_count_nowhere_and_stand_in_no_list_of_matches(researcher):
    counted = stored(play_on(dealt("undercover", "magic", 3)))
    assert list(Match.objects.originals()) == [counted]
    assert list(Choice().matches()) == [counted]
    assert list(Selection.of({}, None).matches()) == [counted]
    assert Selection.of({"origin": "example"}, None).count() == len(METHODS)
    found = [str(match.pk) for match in Match.objects.filter(origin=Match.Origin.EXAMPLE)]
    for client in (researcher, Client()):
        listed = client.get("/matches/").content.decode()
        assert not any(key in listed for key in found)
    assert str(counted.pk) in researcher.get("/matches/").content.decode()
    asked_for = researcher.get("/matches/?origin=example").content.decode()
    assert all(key in asked_for for key in found)


def test_no_seat_of_theirs_is_anybodys():
    examples = Match.objects.filter(origin=Match.Origin.EXAMPLE)
    assert examples
    for match in examples:
        assert {sitter.kind for sitter in match.seated} == {"agent"}
        assert access.access_of(match, AnonymousUser(), "ann").everything
