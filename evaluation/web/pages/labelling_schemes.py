"""Pages of schemes: the list, one, a new one, an edited one, its next version, and schemes as files."""

from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from evaluation.labelling import schemes
from evaluation.labelling.forms import SchemeFile, SchemeForm, label_rows
from evaluation.labelling.models import Scheme
from evaluation.web.access import RUNS, for_labelling, for_runners
from games.web import downloads
from magic_site.numbers import number_in


@require_safe
@for_labelling
def listed(request: HttpRequest) -> HttpResponse:
    """All schemes, each with its versions."""
    return _list(request, SchemeFile())


def _list(request: HttpRequest, form: SchemeFile) -> HttpResponse:
    versions: dict[str, list[Scheme]] = {}
    for row in Scheme.objects.annotate(used=Count("rounds")).order_by("title", "-version"):
        versions.setdefault(row.name, []).append(row)
    context = {"schemes": list(versions.values()), "form": form, "runs": request.user.has_perm(RUNS)}
    return render(request, "evaluation/labelling/schemes.html", context, status=422 if form.errors else 200)


@require_safe
@for_labelling
def scheme(request: HttpRequest, key: int) -> HttpResponse:
    """One version of a scheme, with what became of the labels before it."""
    found = get_object_or_404(Scheme, pk=key)
    context = {
        "scheme": found,
        "versions": Scheme.objects.filter(name=found.name),
        "becomes": list(found.renames.items()),
        "runs": request.user.has_perm(RUNS),
    }
    return render(request, "evaluation/labelling/scheme.html", context)


@for_runners
def new(request: HttpRequest) -> HttpResponse:
    """Make a scheme; with ?from= it begins as a copy of another one."""
    copied = Scheme.objects.filter(pk=number_in(request.GET.get("from", "")) or 0).first()
    form = SchemeForm(
        request.POST or None, initial=_initial(copied) if copied else {"kind": "single", "what": "events"}
    )
    rows = label_rows(request.POST or None, copied)
    if request.method == "POST" and form.is_valid() and rows.is_valid():
        try:
            made = schemes.make(form.cleaned_data["name"], form.content(rows.labels()), by=request.user)
        except schemes.SchemeError as error:
            form.complain(error)
        else:
            return redirect("evaluation:scheme", made.pk)
    return _form(request, form, rows, {"title": _("New scheme")})


@for_runners
def edit(request: HttpRequest, key: int) -> HttpResponse:
    """Change a version that was never used; of one that was, make the next one."""
    found = get_object_or_404(Scheme, pk=key)
    form = SchemeForm(request.POST or None, initial=_initial(found), fixed=True)
    rows = label_rows(request.POST or None, found)
    if request.method == "POST" and form.is_valid() and rows.is_valid():
        content = form.content(rows.labels())
        try:
            if found.frozen_at is None:
                schemes.edit(found, content | {"renames": found.renames})
            else:
                found = schemes.succeed(found, content, rows.renames(found), by=request.user)
        except schemes.SchemeError as error:
            form.complain(error)
        else:
            return redirect("evaluation:scheme", found.pk)
    title = found.title if found.frozen_at is None else _("%s, the next version") % found.title
    return _form(request, form, rows, {"title": title, "scheme": found})


def _form(request: HttpRequest, form: SchemeForm, rows: Any, context: dict[str, Any]) -> HttpResponse:
    wrong = bool(form.errors) or (rows.is_bound and not rows.is_valid())
    context |= {"form": form, "rows": rows, "keys": [*"1234567890", *[""] * 30]}
    return render(request, "evaluation/labelling/scheme_form.html", context, status=422 if wrong else 200)


def _initial(found: Scheme) -> dict[str, Any]:
    plain = {part: getattr(found, part) for part in ("title", "about", "kind", "rule")}
    return plain | {"name": f"{found.name}-2"[:60]} | found.applies


@require_safe
@for_labelling
def as_file(request: HttpRequest, key: int) -> HttpResponse:
    """A version as a file of JSON."""
    found = get_object_or_404(Scheme, pk=key)
    name = f"{found.name}-{found.version}.json"
    return downloads.download(schemes.as_file(found).encode(), name, "application/json")


@require_POST
@for_runners
def from_file(request: HttpRequest) -> HttpResponse:
    """Take in a scheme from a file."""
    form = SchemeFile(request.POST, request.FILES)
    if form.is_valid():
        try:
            made = schemes.from_file(form.text(), by=request.user)
        except schemes.SchemeError as error:
            form.add_error("file", [str(sentence) for sentence in error.args])
        else:
            messages.success(request, _("%(scheme)s is here, in version %(version)d.") % {
                "scheme": made.title, "version": made.version,
            })  # fmt: skip
            return redirect("evaluation:scheme", made.pk)
    return _list(request, form)
