"""Pages of labelling for those who run it: what there is to label, a new task, how far it is, its rounds; and, after a
round, where its raters differed."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from evaluation.desk.selection import Selection, SelectionForm, given
from evaluation.labelling import rounds
from evaluation.labelling.forms import SEES, NextRoundForm, RatersForm, TaskForm
from evaluation.labelling.models import Final, Item, Round, Scheme, Task
from evaluation.labelling.shown import words
from evaluation.web.access import LABELS, RUNS, for_labelling, for_runners
from evaluation.web.pages import label_agreement

PAGE = 20


@require_safe
@for_labelling
def home(request: HttpRequest) -> HttpResponse:
    """What this person may label, what they labelled, and the tasks that they may run."""
    mine = Task.objects.filter(raters=request.user.pk, imported=False) if request.user.has_perm(LABELS) else []
    rows = [_mine(task, request.user) for task in mine]
    runs = request.user.has_perm(RUNS)
    tasks = Task.objects.filter(imported=False).select_related("scheme", "created_by") if runs else Task.objects.none()
    page = Paginator(tasks, PAGE).get_page(request.GET.get("page"))
    context = {"mine": rows, "page": page, "runs": runs, "labels": request.user.has_perm(LABELS)}
    return render(request, "evaluation/labelling/home.html", context)


def _mine(task: Task, user: Any) -> dict[str, Any]:
    last = task.last
    waiting = 0
    if last is not None and not last.closed:
        rounds.settle(last)
        waiting = rounds.waiting_for(last, user).count()
    return {"task": task, "round": last, "waiting": waiting, "closed": task.rounds.filter(status=Round.Status.CLOSED)}


@for_runners
def new(request: HttpRequest) -> HttpResponse:
    """Make a task of a selection, which an address may bring along, and open its first round."""
    form = TaskForm(request.POST or None, initial=request.GET.dict() if request.method == "GET" else None)
    chosen = SelectionForm(given(request.POST or request.GET) or None)
    if request.method == "POST" and form.is_valid():
        try:
            task = form.task(Selection.of(request.POST, request.user).params(), request.user)
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            try:
                rounds.begin(task)
            except rounds.LabelError as error:
                task.delete()
                form.add_error(None, str(error))
            else:
                return redirect("evaluation:label_task", task.pk)
    context = {"form": form, "chosen": chosen, "schemes": Scheme.objects.filter(imported=False).exists()}
    return render(request, "evaluation/labelling/new_task.html", context, status=422 if form.errors else 200)


@require_safe
@for_runners
def task(request: HttpRequest, key: UUID) -> HttpResponse:
    """A task for its owner: how far each rater is, what rounds came to; with ?part=progress only that."""
    found = get_object_or_404(Task.objects.select_related("scheme"), pk=key)
    if request.GET.get("part") == "progress":
        return render(
            request, "evaluation/labelling/live.html", _progress(found) | label_agreement.live(request, found)
        )
    return _task(request, found)


def _task(request: HttpRequest, found: Task, next_form: Any = None, raters_form: Any = None) -> HttpResponse:
    context = _live(request, found) | {
        "selection": Selection.of(found.selection),
        "sees": [title for name, title in SEES.items() if found.sees.get(name)],
        "next_form": next_form or NextRoundForm(found),
        "raters_form": raters_form or RatersForm(found),
        "newer": Scheme.objects.filter(name=found.scheme.name, version__gt=found.scheme.version).exists(),
        "rates": request.user in found.raters.all() and request.user.has_perm(LABELS),
    }
    wrong = any(form is not None and form.errors for form in (next_form, raters_form))
    return render(request, "evaluation/labelling/task.html", context, status=422 if wrong else 200)


def _live(request: HttpRequest, found: Task) -> dict[str, Any]:
    return _progress(found) | label_agreement.live(request, found)


def _progress(found: Task) -> dict[str, Any]:
    last = found.last
    if last is not None and not last.closed:
        rounds.settle(last)
    return {"task": found, "rounds": [_round(part) for part in found.rounds.select_related("scheme")], "last": last}


def _round(part: Round) -> dict[str, Any]:
    held = Final.objects.filter(item__round=part)
    how = {name: held.filter(how=name).count() for name in Final.How.values}
    rows = rounds.progress(part)
    return {
        "round": part,
        "items": part.items.count(),
        "rows": rows,
        "given": sum(row.given for row in rows),
        "total": sum(max(row.given, row.total) for row in rows),
        "gone": [row for row in rows if row.left],
        "how": how,
        "differing": rounds.differing(part.task).filter(round=part).count(),
    }


@require_POST
@for_runners
def close(request: HttpRequest, key: UUID) -> HttpResponse:
    """Close the open round; with verb=end the task with it."""
    found = get_object_or_404(Task, pk=key)
    last = found.last
    if request.POST.get("verb") == "end":
        rounds.end(found)
    elif last is not None:
        rounds.close(last)
    if last is not None:
        left = rounds.differing(found).filter(round=last).count()
        agreed = Final.objects.filter(item__round=last, how=Final.How.AGREED).count()
        told = ngettext("Round %(n)d is closed. Raters agree on one item.",
            "Round %(n)d is closed. Raters agree on %(agreed)d items.", agreed)  # fmt: skip
        more = ngettext("One waits for an adjudicator.", "%(left)d wait for an adjudicator.", left)
        messages.info(request, f"{told} {more}" % {"n": last.number, "agreed": agreed, "left": left})
    return redirect("evaluation:label_task", key)


@require_POST
@for_runners
def open_next(request: HttpRequest, key: UUID) -> HttpResponse:
    """Open the next round."""
    found = get_object_or_404(Task.objects.select_related("scheme"), pk=key)
    form = NextRoundForm(found, request.POST)
    if form.is_valid():
        try:
            part = form.open()
        except rounds.LabelError as error:
            form.add_error(None, str(error))
        else:
            messages.info(request, _("Round %d is open.") % part.number)
            return redirect("evaluation:label_task", key)
    return _task(request, found, next_form=form)


@require_POST
@for_runners
def raters(request: HttpRequest, key: UUID) -> HttpResponse:
    """Say who labels; what waited for others goes to these."""
    found = get_object_or_404(Task, pk=key)
    form = RatersForm(found, request.POST)
    if not form.is_valid():
        return _task(request, found, raters_form=form)
    found.raters.set(form.cleaned_data["raters"])
    last = found.last
    moved = rounds.settle(last) if last is not None else 0
    said = ngettext("%d item has another rater now.", "%d items have another rater now.", moved)
    messages.info(request, said % moved if moved else _("No item had to change hands."))
    return redirect("evaluation:label_task", key)


@require_safe
@for_labelling
def differences(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Where the raters of a closed round differed: for them, and for those who run tasks."""
    part = get_object_or_404(Round.objects.select_related("task", "scheme"), task=key, number=number)
    rated = request.user in part.task.raters.all()
    if not (rated or request.user.has_perm(RUNS)):
        raise PermissionDenied
    if not part.closed:
        return render(request, "evaluation/labelling/not_yet.html", {"round": part}, status=403)
    agreed = Final.objects.filter(item__round=part, how__in=(Final.How.AGREED, Final.How.RULE)).values("item")
    rows = part.items.exclude(pk__in=agreed).filter(given__isnull=False).distinct()
    rows = rows.select_related("match", "final").prefetch_related("given").order_by("number")
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    titles = {label["name"]: label["title"] for label in part.scheme.labels}
    mine = part.task.pseudonym(request.user)
    shown = [_difference(item, part.task, titles, mine) for item in page]
    context = {"round": part, "page": page, "shown": shown, "agreed": len(agreed), "items": part.items.count()}
    return render(request, "evaluation/labelling/differences.html", context)


def _difference(item: Item, task: Task, titles: dict[str, str], mine: str) -> dict[str, Any]:
    """What each rater gave, without saying who: the reader's own first."""
    said = sorted(rounds.people(item), key=lambda one: (one.pseudonym != mine, one.pseudonym))
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 2)
    final = getattr(item, "final", None)
    return {
        "item": item,
        "words": words(item, task).shown,
        "said": [
            {
                "who": _("You") if one.pseudonym == mine else next(letters),
                "labels": [titles.get(label, label) for label in one.labels],
                "note": one.note,
            }
            for one in said
        ],
        "final": [titles.get(label, label) for label in final.labels] if final else [],
    }
