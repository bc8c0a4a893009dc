"""Inviting an agent from outside: the link of its chair, and the lines that one pastes, shown once."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.refused import Refused
from games.room import outside
from games.room.people import person_of
from games.web import mcp
from games.web.limits import JOINING, limited
from games.web.pages.table import found
from games.web.visits import Place


@require_POST
@limited(JOINING)
@never_cache
@found
def invite(request: HttpRequest, at: Place) -> HttpResponse:
    """Give a free chair to an agent from outside, as the host."""
    try:
        chair, secret = outside.invite(at.room, person_of(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("games:table", at.room.code)
    table = request.build_absolute_uri(reverse("api:table", args=[at.room.code]))
    program = request.build_absolute_uri(reverse("api:program"))
    context = {
        "room": at.room,
        "chair": chair,
        "secret": secret,
        "table": table,
        "program": program,
        "mcp": mcp.address(request),
    }
    return render(request, "games/invited.html", context)
