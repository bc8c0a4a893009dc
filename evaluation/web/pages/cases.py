"""The page of one setting that several played, side by side."""

from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evaluation.counting import boards, stored
from evaluation.web import cases, names
from evaluation.web.access import for_researchers
from evaluation.web.pages.boards import framed
from games.models import Match
from games.registry import RULES, page_part
from games.translation import translated


@for_researchers
def page(request: HttpRequest) -> HttpResponse:
    """One setting, the newest match on it of each challenger that is chosen, event by event."""
    choice = boards.Choice.read(request.GET)
    found = cases.cases(choice)
    chosen = next((case for case in found if case.key == request.GET.get("case")), next(iter(found), None))
    titles = names.players()
    context: dict[str, Any] = framed(request, choice, "", _("One setting, side by side"))
    context |= {
        "cases": [
            (heading, [(case.key, case.setting, case == chosen) for case in group])
            for heading, group in groupby(found, key=_heading)
        ],
        "chosen": chosen,
        "most": cases.MOST,
    }
    if chosen is not None:
        played = found[chosen]
        wanted = [who for who in request.GET.getlist("who") if who in played] or list(played)
        keys = {str(played[who][0]): who for who in sorted(wanted)[: cases.MOST]}
        given = {record.id: record for record in stored.records(Match.objects.filter(pk__in=keys))}
        shown = cases.columns([given[key] for key in keys if key in given], keys)
        context |= {
            "challengers": [(who, names.group(who, titles), who in wanted) for who in sorted(played)],
            "columns": [
                {
                    "who": names.group(column.challenger, titles),
                    "seats": column.seats,
                    "names": column.names,
                    "match": column.record.id,
                    "result": column.record.outcome.result,
                }
                for column in shown
            ],
            "result_page": page_part(chosen.game, "result"),
            "steps": cases.side_by_side(shown),
        }
    return render(request, "evaluation/cases.html", context)


def _heading(case: cases.Case) -> str:
    game = translated(RULES[case.game].title)
    told = [names.role(label) for label in case.labels[:-1] if label and label != case.game]
    return f"{game}, {', '.join(told)}" if told else game
