"""Whole matches in memory, without tables, workers or clocks: for simulations, competitions and tests."""

import random
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field

from django.db import connection

from agents import turns
from agents.calls import ReplyStore
from agents.models import AgentProfile
from agents.situation import PROVIDER, Decision, Thought
from games.rules import values
from games.rules.play import Play
from games.rules.random_play import random_action

# Decides for one seat: (play, request, this match's thoughts so far) -> decision.
Mind = Callable[[Play, values.Request, list[Thought]], Decision]


@dataclass
class Played:
    """A match that was played in memory, with what is kept beside its log."""

    play: Play
    thoughts: list[Thought] = field(default_factory=list)
    attempts: list[values.Attempt] = field(default_factory=list)
    refusals: list[values.Refusal] = field(default_factory=list)


class UnansweredError(Exception):
    """A profile gave no answer; the text is a sentence that says whose and why. agent: its name; away: its API may
    answer later."""

    def __init__(self, profile: AgentProfile, attempt: values.Attempt) -> None:
        super().__init__(f"{profile.title}: {attempt.sentence}")
        self.agent, self.away = profile.name, attempt.code == PROVIDER


def of_profile(profile: AgentProfile, store: ReplyStore | None = None, *, must_answer: bool = False) -> Mind:
    """The mind that plays as this profile. store: see `player.decide_by_model`. must_answer: raise `UnansweredError`
    where it     gives no answer, in place of what would be played then."""

    def decide(play: Play, request: values.Request, thoughts: list[Thought]) -> Decision:
        decision = turns.decide(play, request, profile, play.header.names, thoughts, store)
        if must_answer and decision.unanswered:
            raise UnansweredError(profile, decision.unanswered)
        return decision

    return decide


def legal_at_random(words: list[str]) -> Mind:
    """A mind that does anything legal, each choice as likely; what it says is one of `words`."""

    def decide(play: Play, request: values.Request, thoughts: list[Thought]) -> Decision:
        rng = random.Random(f"{play.header.seed}:random:{request.id}")
        return Decision(random_action(play, request, rng, words))

    return decide


def play_out(
    play: Play,
    minds: Mapping[int, Mind],
    by: Mapping[int, str] | None = None,
    *,
    thoughts: Iterable[Thought] = (),
    pool: Executor | None = None,
    between: Callable[[], None] = lambda: None,
) -> Played:
    """Play a match to its end; a seat's refused or missing action is replaced by the default and kept as an attempt.

    All that wait are asked before any of them moves, and move in the order in which they were asked: at once in the
    threads of `pool`, if there is one, with the same log. `between` is called before each such round. thoughts: what
    was thought before.
    """
    played = Played(play, list(thoughts))
    while not play.over:
        between()
        asked = [request for request in play.state.open.values() if request.waits]

        def decide(request: values.Request) -> Decision:
            return minds[request.seat](play, request, played.thoughts)

        def decide_apart(request: values.Request) -> Decision:
            try:
                return decide(request)
            finally:
                if connection.vendor == "postgresql":
                    connection.close()  # a server has few of them, and this thread may not be asked again for long

        decisions = pool.map(decide_apart, asked) if pool and len(asked) > 1 else map(decide, asked)
        for request, decision in zip(asked, list(decisions), strict=True):
            if request.id in play.state.open:
                move(played, request, decision, (by or {}).get(request.seat, "agent:random"))
    played.attempts.extend(play.attempts)
    return played


def move(played: Played, request: values.Request, decision: Decision, who: str) -> None:
    """Play what was decided, or the default where that is nothing or illegal; `who` decided it."""
    play = played.play
    who = decision.by or who
    played.thoughts.extend(decision.thoughts)
    played.attempts.extend(decision.attempts)
    result = None if decision.action is None else play.act(request.seat, request.id, decision.action, who)
    if isinstance(result, values.Refusal):
        played.refusals.append(result)
        played.attempts.append(
            values.Attempt(request.id, request.seat, who, result.code, result.sentence, decision.action, "default")
        )
    if decision.action is None or isinstance(result, values.Refusal):
        play.expire(request.id)
