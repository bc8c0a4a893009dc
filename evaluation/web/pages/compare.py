"""A page that sets any two rows of a table beside one another, column by column."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evaluation.counting import boards
from evaluation.tables import papers
from evaluation.tables.comparison import FEW
from evaluation.web import names
from evaluation.web.access import for_researchers
from evaluation.web.pages import cells
from evaluation.web.pages.boards import back_to, counted, key_in


@for_researchers
def compare(request: HttpRequest, table: str) -> HttpResponse:
    """Two measured rows of a table against one another, in pairs over the settings that both played."""
    if table not in papers.SPECS:
        raise Http404
    choice = boards.Choice.read(request.GET)
    rows = [key_in(request, name) for name in ("one", "other")]
    given = {name: request.GET[name] for name in ("one", "other")}
    title = _("Two rows of “%(table)s”") % {"table": papers.SPECS[table].title}
    context, data, titles = counted(request, choice, "", title, ("pair", table, *given.values()))
    who = names.group(rows[0], titles), names.group(rows[1], titles)
    context |= {"who": who, "enough": FEW, "back": back_to(table, choice), "given": given}
    if data:
        context["rows"] = [cells.contrast(row, who) for row in data["contrasts"]]
    return render(request, "evaluation/compare.html", context)
