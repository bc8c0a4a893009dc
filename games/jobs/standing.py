"""How jobs stand, as one part of every page that waits for them (`templates/jobs/standing.html`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any

from django.db.models import Q, Subquery
from django.db.models.functions import Now

from games.jobs.kinds import KINDS, of_queue
from games.jobs.models import Job
from magic_site import clock

LATE = timedelta(seconds=10)
"""After so long in which no worker of its queue has taken anything up, a page says that none answers."""


@dataclass(frozen=True)
class Standing:
    """Jobs of one kind that a page shows. late: no worker has taken them up, nor anything else of their queue. look:
    seconds after which it is worth looking again, since they may be late then. left: seconds until the end, as far as
    that is known. error: why the last one failed."""

    title: Any
    queue: str
    waiting: int = 0
    running: int = 0
    late: bool = False
    look: int = 0
    done: int = 0
    of: int = 0
    message: str = ""
    left: float | None = None
    expected_seconds: float | None = None
    expected_dollars: float | None = None
    error: str = ""

    @property
    def open(self) -> bool:
        """Whether something is under way."""
        return bool(self.waiting or self.running)


def standing(kind: str, **which: Any) -> Standing | None:
    """How the jobs of a kind stand, chosen by fields of theirs; None where there is nothing to say: none is open, and
    the last one has not failed."""
    declared = KINDS[kind]
    every = Job.objects.filter(kind=kind, **which)
    last = every.order_by("-asked_at").values("pk")[:1]
    found = list(every.filter(Q(state__in=Job.OPEN) | Q(pk=Subquery(last))).order_by("asked_at"))
    rows = [job for job in found if job.state in Job.OPEN]
    if not rows:
        failed = bool(found) and found[0].state == Job.State.FAILED
        return Standing(declared.title, declared.queue, error=found[0].error) if failed else None
    now = clock.now()
    waiting = [job for job in rows if job.state == Job.State.WAITING]
    running = [job for job in rows if job.state == Job.State.RUNNING]
    one = rows[0] if len(rows) == 1 else Job()
    since = min((_since(job) for job in waiting), default=now)
    waited = now - since
    late = waited >= LATE and not running and not answers(declared.queue)
    return Standing(
        title=declared.title,
        queue=declared.queue,
        waiting=len(waiting),
        running=len(running),
        late=late,
        look=0 if late or not waiting else max(ceil((LATE - waited).total_seconds()), 1),
        done=one.done,
        of=one.of,
        message=one.message,
        left=_left(one, now),
        expected_seconds=one.expected_seconds,
        expected_dollars=one.expected_dollars,
    )


def answers(queue: str) -> bool:
    """Whether a worker of this queue works on something, or has begun something a moment ago."""
    alive = Q(state=Job.State.RUNNING, lease_until__gt=Now()) | Q(begun_at__gt=clock.after(-LATE))
    return Job.objects.filter(alive, kind__in=of_queue(queue)).exists()


def _since(job: Job) -> datetime:
    """Since when a job waits: since it was asked for, or given out again."""
    return max(job.asked_at, job.begun_at or job.asked_at)


def _left(job: Job, now: datetime) -> float | None:
    if job.state != Job.State.RUNNING or job.begun_at is None:
        return None
    passed = (now - job.begun_at).total_seconds()
    if job.of and job.done:
        return passed * (job.of - job.done) / job.done
    return None if job.expected_seconds is None else max(job.expected_seconds - passed, 0)
