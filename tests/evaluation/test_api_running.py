"""Agents, competitions and labs by the API: made and run by whom the pages let, with the pages' sentences."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.lab import counted, labs
from evaluation.models import Competition, Lab
from games.match import store
from tests.games.matches import dealt, play_on, stored
from tests.people import account
from tests.programs import Program, run_by

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("workers", "fixtures")]
PLAN = {"suite": "own", "challengers": ["house"], "matches": 3, "game": "prisoners_dilemma", "preset": "magic"}
GUEST = {"name": "guest", "title": "Guest", "provider": "remote", "method": "remote"}


@pytest.fixture
def fixtures():
    call_command("load_fixtures", verbosity=0)


@pytest.fixture
def ada() -> User:
    return account("ada", "researcher")


def changed(one: Program, path: str, **body):
    return one.patch(f"/api/v1/{path}", json.dumps(body), content_type="application/json")


# Agents -------------------------------------------------------------------------------------------------------------


def test_a_researcher_makes_an_agent_from_outside_and_changes_it(ada):
    one = run_by(ada)
    made = one.send("profiles/", **GUEST, settings={"answer_seconds": 90})
    assert (made.status_code, made.json()["owner"], made.json()["changes"]) == (201, "ada", True)
    assert changed(one, "profiles/guest/", title="Our guest").json()["title"] == "Our guest"
    kept = AgentProfile.objects.get(name="guest")
    assert (kept.owner, kept.title, kept.answer_seconds, kept.active) == (ada, "Our guest", 90, True)
    assert one.ask("profiles/guest/").json() | {"title": "Guest"} == made.json()
    assert not changed(one, "profiles/guest/", active=False).json()["active"]


def test_what_could_not_play_is_refused_in_the_sentences_of_the_page(ada):
    one = run_by(ada)
    for wrong, field, sentence in (
        ({"settings": {"answer_seconds": 0}}, "settings", "An agent from outside has one setting, answer_seconds"),
        ({"method": "cot"}, "method", "House agents have their own method, agents from outside theirs."),
        ({"provider": "openai", "method": "cot", "model": "m"}, "base_url", "No agent that admins keep uses this"),
        ({"second": "nobody"}, "second", "Select a valid choice."),
    ):
        answer = one.send("profiles/", **GUEST | wrong)
        assert answer.status_code == 422
        assert answer.json()["fields"][field][0].startswith(sentence)
    assert not AgentProfile.objects.filter(name="guest").exists()
    assert one.send("profiles/", **GUEST | {"settings": "none"}).json()["code"] == "malformed"


def test_an_admin_makes_one_for_all_and_keys_and_others_settings_are_told_to_nobody(ada, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    wire = {"name": "wire", "title": "Wire", "provider": "openai", "model": "gpt-x", "method": "cot"}
    more = {"key_env": "OPENAI_API_KEY", "settings": {"temperature": 0.5}, "seated_by": "researchers"}
    made = run_by(account("dora", "admin")).send("profiles/", **wire, **more)
    assert made.status_code == 201 and made.json()["settings"] == {"temperature": 0.5}
    told = run_by(ada).ask("profiles/wire/")
    assert (told.json()["settings"], told.json()["has_key"], told.json()["owner"]) == (None, True, "")
    assert "sk-very-secret" not in told.content.decode() + made.content.decode()
    refused = changed(run_by(ada), "profiles/wire/", title="Mine")
    assert (refused.status_code, refused.json()["detail"]) == (
        403, "This agent is not yours. Copy it, and change the copy."
    )  # fmt: skip
    listed = run_by(ada).ask("profiles/").json()
    assert {one["name"] for one in listed["results"]} >= {"wire", "house"} or listed["older"]


def test_an_agent_that_nothing_needs_is_deleted_by_who_may_change_it(ada):
    one = run_by(ada)
    one.send("profiles/", **GUEST)
    assert run_by(account("eve", "researcher")).delete("/api/v1/profiles/guest/").status_code == 403
    assert one.delete("/api/v1/profiles/house/").status_code == 403
    AgentProfile.objects.create(name="two", title="Two", second=AgentProfile.objects.get(name="guest"))
    needed = one.delete("/api/v1/profiles/guest/")
    assert (needed.status_code, needed.json()["detail"]) == (
        409, "Another profile uses this one's model. Change that one first."
    )  # fmt: skip
    AgentProfile.objects.get(name="two").delete()
    assert one.delete("/api/v1/profiles/guest/").status_code == 204
    assert one.delete("/api/v1/profiles/guest/").status_code == 404
    assert not AgentProfile.objects.filter(name="guest").exists()


# Competitions -------------------------------------------------------------------------------------------------------


def test_a_competition_is_made_begun_paused_gone_on_with_and_stopped(ada, workers):
    one = run_by(ada)
    made = one.send("competitions/", **PLAN, at_once=1)
    assert made.status_code == 201 and made.json()["status"] == "running"
    path = f"competitions/{made.json()['id']}/"
    assert one.send(f"{path}pause/").json()["status"] == "paused"
    workers.play()
    assert one.ask(path).json()["progress"]["done"] == 0
    assert one.send(f"{path}start/").json()["status"] == "running"
    workers.play()
    over = one.ask(path).json()
    assert (over["status"], over["progress"]["done"], over["progress"]["total"]) == ("finished", 3, 3)
    bouts = one.ask(f"{path}matches/").json()["results"]
    assert [bout["number"] for bout in bouts] == [3, 2, 1] and all(bout["match"] for bout in bouts)
    assert one.ask("competitions/").json()["results"][0]["id"] == over["id"]
    other = one.send("competitions/", **PLAN, begin=False).json()
    assert other["status"] == "ready"
    assert one.send(f"competitions/{other['id']}/stop/").json()["status"] == "stopped"
    for verb in ("start", "pause", "again"):
        late = one.send(f"competitions/{other['id']}/{verb}/")
        assert (late.status_code, late.json()["code"]) == (409, "refused"), verb
    assert one.send(f"{path}delete/").status_code == 404


def test_what_cannot_be_planned_is_refused_and_nothing_is_made(ada):
    one = run_by(ada)
    for wrong, sentence in (
        ({"challengers": []}, "challengers: This field is required."),
        ({"challengers": ["nobody"]}, "challengers: Select a valid choice."),
        ({"game": "chess"}, "game: Select a valid choice."),
        ({"defenders": {"defender": "nobody"}}, "defenders.defender: Select a valid choice."),
        ({"preset": "none"}, "preset: Say which of these ways to play this game: "),
        ({"topics": 3}, "topics: This suite does not ask for it."),
        ({"challenger": ["house"]}, "challenger: There is no such field. Did you mean challengers?"),
        ({"defenders": {"attacker": "house"}}, "defenders: This suite has no part attacker."),
    ):
        answer = one.send("competitions/", **PLAN | wrong)
        assert answer.status_code == 422 and answer.json()["detail"].startswith(sentence), wrong
    half = one.send("competitions/", **{name: value for name, value in PLAN.items() if name != "preset"})
    assert half.status_code == 422 and half.json()["detail"].startswith("preset: Say which of these ways to play")
    assert one.send("competitions/", suite="none", challengers=["house"]).status_code == 422
    assert not Competition.objects.exists()
    assert {suite["name"] for suite in one.ask("suites/").json()} >= {"own", "magic", "wiu"}


def test_who_only_looks_begins_nothing(ada):
    ada.groups.clear()
    onlooker = account("bob")
    for path in ("competitions/", "profiles/", "suites/"):
        assert run_by(onlooker).ask(path).status_code == 403
    assert run_by(onlooker).send("competitions/", **PLAN).status_code == 403
    assert run_by(onlooker).send("profiles/", **GUEST).status_code == 403
    assert not Competition.objects.exists() and not AgentProfile.objects.filter(name="guest").exists()


# The lab ------------------------------------------------------------------------------------------------------------


def test_a_lab_is_told_what_it_takes_played_and_told(ada, workers):
    match = stored(play_on(dealt("prisoners_dilemma", "magic", 3, seed=4)))
    move = next(event for event in match.events.plain() if event.kind == "choice" and event.by != "opening")
    other = "defect" if move.data["choice"] == "cooperate" else "cooperate"
    body = {"match": str(match.pk), "seq": move.seq, "arms": [{"action": {"choice": other}}], "rollouts": 2}
    body["house"] = True
    one = run_by(ada)
    will = one.send("labs/expected/", **body)
    assert will.status_code == 200 and (will.json()["calls"], will.json()["unpriced"]) == (0, [])
    assert not Lab.objects.exists()
    made = one.send("labs/", **body)
    assert made.status_code == 201 and made.json()["played"] == 0 and made.json()["standing"]["waiting"] == 1
    path = f"labs/{made.json()['id']}/"
    assert one.send(f"{path}stop/").json()["standing"] is None
    assert one.send(f"{path}go-on/").json()["standing"]["waiting"] == 1
    workers.work(labs.KIND)
    told, lab = one.ask(path).json(), Lab.objects.get()
    rows = counted.told(lab.arms, counted.rows(labs.endings_of(lab), labs.shares(lab)))
    outcome = store.load(match).state.outcome
    assert told["really"] == {str(seat): points for seat, points in outcome.returns.items()}
    assert told["played"] == 2 and told["arms"] == json.loads(json.dumps(rows))
    assert [arm["arm"] for arm in told["arms"]] == [{}, {"action": {"choice": other}}]


def test_a_change_that_cannot_be_made_is_refused_in_the_page_s_sentence(ada):
    match = stored(play_on(dealt("prisoners_dilemma", "magic", 3, seed=4)))
    one = run_by(ada)
    seq = next(event.seq for event in match.events.plain() if event.kind == "choice" and event.by != "opening")
    arms = [{"agents": {"1": "house"}}]
    for body, sentence in (
        ({"seq": 1, "arms": arms}, "Event 1 is no move."),
        ({"seq": 10**6, "arms": arms}, "Event 1000000 is no move."),
        ({"seq": 1, "arms": arms, "rollouts": 1}, "rollouts: Ensure this value"),
        (
            {"seq": seq, "arms": [{"words": "hello"}]},
            "arms.0.words: There is no such field. There are: action, agents.",
        ),
        ({"seq": seq, "arms": [{"agents": {"9": "house"}}]}, "There is no seat 9."),
        ({"seq": seq, "arms": [{"agents": {"1": "nobody"}}]}, "There is no agent called nobody."),
        ({"seq": seq, "arms": arms * 2}, "One change stands there twice."),
    ):
        answer = one.send("labs/", match=str(match.pk), **body)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), body
        assert answer.json()["detail"][: len(sentence)] == sentence
    assert not Lab.objects.exists()
    assert running.Competition.objects.count() == 0


def test_labs_are_listed_for_who_may_see_all_of_their_matches(ada):
    match = stored(play_on(dealt("prisoners_dilemma", "magic", 3, seed=4)))
    seq = next(event.seq for event in match.events.plain() if event.kind == "choice" and event.by != "opening")
    body = {"match": str(match.pk), "seq": seq, "rollouts": 2, "house": True, "arms": [{"agents": {"1": "house"}}]}
    made = run_by(ada).send("labs/", **body).json()
    (listed,) = run_by(ada).ask("labs/").json()["results"]
    assert listed == {name: made[name] for name in listed}
    assert run_by(account("bob")).ask("labs/").status_code == 403
