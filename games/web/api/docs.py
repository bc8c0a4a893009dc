"""The page that says what a program can do here."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.room.api_keys import SCOPES
from games.web import mcp
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
