"""Competitions: the list, a new one, and the page of one with its progress, live."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from evaluation.competitions import putting_away, running
from evaluation.counting.boards import Choice
from evaluation.models import Bout, Competition
from evaluation.studies import human_tables
from evaluation.suites import SUITES, SuiteError
from evaluation.tables.people import STUDY
from evaluation.web.access import RUNS, for_researchers, for_runners
from evaluation.web.forms import CompetitionForm
from evaluation.web.pages import boards, bouts
from games.jobs import news
from games.jobs.standing import standing

PAGE = 50
PART = "part"
"""In an address: only what changes while a competition is played is wanted, for a script to put in place."""

VERBS: dict[str, Callable[[Competition], object]] = {
    "start": running.start,
    "pause": running.pause,
    "stop": running.stop,
    "again": running.again,
}


@for_researchers
def listed(request: HttpRequest) -> HttpResponse:
    """All competitions, newest first."""
    found = Competition.objects.annotate(
        total=Count("bouts"),
        done=Count("bouts", filter=Q(bouts__status=Bout.Status.DONE)),
        failed=Count("bouts", filter=Q(bouts__status=Bout.Status.FAILED)),
    ).order_by("-created_at")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    for row in page:
        vars(row)["suite_title"] = SUITES[row.suite].title if row.suite in SUITES else row.suite
    return render(request, "evaluation/competitions.html", {"page": page, "suites": SUITES, "runs": _runs(request)})


@for_runners
def new(request: HttpRequest, suite: str) -> HttpResponse:
    """Plan a competition over a suite; a POST makes it and begins it."""
    if suite not in SUITES:
        raise Http404
    form = CompetitionForm(SUITES[suite], request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            competition = running.make(
                form.cleaned_data["name"],
                suite,
                form.entry,
                at_once=form.cleaned_data["at_once"],
                user=request.user,
            )
        except SuiteError as error:
            form.add_error(None, str(error))
        else:
            running.start(competition)
            return redirect("evaluation:competition", competition.pk)
    status = 422 if form.errors else 200
    return render(request, "evaluation/new_competition.html", {"form": form, "suite": SUITES[suite]}, status=status)


@for_researchers
def competition(request: HttpRequest, key: UUID) -> HttpResponse:
    """One competition; with `PART` in the address only what changes while it is played."""
    found = get_object_or_404(Competition, pk=key)
    if PART in request.GET:
        return _parts(request, found)
    suite = SUITES.get(found.suite)
    context = _now(request, found) | {
        "statuses": Bout.Status.choices,
        "suite": suite,
        "remark": suite.remark(found.entry["more"]) if suite else "",
        "numbers": boards.address(_board_of(found), Choice(competition=str(found.pk))),
        "away": putting_away.state(found),
        "may_move": _runs(request) and putting_away.can_be(found),
        "moving": standing(putting_away.KIND, about=found.pk),
        "reproduces": "reproduces" in found.entry["more"],
        "manifest": json.dumps(found.manifest, indent=2, ensure_ascii=False),
    }
    return render(request, "evaluation/competition.html", context)


def _board_of(found: Competition) -> str:
    """The page of numbers on which the matches of a competition are counted."""
    return SUITES[found.suite].board(found.entry["more"]) if found.suite in SUITES else "leaderboard"


def _now(request: HttpRequest, found: Competition) -> dict[str, Any]:
    runs = _runs(request)
    return {
        "competition": found,
        "runs": runs,
        "study": found.suite == STUDY,
    } | bouts.now(request, found, runs)


def _parts(request: HttpRequest, found: Competition) -> HttpResponse:
    return render(request, "evaluation/competition_parts.html", _now(request, found))


@require_POST
@for_runners
def change(request: HttpRequest, key: UUID, verb: str) -> HttpResponse:
    """Start, pause, stop, or let the failed matches be played again."""
    found = get_object_or_404(Competition, pk=key)
    if verb not in VERBS:
        raise Http404
    VERBS[verb](found)
    if PART in request.GET:
        found.refresh_from_db()
        return _parts(request, found)
    return redirect("evaluation:competition", found.pk)


@require_POST
@for_runners
def move_logs(request: HttpRequest, key: UUID) -> HttpResponse:
    """Put the logs of a finished competition away, or bring them back."""
    found = get_object_or_404(Competition, pk=key)
    putting_away.ask(found, request.user, back=bool(request.POST.get("back")))
    return redirect("evaluation:competition", found.pk)


@require_POST
@for_runners
def person_table(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Open the table at which this deal of a human study is played with a person; its row has the link to give away."""
    bout = get_object_or_404(Bout, competition=key, number=number, competition__suite=STUDY)
    try:
        human_tables.open_table(bout)
    except SuiteError as error:
        messages.error(request, str(error))
        if PART in request.GET:
            return HttpResponse(status=409)  # the page is loaded anew, and says it
    else:
        news.tell(key)
        if PART in request.GET:
            return _parts(request, bout.competition)
    return redirect(f"{reverse('evaluation:competition', args=[key])}?page={bouts.page_of(bout)}#bout-{number}")


@for_researchers
def manifest(request: HttpRequest, key: UUID) -> HttpResponse:
    """What was run, as JSON."""
    found = get_object_or_404(Competition, pk=key)
    name = slugify(found.name) or "competition"
    answer = JsonResponse(found.manifest, json_dumps_params={"indent": 2, "ensure_ascii": False})
    answer["Content-Disposition"] = f'attachment; filename="{name}-{str(found.pk)[:8]}.json"'
    return answer


def _runs(request: HttpRequest) -> bool:
    return request.user.has_perm(RUNS)
