"""A page that sets any two rows of a table beside one another, column by column."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation import boards, names, tables
from evaluation.access import for_researchers
from evaluation.comparison import FEW
from evaluation.views import cells, conditions
from evaluation.views.boards import back_to, framed, key_in


@require_safe
@never_cache
@for_researchers
def compare(request: HttpRequest, table: str) -> HttpResponse:
    """Two measured rows of a table against one another, in pairs over the settings that both played."""
    if table not in tables.SPECS:
        raise Http404
    choice, titles = boards.Choice.read(request.GET), names.players()
    rows = [key_in(request, name) for name in ("one", "other")]
    part = ("pair", table, *(request.GET[name] for name in ("one", "other")))
    found = boards.board(choice, part)
    who = tuple(names.group(key, titles) for key in rows)
    context: dict[str, Any] = framed(
        request, choice, "", _("Two rows of “%(table)s”") % {"table": tables.SPECS[table].title}
    )
    context |= {
        "waits": found is None or not found.fresh,
        "group": choice.group(part),
        "who": who,
        "enough": FEW,
        "back": back_to(table, choice),
        "given": {"one": request.GET["one"], "other": request.GET["other"]},
    }
    if found is not None:
        context["mixed"] = conditions.mixed(found.data["mixed"], titles)
        context["rows"] = [cells.contrast(row, who) for row in found.data["contrasts"]]
    return render(request, "evaluation/compare.html", context)
