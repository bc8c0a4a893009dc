"""Imports for programs: a file of logs is announced, sent in pieces and read, and what came of it is told."""

from __future__ import annotations

from typing import IO, Any, cast
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from evaluation.imports import imports, pieces
from evaluation.models import Import
from evaluation.web.access import IMPORTS
from evaluation.web.api import shapes
from evaluation.web.api.answering import paged, told_standing
from evaluation.web.pages.imports import SHOWN
from games.jobs import jobs, news
from games.jobs.standing import standing
from games.room import api_keys
from games.web.api.callers import caller_of
from games.web.api.once import once
from games.web.api.problems import nothing
from games.web.api.query import AT
from games.web.api.shapes import read, read_nothing

ADMIN = (api_keys.ADMIN,)


class Bytes(BaseParser):
    """A body as it comes."""

    media_type = "application/octet-stream"

    def parse(self, stream: IO[bytes], media_type: str | None = None, context: Any = None) -> Any:
        return stream.read()


class Imports(APIView):
    scopes, rights = {"GET": ADMIN, "POST": ADMIN}, (IMPORTS,)
    takes = (AT,)

    @extend_schema(responses=shapes.ImportsShape)
    def get(self, request: Request) -> Response:
        """All imports, the newest first, 50 at a time."""
        return Response(paged(request, Import.objects.filter(received=True), _listed))

    @extend_schema(request=shapes.BringShape, responses={201: shapes.ImportShape})
    @once
    def post(self, request: Request) -> Response:
        """Announce a file, whose pieces come next."""
        sent, by = read(shapes.BringShape, request.data), caller_of(request).user
        found = imports.announce(sent["name"], sent["size"], by, unfinished=sent["unfinished"])
        found.refresh_from_db()
        return Response(_told(found), status.HTTP_201_CREATED)


class OneImport(APIView):
    """One import: how far it is, what came of it, and what is wrong."""

    scopes, rights = {"GET": ADMIN}, (IMPORTS,)

    @extend_schema(responses=shapes.ImportShape)
    def get(self, request: Request, brought: UUID) -> Response:
        found = get_object_or_404(Import, pk=brought)
        if not (found.received or found.created_by == caller_of(request).user):
            raise nothing()
        return Response(_told(found))


class Piece(APIView):
    """Send one piece of a file that you bring, from 0; one that comes twice is kept once."""

    scopes, rights = {"PUT": ADMIN}, (IMPORTS,)
    parser_classes = [Bytes]

    @extend_schema(request={Bytes.media_type: OpenApiTypes.BINARY}, responses={204: None})
    def put(self, request: Request, brought: UUID, number: int) -> Response:
        imports.receive(_own(request, brought), number, cast(bytes, request.data or b""))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Read(APIView):
    """Have a file read of which all pieces are here."""

    scopes, rights = {"POST": ADMIN}, (IMPORTS,)

    @extend_schema(request=None, responses=shapes.ImportShape)
    def post(self, request: Request, brought: UUID) -> Response:
        read_nothing(request.data)
        found = _own(request, brought)
        imports.begin(found)
        found.refresh_from_db()
        return Response(_told(found))


class Stop(APIView):
    """Break an import off; nothing comes of it."""

    scopes, rights = {"POST": ADMIN}, (IMPORTS,)

    @extend_schema(request=None, responses=shapes.ImportShape)
    def post(self, request: Request, brought: UUID) -> Response:
        read_nothing(request.data)
        found = get_object_or_404(Import, pk=brought)
        jobs.stop(imports.KIND, key=str(found.pk))
        news.tell(found.pk)
        return Response(_told(found))


def _own(request: Request, brought: UUID) -> Import:
    """A file that this person brings."""
    return get_object_or_404(Import, pk=brought, created_by=caller_of(request).user.pk)


def _listed(found: Import) -> dict[str, Any]:
    plain = ("name", "size", "received", "created_at", "published_at", "sha256", "matches", "new", "here", "erased")
    return {"id": found.pk, "wrong": found.wrong} | {name: getattr(found, name) for name in plain}


def _told(found: Import) -> dict[str, Any]:
    came = found.came.order_by("-created_at", "pk")[:SHOWN] if found.published_at else ()
    return _listed(found) | {
        "piece": pieces.PIECE,
        "pieces": found.pieces.count(),
        "faults": found.faults,
        "aside": found.aside,
        "came": [match.pk for match in came],
        "standing": told_standing(standing(imports.KIND, about=found.pk)),
    }
