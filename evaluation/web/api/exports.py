"""Exports for programs: asked for with the choices of the page, followed while they are made, and taken away, whole or
in parts."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.desk.selection import PARTS, Selection
from evaluation.exports import exporting
from evaluation.exports.models import Export
from evaluation.web.api import shapes
from evaluation.web.api.answering import malformed_by, paged, told_standing
from evaluation.web.export_form import ExportForm
from evaluation.web.pages.exports import may_have, not_there, sent
from games.jobs.standing import standing
from games.match.access import RESEARCHER
from games.models import Job
from games.room import api_keys
from games.web.api.callers import Caller, caller_of
from games.web.api.once import once
from games.web.api.problems import Problem, malformed
from games.web.api.query import AT
from games.web.api.shapes import read

EXPORTING = (api_keys.EXPORT,)
RANGE = OpenApiParameter("Range", str, OpenApiParameter.HEADER, description="A part of the file, as in bytes=0-999.")


class Exports(APIView):
    scopes, rights = {"GET": EXPORTING, "POST": EXPORTING}, (RESEARCHER,)
    takes = (AT,)

    @extend_schema(responses=shapes.ExportsShape)
    def get(self, request: Request) -> Response:
        """All exports, the newest first, 50 at a time."""
        page = paged(request, Export.objects.defer("holds"), lambda found: found)
        playing = exporting.still_played(page["results"], caller_of(request).person)
        return Response(page | {"results": [_listed(one, one.pk in playing) for one in page["results"]]})

    @extend_schema(request=shapes.OrderShape, responses={201: shapes.ExportShape})
    @once
    def post(self, request: Request) -> Response:
        """Have an export made of the matches that are chosen."""
        asked, caller = read(shapes.OrderShape, request.data), caller_of(request)
        user = _user(caller)
        if unknown := asked["selection"].keys() - set(PARTS):
            raise malformed({"selection": [_("Matches are not chosen by %(name)s.") % {"name": min(unknown)}]})
        try:
            selection = Selection.of(asked["selection"], user)
        except ValidationError as error:
            raise malformed_by(error) from error
        if asked["names"] and not user.has_perm(exporting.NAMES):
            raise Problem(403, "not_allowed", _("You may not export people by their names."))
        form = ExportForm(selection, user, asked)
        if not form.is_valid():
            raise malformed(form.errors)
        return Response(_told(exporting.ask(form.order, user), caller), status.HTTP_201_CREATED)


class OneExport(APIView):
    """One export, with how far it is."""

    scopes, rights = {"GET": EXPORTING}, (RESEARCHER,)

    @extend_schema(responses=shapes.ExportShape)
    def get(self, request: Request, export: UUID) -> Response:
        return Response(_told(get_object_or_404(Export, pk=export), caller_of(request)))


class File(APIView):
    """The file of an export, a zip, or a part of it."""

    scopes, rights = {"GET": EXPORTING}, (RESEARCHER,)

    @extend_schema(
        parameters=[RANGE],
        responses={
            (200, "application/zip"): OpenApiTypes.BINARY,
            (206, "application/zip"): OpenApiTypes.BINARY,
            416: None,
        },
    )
    def get(self, request: Request, export: UUID) -> HttpResponseBase:
        found, caller = get_object_or_404(Export, pk=export), caller_of(request)
        if not may_have(found, _user(caller), caller.person):
            raise Problem(403, "not_allowed", _("It names people, or you still play a match in it."))
        job = exporting.job_of(found)
        if job is None or job.state != Job.State.DONE:
            raise Problem(409, "refused", not_there(found))
        return sent(request._request, found, job, _user(caller))


def _user(caller: Caller) -> User:
    return cast(User, caller.user)


def _listed(found: Export, playing: bool) -> dict[str, Any]:
    """An export as lists have it. playing: whether who asks still plays a match in it, and so is not told what it
    counts."""
    plain = ("name", "selection", "content", "formats", "created_at", "made_at", "gone")
    counts = ("matches", "rows", "size", "sha256")
    told = {"id": found.pk} | {name: getattr(found, name) for name in plain}
    return told | {name: None if playing else getattr(found, name) for name in counts}


def _told(found: Export, caller: Caller) -> dict[str, Any]:
    job = exporting.job_of(found)
    there = job is not None and job.state == Job.State.DONE and may_have(found, _user(caller), caller.person)
    playing = bool(exporting.still_played([found], caller.person))
    return _listed(found, playing) | {
        "file": reverse("evaluation_api:export_file", args=[found.pk]) if there else "",
        "standing": told_standing(standing(exporting.KIND, key=str(found.pk))),
    }
