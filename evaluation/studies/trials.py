"""What would it do here? A profile is asked for its move at a position, and nothing of it goes into any match.

A position is an open request: one of a stored match, as it stood when it was opened, or the first of a new match.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from django.utils.translation import gettext as _

from agents import turns
from agents.models import AgentProfile
from agents.situation import Thought
from agents.turns import REMOTE, never_called
from evaluation.models import Trial
from games.jobs import jobs, news
from games.jobs.jobs import Run
from games.jobs.kinds import Expected
from games.match import beginning, store, view
from games.models import Job, Match
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.schema import Cost
from games.rules.values import Impossible, Request
from games.translation import translated
from magic_site.numbers import number_in

SEED = 1
"""The deal of a starting position."""

KIND = "trial"
"""The kind of job that thinks a trial through."""

PAST = 5
"""So many past trials of an agent tell what the next one will take."""


class NoPositionError(ValueError):
    """There is no such position; the text is a sentence."""


def starting(game: str) -> dict[str, Any]:
    """The position of the first request of a new match of a game, by its usual preset."""
    rules = RULES[game]
    preset, _seats = rules.quick
    play = _new(game, preset)
    request = next(request for request in play.state.open.values() if request.waits)
    return {"match": None, "game": game, "preset": preset, "request": request.id}


def of_match(match: Match, request: str) -> dict[str, Any]:
    """The position of a request of a stored match. Raises `NoPositionError`."""
    position = {"match": str(match.pk), "game": match.game, "preset": match.preset, "request": request}
    resolved(position)
    return position


def moves(match: Match) -> list[dict[str, Any]]:
    """The requests of a match that were answered, in order: {"request", "seq", "seat", "kind", "name"}."""
    seen = view.whole(match)
    return [
        {
            "seq": event.seq,
            "request": event.request,
            "seat": event.seat,
            "kind": event.kind,
            "name": seen.names[event.seat],
        }
        for event in seen.events
        if event.request
    ]


def resolved(position: dict[str, Any]) -> tuple[Play, Request, dict[int, str], list[Thought]]:
    """The match at the position, the open request, the players' names, and what the seat had thought by then."""
    if position["match"] is None:
        play = _new(position["game"], position["preset"])
        names, thoughts = play.header.names, []
    else:
        match = Match.objects.filter(pk=position["match"]).first()
        if match is None:
            raise NoPositionError("That match does not exist any more.")
        play, names = _at(match, position["request"]), match.names()
        thoughts = thoughts_before(match, play)
    request = play.state.open.get(position["request"])
    if request is None:
        raise NoPositionError("That match does not ask for such a move.")
    return play, request, names, thoughts


def why_not(profile: AgentProfile, game: str = "") -> str:
    """Why a profile cannot be asked, in a game or at all, as a sentence; empty if it can."""
    if not profile.active:
        sentence = _("%(agent)s is switched off.")
    elif profile.lacks_key:
        sentence = _("%(agent)s needs a key, and %(key)s is not set here.")
    elif profile.address_trouble:
        return profile.address_trouble
    elif profile.provider == REMOTE:
        return never_called(profile)
    elif game and not profile.suits(game):
        sentence = _("%(agent)s does not play %(game)s. Choose another agent.")
    else:
        return ""
    return sentence % {
        "agent": profile.title,
        "key": profile.key_env,
        "game": translated(RULES[game].title) if game else "",
    }


def begin(profile: AgentProfile, position: dict[str, Any], user: Any = None) -> Trial:
    """Ask a profile, by way of the workers. Raises `NoPositionError`."""
    resolved(position)
    trouble = why_not(profile, position["game"])
    if trouble:
        raise NoPositionError(trouble)
    trial = Trial.objects.create(agent=profile.name, position=position, created_by=user)
    jobs.ask(KIND, str(trial.pk), about=trial.pk, by=user, trial=str(trial.pk))
    return trial


def expected(trial: str) -> Expected:
    """What a trial will take, by the last ones of the same agent."""
    agent = Trial.objects.filter(pk=trial).values("agent")
    past = Trial.objects.filter(agent__in=agent, done=True, error="").order_by("-created_at")
    costs = [Cost.of(*(Thought(**thought) for thought in one.thoughts)) for one in past[:PAST]]
    if not costs:
        return Expected()
    each = 1 / len(costs)
    return Expected(each * sum(cost.ms for cost in costs) / 1000, each * sum(cost.dollars for cost in costs))


def given_up(job: Job, sentence: str) -> None:
    """A trial that was begun too often ends with the sentence why."""
    Trial.objects.filter(pk=job.given["trial"], done=False).update(done=True, error=sentence)


def think(run: Run, trial: str) -> None:
    """Let the profile of a trial decide, and keep each step as it comes."""
    mine = Trial.objects.filter(pk=trial, done=False)
    found = mine.first()
    if found is None:
        return
    profile = AgentProfile.objects.select_related("second").filter(name=found.agent).first()

    def on_thoughts(thoughts: Sequence[Thought]) -> None:
        run.look()
        mine.update(thoughts=[asdict(thought) for thought in thoughts])
        news.tell(found.pk)

    try:
        if profile is None:
            raise NoPositionError("That agent does not exist any more.")
        play, request, names, thoughts = resolved(found.position)
        # A match of its own to the books: what was paid for in the match itself is not taken for an answer here.
        play.header = replace(play.header, id=str(found.pk))
        decision = turns.decide(play, request, profile, names, thoughts, on_thoughts=on_thoughts)
    except (NoPositionError, Impossible) as error:
        mine.update(done=True, error=str(error))
    else:
        mine.update(
            done=True,
            action=decision.action,
            thoughts=[asdict(thought) for thought in decision.thoughts],
            attempts=[asdict(attempt) for attempt in decision.attempts],
        )


def visible_to(position: dict[str, Any]) -> dict[str, Any]:
    """What the asked seat sees at the position, for the page: its card, the table, and the events that it was told."""
    play, request, names, _thoughts = resolved(position)
    seen = view.of_play(play, request.seat)
    return {
        "request": request,
        "names": names,
        "events": seen.events,
        "card": seen.rules.card(seen.state, request.seat),
        "public": seen.rules.public(seen.state),
        "rules": seen.rules,
    }


def _at(match: Match, request: str) -> Play:
    opened, play = number_in(request.partition(":")[0]), store.load(match)
    if opened is None or opened > len(play.log):
        raise NoPositionError("That match does not ask for such a move.")
    begun = play.fork(opened)
    if request not in begun.state.open:
        raise NoPositionError("That match does not ask for such a move.")
    return begun


def thoughts_before(match: Match, play: Play) -> list[Thought]:
    """The seat's memory; without polls, whose answers another agent has to give for itself."""
    answered = {event.request for event in play.log if event.request and event.kind != "poll"}
    return [Thought(**row) for row in view.own_thoughts(match) if row["request"] in answered]


def _new(game: str, preset: str) -> Play:
    rules = RULES[game]
    seats = rules.quick[1] if preset == rules.quick[0] else rules.presets[preset].low
    options = rules.options(preset, {}, seats)
    setting = beginning.draw_setting(game, options, SEED)
    return Play(rules, new_header(rules, preset, seats=agents_and_people(0, seats), seed=SEED, setting=setting))
