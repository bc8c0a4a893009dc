"""Labels for programs: the tasks of a person, the next items, what they give, and how far raters agree."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.labelling import agreement, rounds
from evaluation.labelling.model_rater import question
from evaluation.labelling.models import Item, Round, Scheme, Task
from evaluation.labelling.shown import shown, words
from evaluation.tables.agreement import Agreement, Number
from evaluation.web.access import LABELS, RUNS
from evaluation.web.api import shapes
from evaluation.web.api.answering import paged
from evaluation.web.pages.label_agreement import blind
from evaluation.web.pages.labelling_rate import AHEAD, Rater, task_rated_by
from games.room import api_keys
from games.web.api.callers import caller_of
from games.web.api.problems import Problem, nothing
from games.web.api.query import AT, query
from games.web.api.shapes import read

ADMIN = (api_keys.ADMIN,)
MODELS = OpenApiParameter("models", str, enum=["1"], description="1: models count among the raters.")


class Tasks(APIView):
    """The tasks that you may rate or run, the newest first."""

    scopes, rights = {"GET": ADMIN}, (LABELS, RUNS)
    takes = (AT,)

    @extend_schema(responses=shapes.TasksShape)
    def get(self, request: Request) -> Response:
        user = _user(request)
        rows = Task.objects.filter(imported=False)
        if not user.has_perm(RUNS):
            rows = rows.filter(raters=user.pk)
        rows = rows.select_related("scheme").prefetch_related("raters")
        return Response(paged(request, rows, lambda task: _task(task, user)))


class OneTask(APIView):
    """One task with its rounds, and how far its raters are for who runs it."""

    scopes, rights = {"GET": ADMIN}, (LABELS, RUNS)

    @extend_schema(responses=shapes.OneTaskShape)
    def get(self, request: Request, task: UUID) -> Response:
        user = _user(request)
        found = Task.objects.select_related("scheme").filter(pk=task, imported=False).first()
        if found is None or not (user.has_perm(RUNS) or user in found.raters.all()):
            raise nothing()
        told = [_round(part, user.has_perm(RUNS)) for part in found.rounds.select_related("scheme", "task")]
        return Response(_task(found, user) | {"rounds": told})


class Next(APIView):
    """The next items that wait for you, 8 at most."""

    scopes, rights = {"GET": ADMIN}, (LABELS,)

    @extend_schema(responses=shapes.NextShape)
    def get(self, request: Request, task: UUID) -> Response:
        part = task_rated_by(_user(request), task).last
        if part is None or part.closed:
            return Response({"round": None, "done": 0, "total": 0, "items": []})
        rounds.settle(part)
        rater = Rater(part, _user(request))
        done, total = rater.counted()
        told = [_item(item, rater.task) for item in rater.waiting()[:AHEAD]]
        return Response({"round": part.number, "done": done, "total": total, "items": told})


class OneItem(APIView):
    scopes, rights = {"PUT": ADMIN, "DELETE": ADMIN}, (LABELS,)

    @extend_schema(request=shapes.GivenShape, responses={204: None})
    def put(self, request: Request, task: UUID, item: int) -> Response:
        """Give an item its labels; given again, the last ones hold."""
        given, (rater, found) = read(shapes.GivenShape, request.data), _rater(request, task, item)
        told = words(found, rater.task) if any(given["spans"]) else None
        spans = [told.said(span) if told and span else None for span in given["spans"]]
        rater.give(found.pk, given["labels"], spans, given["note"], given["seconds"])
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, task: UUID, item: int) -> Response:
        """Take the labels of an item back, as long as the round is open."""
        rater, found = _rater(request, task, item)
        rater.take_back(found.pk)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AgreementOf(APIView):
    """How far the raters of a round agree, on all labels together and on each."""

    scopes, rights = {"GET": ADMIN}, (RUNS,)
    takes = (MODELS,)

    @extend_schema(responses=shapes.AgreeingShape(many=True))
    def get(self, request: Request, task: UUID, number: int) -> Response:
        part = _part(request, task, number)
        return Response([_agreeing(one) for one in agreement.measured(part, models=_models(request))])


class MatrixOf(APIView):
    """The items of a round by its raters."""

    scopes, rights = {"GET": ADMIN}, (RUNS,)
    takes = (MODELS,)

    @extend_schema(responses=shapes.MatrixShape)
    def get(self, request: Request, task: UUID, number: int) -> Response:
        part, models = _part(request, task, number), _models(request)
        return Response(
            {
                "raters": agreement.matrix(part, models=models).raters,
                "items": [_row(row) for row in agreement.rows(part, models=models)],
            }
        )


def _user(request: Request) -> User:
    return cast(User, caller_of(request).user)


def _models(request: Request) -> bool:
    return query(request)["models"] == "1"


def _rater(request: Request, task: UUID, item: int) -> tuple[Rater, Item]:
    """This person as a rater of the round that an item stands in."""
    found = task_rated_by(_user(request), task)
    thing = Item.objects.select_related("match", "round__scheme", "round__task").filter(round__task=found, pk=item)
    if (one := thing.first()) is None:
        raise nothing()
    return Rater(one.round, _user(request)), one


def _part(request: Request, task: UUID, number: int) -> Round:
    part = Round.objects.select_related("task", "scheme").filter(task=task, number=number).first()
    if part is None:
        raise nothing()
    if blind(_user(request), part):
        sentence = _("Round %(n)d is open, and you rate in it: what raters give is shown when it is closed.")
        raise Problem(403, "not_allowed", sentence % {"n": part.number})
    return part


def _task(task: Task, user: User) -> dict[str, Any]:
    return {
        "id": task.pk,
        "name": task.name,
        "scheme": f"{task.scheme.name}:{task.scheme.version}",
        "closed": task.status == Task.Status.CLOSED,
        "created_at": task.created_at,
        "rates": user.has_perm(LABELS) and user in task.raters.all(),
        "runs": user.has_perm(RUNS),
    }


def _round(part: Round, runs: bool) -> dict[str, Any]:
    raters = rounds.progress(part) if runs else []
    return {
        "number": part.number,
        "closed": part.closed,
        "scheme": _scheme(part.scheme),
        "items": part.items.count(),
        "raters": [
            {"rater": part.task.pseudonym(row.rater), "given": row.given, "total": row.total, "pace": row.pace}
            for row in raters
        ],
    }


def _scheme(scheme: Scheme) -> dict[str, Any]:
    labels = [{name: label.get(name, "") for name in ("name", "title", "definition")} for label in scheme.labels]
    plain = ("name", "version", "title", "about", "kind")
    return {name: getattr(scheme, name) for name in plain} | {"labels": labels}


def _item(item: Item, task: Task) -> dict[str, Any]:
    told = question(item, shown(item, task))
    return {
        "id": item.pk,
        "game": item.match.game,
        "facts": told.facts,
        "before": told.context,
        "words": told.words,
        "after": told.after,
        "marked": item.marked,
    }


def _agreeing(one: Agreement) -> dict[str, Any]:
    return {
        "label": one.label,
        "given": one.given,
        "percent": _measure(one.percent),
        "cohen": [{"raters": list(pair)} | _measure(number) for pair, number in one.cohen.items()],
        "fleiss": _measure(one.fleiss),
        "alpha": _measure(one.alpha),
        "ordinal": None if one.ordinal is None else _measure(one.ordinal),
    }


def _measure(number: Number) -> dict[str, Any]:
    low, high = number.interval or (None, None)
    return {"value": number.value, "low": low, "high": high, "n": number.n}


def _row(row: agreement.Row) -> dict[str, Any]:
    given = {rater: list(labels) for rater, labels in row.given.items()}
    return {
        "item": row.item,
        "match": row.match,
        "on": row.anchor,
        "given": given,
        "share": row.share,
        "final": row.final,
        "how": row.how,
    }
