"""The audit for programs of admins: who did what and when, chosen as on its page."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.web.api import shapes
from evaluation.web.api.answering import paged
from evaluation.web.pages.audits import RIGHT, called, choice_of, rows_of, who
from games.audit import Audited
from games.room import api_keys
from games.web.api.problems import malformed
from games.web.api.query import AT

CHOICE = (
    OpenApiParameter("what", str, enum=Audited.What.values),
    OpenApiParameter("who", str, description="The name or number of an account, or what else did it."),
    OpenApiParameter("match", str, description="The id of a match."),
    OpenApiParameter("since", str, description="A day, such as 2026-01-31."),
    OpenApiParameter("until", str),
    AT,
)


class Audit(APIView):
    """What was noted, the newest first, 50 at a time."""

    scopes, rights = {"GET": (api_keys.ADMIN,)}, (RIGHT,)
    takes = CHOICE

    @extend_schema(responses=shapes.AuditShape)
    def get(self, request: Request) -> Response:
        rows, wrong = rows_of(choice_of(request.query_params))
        if wrong:
            raise malformed({name: [sentence] for name, sentence in wrong.items()})
        return Response(paged(request, rows.select_related("account", "whom"), _told, "pk"))


def _told(row: Audited) -> dict[str, Any]:
    return {
        "number": row.pk,
        "at": row.at,
        "what": row.what,
        "who": who(row),
        "whom": called(row.whom_id, row.whom),
        "match": row.match,
        "about": row.about,
        "details": row.details,
    }
