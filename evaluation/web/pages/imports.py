"""Pages of imports: a file is brought, in pieces where a browser can, and what came of it is told."""

from uuid import UUID

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from evaluation.imports import imports, pieces
from evaluation.imports.imports import Refused
from evaluation.models import Import
from evaluation.web.access import for_importers
from games.jobs import jobs, news
from games.jobs.standing import standing
from magic_site.numbers import number_in

PAGE = 50
SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@for_importers
def listed(request: HttpRequest) -> HttpResponse:
    """All imports, newest first, and the form that brings a file. A POST brings the whole of it, or, by a script, its
    name and size alone: the answer is then where its pieces go."""
    error = ""
    if request.method == "POST":
        if "size" in request.POST:
            return _announced(request)
        try:
            return redirect("evaluation:import", _brought(request).pk)
        except Refused as refused:
            error = str(refused)
    page = Paginator(Import.objects.filter(received=True), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "error": error, "piece": pieces.PIECE, "most": settings.MOST_BYTES_OF_A_BODY}
    return render(request, "evaluation/imports.html", context, status=422 if error else 200)


def _brought(request: HttpRequest) -> Import:
    """Take a small file as a form sends it. Raises `Refused`."""
    file = request.FILES.get("file")
    if file is None:
        raise Refused(_("Choose a file."))
    unfinished = bool(request.POST.get("unfinished"))
    found = imports.bring(file.name or "", file.size or 0, file, request.user, unfinished=unfinished)
    imports.begin(found)
    return found


def _announced(request: HttpRequest) -> HttpResponse:
    size = number_in(request.POST["size"], 15) or 0
    try:
        unfinished = bool(request.POST.get("unfinished"))
        found = imports.announce(request.POST.get("name", ""), size, request.user, unfinished=unfinished)
    except Refused as error:
        return JsonResponse({"error": str(error)}, status=422)
    address = reverse("evaluation:import", args=[found.pk])
    return JsonResponse({"address": address})


@require_POST
@for_importers
def piece(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Keep one piece of a file that this person brings."""
    found = get_object_or_404(Import, pk=key, created_by=request.user)
    try:
        imports.receive(found, number, request.body)
    except Refused as error:
        return JsonResponse({"error": str(error)}, status=422)
    return JsonResponse({})


@require_POST
@for_importers
def read(request: HttpRequest, key: UUID) -> HttpResponse:
    """Have a file read of which all pieces are here."""
    found = get_object_or_404(Import, pk=key, created_by=request.user)
    try:
        imports.begin(found)
    except Refused as error:
        return JsonResponse({"error": str(error)}, status=422)
    return JsonResponse({})


@require_GET
@for_importers
def one(request: HttpRequest, key: UUID) -> HttpResponse:
    """One import: how far it is, what came of it, and what is wrong; with ?part=progress only that."""
    return _shown(request, get_object_or_404(Import, pk=key, received=True))


def _shown(request: HttpRequest, found: Import) -> HttpResponse:
    context = {
        "found": found,
        "standing": standing(imports.KIND, about=found.pk),
        "came": found.came.order_by("-created_at", "pk")[:SHOWN] if found.published_at else (),
        "more": found.wrong - len(found.faults),
    }
    part = "import_progress" if request.GET.get("part") == "progress" else "import"
    return render(request, f"evaluation/{part}.html", context)


@require_POST
@for_importers
def stop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Break an import off; nothing comes of it."""
    found = get_object_or_404(Import, pk=key)
    jobs.stop(imports.KIND, key=str(found.pk))
    news.tell(found.pk)
    if request.GET.get("part") == "progress":
        return _shown(request, found)
    return redirect("evaluation:import", found.pk)
