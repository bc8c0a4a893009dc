"""For a task's owner: how far its raters agree, each item's agreement, and the models that rate beside people."""

import csv
import io
import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from agents.models import AgentProfile
from evaluation.labelling import agreement, model_rater
from evaluation.labelling.models import Item, ModelRater, Round, Scheme, Task
from evaluation.labelling.rounds import LabelError
from evaluation.labelling.shown import words
from evaluation.tables.agreement import Agreement
from evaluation.tables.sheets import safe_cell
from evaluation.web import names
from evaluation.web.access import for_runners
from games.jobs.standing import standing
from games.web import downloads

PAGE = 50
ONLY = {
    "": gettext_lazy("all items"),
    "agreed": gettext_lazy("all agreed"),
    "differing": gettext_lazy("raters differ"),
}


def live(request: HttpRequest, task: Task) -> dict[str, Any]:
    """What the owner's page shows of agreement and of models, round by round, the newest first. With ?models=1 models
    count among the raters."""
    models = request.GET.get("models") == "1"
    parts = task.rounds.select_related("scheme", "task").order_by("-number")
    return {
        "with_models": models,
        "agreements": [_round(part, models) for part in parts if not blind(request.user, part)],
        "blind": next((part for part in parts if blind(request.user, part)), None),
        "models": [_model(rater) for rater in ModelRater.objects.filter(round__task=task).order_by("created_at")],
        "profiles": _profiles(task.last),
    }


def _profiles(part: Round | None) -> list[tuple[AgentProfile, float | None]]:
    """Who may be asked to rate, each with what that will cost, where that can be told."""
    expected = model_rater.expected(part) if part else {}
    return [(profile, expected.get(profile.name)) for profile in model_rater.raters()]


def blind(user: Any, part: Round) -> bool:
    """Whether this person rates in a round that is still open, and so may see nothing of what others gave."""
    return not part.closed and user in part.task.raters.all()


def _round(part: Round, models: bool) -> dict[str, Any]:
    found = agreement.measured(part, models=models)
    titles = {label["name"]: label["title"] for label in part.scheme.labels}
    overlaps = agreement.overlaps(part) if part.scheme.kind == Scheme.Kind.SPAN else {}
    return {
        "round": part,
        "pairs": list(found[0].cohen),
        "ordinal": found[0].ordinal is not None,
        "spans": part.scheme.kind == Scheme.Kind.SPAN,
        "rows": [
            {
                "title": titles.get(one.label, one.label) if one.label else _("All labels together"),
                "all": one.label is None,
                "one": one,
                "cohen": list(one.cohen.values()),
                "overlap": overlaps.get(one.label or ""),
            }
            for one in found
        ],
    }


def _model(rater: ModelRater) -> dict[str, Any]:
    whole: Agreement = agreement.with_final(rater.round, rater.profile)[0]
    return {
        "rater": rater,
        "title": names.players().get(rater.profile, rater.profile),
        "now": (now := model_rater.progress(rater)),
        "left": now.failed or now.done < now.total,
        "standing": standing(model_rater.KIND, about=rater.pk),
        "whole": whole,
        "kappa": next(iter(whole.cohen.values())),
    }


# Models ---------------------------------------------------------------------------------------------------------------


@require_POST
@for_runners
def ask(request: HttpRequest, key: UUID) -> HttpResponse:
    """Let a model label the items of the newest round."""
    task = get_object_or_404(Task, pk=key)
    wanted, last = request.POST.get("profile", ""), task.last
    profile = next((one for one in model_rater.raters() if one.name == wanted), None)
    try:
        if profile is None or last is None:
            raise LabelError(_("Choose an agent with a model."))
        model_rater.ask(last, profile, request.user)
    except LabelError as error:
        messages.error(request, str(error))
    return redirect("evaluation:label_task", key)


@require_POST
@for_runners
def change(request: HttpRequest, key: UUID, rater: UUID, verb: str) -> HttpResponse:
    """Let a model go on with what is left, or ask it no more."""
    found = get_object_or_404(ModelRater, pk=rater, round__task=key)
    (model_rater.stop if verb == "stop" else model_rater.start)(found)
    return redirect("evaluation:label_task", key)


# Items ----------------------------------------------------------------------------------------------------------------


@require_safe
@for_runners
def items(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """The items of a round with what each rater gave and how far they agree: all, those on which all agree, or those on
    which they differ."""
    part = get_object_or_404(Round.objects.select_related("task", "scheme"), task=key, number=number)
    if blind(request.user, part):
        return render(request, "evaluation/labelling/not_yet.html", {"round": part}, status=403)
    only = request.GET.get("only", "")
    models = request.GET.get("models") == "1"
    rows = [row for row in agreement.rows(part, models=models) if _wanted(row, only)]
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    numbered = Item.objects.in_bulk([row.item for row in page.object_list])
    titles = {label["name"]: label["title"] for label in part.scheme.labels}
    context = {
        "round": part,
        "only": only if only in ONLY else "",
        "ways": ONLY.items(),
        "with_models": models,
        "page": page,
        "rows": [_item(row, numbered[row.item], part.task, titles) for row in page.object_list],
    }
    return render(request, "evaluation/labelling/items.html", context)


def _wanted(row: agreement.Row, only: str) -> bool:
    return row.whole if only == "agreed" else len(row.given) > 1 and not row.whole if only == "differing" else True


def _item(row: agreement.Row, item: Item, task: Task, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "number": item.number,
        "match": row.match,
        "words": words(item, task).shown,
        "given": [(titles.get(name, name), count) for name, count in row.counts.items() if count],
        "share": row.share,
        "raters": len(row.given),
        "final": [titles.get(name, name) for name in row.final or ()],
    }


@require_safe
@for_runners
def as_csv(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """The matrix of items by raters with each item's agreement; several labels of a cell have bars between them."""
    part = get_object_or_404(Round.objects.select_related("task", "scheme"), task=key, number=number)
    if blind(request.user, part):
        return render(request, "evaluation/labelling/not_yet.html", {"round": part}, status=403)
    models = request.GET.get("models") == "1"
    raters = agreement.matrix(part, models=models).raters
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["item", "match", "on", *map(safe_cell, raters), "share", "final", "how"])
    for row in agreement.rows(part, models=models):
        cells = ["|".join(row.given[rater]) if rater in row.given else "" for rater in raters]
        share = "" if row.share is None else row.share
        rows.writerow([row.item, row.match, json.dumps(row.anchor), *cells, share, "|".join(row.final or ()), row.how])
    name = f"{slugify(part.task.name) or 'labels'}-{part.number}.csv"
    return downloads.download(text.getvalue().encode(), name, "text/csv; charset=utf-8")
