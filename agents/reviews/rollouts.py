"""A move taken back: the match forked before it, in memory, and played on by house agents many times.

Run `number` of each way to move has the same seed, so that two ways differ by nothing but the move (common random
numbers). Seeds follow from the match's seed and the number of the move's event: the same match gives the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from hashlib import blake2b
from math import sqrt
from typing import Any, NamedTuple

from agents import headless, house, turns
from agents.situation import Decision, Thought
from games.match.view import View
from games.rules.core import Rules
from games.rules.fields import Flag, OneSeat
from games.rules.play import Play
from games.rules.values import Event, Refusal, Request

Action = Mapping[str, Any] | None
"""A way to move; None: whatever a house agent does there, which may be something else each time."""

DRAWN = 3
"""So many different moves of house agents are tried where the moves cannot be counted."""
DRAWS = 12


class Mind:
    """The house agent at all seats of one match that is played on. A seat's view is carried on by new events alone.

    Nobody talks there (`SILENT` in a game's `house/review.py`) unless `talks`: it takes most of the time, and what
    house agents say tells no role. What was said before is heard. asked: the request that was taken back, which may be
    one to talk; switches: as of an agent profile.
    """

    def __init__(self, asked: str = "", *, talks: bool = False, switches: Mapping[str, Any] | None = None) -> None:
        self.asked, self.talks = asked, talks
        self.switches = {"hops": 0} if switches is None else dict(switches)
        self.views: dict[int, View] = {}
        self.decisions = 0

    def __call__(self, play: Play, request: Request, thoughts: Sequence[Thought]) -> Decision:
        if request.id != self.asked and not self.talks and request.kind in silent(play.rules):
            return Decision(None)
        return self.decide(play, request, thoughts)

    def decide(self, play: Play, request: Request, thoughts: Sequence[Thought] = ()) -> Decision:
        """What the house agent does about a request."""
        self.decisions += 1
        seen = self.views.get(request.seat)
        if seen is None or seen.seq > request.opened_at:
            seen = self.views[request.seat] = View(play.header, request.seat)
        seen.until = request.opened_at
        at = turns.situation(play, request, play.header.names, thoughts, seen.carry_on(play.log))
        return house.decide(at, turns.chance_of(play, request), self.switches)


def silent(rules: Rules) -> frozenset[str]:
    """The kinds of talk that house agents leave out where a match is played on."""
    return rules.part("house.review").SILENT if rules.sought else frozenset()


class Forked:
    """A match as it stood before one move of one seat; what others answered at the same moment, and could not know of
    the move, they answer again."""

    def __init__(self, play: Play, move: Event) -> None:
        self.play, self.move = play, move
        start = self._start(0)
        self.request = start.state.open[move.request]
        self.meanwhile = [
            event
            for event in play.log[move.seq :]
            if event.request in start.state.open and event.kind in play.rules.sealed and event.kind != "poll"
        ]
        self.decisions = 0
        """How many decisions of house agents all runs took so far; to fork a match takes as long as one."""

    def _start(self, number: int, id: str = "") -> Play:
        play, move = self.play, self.move
        text = f"{play.header.seed}:{move.seq}:{number}"
        seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1
        return play.fork(move.seq - 1, seed=seed, id=id)

    def wins(self, action: Action, number: int) -> bool:
        """Whether the seat wins a match in which it moves so, and house agents play on from there."""
        mind = Mind(self.request.id)
        played = self.played_on(action, number, dict.fromkeys(self.play.header.names, mind))
        self.decisions += 1 + mind.decisions
        return self.move.seat in played.play.state.outcome.winners

    def played_on(
        self,
        action: Action,
        number: int,
        minds: Mapping[int, headless.Mind],
        *,
        anew: Collection[int] = (),
        thoughts: Iterable[Thought] = (),
        id: str = "",
        pool: Executor | None = None,
        between: Callable[[], None] = lambda: None,
    ) -> headless.Played:
        """The match in which the seat moves so, or as its mind decides (None), played on to its end by `minds`.

        anew: seats that decide anew what they answered at the same moment. thoughts: of before. id: of the match.
        pool, between: as `headless.play_out` takes them.
        """
        fork, request, thoughts = self._start(number, id), self.request, list(thoughts)
        begun = headless.Played(fork, thoughts)
        if action is not None:
            headless.move(begun, request, Decision(dict(action)), self.move.by)
        elif request.waits:  # nobody has to speak in a talk that is open to all
            headless.move(begun, request, minds[request.seat](fork, request, thoughts), self.move.by)
        for event in self.meanwhile:
            if event.seat not in anew:
                fork.act(event.seat, event.request or "", event.data, event.by)
        return headless.play_out(fork, minds, thoughts=begun.thoughts, pool=pool, between=between)

    def check(self, action: Any) -> dict[str, Any] | Refusal:
        """The move as it would stand in the log, or why it cannot be made."""
        return self._start(0).check(self.move.seat, self.request.id, action)

    def others(self) -> list[Action]:
        """What else the seat could have done: all that a closed question allows, of other questions what house agents
        do; for words of its own, those of a house agent."""
        fields = self.request.fields
        tried: list[Action]
        if all(isinstance(field, Flag) for field in fields):
            tried = _flags([field.name for field in fields])
        elif len(fields) == 1 and isinstance(fields[0], OneSeat):
            tried = [{fields[0].name: seat} for seat in fields[0].seats]
        elif is_said(self.play.rules, self.move):
            return [None]
        else:
            tried = list(self._drawn())
        own = self.own
        found = [action for action in map(self.check, tried) if not isinstance(action, Refusal) and action != own]
        return list({repr(action): action for action in found}.values())

    @property
    def own(self) -> Action:
        """What the seat did."""
        return self.move.data

    def _drawn(self) -> Iterator[Action]:
        """Different moves of house agents."""
        found: list[Action] = []
        for number in range(DRAWS):
            action = Mind().decide(self._start(number), self.request).action
            if action is not None and action not in (self.own, *found):
                found.append(action)
                yield action
            if len(found) == DRAWN:
                return


def is_said(rules: Rules, move: Event) -> bool:
    """Whether a move is words of a player's own."""
    return bool(rules.all_kinds[move.kind].words) and bool(move.data.get("text"))


def _flags(names: list[str]) -> list[Action]:
    """Each way to answer some yes-or-no questions."""
    answers: list[dict[str, bool]] = [{}]
    for name in names:
        answers = [answer | {name: value} for answer in answers for value in (True, False)]
    return list(answers)


class Effect(NamedTuple):
    """What one way to move adds to the chance to win beside another, with the 95% interval, from n pairs of runs."""

    value: float
    low: float
    high: float
    n: int

    @property
    def sure(self) -> bool:
        """Whether the interval leaves zero."""
        return self.low > 0 or self.high < 0


def effect(pairs: Sequence[tuple[bool, bool]]) -> Effect:
    """Of pairs (won by this move, won by the other one): the difference of paired shares with its adjusted Wald
    interval (Bonett and Price 2012), which adds one pair to each of the two kinds that differ."""
    n = len(pairs)
    more = (sum(mine and not other for mine, other in pairs) + 1) / (n + 2)
    less = (sum(other and not mine for mine, other in pairs) + 1) / (n + 2)
    half = 1.96 * sqrt(max(more + less - (more - less) ** 2, 0) / (n + 2))
    middle = more - less
    return Effect(middle, max(middle - half, -1.0), min(middle + half, 1.0), n)
