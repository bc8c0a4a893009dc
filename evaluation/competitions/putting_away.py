"""Logs of finished competitions, put away into a file beside the database (`games.match.archive`), and back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from evaluation.models import Competition
from games import audit
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.match import archive
from games.models import Archive, Match

KIND = "put_away"
"""The kind of job that moves them, one way or the other."""


def matches_of(competition: Competition) -> QuerySet[Match]:
    """The matches that were played for a competition, by agents or at its tables."""
    of_tables = Q(room__study_table__bout__competition=competition)
    return Match.objects.filter(Q(bout__competition=competition) | of_tables)


def archives_of(competition: Competition) -> QuerySet[Archive]:
    """The files that have logs of it."""
    return Archive.objects.filter(matches__match__in=matches_of(competition)).order_by().distinct()


def state(competition: Competition) -> dict[str, Any] | None:
    """How much of it is put away: matches, bytes before and after; None for nothing."""
    keys = list(archives_of(competition).values_list("pk", flat=True))
    found = Archive.objects.filter(pk__in=keys).aggregate(before=Sum("before"), size=Sum("size"))
    many = matches_of(competition).aggregate(n=Count("put_away"))["n"]
    return {"matches": many, **found, "times": found["before"] / found["size"]} if many and found["size"] else None


def can_be(competition: Competition) -> bool:
    """Whether all of it is over, so that its logs may be put away."""
    over = competition.status in (Competition.Status.FINISHED, Competition.Status.STOPPED)
    return over and not matches_of(competition).filter(status="running").exists()


def ask(competition: Competition, by: Any, *, back: bool = False) -> None:
    """Have its logs put away, or brought back."""
    jobs.ask(KIND, str(competition.pk), about=competition.pk, by=by, competition=str(competition.pk), back=back)


def work(run: Run, competition: str, back: bool) -> dict[str, Any] | None:
    """Move them. What is done when it breaks off stays done, and the next try goes on."""
    found = Competition.objects.filter(pk=UUID(competition)).first()
    if found is None:
        return None
    if back:
        for one in archives_of(found):
            archive.bring_back(one, run.tell)
    elif not can_be(found):
        raise Failed(_("This competition is not over: its logs stay."))
    else:
        archive.put_away(list(matches_of(found).values_list("pk", flat=True)), run.tell)
        archive.let_go(matches_of(found), run.tell)
    now = state(found)
    by = run.job.asked_by or "a worker"
    audit.note("archived", by=by, about=f"competition {found.pk}", way="back" if back else "away", now=now or {})
    return now
