"""Competitions with an agent from outside: a program pulls what it is asked and answers, and no worker waits for it."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from agents import tasks
from agents.models import AgentProfile
from evaluation.competitions import running
from evaluation.models import Bout, Competition
from evaluation.suites import Entry
from evaluation.suites.base import SuiteError
from games.match import pending, store, sweeper
from games.match.rows import Attempt, Event
from games.match.view import whole
from games.models import Job, Match, Room
from games.refused import Refused
from games.room import accounts, api_keys, chairs, orders, rooms
from games.rules.random_play import random_action
from magic_site import clock
from tests.games.matches import WORDS
from tests.games.tables import asked as open_request
from tests.games.tables import room_of
from tests.people import account
from tests.programs import Program, run_by

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("given_out", "fixtures")]
SPYGAME = {"game": "undercover", "preset": "magic"}


@pytest.fixture
def given_out(workers):
    return workers


@pytest.fixture
def fixtures():
    call_command("load_fixtures", verbosity=0)


@pytest.fixture
def ada() -> User:
    return account("ada", "researcher")


@pytest.fixture
def lab(ada) -> AgentProfile:
    return AgentProfile.objects.create(
        name="their-lab", title="Their lab", provider="remote", method="remote", owner=ada
    )


def competition(matches: int = 4, at_once: int = 2):
    entry = Entry(("their-lab",), {"defender": "house"}, matches, seed=5, more=SPYGAME)
    found = running.make("Guests", "own", entry, at_once=at_once)
    running.start(found)
    return found


def house_moves() -> None:
    """The workers of house agents do all that is due."""
    while pending.unheld().filter(queue=tasks.HOUSE, due_at__lte=clock.after(pending.EARLY)).exists():
        tasks.answer_next(tasks.HOUSE)


def action_for(asked: dict) -> dict:
    """A legal one, the same each time."""
    match = Match.objects.get(pk=asked["match"])
    play = store.load(match)
    rng = random.Random(f"{match.seed}:{asked['request']['id']}")
    return random_action(play, play.state.open[asked["request"]["id"]], rng, WORDS)


def body_for(asked: dict) -> dict:
    return {"match": asked["match"], "request": asked["request"]["id"], "action": action_for(asked)}


def answer(one: Program, asked: dict):
    return one.send("profiles/their-lab/act/", **body_for(asked))


def told_of(one: Program, **query) -> list[dict]:
    house_moves()
    return one.ask("profiles/their-lab/requests/", **query).json()["requests"]


def test_all_of_a_competition_is_played_each_request_told_until_it_is_answered(ada, lab, given_out):
    found = competition()
    one, seen = run_by(ada), set()
    while True:
        running.sweep()
        given_out.play()
        found.refresh_from_db()
        if found.status == "finished":
            break
        assert found.bouts.filter(status="outside").count() <= 2
        assert not Job.objects.filter(state__in=Job.OPEN).exists(), "no worker waits"
        asked = told_of(one)
        assert asked and asked == told_of(one), "what is not answered is told again"
        for each in asked:
            key = (each["match"], each["request"]["id"])
            assert key not in seen, "what was answered is asked no more"
            seen.add(key)
            assert each["observation"]["seat"] == each["seat"] and each["request"]["schema"]["properties"]
            body = body_for(each) | {"why": "It fits."}
            first, again = (one.send("profiles/their-lab/act/", **body) for _ in "12")
            assert first.status_code == 200 and first.json()["events"] > 0
            assert (again.status_code, again.json()) == (200, {"events": 0})
    progress = running.progress(found)
    assert (progress["done"], progress["failed"], progress["total"]) == (4, 0, 4)
    for bout in found.bouts.select_related("match"):
        match = bout.match
        assert match.status == "finished" and match.origin == "competition" and match.pk == bout.match_id_planned
        own = {sitter.seat for sitter in match.seated if sitter.agent == "their-lab"}
        moves = Event.objects.filter(match=match, seat__in=own).exclude(request=None)
        assert set(moves.values_list("by", flat=True)) == {"agent:their-lab"}
        assert {(str(match.pk), one) for one in moves.values_list("request", flat=True)} <= seen
        declared = [thought for thought in whole(match).thoughts if thought["stage"] == "declared"]
        assert declared and {thought["data"]["why"] for thought in declared} == {"It fits."}


def test_the_observation_is_what_the_seat_may_know_and_no_more(ada, lab, given_out):
    competition(1, 1)
    given_out.play()
    (asked, *_more) = told_of(run_by(ada))
    match = Match.objects.get(pk=asked["match"])
    seen = asked["observation"]
    words = {seat["seat"]: seat for seat in seen["seats"]}
    assert set(words) == {sitter.seat for sitter in match.seated}
    every = whole(match).events
    own = {event.seq for event in every if event.audience is None or asked["seat"] in event.audience}
    assert {event["seq"] for event in seen["events"] if event["data"] is not None} <= own


def test_who_does_not_answer_in_time_has_the_default_played(ada, lab, given_out):
    lab.settings = {"answer_seconds": 60}
    lab.save()
    found = competition(1, 1)
    given_out.play()
    one = run_by(ada)
    (asked, *_more) = told_of(one)
    sweeper.sweep(clock.now() + timedelta(seconds=50))
    assert [each["number"] for each in told_of(one)][:1] == [asked["number"]]
    late = action_for(asked)
    sweeper.sweep(clock.now() + timedelta(seconds=61))
    event = Event.objects.get(match=asked["match"], request=asked["request"]["id"])
    assert event.by == "default"
    attempt = Attempt.objects.get(match=asked["match"], request=asked["request"]["id"])
    assert (attempt.by, attempt.code) == ("agent:their-lab", "lost")
    refused = one.send("profiles/their-lab/act/", match=asked["match"], request=asked["request"]["id"], action=late)
    assert (refused.status_code, refused.json()["code"]) == (409, "over")
    while found.status != "finished":
        house_moves()
        sweeper.sweep(clock.now() + timedelta(days=1))
        running.sweep()
        found.refresh_from_db()
    assert found.bouts.get().status == "done"


def test_a_paused_competition_ends_what_was_begun_and_goes_on_later(ada, lab, given_out):
    found = competition(2, 1)
    given_out.play()
    running.pause(found)
    one = run_by(ada)
    while asked := told_of(one):
        assert len({each["match"] for each in asked}) == 1
        for each in asked:
            assert answer(one, each).status_code == 200
    running.sweep()
    assert sorted(found.bouts.values_list("status", flat=True)) == ["done", "waiting"]
    found.refresh_from_db()
    running.start(found)
    given_out.play()
    assert told_of(one)


def test_a_stopped_one_asks_nothing_any_more(ada, lab, given_out):
    found = competition(2, 1)
    given_out.play()
    one = run_by(ada)
    (asked, *_more) = told_of(one)
    body = body_for(asked)
    running.stop(found)
    running.sweep()
    assert told_of(one) == []
    assert set(found.bouts.values_list("status", flat=True)) == {Bout.Status.DROPPED}
    assert Match.objects.get(pk=asked["match"]).status == "void"
    assert one.send("profiles/their-lab/act/", **body).status_code == 409


def test_a_worker_that_died_after_it_began_a_match_begins_no_other(ada, lab, given_out):
    found = competition(1, 1)
    (key,) = given_out.bouts
    given_out.play()
    Job.objects.filter(pk=key).update(state="waiting")
    given_out.bouts.append(key)
    given_out.play()
    assert Match.objects.count() == 1 and found.bouts.get().status == "outside"


def test_what_a_program_is_at_already_is_not_told_again(ada, lab, given_out):
    competition(2, 2)
    given_out.play()
    one = run_by(ada)
    first, *rest = told_of(one)
    assert told_of(one, known=str(first["number"])) == rest
    assert told_of(one, known="999999999999999,0") == [first, *rest]
    assert list(one.ask("profiles/their-lab/requests/", known="no,number").json()["fields"]) == ["known"]


def test_only_who_may_change_the_agent_answers_for_it_and_by_a_key_for_it(ada, lab, given_out):
    competition(1, 1)
    given_out.play()
    (asked, *_more) = told_of(run_by(ada))
    body = body_for(asked)
    strangers = {
        403: [
            run_by(account("bob", "researcher")),
            run_by(account("cleo")),
            run_by(ada, "read", "read_hidden"),
        ],
        401: [Program()],
    }
    for status, programs in strangers.items():
        for one in programs:
            assert one.ask("profiles/their-lab/requests/").status_code == status
            assert one.send("profiles/their-lab/act/", **body).status_code == status
    assert run_by(ada).ask("profiles/nobody/requests/").status_code == 404
    assert strangers[403][1].ask("profiles/nobody/requests/").status_code == 403
    assert run_by(account("dora", "admin")).ask("profiles/their-lab/requests/").json()["requests"]
    other = AgentProfile.objects.create(name="other", title="Other", provider="remote", method="remote", owner=ada)
    assert run_by(ada).send(f"profiles/{other.name}/act/", **body).status_code == 404
    assert run_by(ada).send("profiles/their-lab/act/", **body | {"request": "9:1:clue"}).status_code in (
        404,
        409,
        403,
    )


def table_of(person: str, **settings) -> Room:
    room = rooms.open_room(
        game="undercover", preset="magic", seats=3, person=person, name="Ada", place=1, pace=0.0, **settings
    )
    chairs.fill(room, person, "their-lab")
    return room


def test_at_a_table_it_has_the_tables_clock_and_who_plays_there_answers_for_no_other_seat(ada, lab):
    person = accounts.new_key()
    room = table_of(person, move_seconds=30)
    with pytest.raises(Refused, match="Only researchers"):
        rooms.start(room, person)
    match = rooms.start(room, person, researcher=True)
    while (request := open_request(match)).seat == 1:
        assert store.act(match.pk, 1, request.id, {"text": "warm by day"})
    own = Program(api_keys.make(person, ada, "a test", ("run",), 1)[1])
    assert own.ask("profiles/their-lab/requests/").json()["requests"] == []
    (told, *_more) = told_of(run_by(ada))
    assert own.send("profiles/their-lab/act/", **body_for(told)).status_code == 404
    sweeper.sweep(clock.now() + timedelta(seconds=31))
    assert Event.objects.get(match=match, request=told["request"]["id"]).by == "default"
    assert not Event.objects.filter(match=match, kind="taken_over").exists()


@pytest.mark.parametrize("settings", [{"agents_named": False}, {"pseudonyms": True}])
def test_it_plays_at_no_table_that_hides_who_is_an_agent(lab, settings):
    room = table_of("key-1", **settings)
    with pytest.raises(Refused, match="would be known"):
        rooms.start(room, "key-1", researcher=True)


def test_no_admin_lets_it_play_on_for_somebody(lab):
    room = rooms.open_room(
        game="undercover", preset="magic", seats=3, person="key-1", name="Ann", place=1, pace=0.0, move_seconds=0
    )
    chairs.fill(room, "key-1", "house")
    wish = orders.Wish(rooms.start(room, "key-1"), "She is gone.", seat=1, agent="their-lab")
    with pytest.raises(Refused, match="cannot sit down here"):
        orders.give("replace", wish, None, "key-2")


def test_the_command_line_begins_no_competition_with_it(lab):
    with pytest.raises(CommandError, match="An agent from outside takes part"):
        call_command("compete", "own", "their-lab", game="undercover", preset="magic", matches=1)
    assert not Match.objects.exists()


def test_an_agent_of_the_site_itself_is_answered_for_by_nobody():
    one = run_by(account("dora", "admin"))
    assert one.ask("profiles/house/requests/").json()["detail"] == "This agent is asked by the site itself."


def test_the_page_makes_one_and_refuses_what_it_would_not_use(ada, client: Client):
    client.force_login(ada)
    fields = {"title": "Their lab", "name": "their-lab", "active": "on", "provider": "remote", "method": "remote"}
    for wrong in ({"method": "cot"}, {"settings": '{"answer_seconds": 0}'}, {"settings": '{"seed": 1}'}):
        assert client.post("/agents/new/", fields | wrong).status_code == 422
    assert client.post("/agents/new/", fields | {"settings": '{"answer_seconds": 90}'}).status_code == 302
    made = AgentProfile.objects.get(name="their-lab")
    assert (made.owner, made.answer_seconds) == (ada, 90)
    assert "From outside" in client.get("/agents/").content.decode()


def test_an_agent_that_a_competition_or_a_table_asks_keeps_its_name(ada, lab, client):
    one, made = run_by(ada), competition(1)
    sentence = "The competition “Guests” asks this agent. Wait for its end, or stop it."
    path = "/api/v1/profiles/their-lab/"

    def refused() -> set[str]:
        """What is said to who wants it deleted, and called otherwise, by a program and by the pages."""
        renamed = one.patch(path, '{"name": "other"}', content_type="application/json")
        assert one.delete(path).status_code == 409 and renamed.status_code == 422
        client.force_login(ada)
        page = client.post("/agents/their-lab/delete/")
        told = one.delete(path).json()["detail"]
        assert page.status_code == 409 and told in page.content.decode()
        client.force_login(User.objects.get_or_create(username="root", is_staff=True, is_superuser=True)[0])
        assert told in client.get(f"/admin/agents/agentprofile/{lab.pk}/delete/").content.decode()
        return {told, renamed.json()["detail"].removeprefix("name: ")}

    assert refused() == {sentence}
    assert one.patch(path, '{"title": "Our guests"}', content_type="application/json").status_code == 200
    running.stop(made)
    room = room_of(2)
    chairs.fill(room, "key-1", "their-lab")
    match = rooms.start(room, "key-1", True)
    assert refused() == {"This agent plays in a match that is not over. Wait for its end, or end it."}
    store.end(match.pk, "abandoned", "Enough.")
    assert one.patch(path, '{"name": "other"}', content_type="application/json").status_code == 200
    assert one.delete("/api/v1/profiles/other/").status_code == 204


def test_a_competition_that_is_planned_and_not_begun_asks_its_agents_too(ada, lab):
    one, path = run_by(ada), "/api/v1/profiles/their-lab/"
    entry = Entry(("their-lab",), {"defender": "house"}, 1, seed=5, more=SPYGAME)
    made = running.make("Guests", "own", entry)
    renamed = one.patch(path, '{"name": "other"}', content_type="application/json")
    assert renamed.json()["detail"] == ("name: The competition “Guests” asks this agent. Wait for its end, or stop it.")
    assert one.delete(path).status_code == 409
    running.start(made)
    assert Bout.objects.get(competition=made).error == ""
    running.stop(made)
    assert one.delete(path).status_code == 204


@pytest.mark.parametrize("change", ["renamed", "deleted"])
def test_of_an_agent_that_goes_while_a_competition_is_planned_none_is_made(change, lab, monkeypatch):
    planned = running.plan

    def meanwhile(*args):
        found = planned(*args)
        profiles = AgentProfile.objects.filter(name="their-lab")
        profiles.delete() if change == "deleted" else profiles.update(name="other")
        return found

    monkeypatch.setattr(running, "plan", meanwhile)
    with pytest.raises(SuiteError, match="There is no active agent profile called 'their-lab'"):
        competition()
    assert not Competition.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["patch", "delete"])
def test_of_a_start_and_a_new_name_at_the_same_moment_one_is_refused(method, ada, lab):
    one, together = run_by(ada), threading.Barrier(2)

    def change() -> int:
        together.wait(60)
        body = {"data": '{"name": "other"}', "content_type": "application/json"} if method == "patch" else {}
        return getattr(one, method)("/api/v1/profiles/their-lab/", **body).status_code

    def start() -> bool:
        together.wait(60)
        try:
            return bool(competition(1))
        except SuiteError:
            return False

    def alone(what):
        try:
            return what()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        changed, begun = threads.map(alone, (change, start))
    assert (changed < 300) != begun
    assert AgentProfile.objects.filter(name="their-lab").exists() == begun == Competition.objects.exists()
