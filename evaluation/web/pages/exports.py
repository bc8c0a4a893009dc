"""Exports: all of them, a new one, and the page of one with how far it is and its file."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.desk.selection import Selection
from evaluation.exports import exporting
from evaluation.exports.content import PARTS
from evaluation.exports.formats import FORMATS
from evaluation.exports.models import Export
from evaluation.web.access import for_researchers
from evaluation.web.export_form import ExportForm
from games import audit
from games.jobs import jobs
from games.jobs.standing import standing
from games.match.access import RESEARCHER
from games.models import Job
from games.room.people import person_of
from games.web import ranges
from magic_site.rights import for_holders

PAGE = 25
PART = "part"
"""In an address: only what changes while the file is made is wanted."""

COUNTED = {
    "seats": gettext_lazy("Seats"),
    "events": gettext_lazy("Events"),
    "thoughts": gettext_lazy("Thoughts of agents"),
    "attempts": gettext_lazy("Answers that did not count"),
    "calls": gettext_lazy("Calls of models"),
    "polls": gettext_lazy("Answers to polls"),
    "votes": gettext_lazy("Votes"),
    "labels": gettext_lazy("Labels"),
    "agreement": gettext_lazy("Items that people rated"),
    "metric_values": gettext_lazy("Values of metrics"),
}
"""What the page calls the rows of a collection; those of matches it counts anyway."""


@for_researchers
def listed(request: HttpRequest) -> HttpResponse:
    """All exports, the newest first."""
    page = Paginator(Export.objects.select_related("created_by").defer("holds"), PAGE).get_page(request.GET.get("page"))
    there = Job.objects.filter(kind=exporting.KIND, key__in=[str(export.pk) for export in page])
    jobs_by_key = {job.key: job for job in there}
    playing = exporting.still_played(page.object_list, person_of(request))
    rows = [
        {
            "export": one,
            "job": jobs_by_key.get(str(one.pk)),
            "choice": _choice(one),
            "counted": one.made_at and one.pk not in playing,
        }
        for one in page.object_list
    ]
    return render(request, "evaluation/exports.html", {"page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RESEARCHER)
def new(request: HttpRequest) -> HttpResponse:
    """What is to be in an export of the matches that the address chooses; a POST asks for it."""
    try:
        selection = Selection.of(request.GET, request.user)
    except ValidationError as error:
        return render(request, "evaluation/new_export.html", {"problems": error.messages}, status=422)
    user = cast(User, request.user)
    form = ExportForm(selection, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return redirect("evaluation:export", exporting.ask(form.order, user).pk)
    each, count = jobs.seconds_a_unit(exporting.KIND), selection.count()
    context = {
        "form": form,
        "selection": selection,
        "count": count,
        "running": selection.matches().filter(status="running").order_by().count(),
        "seconds": None if each is None else each * count,
    }
    return render(request, "evaluation/new_export.html", context, status=422 if form.errors else 200)


@for_researchers
def export(request: HttpRequest, key: UUID) -> HttpResponse:
    """One export; with `PART` in the address only what changes while it is made."""
    found = get_object_or_404(Export.objects.select_related("created_by"), pk=key)
    job = exporting.job_of(found)
    context = {
        "export": found,
        "there": job is not None and job.state == Job.State.DONE,
        "job": job,
        "standing": standing(exporting.KIND, key=str(found.pk)),
        "choice": _choice(found),
        "query": urlencode(found.selection),
        "counts": [(title, found.rows[name]) for name, title in COUNTED.items() if name in found.rows],
        "parts": [title for name, title in PARTS.items() if name in found.content],
        "formats": [FORMATS[name].title for name in found.formats if name in FORMATS],
        "names": "names" in found.content,
        "may": may_have(found, cast(User, request.user), person_of(request)),
        "counted": found.made_at and not exporting.still_played([found], person_of(request)),
    }
    page = "evaluation/export_progress.html" if PART in request.GET else "evaluation/export.html"
    return render(request, page, context)


@require_safe
@for_holders(RESEARCHER)
def file(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """The file of an export, or a part of it."""
    found = get_object_or_404(Export, pk=key)
    user = cast(User, request.user)
    if not may_have(found, user, person_of(request)):
        raise PermissionDenied
    job = exporting.job_of(found)
    if job is None or job.state != Job.State.DONE:
        messages.info(request, not_there(found))
        return redirect("evaluation:export", key)
    return sent(request, found, job, user)


def not_there(found: Export) -> str:
    """Why the file of an export cannot be taken away."""
    if found.gone:
        return _("The file is gone: %(why)s.") % {"why": found.get_gone_display()}
    return _("The file is not there yet, or any more.")


def sent(request: HttpRequest, found: Export, job: Job, user: User) -> HttpResponseBase:
    """The file that this job has made, or the part of it that is asked for; that it is taken away is noted."""
    if request.method == "GET":
        audit.note("exported", by=user, about=f"file of export {found.pk}")
    return ranges.file(
        request,
        lambda start, end: exporting.content_of(job, start, end),
        name=found.file,
        media="application/zip",
        size=found.size,
        digest=found.sha256,
    )


def may_have(found: Export, user: User, person: str) -> bool:
    """Whether this user may have the file: who still plays a match that is in it sees no more than their seat."""
    if "names" in found.content and not user.has_perm(exporting.NAMES):
        return False
    return not exporting.still_played([found], person)


def _choice(found: Export) -> str:
    try:
        return Selection.of(found.selection).sentence()
    except ValidationError:  # words of a choice were erased
        return ""
