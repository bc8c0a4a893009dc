"""What the evaluation's jobs mean for people: who may take a competition's file away, what an erasure takes from it,
and that what was under way in an older release goes on."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse

from evaluation.competitions import archive, running
from evaluation.judging import judge
from evaluation.models import Judging, Trial
from evaluation.studies import trials
from evaluation.suites import Entry
from games.jobs import jobs, sweeper
from games.match import erasing
from games.models import Job, Match, Piece
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


@pytest.fixture
def address(competition):
    return reverse("evaluation:competition_export", args=[competition.pk])


@pytest.fixture
def file(competition, workers):
    """The job that made its file."""
    archive.ask(competition, None)
    workers.work("archive")
    return archive.made(competition)


def test_only_researchers_have_the_file_made_and_take_it_away(client, address, file):
    for send in (client.get, client.post):
        assert send(address).url.startswith(reverse("login"))
    client.force_login(User.objects.create_user("bob", password="b"))
    assert [client.get(address).status_code, client.post(address).status_code] == [403, 403]
    assert Job.objects.filter(kind="archive").count() == 1


def test_the_file_is_made_in_pieces_and_comes_whole(researcher, address, competition, workers, monkeypatch):
    monkeypatch.setattr(archive, "PIECE", 500)
    researcher.post(address)
    workers.work("archive")
    assert Piece.objects.count() > 3
    answer = researcher.get(address)
    content = b"".join(answer.streaming_content)
    assert int(answer["Content-Length"]) == len(content) == archive.made(competition).result["bytes"]
    assert "no-store" in answer["Cache-Control"]
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None


def test_a_newer_file_takes_the_place_of_an_old_one(competition, file, workers):
    Job.objects.filter(pk=file.pk).update(ended_at=clock.after(timedelta(hours=-2)))
    archive.ask(competition, None)
    workers.work("archive")
    assert list(Job.objects.filter(kind="archive")) == [archive.made(competition)] != [file]


@pytest.mark.parametrize("how", ["erased", "deleted"])
def test_files_that_hold_a_match_go_when_it_is_erased_or_deleted(competition, file, how):
    match = Match.objects.filter(bout__competition=competition).first()
    if how == "erased":
        for change in erasing.also:
            change(match, lambda text: text)
    else:
        match.delete()
    assert not Piece.objects.exists() and archive.made(competition) is None


def test_a_file_that_is_being_made_while_a_match_of_it_is_erased_comes_to_nothing(competition, workers, monkeypatch):
    write = archive._write

    def while_it_is_erased(run, found, file):
        matches = write(run, found, file)
        archive.forget(Match.objects.filter(bout__competition=competition).first())
        return matches

    monkeypatch.setattr(archive, "_write", while_it_is_erased)
    archive.ask(competition, None)
    workers.work("archive")
    assert not Piece.objects.exists() and archive.made(competition) is None


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
    assert "Under way: 0, waiting: 3." not in (shown := researcher.get(page).content.decode())
    assert "It waits for a worker." in shown and "Go on with what is left" not in shown
    assert researcher.post(reverse("evaluation:judging_stop", args=[found.pk])).status_code in (302, 403)
    jobs.stop("prompt", about=found.pk)
    assert "It waits for a worker." not in researcher.get(page).content.decode()
    assert judge.start(found) == 3
