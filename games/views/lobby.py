"""The lobby: what can be played, which tables are open, and the ways to one's own table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render


def lobby(request: HttpRequest) -> HttpResponse:
    return render(request, "games/lobby.html")


def join(request: HttpRequest) -> HttpResponse:
    raise Http404


def play(request: HttpRequest, game: str) -> HttpResponse:
    raise Http404


new_table = howto = play
