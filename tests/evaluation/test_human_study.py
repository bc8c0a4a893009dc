"""The human study: the topics that a team loses most, the agents-only arm, and the same deal with a person."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command

from evaluation import competitions, forms, human_study
from evaluation.models import Competition
from evaluation.suites import SUITES, Entry, SuiteError
from games import pending, table
from games.models import Match, Room
from tests.games.tables import HTMX, browser

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def given_out(monkeypatch):
    keys: list[int] = []
    monkeypatch.setattr(competitions, "dispatch", keys.append)
    monkeypatch.setattr("evaluation.live.tell", lambda key: None)
    monkeypatch.setattr(pending, "dispatch", lambda *call: None)
    call_command("load_fixtures", verbosity=0)
    return keys


def play(competition, given_out):
    competitions.start(competition)
    for key in given_out:
        competitions.play(key)
    given_out.clear()


@pytest.fixture
def source(given_out):
    """Matches of agents alone."""
    competition = competitions.make("Agents", "wiu", Entry(("house",), matches=12))
    play(competition, given_out)
    return competition


@pytest.fixture
def study(source, given_out):
    entry = Entry(("house",), more={"deals": forms.deals_of(source, 2)})
    return competitions.make("Study", "human_study", entry)


def test_each_team_gets_deals_that_it_lost(source):
    deals = forms.deals_of(source, 3)
    assert {deal["team"] for deal in deals} <= set(human_study.TEAMS)
    for deal in deals:
        match = Match.objects.get(seed=deal["seed"], bout__competition=source)
        won = "civilians" if deal["team"] == "civilian" else "undercovers"
        assert match.result != won
        assert match.setting == deal["setting"]


def test_topics_that_are_lost_more_often_come_first():
    class Played:
        game, preset, has_person, finished, numbers = "undercover", "wiu", False, True, (1, 2)
        sides = {1: "civilian", 2: "undercover"}

        def __init__(self, key, word, winner):
            self.id, self.winner = key, winner
            self.setting = {"civilian_word": word, "undercover_word": "x"}

        def won(self, seat):
            return self.sides[seat] == self.winner

    records = [
        Played("a", "sea", "undercover"),
        Played("b", "sea", "civilian"),
        Played("c", "sun", "undercover"),
        Played("d", "sun", "undercover"),
    ]
    deals = human_study.hardest(records, {"a": 1, "b": 2, "c": 3, "d": 4}, 1)
    assert [(deal.team, deal.topic, deal.seed) for deal in deals] == [
        ("civilian", "sun / x", 3),
        ("undercover", "sea / x", 2),
    ]


def test_the_agents_only_arm_plays_the_same_words_seats_and_seeds(study, given_out):
    bouts = list(study.bouts.all())
    assert bouts
    play(study, given_out)
    for bout in study.bouts.select_related("match"):
        assert (bout.match.seed, bout.match.setting) == (bout.seed, bout.setting)
        assert bout.labels["team"] in human_study.TEAMS


def test_without_deals_it_says_what_to_choose():
    with pytest.raises(SuiteError, match="Choose a finished competition"):
        SUITES["human_study"].plan(Entry(("house",)), lambda game: [])


def test_a_person_sits_in_the_team_that_lost_and_the_deal_is_played_once(study):
    bout = study.bouts.first()
    room = human_study.open_table(bout)
    free = room.seats.get(agent="")
    assert (free.number in bout.setting["undercovers"]) == (bout.labels["team"] == "undercover")
    person = browser("key-1", "Ann")
    page = html.unescape(person.get(f"/t/{room.code}/").content.decode())
    assert not any(re.search(rf"\b{word}\b", page) for word in words(bout))
    assert person.post(f"/t/{room.code}/sit/", {"name": "Ann"}, **HTMX).status_code == 200
    assert person.post(f"/t/{room.code}/start/", **HTMX).status_code == 200
    match = Room.objects.get(pk=room.pk).match
    assert (match.seed, match.setting) == (bout.seed, bout.setting)
    assert match.seat_of("key-1") == free.number
    assert (
        next(event.data for event in table.load(match).log if event.kind == "record")["civilian_word"] == words(bout)[0]
    )
    assert Room.objects.get(pk=room.pk).deal is None


def words(bout):
    return bout.setting["civilian_word"], bout.setting["undercover_word"]


def test_a_researcher_plans_it_by_the_form_and_opens_a_table(client, source, given_out):
    user = User.objects.create_user("ada", password="a")
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    form = {"name": "S", "source": source.pk, "topics": 2, "challengers": ["house"], "seed": 1, "at_once": 4}
    answer = client.post("/competitions/new/human_study/", form)
    made = Competition.objects.get(suite="human_study")
    assert answer.url == f"/competitions/{made.pk}/"
    assert "Table for a person" in client.get(answer.url).content.decode()
    opened = client.post(f"/competitions/{made.pk}/1/table/", follow=True)
    assert re.search(r"Give this link to the person: http://testserver/t/[A-Z]+-\d+/", opened.content.decode())
    assert client.post(f"/competitions/{source.pk}/1/table/").status_code == 404
