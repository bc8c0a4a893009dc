"""The page that says what a program can do here."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.room.api_keys import SCOPES


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    return render(request, "games/api.html", {"site": site, "scopes": SCOPES.items()})
