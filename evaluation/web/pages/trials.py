"""What would it do here? A profile and a position are chosen; its stages are shown as they come."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from agents.models import AgentProfile
from agents.seating import seatable_at_all
from evaluation.models import Trial
from evaluation.studies import trials
from evaluation.web.access import for_researchers, for_runners, whole_match
from games.jobs.standing import standing
from games.models import Match
from games.registry import RULES
from games.rules.cast import NOTHING
from games.rules.schema import Cost, Thought
from games.web import feed
from games.web.reasoning import Truth, heat_map
from games.web.table_form import MOST_SEATS
from games.web.wording import in_words


@for_runners
def choose(request: HttpRequest) -> HttpResponse:
    """Choose an agent and a position: ?match= and one of its moves, or the start of a game. A POST asks the agent."""
    given = request.POST or request.GET
    match = _match(request, given.get("match", ""))
    agents = seatable_at_all((match.game,) if match else ())
    agent = given.get("agent", "")
    profile = AgentProfile.objects.filter(name=agent).first()
    context: dict[str, Any] = {
        "agents": agents,
        "agent": agent,
        "unchosen": "agent" in given and agent not in dict(agents),
        "trouble": trials.why_not(profile, match.game if match else "") if profile else "",
        "match": match,
        "title": RULES[match.game].title if match else "",
        "moves": trials.moves(match) if match else [],
        "move": given.get("request", ""),
        "games": RULES.values(),
        "game": given.get("game", ""),
    }
    if request.method != "POST":
        return render(request, "evaluation/try.html", context)
    try:
        if profile is None:
            raise trials.NoPositionError(_("Choose an agent."))
        if match is not None:
            position = trials.of_match(match, context["move"])
        elif context["game"] in RULES:
            position = trials.starting(context["game"])
        else:
            raise trials.NoPositionError(_("Choose a game, or a move of a match."))
        trial = trials.begin(profile, position, request.user)
    except trials.NoPositionError as error:
        return render(request, "evaluation/try.html", context | {"trouble": str(error)}, status=422)
    return redirect("evaluation:trial", trial.pk)


@for_researchers
def trial(request: HttpRequest, key: UUID) -> HttpResponse:
    """A trial with the stages that are there; with ?part=stages only those."""
    found = get_object_or_404(Trial, pk=key)
    played_in = found.position["match"] or ""
    there = bool(played_in) and Match.objects.filter(pk=played_in).exists()
    match = _match(request, played_in) if there else None
    profile = AgentProfile.objects.filter(name=found.agent).first()
    context: dict[str, Any] = {
        "trial": found,
        "match": match,
        "stages": stages_of(found.thoughts),
        "cost": Cost.of(*(Thought(**thought) for thought in found.thoughts)),
        "profile": profile,
        "title": profile.title if profile else found.agent,
        "standing": None if found.done else standing(trials.KIND, key=str(key)),
        "names": {seat: _("Seat %(seat)s") % {"seat": seat} for seat in range(1, MOST_SEATS + 1)},
    }
    try:
        seen = trials.visible_to(found.position)
    except trials.NoPositionError:
        seen = None
    if seen:
        names = context["names"] = seen["names"]
        context["seat"], context["kind"] = seen["request"].seat, in_words(seen["request"].kind)
        if request.GET.get("part") != "stages":
            context["lines"] = feed.lines(seen["rules"].name, seen["events"], names, seen["request"].seat)
            context |= {name: seen[name] for name in ("rules", "card", "public")}
            for part in ("card", "track"):
                context[f"{part}_page"] = seen["rules"].page(part)
    page = "evaluation/trial_stages.html" if request.GET.get("part") == "stages" else "evaluation/trial.html"
    return render(request, page, context)


def stages_of(thoughts: Iterable[Mapping[str, Any]], truth: Truth = NOTHING) -> list[dict[str, Any]]:
    """Thoughts, as a log file holds them, ready to be drawn."""
    return [
        {
            "title": in_words(thought["stage"]),
            "thought": thought,
            "heat": heat_map(thought["data"]["beliefs"], None, truth) if thought["data"].get("beliefs") else None,
        }
        for thought in thoughts
    ]


def _match(request: HttpRequest, key: str) -> Match | None:
    refusal = _("You may not see all of this match, so you cannot try an agent on it.")
    return whole_match(request, key, "try", refusal) if key else None
