"""Jobs: asked for, claimed by one worker under a lease, run, and ended once.

What is asked for is a row, and stays one until it has ended. A message to the workers names the row and no more: it may
be lost, late or come twice (`games.jobs.sweeper` sends it again). A worker claims the row by a conditional update, and
whatever it writes at the end is under the condition that the row is still its own.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games.jobs import leases, news
from games.jobs.kinds import KINDS
from games.jobs.models import Job
from magic_site import clock
from magic_site.writing import written

log = logging.getLogger(__name__)

State = Job.State

FIRST_PAUSE = timedelta(seconds=5)
"""How long a first message to the workers is waited for before the next one."""

BETWEEN_TRIES = timedelta(seconds=2)
"""How long a job rests that broke off with an error; longer each time."""

LONGEST_ERROR = 500
PAST = 5
"""So many past jobs tell how long the next one will take."""


class Failed(Exception):
    """The job cannot be done, and trying again would not help; the text is a sentence for people."""


class Lost(Exception):
    """The job is not this worker's any more: it was stopped, or another one has it. What was done of it counts for
    nothing."""


# Asking -------------------------------------------------------------------------------------------------------------


def ask(
    kind: str, key: str, *, about: UUID | None = None, by: Any = None, send: bool = True, **given: Any
) -> Job | None:
    """Have a piece of work done, given as JSON; `key` says what it is about. None where it is under way already: it is
    done once more afterwards if its kind wants that. send: whether workers are told, after the commit; who does not
    have them told works on it himself (`work`)."""
    return next(iter(ask_all(kind, {key: given}, about=about, by=by, send=send).values()), None)


def ask_all(
    kind: str, wanted: Mapping[str, Mapping[str, Any]], *, about: UUID | None = None, by: Any = None, send: bool = True
) -> dict[str, Job]:
    """Ask for many at once, by key what is given; returns the jobs that are new, by key."""
    declared = KINDS[kind]
    jobs = []
    for key, given in wanted.items():
        expected = declared.expected(**given)
        job = Job(kind=kind, key=key, given=dict(given), about=about, asked_by=by)
        job.expected_seconds, job.expected_dollars = expected.seconds, expected.dollars
        job.nudge_at = clock.after(FIRST_PAUSE)
        jobs.append(job)
    with written():
        Job.objects.bulk_create(jobs, ignore_conflicts=True)
        new = {job.key: job for job in Job.objects.filter(pk__in=[job.pk for job in jobs])}
        if declared.again:
            Job.objects.filter(kind=kind, key__in=wanted.keys() - new.keys(), state__in=Job.OPEN).update(wanted=True)
    if send and new:
        tell_workers([job.pk for job in jobs if job.key in new], declared.queue)
    return {key: new[key] for key in wanted if key in new}


def tell_workers(keys: list[UUID], queue: str) -> None:
    """Send jobs to the workers of a queue once what is being written is there; what cannot be sent the sweeper sends
    later."""
    transaction.on_commit(lambda: send(keys, queue))


def send(keys: list[UUID], queue: str) -> bool:
    """Send jobs to the workers now; says whether the broker took them."""
    for key in keys:
        try:
            run.apply_async((str(key),), queue=queue)
        except run.OperationalError as error:
            log.warning("Job %s, and what comes after it, is given out later", key, exc_info=error)
            return False
    return True


def stop(kind: str, **which: Any) -> int:
    """Break off all open jobs of a kind, by fields of theirs; returns how many they were."""
    return Job.objects.filter(kind=kind, state__in=Job.OPEN, **which).update(
        state=State.STOPPED, ended_at=Now(), lease_until=None, wanted=False
    )


# Working ------------------------------------------------------------------------------------------------------------


@shared_task(name="games.run")
def run(key: str) -> None:
    """Work on a job that was given out."""
    work(UUID(key))


class Run:
    """One run of a job by one worker."""

    EVERY = 1.0
    """Seconds between two looks at the row."""

    def __init__(self, job: Job) -> None:
        self.job, self.tries = job, job.tries
        self._looked = float("-inf")

    @property
    def mine(self) -> QuerySet[Job]:
        """The job's row, as long as it is this run that works on it."""
        return Job.objects.filter(pk=self.job.pk, state=State.RUNNING, tries=self.tries)

    def look(self) -> None:
        """Raise `Lost` if it is not this run's any more; asks the database now and then."""
        if self._due() and not self.mine.exists():
            raise Lost

    def tell(self, done: int, of: int, message: str = "") -> None:
        """Say how far it is; kept and told to pages now and then. Raises `Lost`."""
        if self._due():
            if self.mine.update(done=done, of=of, message=message) != 1:
                raise Lost
            news.tell(self.job.about)

    def confirm(self) -> None:
        """Inside of a transaction: nobody else gets the job until it is over. Raises `Lost`."""
        if self.mine.update(tries=self.tries) != 1:
            raise Lost

    def _due(self) -> bool:
        now = time.monotonic()
        if now - self._looked < self.EVERY:
            return False
        self._looked = now
        return True


def work(key: UUID, follow: bool = True) -> None:
    """Claim a job and run it; does nothing where it is not to be had (any more). follow: also what its kind does after
    the end."""
    job = claim(key)
    if job is None:
        return
    news.tell(job.about)
    one = Run(job)
    with leases.held(one.mine, KINDS[job.kind].longest):
        ended = _run(one)
    news.tell(job.about)
    if ended and follow:
        KINDS[job.kind].ended(job)


def unheld() -> Q:
    """Jobs that may be claimed: those that wait, and those that nobody holds any more."""
    return Q(state=State.WAITING) | Q(state=State.RUNNING, lease_until__lte=Now())


def claim(key: UUID) -> Job | None:
    """Take a job under a lease; None where it is not to be had. Only one worker gets it."""
    job = Job.objects.filter(unheld(), pk=key).first()
    if job is None or job.kind not in KINDS:
        return None
    if job.tries >= KINDS[job.kind].tries:
        give_up(job)
        return None
    with written():
        claimed = Job.objects.filter(unheld(), pk=key, tries=job.tries).update(
            state=State.RUNNING,
            tries=job.tries + 1,
            lease_until=clock.after(settings.LEASE_SECONDS),
            begun_at=Now(),
            wanted=False,
            done=0,
            message="",
        )
    if claimed != 1:
        return None
    job.state, job.tries = State.RUNNING, job.tries + 1
    return job


def _run(one: Run) -> bool:
    """Do what the job says and write down what came of it; says whether it has ended, by this run."""
    kind = KINDS[one.job.kind]
    try:
        result = kind.work(one, **one.job.given)
    except Lost:
        return False
    except Failed as error:
        return fail(one.mine, one.job, str(error))
    except (DatabaseError, InterfaceError):
        raise  # nothing can be written down now: its lease runs out
    except Exception as error:
        log.exception("Job %s broke off", one.job)
        if one.tries >= kind.tries:
            return fail(one.mine, one.job, _broke_off(one.tries, error))
        rests = clock.after(BETWEEN_TRIES * one.tries)
        one.mine.update(state=State.WAITING, lease_until=None, nudge_at=rests)
        return False
    return _end(one, result)


def _end(one: Run, result: Any) -> bool:
    """Keep the result; a job that was wanted meanwhile waits anew."""
    ended = one.mine.filter(wanted=False)
    if ended.update(state=State.DONE, result=result, ended_at=Now(), lease_until=None, error="") == 1:
        return True
    if one.mine.update(state=State.WAITING, wanted=False, tries=0, lease_until=None, nudge_at=Now() + FIRST_PAUSE):
        tell_workers([one.job.pk], KINDS[one.job.kind].queue)
    return False


def give_up(job: Job) -> bool:
    """End a job that was begun as often as it may be."""
    return fail(Job.objects.filter(unheld(), pk=job.pk, tries=job.tries), job, _died(job.tries))


def fail(mine: QuerySet[Job], job: Job, sentence: str) -> bool:
    """End a job without a result, and say so to its kind; says whether it was this call that did. mine: finds the row
    as long as the caller may end it."""
    kind = KINDS.get(job.kind)
    sentence = sentence[:LONGEST_ERROR]
    with written():
        if mine.update(state=State.FAILED, error=sentence, ended_at=Now(), lease_until=None, wanted=False) != 1:
            return False
        if kind is not None:
            kind.failed(job, sentence)
    return True


def seconds_a_unit(kind: str, **which: Any) -> float | None:
    """How long a unit of such jobs took, by the last of them; None where there was none yet."""
    past = Job.objects.filter(kind=kind, state=State.DONE, of__gt=0, **which).order_by("-ended_at")
    took = [(job.ended_at - job.begun_at, job.of) for job in past[:PAST] if job.ended_at and job.begun_at]
    units = sum(of for _span, of in took)
    return sum(span.total_seconds() for span, _of in took) / units if units else None


def _died(tries: int) -> str:
    return _("This was started %(n)d times, and each time its worker died.") % {"n": tries}


def _broke_off(tries: int, error: Exception) -> str:
    sentence = _("Tried %(n)d times; the last time it stopped with an error (%(error)s). The workers’ log tells more.")
    return sentence % {"n": tries, "error": type(error).__name__}
