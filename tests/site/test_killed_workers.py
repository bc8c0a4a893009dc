"""A real worker is killed in the middle of a job of every kind, and once more at its very end: the sweeper gives the
job out again, it ends once, and nothing is paid for twice."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from types import SimpleNamespace

import pytest

from games.jobs.kinds import KINDS
from magic_site import celery
from magic_site.broker import Consumer
from tests.model_server import ModelServer, slow
from tests.stack import Stack, until

pytestmark = pytest.mark.processes

BEFORE = """
import io
from agents.models import AgentProfile, Call
from agents.reviews import reviews
from django.contrib.auth.models import User
from evaluation import erasures
from evaluation.competitions import putting_away, running
from evaluation.counting import boards
from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.imports import imports
from evaluation.judging import judge
from evaluation.lab import arms, labs
from evaluation.labelling import model_rater
from evaluation.models import Competition, Item, Judging, Round, Scheme, Task, Trial
from evaluation.studies import trials
from evaluation.suites import Entry
from games.jobs import jobs
from games.match import pending, people
from games.models import Job, Match
from tests.games.matches import dealt, exported, play_on, stored
from tests.games.tables import match_at, play_out, room_of

ada = User.objects.create_superuser("ada")
for name in ("wire", "other", "judge"):
    AgentProfile.objects.create(name=name, title=name, provider="openai", base_url={address!r}, model=name,
                                method="direct", settings={{"backoff": 0.01}})
more = {{"game": "prisoners_dilemma", "preset": "magic"}}
played = running.make("Played", "own", Entry(("house",), matches=2, more=more), at_once=2)
running.start(played, here=True)
for key in running.take(played, 2):
    jobs.work(key, follow=False)
lines = [exported(stored(play_on(dealt("undercover", "magic", 3, seed=seed)))) for seed in (1, 2)]
logs = "".join(line + "\\n" for log in lines for line in log).encode()
Match.objects.filter(seed__in=(1, 2), bout=None).delete()
talked = stored(play_on(dealt("undercover", "magic", 3, seed=3)))
dispatch, pending.dispatch = pending.dispatch, None
avalon = match_at(room_of(6, "avalon", "recon", 6))
play_out(avalon)
pending.dispatch = dispatch
scheme = Scheme.objects.create(name="s", labels=[{{"name": "a", "title": "A"}}, {{"name": "b", "title": "B"}}])
part = Round.objects.create(task=Task.objects.create(scheme=scheme), number=1, scheme=scheme)
said = avalon.events.filter(kind="speech").first()
Item.objects.create(round=part, number=1, match=avalon, anchor={{"event": said.seq}})
"""

ASK = {
    "bout": 'running.start(running.make("New", "own", Entry(("wire",), {"defender": "wire"}, matches=1, more=more)))',
    "count": "boards.board(boards.Choice(), boards.CALIBRATION)",
    "trial": 'trials.begin(AgentProfile.objects.get(name="wire"), trials.starting("undercover"))',
    "prompt": 'judge.start(judge.make("J", "judge", ["wire", "other"], Match.objects.filter(game="avalon"), take=1))',
    "label": 'model_rater.ask(part, AgentProfile.objects.get(name="other"))',
    "export": "exporting.ask(exporting.Order(Selection(competition=str(played.pk))), ada)",
    "put_away": 'Competition.objects.filter(pk=played.pk).update(status="finished"); putting_away.ask(played, None)',
    "import": 'imports.begin(imports.bring("two.jsonl", len(logs), io.BytesIO(logs)))',
    "erase": "erasures.ask(people.of_seat(talked.pk, 1), ada)",
    "review": "reviews.ask(avalon, 1)",
    "lab": "labs.begin(labs.make(labs.Prepared(avalon, labs.Plan(arms.forked(avalon, said.seq), (), 3))))",
}
"""How one job of each kind is asked for, after `BEFORE`. A new kind has its line here."""

JOBS = """
from games.models import Job
asked = Job.objects.exclude(kind="bout", about={played!r})
result = dict((kind, rest) for kind, *rest in asked.values_list("kind", "state", "tries", "error"))
"""

AFTER = """
import io, zipfile
from agents.models import Call, Review
from evaluation.competitions import putting_away
from evaluation.counting import boards
from evaluation.exports import exporting
from evaluation.models import Answer, Bout, Competition, Export, Given, Judgement, Rated, Rollout, Trial
from games.audit import Audited
from games.models import Job, Match
new, played = Competition.objects.get(name="New"), Competition.objects.get(name="Played")
trial, file = Trial.objects.get(), Export.objects.get()
zipped = b"".join(exporting.content_of(exporting.job_of(file), 0, file.size))
result = {
    "open": Job.objects.filter(state__in=Job.OPEN).count(),
    "bout": [new.status, *new.bouts.values_list("status", "match__status")],
    "count": boards.board(boards.Choice(), boards.CALIBRATION) is not None,
    "trial": [trial.done, trial.error, bool(trial.action)],
    "prompt": [Answer.objects.count(), Judgement.objects.count()],
    "label": [Given.objects.filter(profile="other").count(), list(Rated.objects.values_list("error", flat=True))],
    "export": [zipfile.ZipFile(io.BytesIO(zipped)).testzip(), file.matches],
    "put_away": putting_away.state(played)["matches"],
    "import": [Match.objects.filter(origin="import").count(), Match.staged_too.filter(staged=True).count()],
    "review": Review.objects.count(),
    "lab": list(Rollout.objects.values_list("number", flat=True)),
    "erase": list(Audited.objects.filter(what="erased").values_list("details__matches", flat=True)),
    "calls": Call.objects.filter(error="").count(),
}
"""


@pytest.fixture(scope="module")
def site():
    """A database, a broker, a sweeper, and a worker for each kind of job; no web server."""
    stack = Stack({"DJANGO_SETTINGS_MODULE": "tests.dying_settings", "LEASE_SECONDS": "6"})
    bouts = stack.parts.pop("bouts")
    for name in ("models", "house", "counts", "files", "daphne"):
        del stack.parts[name]
    try:
        stack.database.make()
        stack.parts["redis"].start()
        stack.manage("prepare", "--verbosity=0")
        stack.parts["sweeper"].start()
        for kind in KINDS:
            command = [word.replace("=bouts", f"={kind}").replace("=16", "=1") for word in bouts.command]
            log = bouts.log.with_name(f"{kind}.log")
            stack.parts[kind] = replace(bouts, name=kind, command=command, env=stack.env | {"DIES": "1"}, log=log)
        yield stack
    finally:
        stack.__exit__()


OUTAGE = 5.0
"""Seconds in which what the worker had in hand ends."""


def test_a_job_of_every_kind_whose_worker_is_killed_is_revived_and_ends_once(site):
    assert ASK.keys() == KINDS.keys(), "each kind of job has its line in ASK"
    deaths = dict.fromkeys(KINDS, -1)
    with ModelServer() as server:
        code = BEFORE.format(address=server.openai_url) + "\n".join(ASK.values()) + "\nresult = str(played.pk)"
        code = JOBS.format(played=site.shell(code))

        def ended() -> bool:
            for kind in KINDS:
                if not site.parts[kind].alive:
                    deaths[kind] += 1
                    site.start(kind)
            return all(state not in ("waiting", "running") for state, _tries, _error in site.shell(code).values())

        until(ended, "all jobs end", seconds=180)
        asked = len(server.calls)
    assert site.shell(code) == {kind: ["done", 3, ""] for kind in KINDS}
    assert all(deaths.values()), "each worker died over its job"
    assert site.shell(AFTER) == {
        "open": 0,
        "bout": ["finished", ["done", "finished"]],
        "count": True,
        "trial": [True, "", True],
        "prompt": [2, 2],
        "label": [1, [""]],
        "export": [None, 2],
        "put_away": 2,
        "import": [2, 0],
        "review": 1,
        "lab": [0, 1, 2],
        "erase": [1],
        "calls": asked,
    }


TRIALS = """
from agents.models import AgentProfile
from evaluation.studies import trials
AgentProfile.objects.update_or_create(name="wire", defaults=dict(title="wire", provider="openai", model="wire",
                                      base_url={address!r}, method="direct"))
for _ in range({count}):
    trials.begin(AgentProfile.objects.get(name="wire"), trials.starting("undercover"))
"""
TRIED = """
from evaluation.models import Trial
result = Trial.objects.filter(done=False).count()
"""


def test_a_worker_with_work_in_hand_takes_up_more_soon_after_an_outage_of_the_broker(site):
    """By Celery's own acknowledgements it would never (`magic_site.broker`)."""
    worker = site.parts["steady"] = replace(site.parts["trial"], name="steady", env=site.env)
    site.kill("trial")
    worker.start()
    with ModelServer([slow(600)] * 30) as server:
        site.shell(TRIALS.format(address=server.openai_url, count=12))
        until(lambda: len(server.calls) > 1, "work is in hand")
        site.kill("redis")
        gone = monotonic()
        until(lambda: monotonic() > gone + OUTAGE, "the outage lasts")
        site.start("redis")
        until(lambda: site.shell(TRIED) == 0, "all is taken up", seconds=30)
    assert worker.alive


def test_a_broker_that_is_away_is_tried_once_a_second():
    tried = {}
    consumer = object.__new__(Consumer)
    consumer.app, consumer.first_connection_attempt = celery.app, True
    consumer.ensure_connected(SimpleNamespace(ensure_connection=lambda *told, **pace: tried.update(pace)))
    assert (tried["interval_start"], tried["interval_step"], tried["interval_max"]) == (1, 0, 1)
