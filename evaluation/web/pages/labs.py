"""What if? A move of a match is changed, and what would have followed is played and counted."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.reviews.rollouts import Forked
from agents.seating import seatable_at_all
from evaluation.lab import arms, counted, labs
from evaluation.lab.arms import Arm, LabError
from evaluation.lab.models import Lab
from evaluation.studies import trials
from evaluation.web import names
from evaluation.web.access import RUNS, for_researchers, for_runners, whole_match
from games.jobs import jobs, news
from games.jobs.standing import standing
from games.models import Match
from games.registry import RULES
from games.rules.values import OMNISCIENT
from games.web import feed, forms
from games.web.wording import in_words, plain
from magic_site.numbers import number_in

USUAL_ROLLOUTS = 64
MOVE, AGENT, DROP, BEGIN = "move", "agent", "drop", "begin"
"""What a button of the form does: it adds another move or another agent, leaves out an arm, or has the plan played."""


@for_runners
def new(request: HttpRequest) -> HttpResponse:
    """Choose what is changed at ?match= and its move ?seq=, and see what it takes; `BEGIN` has it played."""
    given = request.POST or request.GET
    match = _match(request, given.get("match", ""))
    moves = [made for made in trials.moves(match) if made["kind"] != "poll"]
    wanted = number_in(given.get("seq", "")) or 0
    seq = next((made["seq"] for made in moves if made["seq"] >= wanted), moves[-1]["seq"] if moves else 0)
    context: dict[str, Any] = {
        "match": match,
        "rules": RULES[match.game],
        "moves": moves,
        "seq": seq,
        "names": match.names(),
        "agents": seatable_at_all((match.game,)),
        "at": number_in(given.get("at", ""), 3) or 1,
        "agent": given.get("agent", ""),
        "rollouts": _rollouts(given.get("rollouts", "")),
        "most": labs.MOST_ROLLOUTS,
        "house": "house" in given,
        "talk": "talk" in given,
    }
    try:
        at = arms.forked(match, seq)
    except LabError as error:
        return render(request, "evaluation/lab_new.html", context | {"trouble": str(error)}, status=422)
    chosen, context["trouble"] = _chosen(request, at)
    try:
        prepared = labs.Prepared(match, labs.Plan(at, chosen, context["rollouts"], context["house"], context["talk"]))
        if not 2 <= context["rollouts"] <= labs.MOST_ROLLOUTS:
            raise LabError(_("Choose from 2 to %(most)d rollouts.") % {"most": labs.MOST_ROLLOUTS})
        if request.POST.get("do") == BEGIN and not context["trouble"]:
            if not chosen:
                raise LabError(_("Say what is to be another."))
            lab = labs.make(prepared, request.user)
            labs.begin(lab, request.user)
            return redirect("evaluation:lab", lab.pk)
        if chosen:
            context["expected"] = labs.expected(prepared)
    except LabError as error:
        context["trouble"] = context["trouble"] or str(error)
    typed = forms.read(request.POST) if request.POST.get("do") == MOVE else at.own
    context["inputs"] = forms.inputs(at.request, typed)
    plains = [json.dumps(arm.plain) for arm in chosen]
    context["arms"] = list(zip(plains, _told(match, at, chosen), strict=True))
    context["move"] = _told(match, at, [arms.UNCHANGED])[0]
    return render(request, "evaluation/lab_new.html", context, status=422 if context["trouble"] else 200)


def _chosen(request: HttpRequest, at: Forked) -> tuple[tuple[Arm, ...], str]:
    """The arms so far, with what a button of the form has done to them, and what was wrong with it as a sentence."""
    what, _equals, place = request.POST.get("do", "").partition("=")
    found: dict[str, Arm] = {}
    trouble = ""
    for number, text in enumerate(request.POST.getlist("arm")):
        try:
            if (what, place) != (DROP, str(number)):
                found[text] = arms.checked(at, Arm.of(json.loads(text)))
        except (ValueError, AttributeError, TypeError) as error:
            trouble = str(error) if isinstance(error, LabError) else _("That change cannot be read. Choose it again.")
    try:
        if what in (MOVE, AGENT):
            agents = {number_in(request.POST.get("at", ""), 3) or 0: request.POST.get("agent", "")}
            arm = arms.checked(at, Arm(forms.read(request.POST)) if what == MOVE else Arm(agents=agents))
            if len(found) == arms.MOST_ARMS:
                raise LabError(_("At most %(most)d changes are compared at once.") % {"most": arms.MOST_ARMS})
            found[json.dumps(arm.plain)] = arm
    except LabError as error:
        trouble = str(error)
    return tuple(found.values()), trouble


@for_researchers
def lab(request: HttpRequest, key: UUID) -> HttpResponse:
    """A lab with what has been played so far; with ?part=table only that."""
    return _shown(request, get_object_or_404(Lab.objects.select_related("match__room"), pk=key))


def _shown(request: HttpRequest, found: Lab) -> HttpResponse:
    match = _match(request, str(found.match_id))
    endings = labs.endings_of(found)
    context: dict[str, Any] = {
        "lab": found,
        "match": match,
        "rules": RULES[match.game],
        "shares": labs.shares(found),
        "played": len(endings),
        "cost": labs.cost_of(found),
        "standing": standing(labs.KIND, key=str(found.pk)),
        "runs": request.user.has_perm(RUNS),
    }
    try:
        told = _told(match, arms.forked(match, found.seq), [Arm.of(plain) for plain in found.arms])
    except LabError as error:
        context["trouble"], told = str(error), ["" for _arm in found.arms]
    rows = counted.rows(endings, context["shares"]) or [[] for _arm in found.arms]
    lines = [[_line(row, context["shares"], match.names()) for row in arm] for arm in rows]
    context["arms"] = list(zip(told, lines, strict=True))
    context["really"] = _ended(labs.really(match), context["shares"], match.names())
    page = "lab_table" if request.GET.get("part") == "table" else "lab"
    return render(request, f"evaluation/{page}.html", context)


class Line(NamedTuple):
    """A row of the table as it is read. n: of so many matches; within: the interval of the value. difference, with its
    interval, and factor: empty where there is none."""

    name: str
    value: str
    n: int
    within: str
    difference: str = ""
    interval: str = ""
    factor: str = ""
    sure: bool = False


def _named(name: str, shares: bool, called: dict[int, str]) -> str:
    """What a side or a seat is called."""
    return in_words(name) if shares else called[int(name)]


def _ended(really: counted.Ending | None, shares: bool, called: dict[int, str]) -> list[tuple[str, str]]:
    """How the match itself ended, side by side or seat by seat."""
    words = (_("lost"), _("won"))
    return [
        (_named(name, shares, called), words[bool(value)] if shares else f"{value:.2f}")
        for name, value in (really or {}).items()
    ]


def _line(row: counted.Row, shares: bool, called: dict[int, str]) -> Line:
    name = _named(row.name, shares, called)
    within = " … ".join(f"{end:.1%}" for end in row.interval or ())
    value, other = f"{row.value:.1%}" if shares else f"{row.value:.2f}", row.difference
    if other is None:
        return Line(name, value, row.n, within)

    def more(number: float) -> str:
        return f"{number:+.1%}" if shares else f"{number:+.2f}"

    between = " … ".join(map(more, other.interval or ()))
    factor = f"{other.factor:.1f} ×" if other.factor else ""
    return Line(name, value, row.n, within, more(other.value), between, factor, other.sure)


@require_POST
@for_runners
def go_on(request: HttpRequest, key: UUID) -> HttpResponse:
    """Play what is missing."""
    found = _mine(request, key)
    labs.begin(found, request.user)
    return _shown(request, found) if "part" in request.GET else redirect("evaluation:lab", key)


@require_POST
@for_runners
def stop(request: HttpRequest, key: UUID) -> HttpResponse:
    """Play no more; what was played stays, and it can go on later."""
    found = _mine(request, key)
    jobs.stop(labs.KIND, key=str(found.pk))
    news.tell(found.pk)
    return _shown(request, found) if "part" in request.GET else redirect("evaluation:lab", key)


def _mine(request: HttpRequest, key: UUID) -> Lab:
    found = get_object_or_404(Lab, pk=key)
    _match(request, str(found.match_id))
    return found


def _told(match: Match, at: Forked, every: Iterable[Arm]) -> list[str]:
    """Each arm in words: the move as the story tells it, or who plays which seat."""
    titles, called = names.players(), match.names()
    found: list[str] = []
    for arm in every:
        if arm.agents:
            plays = _("%(name)s is played by %(agent)s")
            told = [plays % {"name": called[seat], "agent": titles.get(one, one)} for seat, one in arm.agents.items()]
            found.append("; ".join(told))
            continue
        event = at.move._replace(data=dict(at.move.data if arm.action is None else arm.action))
        line = next(iter(feed.lines(match.game, [event], called, OMNISCIENT)), None)
        words = f"{called[event.seat]}, {in_words(event.kind)}: {plain(event.data)}"
        found.append(line.html if line is not None and line.html else words)
    return found


def _match(request: HttpRequest, key: str) -> Match:
    return whole_match(request, key, "lab", _("You may not see all of this match, so you cannot change a move of it."))


def _rollouts(text: str) -> int:
    found = number_in(text)
    return USUAL_ROLLOUTS if found is None else found
