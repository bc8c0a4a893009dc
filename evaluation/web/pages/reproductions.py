"""The page that plays a printed table again, and the one that shows what came of it beside what is printed."""

import json
from copy import deepcopy
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from agents.seating import seatable_at_all
from evaluation.competitions import rehearsal, running
from evaluation.competitions.reproductions import REPRODUCTIONS, Reproduction, results
from evaluation.counting import boards
from evaluation.metrics import METRICS
from evaluation.models import Competition
from evaluation.suites import SUITES, Entry, SuiteError
from evaluation.suites.base import MOST_MATCHES
from evaluation.tables.papers import SPECS
from evaluation.web import names
from evaluation.web.access import for_researchers, for_runners
from evaluation.web.forms import CompetitionForm
from evaluation.web.pages import cells, conditions
from evaluation.web.pages.boards import address, waiting
from magic_site.number_fields import WholeNumberField

COST = "cost"
"""In an address: what it will cost is asked for."""


class ReproductionForm(forms.Form):
    """Who plays each printed row, who plays against them, and how much of it is played."""

    def __init__(self, found: Reproduction, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.found = found
        suite = SUITES[found.suite]
        agents = seatable_at_all(suite.games)
        usable = {name for name, _title in agents}
        for number, arm in enumerate(found.arms):
            if arm.profile:
                self.fields[f"arm_{number}"] = forms.ChoiceField(
                    label=arm.row,
                    choices=[("", _("nobody")), *agents],
                    required=False,
                    initial=arm.profile if arm.profile in usable else "",
                )
        usual_ones = {part: who for part, who in found.defenders.items() if who in usable}
        for part, usual in (dict(suite.parts) | usual_ones).items():
            label = _("Who plays: %(part)s") % {"part": part}
            self.fields[f"part_{part}"] = forms.ChoiceField(label=label, choices=agents, initial=usual)
        if suite.matches:
            self.fields["how_many"] = WholeNumberField(
                label=_("Matches an arm"), initial=found.matches or suite.matches, min_value=1, max_value=MOST_MATCHES
            )
        self.fields |= {name: deepcopy(CompetitionForm.base_fields[name]) for name in ("take", "seed")}

    @property
    def entry(self) -> Entry:
        """What was asked for, once the form is valid."""
        given = self.cleaned_data
        arms = {arm.row: given.get(f"arm_{number}", "") for number, arm in enumerate(self.found.arms)}
        defenders = {name.removeprefix("part_"): who for name, who in given.items() if name.startswith("part_")}
        return self.found.entry(
            arms, defenders, (), matches=given.get("how_many"), take=given["take"], seed=given["seed"]
        )


@for_runners
def reproduce(request: HttpRequest, name: str) -> HttpResponse:
    """The arms of a printed table and how much is played; asked for (`COST`), also what it will cost, which a worker
    finds out. A POST begins it."""
    if name not in REPRODUCTIONS:
        raise Http404
    found, given = REPRODUCTIONS[name], request.POST or (request.GET if COST in request.GET else None)
    form = ReproductionForm(found, given)
    context: dict[str, Any] = {"form": form, "found": found, "suite": SUITES[found.suite]}
    if given and form.is_valid():
        try:
            _planned, profiles = running.plan(found.suite, form.entry)
            if request.method == "POST":
                made = running.make(found.title, found.suite, form.entry, user=request.user)
                running.start(made)
                return redirect("evaluation:competition", made.pk)
            context |= _expected(found, form.entry, rehearsal.conditions(profiles))
        except SuiteError as error:
            form.add_error(None, str(error))
    return render(request, "evaluation/reproduce.html", context, status=422 if form.errors else 200)


def _expected(found: Reproduction, entry: Entry, under: str) -> dict[str, Any]:
    part = ("cost", found.suite, json.dumps(asdict(entry), sort_keys=True), under)
    board = boards.board(boards.Choice(), part)
    title = _("One match of each kind is being rehearsed. The cost appears here when it is ready.")
    context = waiting(boards.Choice(), part, board, title)
    if board is None:
        return context
    titles, every = names.players(), [one for _who, one in board.data["expected"]]
    total = {key: sum(one[key] for one in every) for key in ("matches", "calls", "tokens_in", "tokens_out", "cost")}
    return context | {
        "expected": [(names.group(who, titles), one) for who, one in board.data["expected"]],
        "total": total,
        "unpriced": ", ".join(sorted({model for one in every for model in one["unpriced"]})),
    }


@for_researchers
def beside(request: HttpRequest, key: UUID) -> HttpResponse:
    """What came of a reproduction, beside what is printed."""
    competition = get_object_or_404(Competition, pk=key)
    found = REPRODUCTIONS.get(competition.entry["more"].get("reproduces", ""))
    if found is None:
        raise Http404
    choice, titles = boards.Choice(competition=str(key)), names.players()
    board = boards.board(choice)
    context: dict[str, Any] = {
        "competition": competition,
        "title": found.title,
        "found": found,
        "board": address(SUITES[found.suite].page, choice),
    }
    context |= waiting(choice, (), board)
    if board is not None:
        context["results"] = [_shown(one, titles) for one in results(found, competition.entry, board.data["tables"])]
    return render(request, "evaluation/beside.html", context)


def _shown(one: Any, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "row": one.row,
        "table": SPECS[one.table].title,
        "who": names.group(one.profile, titles),
        "played": one.played,
        "why": [conditions.reason(reason, dict(figures), titles) for reason, figures in one.objections],
        "numbers": [
            {
                "metric": METRICS[number.column],
                "printed": cells.number(number.printed, METRICS[number.column]),
                "measured": cells.number(number.measured, METRICS[number.column]),
                "interval": cells.between(number.interval, METRICS[number.column]),
                "n": number.n,
                "inside": number.inside,
            }
            for number in one.numbers
        ],
    }
