"""What must happen to jobs without anybody's click: those whose worker is gone are given out again, or given up."""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.db.models import F, QuerySet
from django.db.models.functions import Now

from games.jobs import jobs, news
from games.jobs.kinds import KINDS
from games.jobs.models import Job
from magic_site import clock

log = logging.getLogger(__name__)

LONGEST_PAUSE = timedelta(minutes=5)
"""How long a message to the workers is waited for at most before the next one."""

FORGOTTEN = timedelta(days=7)
"""How long jobs are remembered of which no app knows the kind."""


def sweep() -> None:
    """Give out again what no worker holds, and give up what was begun too often. Safe to run twice."""
    for job in Job.objects.filter(state=Job.State.RUNNING, lease_until__lte=Now()):
        _moved(job, _revive)
    for job in Job.objects.filter(state=Job.State.WAITING, nudge_at__lte=Now()):
        if not _moved(job, _send_again):
            break  # the broker is away: the next round tries again


def tidy() -> None:
    """Forget jobs that ended long ago, with the files that they made."""
    for name, kind in KINDS.items():
        Job.objects.filter(kind=name, ended_at__lt=clock.after(-kind.kept)).delete()
    Job.objects.exclude(kind__in=KINDS).filter(asked_at__lt=clock.after(-FORGOTTEN)).delete()


def _moved(job: Job, move: Callable[[Job], bool]) -> bool:
    try:
        return move(job)
    except Exception:
        log.exception("Job %s cannot be moved on", job)
        return True


def _revive(job: Job) -> bool:
    kind = KINDS.get(job.kind)
    if kind is None:
        return True
    if job.tries >= kind.tries:
        if jobs.give_up(job):
            news.tell(job.about)
            kind.ended(job)
        return True
    if _lapsed(job).update(state=Job.State.WAITING, lease_until=None, nudge_at=Now(), begun_at=Now()):
        log.warning("Job %s is given out again: its worker is gone", job)
        news.tell(job.about)
    return True


def _lapsed(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, tries=job.tries, lease_until__lte=Now())


def _send_again(job: Job) -> bool:
    """Tell the workers once more, each time after a longer pause; says whether the broker takes messages."""
    kind = KINDS.get(job.kind)
    if kind is None:
        return True
    waited = clock.now() - job.asked_at
    pause = min(max(jobs.FIRST_PAUSE, waited / 2), LONGEST_PAUSE)
    mine = Job.objects.filter(pk=job.pk, state=Job.State.WAITING, nudge_at__lte=Now())
    if mine.update(nudge_at=Now() + pause) != 1:
        return True
    if jobs.send([job.pk], kind.queue):
        return True
    Job.objects.filter(pk=job.pk, state=Job.State.WAITING).update(nudge_at=F("nudge_at") - pause)
    return False
