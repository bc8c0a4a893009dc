"""How long things are kept, for admins; what would go is told before."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import retention
from magic_site.rights import for_holders


@require_http_methods(["GET", "HEAD", "POST"])
@for_holders("games.erase_people")
def page(request: HttpRequest) -> HttpResponse:
    """The days of each rule. A POST shows how much would go by them, and with `keep` they hold from now on."""
    wanted, wrong, typed = retention.days(), {}, {}
    if request.method == "POST":
        for name, rule in retention.RULES.items():
            typed[name] = request.POST.get(name, "").strip()[:9]
            try:
                days = int(typed[name]) if typed[name] else None
                if days is not None and not rule.fewest <= days <= retention.LONGEST:
                    raise ValueError
                wanted[name] = days
            except ValueError:
                wanted[name] = None
                wrong[name] = _("Days: a whole number from %(fewest)d on; empty for ever.") % {"fewest": rule.fewest}
        if "keep" in request.POST and not wrong:
            retention.put(wanted, request.user)
            messages.success(request, _("This holds from now on."))
            return redirect("games:retention")
    would = retention.would_go(wanted)
    rows = [
        {
            "name": name,
            "rule": rule,
            "days": typed.get(name, wanted[name]),
            "would": would.get(name),
            "wrong": wrong.get(name, ""),
        }
        for name, rule in retention.RULES.items()
    ]
    context = {"rows": rows, "previewed": request.method == "POST" and not wrong}
    return render(request, "games/keeping/retention.html", context, status=422 if wrong else 200)
