"""The pages of competitions: who may open them, what they refuse, and a whole competition in a browser."""

from __future__ import annotations

import html
import io
import json
import re
import uuid
import zipfile
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.competitions import running
from evaluation.models import Competition
from evaluation.records.record import Record
from evaluation.suites import SUITES, Entry
from evaluation.tables import papers
from evaluation.web.pages import boards
from games.jobs import jobs
from games.registry import RULES

DILEMMA = {"game": "prisoners_dilemma:magic", "seats": "", "mode": "seat", "how_many": 3, "seed": 1, "at_once": 2}
MORE = {"game": "prisoners_dilemma", "preset": "magic"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def given_out(fixtures, workers):
    return workers.bouts


@pytest.fixture
def competition():
    return running.make("Dilemmas", "own", Entry(("house",), matches=3, more=MORE))


def addresses(competition):
    key = [competition.pk]
    return [
        reverse("evaluation:competitions"),
        reverse("evaluation:new_competition", args=["magic"]),
        reverse("evaluation:competition", args=key),
        reverse("evaluation:manifest", args=key),
    ]


@pytest.mark.parametrize("suite", ["magic", "wiu", "spygame"])
def test_the_numbers_of_a_competition_stand_on_its_own_suites_board(researcher, given_out, suite):
    made = running.make("Mine", suite, Entry(("house",), take=2))
    running.start(made)
    for key in given_out:
        jobs.work(key)
    page = researcher.get(reverse("evaluation:competition", args=[made.pk])).content.decode()
    link = html.unescape(re.search(r'id="numbers" href="([^"]*)"', page)[1])
    assert link.endswith(f"?competition={made.pk}")
    assert sum(table["records"] for table in researcher.get(link).context["tables"]) >= 2


def test_a_competition_of_ones_own_leads_to_the_page_that_counts_such_matches():
    """For every game and preset there is; where no table but that of all games counts them, to the ratings."""
    of_all = "wins"
    for rules in RULES.values():
        for preset in rules.presets:
            record = Record("m", rules.name, preset, {}, {}, (), [])
            counting = {
                page
                for page, (_title, names) in boards.PAGES.items()
                if any(papers.SPECS[name].keep(record) for name in names if name != of_all)
            }
            chosen = SUITES["own"].board({"game": rules.name, "preset": preset})
            assert chosen in (counting or {boards.RATINGS}), (rules.name, preset)


def test_only_researchers_see_competitions(client, competition):
    for address in addresses(competition):
        answer = client.get(address)
        assert (answer.status_code, answer.url.split("?")[0]) == (302, reverse("login"))
    client.force_login(User.objects.create_user("bob", password="b"))
    assert [client.get(address).status_code for address in addresses(competition)] == [403] * 4
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
        ({"at_once": 0}, "At least 1."),
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
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    page = researcher.get(reverse("evaluation:competition", args=[competition.pk])).content.decode()
    assert "2 of 3 matches" in page
    assert "1 match failed: The payoff &#x27;defect&#x27; is missing." in page
    assert "finished, 1 failed" in page
    assert "Play the failed ones again" in page
    part = researcher.get(now(competition)).content.decode()
    assert part.strip().startswith("<section")
    only = researcher.get(reverse("evaluation:competition", args=[competition.pk]) + "?status=failed").content.decode()
    assert numbers(only) == [2]
    assert only.count("The payoff &#x27;defect&#x27; is missing.") == 2  # above, and where the result would stand


def now(competition, **query):
    """The address of what changes while a competition is played."""
    address = reverse("evaluation:competition", args=[competition.pk])
    return f"{address}?{urlencode({'part': 'now', **query})}"


def numbers(page):
    return [int(number) for number in re.findall(r'<tr id="bout-(\d+)">', page)]


def test_the_table_of_matches_comes_with_the_progress_as_it_is_now(researcher, competition, given_out):
    running.start(competition)
    before = researcher.get(now(competition)).content.decode()
    assert numbers(before) == [1, 2, 3]
    assert 'id="result-1"' not in before
    jobs.work(given_out[0])
    after = researcher.get(now(competition)).content.decode()
    assert "1 of 3 matches" in after
    match = competition.bouts.get(number=1).match
    assert f'<a id="result-1" href="{reverse("games:replay", args=[match.pk])}">' in after
    assert numbers(researcher.get(now(competition, status="done")).content.decode()) == [1]


def test_the_table_is_made_once_for_all_who_look_at_it(researcher, client, competition, given_out):
    running.start(competition)
    jobs.work(given_out[0])
    with CaptureQueriesContext(connection) as first:
        seen = researcher.get(now(competition)).content.decode()
    other = User.objects.create_user("eve", password="e")
    other.groups.add(Group.objects.get(name="researcher"))
    client.force_login(other)
    with CaptureQueriesContext(connection) as second:
        assert numbers(client.get(now(competition)).content.decode()) == numbers(seen)

    def reads_matches(queries):
        return any("games_match" in query["sql"] for query in queries)

    assert (reads_matches(first), reads_matches(second)) == (True, False)


def test_who_may_not_open_tables_is_not_shown_the_buttons_of_who_may(client, researcher, competition, given_out):
    Competition.objects.filter(pk=competition.pk).update(suite="human_study")
    assert "open-table" in researcher.get(now(competition)).content.decode()
    reader = User.objects.create_user("eve", password="e")
    reader.user_permissions.add(Permission.objects.get(codename="see_thoughts"))
    client.force_login(reader)
    seen = client.get(now(competition)).content.decode()
    assert numbers(seen) == [1, 2, 3]
    assert "open-table" not in seen


def test_a_verb_answers_a_script_with_what_has_changed_on_the_page_that_it_shows(researcher, competition):
    address = reverse("evaluation:change_competition", args=[competition.pk, "start"])
    answer = researcher.post(address + "?part=now&status=done")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Pause" in page
    assert "No match is in that state." in page


def test_games_agents_and_suites_are_called_by_their_titles(researcher, competition):
    page = researcher.get(reverse("evaluation:competition", args=[competition.pk])).content.decode()
    assert "Prisoner’s Dilemma" in page
    assert '<td class="rest" title="house">House agent</td>' in page
    listed = researcher.get(reverse("evaluation:competitions")).content.decode()
    assert '<td class="rest">A competition of your own</td>' in listed


def test_competitions_of_one_name_are_told_apart_by_when_they_were_made(researcher, competition):
    again = running.make("Dilemmas", "own", Entry(("house",), matches=1, more=MORE))
    other = running.make("Others", "own", Entry(("house",), matches=1, more=MORE))
    Competition.objects.filter(pk=again.pk).update(created_at=datetime(2026, 3, 5, 9, 30, tzinfo=UTC))
    page = researcher.get(reverse("evaluation:leaderboard")).content.decode()
    assert re.search(rf'<option value="{again.pk}">\s*Dilemmas, 5 Mar 2026, 09:30:00\s*</option>', page)
    assert re.search(rf'<option value="{other.pk}">\s*Others\s*</option>', page)


def test_the_page_asks_no_more_of_the_database_for_many_matches(researcher, given_out, django_assert_max_num_queries):
    competition = running.make("Many", "own", Entry(("house",), matches=40, more=MORE), at_once=40)
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    with django_assert_max_num_queries(16):
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


def test_an_export_holds_the_manifest_the_plan_and_every_log(researcher, competition, given_out, workers):
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    link = reverse("evaluation:new_export") + f"?competition={competition.pk}"
    assert link in researcher.get(reverse("evaluation:competition", args=[competition.pk])).content.decode()
    page = researcher.post(link, {"content": ["roles", "polls"], "formats": ["jsonl"]}).url
    workers.work("export")
    answer = researcher.get(f"{page}file/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert {"manifest.json", "plan.jsonl", "matches.jsonl", "README.md"} <= set(archive.namelist())
    assert json.loads(archive.read("manifest.json")) == competition.manifest
    plan = [json.loads(line) for line in archive.read("plan.jsonl").splitlines()]
    assert [row["status"] for row in plan] == ["done"] * 3
    lines = map(json.loads, archive.read("matches.jsonl").splitlines())
    assert {line["id"]: line["seed"] for line in lines if line["type"] == "match"} == {
        row["match"]: row["seed"] for row in plan
    }
