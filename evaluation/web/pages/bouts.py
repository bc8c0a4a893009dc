"""The table of a competition's matches as a page shows it: rendered once for all who look at the same state of it."""

from hashlib import sha256
from typing import Any, cast

from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Prefetch, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.text import capfirst
from django.utils.translation import get_language

from evaluation.competitions import running
from evaluation.models import Bout, Competition, StudyTable
from evaluation.tables.people import STUDY
from evaluation.web import names
from games.jobs.standing import standing
from games.models import Match
from games.registry import RULES, page_part

PAGE = 50
KEPT_FOR = 5
"""Seconds: everybody who is told that something has moved on asks at once."""

REASONS = 5


def now(request: HttpRequest, competition: Competition, runs: bool) -> dict[str, Any]:
    """What changes on the page of a competition while it is played: how far it is, why matches failed, and the chosen
    page of its matches. runs: whether who looks may open tables."""
    chosen = request.GET.get("status", "")
    bouts = competition.bouts.all()
    if chosen in Bout.Status.values:
        bouts = bouts.filter(status=chosen)
    page = Paginator(bouts, PAGE).get_page(request.GET.get("page"))
    under_way = standing(running.KIND, about=competition.pk) if competition.status == running.RUNNING else None
    kept = f"competition:{competition.pk}:{_state(competition)}"
    failed = competition.bouts.filter(status=Bout.Status.FAILED).order_by().values("error")
    return {
        "now": cache.get_or_set(kept, lambda: running.progress(competition), KEPT_FOR),
        "failures": failed.annotate(n=Count("pk")).order_by("-n", "error")[:REASONS],
        "standing": under_way if under_way is not None and under_way.open else None,
        "page": page,
        "rows": cache.get_or_set(
            f"{kept}:{chosen}:{page.number}:{runs}:{get_language()}", lambda: _rows(competition, page, runs), KEPT_FOR
        ),
        "chosen": chosen,
    }


def page_of(bout: Bout) -> int:
    """On which page it stands when all matches are shown."""
    return (bout.number - 1) // PAGE + 1


def _state(competition: Competition) -> str:
    """Changes with each match that is given out, played or failed, and with each table of a study."""
    found: list[Any] = sorted(
        competition.bouts.order_by().values_list("status").annotate(Count("pk"), Max("job__begun_at"))
    )
    if competition.suite == STUDY:
        played = Match.objects.filter(room__study_table__bout__competition=competition)
        found += [StudyTable.objects.filter(bout__competition=competition).count()]
        found += [played.aggregate(Count("pk"), Count("ended_at"))]
    return sha256(repr(found).encode()).hexdigest()[:16]


def _rows(competition: Competition, page: Page, runs: bool) -> str:
    bouts = cast(QuerySet[Bout], page.object_list).select_related("match")
    if competition.suite == STUDY:
        bouts = bouts.prefetch_related(Prefetch("tables", StudyTable.objects.select_related("room"), "opened"))
        bouts = bouts.prefetch_related(Prefetch("opened__room__matches", to_attr="played"))
    known = names.players()
    rows = [
        {
            "bout": bout,
            "game": RULES[bout.game].title,
            "result_page": page_part(bout.game, "result"),
            "challenger": known.get(bout.labels["challenger"], bout.labels["challenger"]),
            "role": capfirst(names.role(bout.role)),
        }
        for bout in bouts
    ]
    context = {"competition": competition, "rows": rows, "runs": runs, "study": competition.suite == STUDY}
    return render_to_string("evaluation/bout_rows.html", context)
