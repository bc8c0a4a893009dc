"""What the evaluation's jobs mean for people: what was under way in an older release, or was stopped, goes on."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.urls import reverse

from evaluation.competitions import running
from evaluation.judging import judge
from evaluation.models import Judging, Trial
from evaluation.studies import trials
from evaluation.suites import Entry
from games.jobs import jobs, sweeper
from games.models import Job, Match
from magic_site import clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def competition(workers):
    """One whose matches are played."""
    call_command("load_fixtures", verbosity=0)
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    made = running.make("Dilemmas", "own", Entry(("house",), matches=2, more=more))
    running.start(made)
    workers.play()
    return made


def test_bouts_and_trials_that_were_under_way_in_an_older_release_go_on(competition, workers):
    competition.bouts.update(status="playing", match=None, job=None)
    Match.objects.all().delete()
    running.Competition.objects.update(status="running", ended_at=None)
    asked = [Trial.objects.create(agent="house", position=trials.starting("undercover")) for _ in range(2)]
    Trial.objects.filter(pk=asked[0].pk).update(created_at=clock.after(timedelta(hours=-1)))
    import_module("evaluation.migrations.0012_jobs_of_what_was_under_way").give_out(apps, None)
    sweeper.sweep()
    running.sweep()
    workers.play()
    workers.work("trial")
    competition.refresh_from_db()
    assert (competition.status, Match.objects.count()) == ("finished", 2)
    for trial in asked:
        trial.refresh_from_db()
    assert [(trial.done, trial.error) for trial in asked] == [(True, "No answer has come. Ask again."), (True, "")]
    assert len(Job.objects.filter(kind="trial")) == 1


def test_a_judging_is_stopped_and_goes_on_with_what_is_left(researcher, workers, monkeypatch):
    monkeypatch.setattr(judge, "_answer", lambda *told: None)
    found = Judging.objects.create(name="J", judge="judge", arms=["a", "b"], prompts=[{"match": "", "request": ""}] * 3)
    assert judge.start(found) == 3 and judge.start(found) == 0, "what is under way is not given out twice"
    page = reverse("evaluation:judging", args=[found.pk])
    assert "Workers are at" not in (shown := researcher.get(page).content.decode())
    assert "It waits for a worker." in shown and "Go on with what is left" not in shown
    assert researcher.post(reverse("evaluation:judging_stop", args=[found.pk])).status_code in (302, 403)
    jobs.stop("prompt", about=found.pk)
    assert "It waits for a worker." not in researcher.get(page).content.decode()
    assert judge.start(found) == 3
