"""The page that plays a printed table again, and the one that shows what came of it beside what is printed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from agents.seating import seatable_at_all
from evaluation import boards, competitions, names, rehearsal
from evaluation.access import for_researchers, for_runners
from evaluation.metrics import METRICS
from evaluation.models import Competition
from evaluation.reproductions import REPRODUCTIONS, Reproduction, results
from evaluation.suites import SUITES, SuiteError
from evaluation.suites.base import MOST_MATCHES
from evaluation.views import cells, conditions
from evaluation.views.boards import address
from magic_site.number_fields import WholeNumberField


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
        self.fields["take"] = WholeNumberField(
            label=_("Play only"),
            required=False,
            min_value=1,
            max_value=MOST_MATCHES,
            help_text=_("The first so many of the planned matches; empty for all of them."),
        )
        self.fields["seed"] = WholeNumberField(label=_("Seed"), initial=1, min_value=0)

    @property
    def entry(self) -> Any:
        """What was asked for, once the form is valid."""
        given = self.cleaned_data
        arms = {arm.row: given.get(f"arm_{number}", "") for number, arm in enumerate(self.found.arms)}
        defenders = {name.removeprefix("part_"): who for name, who in given.items() if name.startswith("part_")}
        return self.found.entry(
            arms, defenders, (), matches=given.get("how_many"), take=given["take"], seed=given["seed"]
        )


@never_cache
@for_runners
def reproduce(request: HttpRequest, name: str) -> HttpResponse:
    """The arms of a printed table, how much is played, and what it will cost; a second POST begins it."""
    if name not in REPRODUCTIONS:
        raise Http404
    found = REPRODUCTIONS[name]
    form = ReproductionForm(found, request.POST or None)
    context: dict[str, Any] = {"form": form, "found": found, "suite": SUITES[found.suite]}
    if request.method == "POST" and form.is_valid():
        try:
            planned, profiles = competitions.plan(found.suite, form.entry)
            if "begin" in request.POST:
                made = competitions.make(found.title, found.suite, form.entry, user=request.user)
                competitions.start(made)
                return redirect("evaluation:competition", made.pk)
            context |= _expected(rehearsal.estimate(planned, profiles))
        except SuiteError as error:
            form.add_error(None, str(error))
    return render(request, "evaluation/reproduce.html", context, status=422 if form.errors else 200)


def _expected(found: dict[str, rehearsal.Estimate]) -> dict[str, Any]:
    titles, total = names.players(), rehearsal.Estimate()
    for one in found.values():
        total.add(one)
    return {
        "expected": [(names.group(who, titles), one) for who, one in found.items()],
        "total": total,
        "unpriced": ", ".join(sorted(total.unpriced)),
    }


@require_safe
@never_cache
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
        "found": found,
        "waits": board is None or not board.fresh,
        "group": choice.group(),
        "board": address(SUITES[found.suite].page, choice),
    }
    if board is not None:
        context["results"] = [_shown(one, titles) for one in results(found, competition.entry, board.data["tables"])]
    return render(request, "evaluation/beside.html", context)


def _shown(one: Any, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "row": one.row,
        "table": one.table,
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
