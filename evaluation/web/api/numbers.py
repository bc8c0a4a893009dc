"""Tables of numbers for programs: which there are, one of them by a choice of matches, the events behind a number."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.counting import boards
from evaluation.metrics import METRICS, agent
from evaluation.suites import SUITES
from evaluation.tables import papers
from evaluation.web import names
from evaluation.web.api import shapes
from evaluation.web.api.answering import told_standing
from evaluation.web.pages.boards import BEHIND, key_in
from games.match.access import RESEARCHER
from games.registry import RULES
from games.room import api_keys
from games.translation import translated
from games.web.api.problems import malformed, nothing
from games.web.api.query import query
from games.web.api.tags import tagged

HIDDEN = {"GET": (api_keys.HIDDEN,)}
AGAIN = 3
"""Seconds after which it is worth asking again for what is being counted."""

CHOICE = (
    OpenApiParameter("competition", OpenApiTypes.UUID, description="The id of a competition."),
    OpenApiParameter("suite", str, enum=list(SUITES)),
    OpenApiParameter("game", str, enum=list(RULES)),
    OpenApiParameter("role", str, description="What the challenger played as."),
    OpenApiParameter("since", OpenApiTypes.DATE, description="A day, such as 2026-01-31."),
    OpenApiParameter("until", OpenApiTypes.DATE),
    OpenApiParameter("seats", str, enum=["all"], description="Count also seats that others moved for."),
    OpenApiParameter("models", str, enum=["apart"], description="Tell agents apart by the names of their models."),
)
ROW = OpenApiParameter("row", str, description="As `behind` of a number has it.")
COLUMN = OpenApiParameter("column", str, description="The name of a metric.")
FROM = OpenApiParameter("from", int, description="`next` of the answer before.")


class Boards(APIView):
    """All tables of numbers. They are made of what was hidden in matches."""

    scopes, rights = HIDDEN, (RESEARCHER,)

    @extend_schema(responses=shapes.BoardShape(many=True))
    def get(self, request: Request) -> Response:
        return Response([_board(spec) for spec in papers.SPECS.values()])


class Board(APIView):
    """One table, of the matches that are chosen, each number with its numerator and denominator. 202 while it is
    counted for the first time. What has not changed since has the same ETag."""

    scopes, rights = HIDDEN, (RESEARCHER,)
    takes = CHOICE

    @extend_schema(responses={200: shapes.NumbersShape, 202: shapes.CountingShape, 304: None})
    def get(self, request: Request, board: str) -> HttpResponse:
        spec, choice = _spec(board), boards.Choice.read(request.query_params)
        found = boards.board(choice)
        if found is None:
            counting = {"counting": told_standing(boards.waits(choice))}
            return Response(counting, status=202, headers={"Retry-After": str(AGAIN)})
        known = f"{board} {choice.key()} {boards.state(choice)}"
        tag = hashlib.sha256(known.encode()).hexdigest()[:24] if found.fresh else ""
        return tagged(request, tag, lambda: _numbers(spec, choice, found))


class Behind(APIView):
    """The events that a number counts, 100 at a time, in order."""

    scopes, rights = HIDDEN, (RESEARCHER,)
    takes = (*CHOICE, ROW, COLUMN, FROM)

    @extend_schema(responses=shapes.BehindShape)
    def get(self, request: Request, board: str) -> Response:
        _spec(board)
        asked = query(request)
        if (column := asked["column"]) not in METRICS:
            raise malformed({"column": [_("This is the name of no metric.")]})
        choice, key = boards.Choice.read(request.query_params), key_in(request._request, "row")
        start = asked["from"]
        rows = list(islice(boards.behind(choice, board, key, column), start, start + BEHIND + 1))
        return Response(
            {
                "events": [_counted(row) for row in rows[:BEHIND]],
                "next": start + BEHIND if len(rows) > BEHIND else None,
            }
        )


def _spec(board: str) -> papers.Spec:
    if board not in papers.SPECS:
        raise nothing()
    return papers.SPECS[board]


def _board(spec: papers.Spec) -> dict[str, Any]:
    told = {name: str(translated(getattr(spec, name))) for name in ("title", "about", "counts")}
    return {"name": spec.name} | told | {"columns": [_column(METRICS[name]) for name in spec.columns]}


def _column(metric: Any) -> dict[str, Any]:
    told = {name: str(translated(getattr(metric, name))) for name in ("title", "about")}
    return {"name": metric.name} | told | {"source": metric.source, "unit": metric.unit, "lower": metric.lower}


def _numbers(spec: papers.Spec, choice: boards.Choice, found: boards.Counted) -> dict[str, Any]:
    table, titles = found.data["tables"][spec.name], names.players()
    rows = [
        {
            "title": row["label"] if row["source"] else names.group(row["key"], titles),
            "source": row["source"],
            "notes": list(row["notes"]),
            "numbers": [_number(spec, choice, row, name) for name in spec.columns],
        }
        for row in table["rows"]
    ]
    about = {"choice": choice.given(), "fresh": found.fresh}
    return _board(spec) | about | {"matches": table["records"], "left_out": table["left_out"], "rows": rows}


def _number(spec: papers.Spec, choice: boards.Choice, row: dict[str, Any], name: str) -> dict[str, Any]:
    cell = row["cells"][name]
    low, high = cell["interval"] or (None, None)
    behind = ""
    if cell["n"] and not row["source"]:
        given = choice.given() | {"row": json.dumps(row["key"]), "column": name}
        behind = f"{reverse('evaluation_api:behind', args=[spec.name])}?{urlencode(given)}"
    plain = {part: cell[part] for part in ("value", "numerator", "denominator", "n", "matches")}
    return {"metric": name, "low": low, "high": high, "behind": behind} | plain


def _counted(row: Any) -> dict[str, Any]:
    item = row.item
    return {
        "match": row.record.id,
        "game": row.record.game,
        "seat": row.seat,
        "who": str(agent(row.record, row.seat)),
        "metric": row.metric,
        "by": getattr(item, "by", ""),
    } | {name: getattr(item, name, None) for name in ("seq", "value", "weight")}
