"""The pages of competitions: who may open them, what they refuse, and a whole competition in a browser."""

from __future__ import annotations

import io
import json
import uuid
import zipfile

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.urls import reverse

from evaluation import competitions
from evaluation.models import Competition
from evaluation.suites import Entry

DILEMMA = {"game": "prisoners_dilemma:magic", "seats": "", "mode": "seat", "how_many": 3, "seed": 1, "at_once": 2}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def given_out(monkeypatch):
    keys: list[int] = []
    monkeypatch.setattr(competitions, "dispatch", keys.append)
    monkeypatch.setattr("evaluation.live.tell", lambda competition: None)
    call_command("load_fixtures", verbosity=0)
    return keys


@pytest.fixture
def researcher(client):
    user = User.objects.create_user("ada", password="a")
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    return client


@pytest.fixture
def competition():
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    return competitions.make("Dilemmas", "own", Entry(("house",), matches=3, more=more))


def addresses(competition):
    key = [competition.pk]
    return [
        reverse("evaluation:competitions"),
        reverse("evaluation:new_competition", args=["magic"]),
        reverse("evaluation:competition", args=key),
        reverse("evaluation:manifest", args=key),
        reverse("evaluation:competition_export", args=key),
    ]


def test_only_researchers_see_competitions(client, competition):
    for address in addresses(competition):
        answer = client.get(address)
        assert (answer.status_code, answer.url.split("?")[0]) == (302, reverse("login"))
    client.force_login(User.objects.create_user("bob", password="b"))
    assert [client.get(address).status_code for address in addresses(competition)] == [403] * 5
    assert client.post(reverse("evaluation:change_competition", args=[competition.pk, "start"])).status_code == 403
    competition.refresh_from_db()
    assert competition.status == "ready"


def test_a_competition_is_planned_by_the_form_and_begins(researcher, given_out):
    form = DILEMMA | {"challengers": ["house"], "defender_defender": "house-always-defect", "name": "Mine"}
    answer = researcher.post(reverse("evaluation:new_competition", args=["own"]), form)
    made = Competition.objects.get()
    assert answer.url == reverse("evaluation:competition", args=[made.pk])
    assert (made.name, made.status, made.created_by.username) == ("Mine", "running", "ada")
    assert len(given_out) == 2
    assert made.bouts.first().agents == ["house", "house-always-defect", "house-always-defect"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"challengers": []}, "This field is required."),
        ({"challengers": ["nobody"]}, "Select a valid choice."),
        ({"seats": 9}, "is for 3 seats; this table has 9."),
        ({"at_once": 0}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_planned_is_said_beside_the_form_and_nothing_is_lost(researcher, wrong, sentence):
    form = DILEMMA | {"challengers": ["house"], "defender_defender": "house", "name": "Keep me"} | wrong
    answer = researcher.post(reverse("evaluation:new_competition", args=["own"]), form)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert sentence in page
    assert "Keep me" in page
    assert not Competition.objects.exists()


def test_the_page_shows_progress_matches_and_failures(researcher, competition, given_out):
    competition.bouts.filter(number=2).update(setting={"cooperate": "much"})
    competitions.start(competition)
    for key in given_out:
        competitions.play(key)
    page = researcher.get(reverse("evaluation:competition", args=[competition.pk])).content.decode()
    assert "2 of 3 matches" in page
    assert "Match 2 failed:" in page
    assert "Play the failed ones again" in page
    part = researcher.get(reverse("evaluation:competition", args=[competition.pk]) + "?part=progress").content.decode()
    assert part.strip().startswith("<section")
    only = researcher.get(reverse("evaluation:competition", args=[competition.pk]) + "?status=failed").content.decode()
    assert only.count("<tr>") == 2


def test_the_page_asks_no_more_of_the_database_for_many_matches(researcher, given_out, django_assert_max_num_queries):
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    competition = competitions.make("Many", "own", Entry(("house",), matches=40, more=more), at_once=40)
    competitions.start(competition)
    for key in given_out:
        competitions.play(key)
    with django_assert_max_num_queries(12):
        researcher.get(reverse("evaluation:competition", args=[competition.pk]))


def test_verbs_change_the_state_and_unknown_ones_are_not_found(researcher, competition):
    def change(verb):
        return researcher.post(reverse("evaluation:change_competition", args=[competition.pk, verb])).status_code

    states = []
    for verb in ("start", "pause", "start", "stop"):
        assert change(verb) == 302
        competition.refresh_from_db()
        states.append(competition.status)
    assert states == ["running", "paused", "running", "stopped"]
    assert change("explode") == 404
    assert researcher.get(reverse("evaluation:change_competition", args=[competition.pk, "start"])).status_code == 405
    assert researcher.get(reverse("evaluation:competition", args=[uuid.uuid4()])).status_code == 404


def test_the_export_holds_the_manifest_the_plan_and_every_log(researcher, competition, given_out):
    competitions.start(competition)
    for key in given_out:
        competitions.play(key)
    answer = researcher.get(reverse("evaluation:competition_export", args=[competition.pk]))
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert sorted(archive.namelist()) == [
        "manifest.json",
        *(f"matches/0000{n}.jsonl" for n in (1, 2, 3)),
        "plan.jsonl",
    ]
    assert json.loads(archive.read("manifest.json")) == competition.manifest
    plan = [json.loads(line) for line in archive.read("plan.jsonl").splitlines()]
    assert [row["status"] for row in plan] == ["done"] * 3
    assert json.loads(archive.read("matches/00001.jsonl").splitlines()[0])["seed"] == plan[0]["seed"]
