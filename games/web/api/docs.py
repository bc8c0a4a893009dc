"""What a program can do here: the page that begins it, and the OpenAPI document."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.room.api_keys import SCOPES
from games.web import mcp
from games.web.api.shapes import IndexShape
from games.web.api.tags import tagged
from games.web.downloads import download

SEAT = settings.BASE_DIR / "examples" / "seat.py"


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    return render(request, "games/api.html", {"site": site, "scopes": SCOPES.items(), "mcp": mcp.address(request)})


@require_safe
def program(request: HttpRequest) -> HttpResponse:
    """A player in one file, to begin with."""
    return download(SEAT.read_bytes(), SEAT.name, "text/x-python; charset=utf-8")


@cache
def described() -> dict[str, Any]:
    """The API as OpenAPI has it: made once by a process, since it stays the same."""
    return SchemaGenerator().get_schema(public=True)


@cache
def _written(form: str) -> bytes:
    kind = OpenApiJsonRenderer if form == OpenApiJsonRenderer.format else OpenApiYamlRenderer
    return kind().render(described(), renderer_context={})


class Index(APIView):
    """All addresses."""

    @extend_schema(responses=IndexShape, tags=["index"])
    def get(self, request: Request) -> Response:
        found = {path: [method.upper() for method in methods] for path, methods in described()["paths"].items()}
        return Response({"openapi": reverse("api:schema"), "addresses": found})


@extend_schema(exclude=True)
class Document(APIView):
    """The OpenAPI document, as YAML or JSON."""

    renderer_classes = [OpenApiYamlRenderer, OpenApiJsonRenderer]

    def get(self, request: Request) -> HttpResponse:
        kind = request.accepted_renderer
        written = _written(kind.format)
        tag = hashlib.sha256(written).hexdigest()[:24]
        return tagged(request, tag, lambda: HttpResponse(written, content_type=kind.media_type))
