"""The room's screen: what everybody may see of a table in large type, for a television that all look at, with the link
as a picture that phones read."""

import segno
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from games.registry import RULES
from games.room import presence
from games.web import panels
from games.web.pages.table import found
from games.web.visits import Place, Visit, ready_visit, visit_now
from magic_site.requests import SiteRequest


@require_GET
@never_cache
@found
def screen(request: SiteRequest, at: Place) -> HttpResponse:
    """The screen of a table, whoever opens it: a stranger's view, never that of a seat."""
    room, shown = at.room, None
    seen = ready_visit(at.caught_up(), AnonymousUser(), "")
    presence.seen_now(room)
    while not seen.shut and (shown := _public(seen)) is None:
        seen = visit_now(room, AnonymousUser(), "")
    link = request.build_absolute_uri(room.link)
    context = {"room": room, "rules": RULES[room.game], "visit": seen, "parts": shown, "picture": picture(link)}
    return render(request, "games/screen.html", context)


def _public(seen: Visit) -> dict[str, SafeString] | None:
    """The parts that everybody may see, of one moment; None where the look is not good any more."""
    with panels.moment(seen) as still:
        if not still:
            return None
        lines = SafeString("".join(panels.lines(seen)))
        return panels.public_parts(seen) | {"lines": lines, "verdict": panels.OwnParts(seen).verdict()}


def picture(link: str) -> SafeString:
    """A link as a QR code, an SVG of black on white."""
    drawn = segno.make(link, micro=False).svg_inline(border=2, omitsize=True, light="#fff")
    return mark_safe(drawn)  # noqa: S308 (drawn from an address of ours)
