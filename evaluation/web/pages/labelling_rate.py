"""The page on which raters label, and the one on which an adjudicator decides: one item after another.

Both work as forms. With a script the page fetches the next items before they are needed, and sends what was given
beside: a post that is sent twice counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from evaluation.labelling import rounds
from evaluation.labelling.models import Final, Given, Item, Round, Scheme, Task
from evaluation.labelling.rounds import LabelError
from evaluation.labelling.shown import shown, words
from evaluation.web.access import RUNS, for_labellers, for_runners
from magic_site.numbers import number_in

AHEAD = 8
"""Items that a page has before they are needed."""

MOST_SKIPPED = 500

LONGEST_KEY = 18
"""Digits; a longer number is no key of a row."""


class Rater:
    """One person at one round, as a rater."""

    adjudicates = False

    def __init__(self, part: Round, user: Any):
        self.part, self.task = part, part.task
        self.user: User = user

    def waiting(self) -> QuerySet[Item]:
        return rounds.waiting_for(self.part, self.user)

    def counted(self) -> tuple[int, int]:
        """How many are done, of how many."""
        done = Given.objects.filter(item__round=self.part, rater=self.user).count()
        return done, done + self.waiting().count()

    def give(self, item: int, labels: Sequence[str], spans: Sequence[Any], note: str, seconds: float) -> None:
        rounds.give(item, self.user, labels, spans=spans, note=note, seconds=seconds)

    def take_back(self, item: int) -> None:
        rounds.take_back(item, self.user)

    def last(self) -> int | None:
        """The item that was done last."""
        rows = Given.objects.filter(item__round=self.part, rater=self.user)
        return rows.order_by("-at", "-pk").values_list("item", flat=True).first()

    def said(self, item: Item) -> list[dict[str, Any]]:
        """What of others' labels this person is shown: nothing."""
        return []


class Adjudicator(Rater):
    """An adjudicator at a closed round: sees the differing labels, and not whose they are."""

    adjudicates = True

    def waiting(self) -> QuerySet[Item]:
        return rounds.differing(self.task).filter(round=self.part)

    def _mine(self) -> QuerySet[Final]:
        return Final.objects.filter(item__round=self.part, how=Final.How.ADJUDICATED)

    def counted(self) -> tuple[int, int]:
        done = self._mine().count()
        return done, done + self.waiting().count()

    def give(self, item: int, labels: Sequence[str], spans: Sequence[Any], note: str, seconds: float) -> None:
        rounds.adjudicate(get_object_or_404(self.part.items, pk=item), self.user, labels, spans)

    def take_back(self, item: int) -> None:
        self._mine().filter(item=item).delete()

    def last(self) -> int | None:
        return self._mine().order_by("-at", "-pk").values_list("item", flat=True).first()

    def said(self, item: Item) -> list[dict[str, Any]]:
        titles = {label["name"]: label["title"] for label in self.part.scheme.labels}
        given = sorted(rounds.people(item), key=lambda one: one.pseudonym)
        return [
            {"who": letter, "labels": [titles.get(label, label) for label in one.labels], "note": one.note}
            for letter, one in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", given, strict=False)
        ]


@require_http_methods(["GET", "HEAD", "POST"])
@for_labellers
def rate(request: HttpRequest, key: UUID) -> HttpResponse:
    """Label what waits for this rater in the open round."""
    task = task_rated_by(request.user, key)
    part = task.last
    if part is None or (part.closed and request.method != "POST"):
        return render(request, "evaluation/labelling/rated.html", {"task": task, "round": part})
    if request.method != "POST":
        rounds.settle(part)
    return _page(request, Rater(part, request.user))


@require_safe
@for_labellers
def rate_next(request: HttpRequest, key: UUID) -> HttpResponse:
    """The next items as JSON."""
    part = task_rated_by(request.user, key).last
    if part is None or part.closed:
        return JsonResponse({"items": [], "done": 0, "total": 0, "closed": True})
    return _next(request, Rater(part, request.user))


@require_http_methods(["GET", "HEAD", "POST"])
@for_runners
def adjudicate(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """Decide on the items of a closed round on which raters differ."""
    return _page(request, Adjudicator(_closed(key, number), request.user))


@require_safe
@for_runners
def adjudicate_next(request: HttpRequest, key: UUID, number: int) -> HttpResponse:
    """The next differing items as JSON."""
    return _next(request, Adjudicator(_closed(key, number), request.user))


def task_rated_by(user: Any, key: UUID) -> Task:
    """A task of which this person is a rater; of another one they are not told that it exists."""
    found = get_object_or_404(Task.objects.select_related("scheme"), pk=key, imported=False)
    if user not in found.raters.all():
        raise Http404
    return found


def _closed(key: UUID, number: int) -> Round:
    rows = Round.objects.select_related("task", "scheme").filter(status=Round.Status.CLOSED)
    return get_object_or_404(rows, task=key, number=number)


def _page(request: HttpRequest, rater: Rater) -> HttpResponse:
    """The page with its next item; a POST keeps what was given, or takes the last one back."""
    wrong = ""
    if request.method == "POST":
        try:
            _take(request, rater)
        except (LabelError, ValueError) as error:
            wrong = str(error) if isinstance(error, LabelError) else _("That is no label that can be kept.")
        if "application/json" in request.headers.get("Accept", ""):
            return JsonResponse({"error": wrong} if wrong else {}, status=409 if wrong else 200)
        if not wrong:
            return redirect(request.path)
    item = _wanted(request, rater) if wrong else rater.waiting().first()
    done, total = rater.counted()
    context = _context(rater) | {
        "done": done,
        "total": total,
        "fragment": _fragment(rater, item, request) if item else "",
        "item": item,
        "wrong": wrong,
        "last": rater.last(),
        "runs": request.user.has_perm(RUNS),
    }
    return render(request, "evaluation/labelling/rate.html", context, status=409 if wrong else 200)


def _wanted(request: HttpRequest, rater: Rater) -> Item | None:
    """The item of a post that was refused, or the next one where it does not wait any more."""
    key = request.POST.get("item", "")
    return rater.waiting().filter(pk__in=_keys([key])).first() or rater.waiting().first()


def _keys(texts: Iterable[str]) -> list[int]:
    """Those of these texts that may be keys of items, as numbers."""
    return [key for text in texts if (key := number_in(text, LONGEST_KEY)) is not None]


def _take(request: HttpRequest, rater: Rater) -> None:
    """Keep what a post says. Raises `LabelError` or `ValueError`."""
    post = request.POST
    key = next(iter(_keys([post.get("item", "")])), 0)
    seconds = float(post.get("seconds") or 0)
    if not isfinite(seconds):
        raise ValueError(seconds)
    if post.get("verb") == "back":
        rater.take_back(key)
        return
    labels, spans = _marked(rater, key, post)
    rater.give(key, labels, spans, post.get("note", "").replace("\0", ""), seconds)


def _marked(rater: Rater, key: int, post: Any) -> tuple[list[str], list[list[int] | None]]:
    """The labels of a post and the parts of the words that they are on: `spans`, "from-to" each or "", in the order of
    `labels`; without a script `part_<label>` holds the words themselves."""
    labels, parts = post.getlist("labels"), post.getlist("spans")
    quoted = {label: text for label in labels if (text := post.get(f"part_{label}", "").strip())}
    if not (any(parts) or quoted):
        return labels, []
    item = get_object_or_404(Item.objects.select_related("match", "round__scheme"), pk=key, round=rater.part)
    told = words(item, rater.task)
    if any(parts):
        spans = [told.said(_span(part, len(told.shown))) if part else None for part in parts]
        return labels, spans + [None] * (len(labels) - len(spans))
    return labels, [told.said(_found(quoted[label], told.shown)) if label in quoted else None for label in labels]


def _span(part: str, longest: int) -> list[int]:
    start, end = map(int, part.split("-"))
    if not 0 <= start < end <= longest:
        raise ValueError(part)
    return [start, end]


def _found(text: str, shown_words: str) -> list[int]:
    start = shown_words.find(text)
    if start < 0:
        raise LabelError(_("The words “%s” do not stand in the item. Copy them from it.") % text[:80])
    return [start, start + len(text)]


def _next(request: HttpRequest, rater: Rater) -> HttpResponse:
    """The next items that the page has not got yet: {items: [{id, html}], done, total, round}."""
    have = _keys(request.GET.get("have", "").split(",")[:MOST_SKIPPED])
    rows = rater.waiting().exclude(pk__in=have)[:AHEAD]
    done, total = rater.counted()
    items = [{"id": item.pk, "html": _fragment(rater, item, request)} for item in rows]
    return JsonResponse({"items": items, "done": done, "total": total, "round": rater.part.number})


def _fragment(rater: Rater, item: Item, request: HttpRequest) -> str:
    told = shown(item, rater.task)
    titles = {label["name"]: label["title"] for label in rater.part.scheme.labels}
    marked = [titles.get(label, label) for label in item.marked]
    context = {"shown": told, "item": item, "said": rater.said(item), "marked": marked, "names": {}}
    return render_to_string("evaluation/labelling/item.html", context, request)


def _context(rater: Rater) -> dict[str, Any]:
    scheme: Scheme = rater.part.scheme
    hidden = [name for name in ("models", "outcome", "names", "roles") if not rater.task.sees.get(name)]
    return {
        "task": rater.task,
        "round": rater.part,
        "scheme": scheme,
        "who": rater.task.pseudonym(rater.user),
        "adjudicates": rater.adjudicates,
        "hidden": hidden,
        "several": not scheme.one,
        "spans": scheme.kind == Scheme.Kind.SPAN,
    }
