"""A person's API keys: made for programs of theirs, shown once, and withdrawn."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.refused import Refused
from games.room import api_keys
from games.room.people import person_of, remember
from games.web.limits import JOINING, limited
from magic_site import clock
from magic_site.numbers import number_in


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@limited(JOINING)
def listed(request: HttpRequest) -> HttpResponse:
    """All of one's keys. A POST makes one: its secret stands in this answer and nowhere else."""
    secret, trouble = "", ""
    if request.method == "POST":
        try:
            _key, secret = api_keys.make(
                person_of(request),
                request.user,
                request.POST.get("title", ""),
                request.POST.getlist("scopes"),
                number_in(request.POST.get("days", ""), 4),
            )
        except Refused as error:
            trouble = str(error)
    typed = request.POST if trouble else {}
    chosen = request.POST.getlist("scopes") if trouble else [api_keys.PLAY, api_keys.READ]
    context = {
        "keys": [
            (key, [api_keys.SCOPES[scope].title for scope in key.scopes]) for key in api_keys.of(person_of(request))
        ],
        "now": clock.now(),
        "secret": secret,
        "trouble": trouble,
        "title": typed.get("title", ""),
        "scopes": [(name, scope, name in chosen) for name, scope in api_keys.SCOPES.items()],
        "lives": [(days, str(days) == typed.get("days", "30")) for days in api_keys.LIVES],
    }
    return remember(request, render(request, "games/keys.html", context, status=422 if trouble else 200))


@require_POST
@limited(JOINING)
def withdraw(request: HttpRequest, key: int) -> HttpResponse:
    """End one of one's keys now."""
    try:
        api_keys.withdraw(person_of(request), key, request.user)
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Withdrawn. No program gets in by this key any more."))
    return redirect("games:keys")
