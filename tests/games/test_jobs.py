"""Jobs: asked for once, claimed by one worker, revived, given up with a sentence, and shown on pages."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.template.loader import render_to_string

from games.jobs import jobs, leases, sweeper
from games.jobs.kinds import KINDS, Expected, Kind
from games.jobs.standing import standing
from games.models import Job, Piece
from magic_site import clock
from magic_site.parts import site_parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def kind(monkeypatch):
    """Declare a kind whose jobs do what the test says."""

    def declare(work=lambda run: "done", **more) -> Kind:
        made = Kind("toy", "Toys are being made.", "counts", work, **more)
        monkeypatch.setitem(KINDS, "toy", made)
        return made

    return declare


def ask(key="a", **more) -> Job | None:
    return jobs.ask("toy", key, **more)


def toy() -> Job:
    return Job.objects.get(kind="toy")


def lapse() -> None:
    """Nobody renews a lease any more, and no pause is kept."""
    Job.objects.filter(state="running").update(lease_until=clock.after(-1))
    Job.objects.update(nudge_at=clock.after(-1))


def test_every_kind_has_workers_and_a_sentence(tmp_path):
    queues = {part.name for part in site_parts({}, "127.0.0.1", 1, tmp_path)}
    for kind in KINDS.values():
        assert kind.queue in queues
        assert str(kind.title).endswith(".")


def test_a_job_is_done_once_whatever_comes_twice(kind, workers):
    done = []
    kind(lambda run, n: done.append(n) or {"n": n})
    job = ask(n=3)
    assert ask(n=4) is None, "it is under way"
    assert workers.jobs["toy"] == [job.pk]
    for _ in range(2):
        jobs.work(job.pk)
    assert done == [3]
    assert (toy().state, toy().result, toy().tries) == ("done", {"n": 3}, 1)
    assert ask(n=5) is not None, "what has ended may be asked for again"


def test_what_is_wanted_while_it_runs_is_done_once_more(kind, workers):
    runs = []

    def work(run):
        runs.append([ask() for _ in range(3)] if not runs else [])

    kind(work, again=True)
    ask()
    workers.work("toy")
    assert runs == [[None, None, None], []]
    assert toy().state == "done"


def test_what_fails_for_good_is_not_tried_again(kind, workers):
    told = []

    def work(run):
        raise jobs.Failed("There is no clay.")

    kind(work, failed=lambda job, sentence: told.append(sentence), ended=lambda job: told.append(job.key))
    ask()
    workers.work("toy")
    sweeper.sweep()
    assert (toy().state, toy().error, toy().tries) == ("failed", "There is no clay.", 1)
    assert told == ["There is no clay.", "a"]


def test_what_breaks_off_always_is_given_up_with_a_sentence_that_holds_no_secret(kind, workers):
    def work(run):
        raise RuntimeError("sk-secret")

    kind(work, tries=2)
    ask()
    workers.work("toy")
    assert toy().state == "waiting"
    sweeper.sweep()
    assert not workers.jobs["toy"], "it rests for a moment"
    lapse()
    sweeper.sweep()
    workers.work("toy")
    assert toy().state == "failed"
    assert toy().error.startswith("Tried 2 times; the last time it stopped with an error (RuntimeError).")
    assert "sk-secret" not in toy().error
    assert "sk-secret" not in render_to_string("jobs/standing.html", {"standing": standing("toy", key="a")})


def test_a_job_whose_worker_is_gone_is_given_out_again_and_given_up_in_the_end(kind, workers):
    told = []
    kind(tries=2, failed=lambda job, sentence: told.append(sentence))
    ask()
    for _ in range(2):
        assert jobs.claim(workers.jobs["toy"].pop()) is not None
        sweeper.sweep()
        assert not workers.jobs["toy"], "its lease is good"
        lapse()
        sweeper.sweep()
    assert toy().state == "failed" and not workers.jobs["toy"]
    assert told == ["This was started 2 times, and each time its worker died."] == [toy().error]


def test_a_worker_that_comes_late_writes_nothing(kind, workers):
    kind(lambda run: "late")
    ask()
    late = jobs.claim(toy().pk)
    lapse()
    now = jobs.claim(toy().pk)
    assert (late.tries, now.tries) == (1, 2)
    assert jobs._run(jobs.Run(late)) is False
    with pytest.raises(jobs.Lost):
        jobs.Run(late).tell(1, 2)
    with pytest.raises(jobs.Lost), transaction.atomic():
        jobs.Run(late).confirm()
    assert (toy().state, toy().result) == ("running", None)
    assert jobs._run(jobs.Run(now)) is True


def test_what_was_stopped_ends_there(kind, workers):
    def work(run):
        assert jobs.stop("toy", key="a") == 1
        run.look()

    kind(work)
    ask()
    workers.work("toy")
    assert toy().state == "stopped"
    jobs.work(toy().pk)
    lapse()
    sweeper.sweep()
    assert toy().state == "stopped" and not workers.jobs["toy"]


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_once_one_gets_it(kind, workers):
    kind()
    job, got, ready = ask(), [], threading.Barrier(4)

    def claim():
        ready.wait()
        got.append(jobs.claim(job.pk))
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([one for one in got if one is not None]) == 1
    assert toy().tries == 1


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_means_later_and_is_asked_once_a_round(kind, monkeypatch):
    away, asked = [True], []

    def apply_async(arguments, queue):
        asked.append(arguments[0])
        if away[0]:
            raise jobs.run.OperationalError("nobody there")

    monkeypatch.undo()
    monkeypatch.setattr(jobs.run, "apply_async", apply_async)
    kind_of(monkeypatch)
    made = jobs.ask_all("toy", {"a": {}, "b": {}, "c": {}})
    assert len(asked) == 1, "nobody waits for each of many"
    lapse()
    sweeper.sweep()
    assert len(asked) == 2
    away[0] = False
    sweeper.sweep()
    assert sorted(asked[2:]) == sorted(str(job.pk) for job in made.values())
    sweeper.sweep()
    assert len(asked) == 5, "each message is waited for"


def kind_of(monkeypatch) -> None:
    monkeypatch.setitem(KINDS, "toy", Kind("toy", "Toys are being made.", "counts", lambda run: None))


def test_workers_are_told_after_the_commit_alone(kind, monkeypatch, django_capture_on_commit_callbacks):
    sent = []
    monkeypatch.undo()
    monkeypatch.setattr(jobs, "send", lambda keys, queue: sent.append((keys, queue)))
    kind_of(monkeypatch)
    with django_capture_on_commit_callbacks(execute=True):
        job = ask()
        assert sent == []
    assert sent == [([job.pk], "counts")]


def test_an_outage_of_the_database_costs_no_try_for_good(kind, workers):
    def work(run):
        raise OperationalError("gone")

    kind(work)
    ask()
    with pytest.raises(OperationalError):
        workers.work("toy")
    assert toy().state == "running"
    lapse()
    sweeper.sweep()
    assert workers.jobs["toy"] == [toy().pk]


def shown(**which) -> str:
    return " ".join(
        render_to_string("jobs/standing.html", {"standing": standing("toy", **(which or {"key": "a"}))}).split()
    )


def test_a_page_says_how_it_stands_and_when_no_worker_answers_for_ten_seconds(kind, workers):
    kind(expected=lambda: Expected(90, 0.25))
    assert shown() == ""
    ask()
    assert "It waits for a worker. It will take about 90 s. It will cost about $0.2500." in shown()
    assert 'data-look="10"' in shown()
    Job.objects.update(asked_at=clock.after(-11))
    assert "No worker has taken this up." in shown() and "“counts”" in shown() and "data-look" not in shown()
    assert jobs.claim(toy().pk)
    jobs.Run(toy()).tell(1, 4, "The first is dry.")
    Job.objects.update(begun_at=clock.after(-10))
    assert "The first is dry. About 30 s left." in shown()
    assert '<progress max="4" value="1"' in shown()
    jobs._end(jobs.Run(toy()), None)
    assert shown() == ""


def test_who_waits_behind_others_is_not_told_that_nobody_works(kind, workers):
    kind()
    ask("a")
    ask("b")
    Job.objects.update(asked_at=clock.after(-60))
    assert jobs.claim(Job.objects.get(key="a").pk)
    assert "It waits for a worker." in shown(key="b") and "No worker" not in shown(key="b")
    Job.objects.filter(key="a").update(lease_until=clock.after(-1), begun_at=clock.after(-60))
    assert "No worker has taken this up." in shown(key="b")


def test_what_a_dead_worker_left_waits_anew_before_it_is_told_that_nobody_works(kind, workers):
    kind()
    ask()
    assert jobs.claim(toy().pk)
    lapse()
    Job.objects.update(asked_at=clock.after(-90), begun_at=clock.after(-60))
    sweeper.sweep()
    assert "It waits for a worker." in shown() and "No worker" not in shown()
    Job.objects.update(begun_at=clock.after(-11))
    assert "No worker has taken this up." in shown()


def test_many_jobs_of_a_page_are_shown_together(kind, workers):
    kind()
    page = uuid.uuid4()
    jobs.ask_all("toy", {"a": {}, "b": {}, "c": {}}, about=page)
    assert jobs.claim(Job.objects.get(key="a").pk)
    assert "Workers are at 1 of them. Ready for a worker: 2." in shown(about=page)


def test_a_page_says_why_it_came_to_nothing(kind, workers):
    def work(run):
        raise jobs.Failed("There is no <clay>.")

    kind(work)
    ask()
    workers.work("toy")
    assert "This came to nothing. There is no &lt;clay&gt;." in shown()


def test_what_ended_long_ago_is_forgotten_with_its_file(kind, workers):
    kind(kept=timedelta(days=2))
    for key in ("old", "new", "open"):
        Piece.objects.create(job=ask(key), number=0, data=b"x")
    Job.objects.exclude(key="open").update(state="done", ended_at=clock.after(-86400))
    Job.objects.filter(key="old").update(ended_at=clock.after(-3 * 86400))
    sweeper.tidy()
    assert set(Piece.objects.values_list("job__key", flat=True)) == {"new", "open"}


def test_one_job_that_cannot_be_moved_on_holds_up_no_other(kind, workers):
    def failed(job, sentence):
        if job.key == "a":
            raise RuntimeError

    kind(tries=1, failed=failed)
    jobs.ask_all("toy", {"a": {}, "b": {}})
    for job in Job.objects.all():
        jobs.claim(job.pk)
    lapse()
    sweeper.sweep()
    assert dict(Job.objects.values_list("key", "state")) == {"a": "running", "b": "failed"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork")
def test_a_child_that_is_forked_while_leases_are_renewed_can_hold_leases_itself(monkeypatch):
    """The renewer is in the middle of a renewal, and another thread holds the lock, when the process forks."""
    at_work, forked = threading.Event(), threading.Event()

    def renew():
        at_work.set()
        forked.wait(0.2)

    monkeypatch.setattr(leases, "renew", renew)
    monkeypatch.setattr("django.conf.settings.LEASE_SECONDS", 0.01)
    with leases.held(Job.objects.none(), 10):
        assert at_work.wait(5)
        held_by_another = threading.Thread(target=lambda: leases._guard.acquire())
        held_by_another.start()
        held_by_another.join()
        child = os.fork()
        if child == 0:
            signal.alarm(5)
            with leases.held(Job.objects.none(), 10):
                os._exit(len(leases._held) - 1 + 10 * leases._at_work.locked())
        forked.set()
        leases._guard.release()
        _pid, status = os.waitpid(child, 0)
    assert status == 0, "the child ends by itself, and holds what it has taken on and nothing else"
