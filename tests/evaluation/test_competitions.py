"""Competitions are planned, played once, paused, stopped and gone on with; nothing is played twice."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from agents.models import AgentProfile, SpendingLimit, Spent
from evaluation import metrics
from evaluation.competitions import running
from evaluation.counting import stored
from evaluation.models import Competition
from evaluation.suites import Entry, SuiteError
from games.avalon import posterior
from games.jobs import jobs
from games.jobs import sweeper as jobs_sweeper
from games.match import store
from games.models import Job, Match
from games.registry import RULES
from magic_site import clock

DILEMMA = {"game": "prisoners_dilemma", "preset": "magic"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def given_out(workers):
    """The keys of the bouts that were given to the workers."""
    return workers.bouts


@pytest.fixture
def fixtures():
    call_command("load_fixtures", verbosity=0)


def dilemma(matches=4, **entry):
    return Entry(("house",), matches=matches, more=DILEMMA, **entry)


@pytest.fixture
def competition(fixtures):
    return running.make("Dilemmas", "own", dilemma(), at_once=2)


def sweep():
    """A round of the sweeper."""
    jobs_sweeper.sweep()
    running.sweep()


def lapse(job):
    """Nobody renews the lease of a job any more."""
    Job.objects.filter(pk=job.pk).update(lease_until=clock.after(-1))


def states(competition):
    return list(competition.bouts.order_by("number").values_list("status", flat=True))


def test_a_started_competition_gives_out_as_many_as_are_played_at_once(competition, given_out):
    running.start(competition)
    assert states(competition) == ["sent", "sent", "waiting", "waiting"]
    assert given_out == [bout.job_id for bout in competition.bouts.order_by("number")[:2]]


def test_each_finished_bout_lets_the_next_one_begin_until_all_are_done(competition, given_out):
    running.start(competition)
    for key in given_out:  # grows as it goes
        jobs.work(key)
    competition.refresh_from_db()
    assert states(competition) == ["done"] * 4
    assert competition.status == "finished"
    assert competition.ended_at
    assert Match.objects.filter(status="finished", bout__competition=competition).count() == 4


def test_a_bout_that_was_given_out_twice_is_played_once(competition, given_out):
    running.start(competition)
    for _ in range(3):
        jobs.work(given_out[0])
    assert Match.objects.count() == 1


def test_a_match_is_the_same_whoever_plays_it_and_when(fixtures, given_out):
    logs = []
    for _ in range(2):
        competition = running.make("", "own", dilemma(2))
        running.start(competition)
        for key in given_out:
            jobs.work(key)
        given_out.clear()
        matches = [bout.match for bout in competition.bouts.order_by("number")]
        logs.append([match.events.plain() for match in matches])
    assert logs[0] == logs[1]


def test_the_stored_match_has_the_id_and_the_deal_that_were_planned(competition, given_out):
    running.start(competition)
    jobs.work(given_out[0])
    bout = competition.bouts.first()
    assert bout.match_id == bout.match_id_planned
    assert (bout.match.seed, bout.match.setting) == (bout.seed, bout.setting)
    assert store.load(bout.match).over


def test_a_paused_competition_gives_out_nothing_and_goes_on_where_it_was(competition, given_out):
    running.start(competition)
    jobs.work(given_out[0])
    running.pause(competition)
    held = list(given_out)
    for key in held:
        jobs.work(key)
    assert states(competition) == ["done", "waiting", "waiting", "waiting"]
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    assert states(competition) == ["done"] * 4


def test_a_worker_that_died_lets_its_bout_be_given_out_again(competition, given_out):
    running.start(competition)
    job = jobs.claim(given_out[0])
    given_out.clear()
    sweep()
    assert given_out == []
    lapse(job)
    sweep()
    assert given_out == [job.pk]


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_sweeper_with_a_wrong_clock_gives_out_nothing_that_is_played(competition, given_out, monkeypatch, hours):
    running.start(competition)
    job, right = jobs.claim(given_out[0]), timezone.now
    given_out.clear()
    with monkeypatch.context() as machine:
        machine.setattr(timezone, "now", lambda: right() + timedelta(hours=hours))
        sweep()
        assert given_out == [] and jobs.claim(job.pk) is None


def test_a_worker_that_comes_late_stores_nothing(competition, given_out):
    """Its lease ran out, and another worker has begun the bout anew."""
    running.start(competition)
    late = jobs.claim(given_out[0])
    lapse(late)
    jobs.work(late.pk)
    assert Match.objects.count() == 1
    with pytest.raises(jobs.Lost):
        running._play(jobs.Run(late), competition.bouts.first(), None)
    assert Match.objects.count() == 1


def test_a_bout_that_kills_every_worker_fails_in_the_end_and_can_be_played_again(competition, given_out):
    running.start(competition)
    for _ in range(3):
        lapse(jobs.claim(given_out[0]))
    sweep()
    failed = competition.bouts.first()
    assert failed.status == "failed"
    assert failed.error == "This was started 3 times, and each time its worker died."
    assert running.again(competition) == 1
    for key in given_out:
        jobs.work(key)
    assert states(competition) == ["done"] * 4


def test_a_bout_that_cannot_be_played_fails_with_a_sentence_and_holds_up_no_other(competition, given_out):
    competition.bouts.filter(number=1).update(setting={"cooperate": "much"})
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    competition.refresh_from_db()
    assert states(competition) == ["failed", "done", "done", "done"]
    assert competition.status == "finished"
    assert competition.bouts.first().error
    assert running.progress(competition)["failed"] == 1


def test_a_stopped_competition_drops_what_is_left_for_good(competition, given_out):
    running.start(competition)
    jobs.work(given_out[0])
    running.stop(competition)
    for key in list(given_out):
        jobs.work(key)
    running.start(competition)
    competition.refresh_from_db()
    assert competition.status == "stopped"
    assert states(competition) == ["done", "dropped", "dropped", "dropped"]


def test_progress_says_what_is_left(competition, given_out):
    assert running.progress(competition)["seconds_left"] is None
    running.start(competition)
    jobs.work(given_out[0])
    now = running.progress(competition)
    assert (now["total"], now["done"], now["share"]) == (4, 1, 0.25)
    assert now["seconds_left"] > 0


def test_what_was_run_is_frozen_in_the_manifest(competition):
    manifest = competition.manifest
    assert manifest["matches"] == 4
    assert manifest["profiles"]["house"]["provider"] == "house"
    assert len(manifest["prompts"]) == len(manifest["plan"]) == 64
    assert manifest["rules"] == {"prisoners_dilemma": RULES["prisoners_dilemma"].version}
    assert manifest["posterior"] == posterior.VERSION
    assert "key_env" not in str(manifest)
    assert all(manifest["versions"].values())


def test_an_agent_that_was_changed_since_plays_no_more(competition, given_out):
    running.start(competition)
    jobs.work(given_out[0])
    AgentProfile.objects.filter(name="house").update(switches={"strategy": "always_defect"})
    for key in given_out:  # grows as it goes
        jobs.work(key)
    first, *others = competition.bouts.order_by("number")
    assert first.status == "done"
    assert {bout.status for bout in others} == {"failed"}
    assert others[0].error.startswith("The agent 'House agent' was changed after this competition was planned, so it")
    AgentProfile.objects.filter(name="house").update(switches={})
    assert running.again(competition) == 3
    for key in given_out:  # grows as it goes
        jobs.work(key)
    assert states(competition) == ["done"] * 4


def test_what_a_failed_match_cost_is_counted(competition, given_out, monkeypatch):
    bout = competition.bouts.first()
    Spent.objects.create(what=f"match:{bout.match_id_planned}", dollars=2.5)
    monkeypatch.setattr(running, "begin", lambda bout: 1 / 0)
    running.start(competition)
    jobs.work(given_out[0])
    bout.refresh_from_db()
    assert (bout.status, bout.error) == ("failed", "ZeroDivisionError: division by zero")
    assert running.progress(competition)["cost"] == 2.5


def test_only_the_seat_under_test_counts_for_a_challenger_that_defends_too(competition, given_out):
    running.start(competition)
    for key in given_out:
        jobs.work(key)
    found = list(stored.records(Match.objects.all()))
    tested = [seat for record in found for seat in record.numbers if metrics.challenger(record, seat) == "house"]
    assert tested == [1, 2, 3, 1]
    assert {record.setting.get("challenger") for record in found} == {None}


@pytest.fixture
def down(fixtures):
    """A profile whose server is not there."""
    return AgentProfile.objects.create(
        name="down",
        title="Down",
        provider="openai",
        base_url="http://127.0.0.1:9/v1",
        model="m",
        method="direct",
        settings={"retries": 0, "backoff": 0},
    )


def played(competition, given_out):
    running.start(competition)
    for key in given_out:  # grows as it goes
        jobs.work(key)
    competition.refresh_from_db()
    return competition


def test_no_answer_fails_the_bout_and_a_provider_that_is_down_pauses_the_competition(down, given_out):
    entry = Entry(("down",), matches=8, more=DILEMMA)
    competition = played(running.make("", "own", entry, at_once=2), given_out)
    assert (competition.status, states(competition).count("waiting")) == ("paused", 7)
    failed = competition.bouts.filter(status="failed").first()
    assert failed.error == competition.paused_because
    assert failed.error.startswith("Down: ") and failed.error.endswith(".")
    assert not Match.objects.exists(), "nothing is counted that nobody played"
    running.start(competition)
    competition.refresh_from_db()
    assert (competition.status, competition.paused_because) == ("running", "")


@pytest.mark.parametrize(("through", "status"), [("house", "paused"), ("down", "finished")])
def test_an_agent_counts_as_down_unless_it_gets_through_meanwhile_itself(down, given_out, monkeypatch, through, status):
    competition = running.make("", "own", Entry(("house", "down"), matches=1, more=DILEMMA), at_once=2)
    begin = running.begin

    def begin_while_another_is_played(bout):
        if "down" in bout.agents:
            jobs.work(given_out[0])
            competition.bouts.filter(job=given_out[0]).update(agents=[through] * 3)
        return begin(bout)

    monkeypatch.setattr(running, "begin", begin_while_another_is_played)
    running.start(competition)
    jobs.work(given_out[1])
    competition.refresh_from_db()
    assert states(competition) == ["done", "failed"]
    assert (competition.status, bool(competition.paused_because)) == (status, status == "paused")


def test_what_no_waiting_mends_fails_its_bouts_alone(down, given_out):
    AgentProfile.objects.filter(pk=down.pk).update(key_env="NOT_THERE_API_KEY")
    competition = played(running.make("", "own", Entry(("down",), matches=2, more=DILEMMA)), given_out)
    assert (competition.status, states(competition)) == ("finished", ["failed", "failed"])
    assert "NOT_THERE_API_KEY" in competition.bouts.first().error


def test_a_spending_limit_fails_the_bout_and_no_house_agent_plays_it_to_its_end(down, given_out):
    SpendingLimit.objects.create(per_day=0.0)
    competition = played(running.make("", "own", Entry(("down",), matches=1, more=DILEMMA)), given_out)
    assert states(competition) == ["failed"]
    assert "spending limit" in competition.bouts.first().error
    assert not Match.objects.exists()


def test_the_page_says_why_a_competition_was_paused(down, given_out, researcher):
    competition = played(running.make("", "own", Entry(("down",), matches=3, more=DILEMMA)), given_out)
    page = researcher.get(f"/competitions/{competition.pk}/").content.decode()
    assert "Paused because no answer came. Down: " in html.unescape(page)


@pytest.mark.parametrize(
    ("suite", "entry", "sentence"),
    [
        ("chess", dilemma(), "There is no suite called 'chess'"),
        ("own", Entry((), more=DILEMMA), "Name at least one challenger"),
        ("own", Entry(("house", "house"), more=DILEMMA), "house is named twice"),
        ("own", Entry(("house",), matches=10_001, more=DILEMMA), "plays 1 to 10000 matches"),
        ("own", Entry(("house",), matches=-1, more=DILEMMA), "plays 1 to 10000 matches"),
        ("wiu", Entry(("house-pavlov",)), "The agent 'House agent: pavlov' does not play Undercover"),
        ("own", Entry(("house", "house-stubborn"), more=DILEMMA), "'House agent: stubborn' does not play Prisoner.s"),
        ("own", Entry(("nobody",), more=DILEMMA), "There is no active agent profile called 'nobody'"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(fixtures, suite, entry, sentence):
    with pytest.raises(SuiteError, match=sentence):
        running.make("", suite, entry)
    assert not Competition.objects.exists()


def test_the_command_refuses_in_sentences(fixtures):
    with pytest.raises(CommandError, match="Name a suite"):
        call_command("compete")
    with pytest.raises(CommandError, match="There is no competition 7"):
        call_command("compete", resume="7")
    with pytest.raises(CommandError, match="--defender is PART=PROFILE"):
        call_command("compete", "magic", "house", defender=["attacker=house"])


def test_what_failed_in_a_stopped_competition_stays_failed(competition):
    running.start(competition)
    competition.bouts.filter(number=1).update(status="failed")
    running.stop(competition)
    assert running.again(competition) == 0
    assert competition.bouts.get(number=1).status == "failed"
