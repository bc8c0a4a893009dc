"""One turn of an agent: from a match in play to a decision. The same for live tables and for matches in memory."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from django.utils.translation import gettext

from agents import house
from agents.calls import ReplyStore
from agents.models import AgentProfile
from agents.providers.values import OnPiece
from agents.situation import PROFILE, SETUP, SPENDING, Decision, Situation, Thought
from games.match import view
from games.rules import answering
from games.rules.chance import agent_random
from games.rules.play import Play
from games.rules.values import Attempt, Request

HOUSE = "house"
REMOTE = "remote"
"""The provider, and the method, of a profile that a program from outside answers for: nothing is called."""


def situation(
    play: Play,
    request: Request,
    names: Mapping[int, str],
    thoughts: Sequence[Thought] = (),
    seen: view.View | None = None,
) -> Situation:
    """What the asked seat knew when the request was opened; what came after it is not seen. seen: its view of the match
    up to then, where that is at hand."""
    seen = seen or view.of_play(play, request.seat, request.opened_at)
    return Situation(
        rules=seen.rules,
        options=seen.options,
        request=request,
        log=tuple(seen.events),
        state=seen.state,
        names=dict(names),
        thoughts=tuple(thought for thought in thoughts if thought.seat == request.seat),
        match=play.header.id,
        lot=chance_of(play, request).getrandbits(32),
        nature=nature(play.header.seed, request.seat),
    )


def decide(
    play: Play,
    request: Request,
    profile: AgentProfile,
    names: Mapping[int, str],
    thoughts: Sequence[Thought] = (),
    store: ReplyStore | None = None,
    on_piece: OnPiece | None = None,
    on_thoughts: Callable[[Sequence[Thought]], None] | None = None,
) -> Decision:
    """What this profile does about an open request; a house agent in its place where no more may be spent on models.
    Moves nothing; the same for the same match and profile. store, on_piece, on_thoughts: see
    `player.decide_by_model`."""
    if profile.provider == REMOTE:
        attempt = Attempt(
            request.id, request.seat, f"agent:{profile.name}", SETUP, never_called(profile), None, "default"
        )
        return Decision(None, (), (attempt,))
    at = situation(play, request, names, thoughts)
    if profile.provider == HOUSE:
        return house.decide(at, chance_of(play, request), profile.switches)
    from agents import player  # a process that only runs house agents loads no model's client

    decision = player.decide_by_model(at, profile, store, on_piece, on_thoughts)
    if decision.action is not None:
        unasked = {item.name for item in request.unasked}
        brought = {name: value for name, value in profile.switches.items() if name in unasked}
        decision = replace(decision, action=decision.action | brought)
    if not decision.attempts or decision.attempts[-1].code != SPENDING:
        return decision
    instead = house.decide(at, chance_of(play, request), {})
    thoughts, attempts = decision.thoughts + instead.thoughts, decision.attempts + instead.attempts
    return Decision(instead.action, thoughts, attempts, by=f"agent:{HOUSE}")


def never_called(profile: AgentProfile) -> str:
    """Why a profile that is answered for from outside cannot be asked here, as a sentence."""
    return gettext("%(agent)s plays at tables and in competitions only: a program from outside answers for it.") % {
        "agent": profile.title
    }


def chance_of(play: Play, request: Request) -> random.Random:
    """The generator of a house agent for this request."""
    if answering.is_call(request.id):
        return random.Random(f"{play.header.seed}:{request.id}")
    return agent_random(play.header.seed, request.seat, play.earlier_requests(request))


@lru_cache(maxsize=1024)
def nature(seed: int, seat: int) -> int:
    """How a seat is, by the match's seed and whatever it was dealt (`Situation.nature`)."""
    return random.Random(f"{seed}:nature:{seat}").getrandbits(32)


def unknown_profile(request: Request, agent: str) -> Decision:
    """The decision for a seat whose profile is gone or switched off."""
    sentence = f"There is no active agent profile '{agent}'."
    return Decision(
        None, (), (Attempt(request.id, request.seat, f"agent:{agent}", PROFILE, sentence, None, "default"),)
    )
