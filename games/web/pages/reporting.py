"""What people reported, for admins: each line with those around it, and what is decided about it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Report, ShutOut
from games.refused import Refused
from games.room import reports
from games.room.orders import MOST_LETTERS
from games.room.people import person_of
from games.web.pages.keeping import RIGHT
from magic_site.rights import for_holders

MOST = 100
"""Reports that are shown at once, the oldest first."""


@require_safe
@for_holders(RIGHT)
def listed(request: HttpRequest) -> HttpResponse:
    """The reports that nobody has decided about."""
    waiting = Report.objects.filter(settled_at=None).select_related("room", "match")
    context = {"reports": waiting[:MOST], "shut": ShutOut.objects.select_related("account")[:MOST]}
    return render(request, "games/keeping/reports.html", context | {"most_letters": MOST_LETTERS})


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders(RIGHT)
def report(request: HttpRequest, key: int) -> HttpResponse:
    """One of them; a POST decides."""
    found = get_object_or_404(Report.objects.select_related("room", "match__room", "message__room"), pk=key)
    typed, chosen, trouble = request.POST.get("reason", ""), request.POST.getlist("what"), ""
    if request.method == "POST":
        try:
            reports.decide(found, chosen, typed, request.user, person_of(request))
        except Refused as error:
            trouble = str(error)
        else:
            messages.success(request, _("Done. The reason stands in the audit."))
            return redirect("games:reports")
    own = reports.plays_there(found, person_of(request))
    context = {
        "report": found,
        "own": own,
        "lines": [] if own else reports.look(found, request.user),
        "decisions": {name: one.title for name, one in reports.DECISIONS.items()},
        "typed": typed,
        "chosen": chosen,
        "trouble": trouble,
        "most_letters": MOST_LETTERS,
    }
    return render(request, "games/keeping/report.html", context, status=422 if trouble else 200)


@require_http_methods(["POST"])
@for_holders(RIGHT)
def let_in(request: HttpRequest, key: int) -> HttpResponse:
    """Let somebody talk again."""
    try:
        reports.let_in(get_object_or_404(ShutOut, pk=key), request.POST.get("reason", ""), request.user)
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Done. The reason stands in the audit."))
    return redirect("games:reports")
