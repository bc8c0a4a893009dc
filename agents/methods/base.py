"""What a reasoning method is: steps that read from top to bottom, each a template and a reader, each leaving a thought.

A method's `think` is a generator. It yields a `Stage` and gets back what was read from the model's reply; or it yields
several stages that do not need one another, which are asked at once, and gets back a list. The stage that is `final`
gives the action. What a stage is told beside the situation is what stands in its `given`, and nothing else.

A stage that forms a belief is asked `upto` a moment: it is told the match as it stood then, and nothing of what the
seat is asked for now. So it is the same question for a poll and for the move after it, and is asked once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from agents import recall, scene
from agents.recall import Held
from agents.situation import FORCED, Situation, Thought
from games.rules.core import Rules, fold
from games.rules.fields import Text
from games.rules.sentences import declared

from .readers import Form, Move, Reader, by_seat

Steps = Generator["Stage | tuple[Stage, ...]", Any, None]
Part = Generator["Stage | tuple[Stage, ...]", Any, Any]
"""Steps that come to something: to be gone through by `yield from`, which gives it."""

MISSING: Any = object()

ALL, ROUND, NONE = "all", "round", "none"
"""Parts of the record that a stage may be shown: all of it, the current round's, nothing."""


class SwitchError(ValueError):
    """A method's switch is unknown or has no such position; the text is a sentence for whoever set it."""


OF_PROFILES = ("games", "threshold")
"""Switches of any profile: what it plays (`agents.seating`), and from which certainty on it stands up as SpyGame's spy,
in percent."""


def check_of_profiles(switches: Mapping[str, Any]) -> None:
    """Raise `SwitchError` for a threshold that is none."""
    threshold = switches.get("threshold", 0)
    if type(threshold) is not int or not 0 <= threshold <= 100:
        raise SwitchError("The threshold is a whole number from 0 to 100.")


@dataclass(frozen=True)
class Switch:
    """Something that a profile can set of its method: on or off where the default is a bool, one of `choices` where
    there are any, else a text or a number like the default."""

    name: str
    about: str
    default: Any
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", declared(self.about))

    def read(self, value: Any) -> Any:
        """The value as the method uses it; raises `SwitchError`."""
        if self.choices:
            if value not in self.choices:
                raise SwitchError(f"The switch {self.name} is one of: {', '.join(self.choices)}.")
        elif isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise SwitchError(f"The switch {self.name} is true or false.")
        elif isinstance(self.default, int | float):
            if type(value) not in (int, float):
                raise SwitchError(f"The switch {self.name} is a number.")
        elif not isinstance(value, str):
            raise SwitchError(f"The switch {self.name} is a text.")
        return value


@dataclass(frozen=True)
class Stage:
    """One question to the model.

    name: unique within the decision. Its template is `<game>/prompts/<method>/<name>.txt` where a game has
    its own, else
    `<method>/<name>.txt`, else `general/<name>.txt`; `template` stands in for the name there. given: what the template
    finds as `given.<name>`.
    record: the part of the record that is shown. second: asked of the profile's second model, where it has one.
    keep: from the value to what the thought keeps of it beside, such as {"beliefs": ...}. otherwise: the value when two
    replies in a row could not be read; without it the move is the table's default.
    upto: the seq of the event up to which the stage knows the match; None for all of it. known: the value, where nobody
    has to be asked for it.
    """

    name: str
    reader: Reader
    given: Mapping[str, Any] = field(default_factory=dict)
    template: str = ""
    record: str = ALL
    second: bool = False
    final: bool = False
    keep: Callable[[Any], dict[str, Any]] | None = None
    otherwise: Any = MISSING
    upto: int | None = None
    known: Any = MISSING


def forced(name: str, value: Any, *, upto: int | None = None, final: bool = False) -> Stage:
    """A stage with one possible value: it is written down, and nobody is asked."""
    return Stage(name, Move(), known=value, keep=lambda _: {FORCED: True}, upto=upto, final=final)


@dataclass(frozen=True)
class Turn:
    """A decision that a method is to come to: the situation, the method's switches, the seat's own memory."""

    situation: Situation
    method: str
    switches: Mapping[str, Any]

    @cached_property
    def public(self) -> dict[str, Any]:
        """What everybody sees."""
        return self.situation.rules.public(self.situation.state)

    @cached_property
    def card(self) -> dict[str, Any]:
        """What this seat alone was dealt."""
        return self.situation.rules.card(self.situation.state, self.situation.seat)

    @property
    def speaks(self) -> bool:
        """Whether the request asks for words that the table hears; what only some may know of is heard by nobody."""
        request = self.situation.request
        return request.audience is None and any(isinstance(item, Text) for item in request.fields)

    @cached_property
    def now(self) -> int:
        """The seq of the last event that told this seat something (`scene.last_news`)."""
        return scene.last_news(self.situation)

    @property
    def nothing_told(self) -> bool:
        """Whether nobody has said or done anything yet."""
        return self.now == scene.dealt(self.situation)

    def upto(self, seq: int) -> Turn:
        """The match as this seat knew it at an earlier moment, where it is asked for nothing."""
        if seq not in self._earlier:
            now = self.situation
            log = tuple(event for event in now.log if event.seq <= seq)
            request = now.request._replace(kind="", fields=(), audience=None)
            then = replace(now, log=log, state=fold(now.rules, now.options, log), request=request)
            self._earlier[seq] = Turn(then, self.method, self.switches)
        return self._earlier[seq]

    @cached_property
    def _earlier(self) -> dict[int, Turn]:
        return {}

    @cached_property
    def moves(self) -> tuple[Thought, ...]:
        """What this method thought at this seat for its moves, oldest first: its memory. What a poll or talk beside the
        game made it think is none of it, so that they do not change how it plays."""
        return tuple(
            thought
            for thought in self.situation.thoughts
            if thought.method == self.method and not thought.request.endswith((":poll", ":chat"))
        )

    def last(self, *stages: str) -> Any:
        """What this method last made of any of these stages at this seat for a move; None if it never did. A stage of
        several moments goes by the name that they have in common."""
        made = (t.data["value"] for t in reversed(self.moves) if _name(t.stage) in stages and "value" in t.data)
        return by_seat(next(made, None))

    def held(self, stage: Stage) -> Thought | None:
        """The thought by which this very question was answered before, of this method, at this seat."""
        if stage.upto is None:
            return None
        for thought in reversed(self.situation.thoughts):
            if (thought.method, thought.stage) == (self.method, stage.name) and thought.data.get("upto") == stage.upto:
                return thought
        return None

    def draw(self, equals: Sequence[int]) -> int:
        """One of several equals, by the lot of this decision."""
        return random.Random(self.situation.lot).choice(sorted(equals))


def _name(stage: str) -> str:
    """The name of a stage without the moment."""
    return stage.partition("_after_")[0]


class Method:
    """A way to come to a decision."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    switches: ClassVar[tuple[Switch, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.title, cls.about = declared(cls.title), declared(cls.about)

    def plays(self, rules: Rules) -> bool:
        """Whether the method makes sense in a game."""
        return True

    def think(self, turn: Turn) -> Steps:
        """The steps of this decision."""
        raise NotImplementedError

    def side(self, turn: Turn) -> str | None:
        """Which side this seat takes itself to be on for the move at hand, as the method last thought: "odd", "good",
        "unsure"; None where it does not think about that."""
        return None

    def believe(self, turn: Turn) -> Part:
        """What this seat believes at this moment (`Held`), by the stages that the method forms beliefs with; a method
        without any holds nothing."""
        return Held()
        yield

    def poll(self, turn: Turn) -> Steps:
        """The steps of an answer to a poll: what the method believes at this moment is read off, and what that does
        not hold is asked in one call, told what it does."""
        held = yield from self.believe(turn)
        request, state = turn.situation.request, turn.situation.state
        found = recall.read(turn, held) | turn.situation.rules.known(state, request)
        rest = tuple(item for item in request.fields if item.name not in found)
        if not found:
            yield Stage("poll", Move(), given=held.given, final=True)
            return
        if rest:
            found |= yield Stage("poll", Form(*rest), given=held.given)
        yield Stage(recall.STAGE, Move(), known=request.read(found), keep=lambda _: held.kept(), final=True)

    def answer(self, turn: Turn) -> Steps:
        """The steps of an answer to who spoke to the seat beside the game: one call, whatever the method."""
        yield Stage("chat", Move(), final=True)

    def turn(self, situation: Situation, switches: Mapping[str, Any]) -> Turn:
        """A situation with this method's switches as a profile sets them; raises `SwitchError` for others."""
        return Turn(situation, self.name, self.resolved(switches))

    def resolved(self, switches: Mapping[str, Any]) -> dict[str, Any]:
        """Every switch, as set here or as it usually is; raises `SwitchError` for what the method does not have.

        `OF_PROFILES` belong to every profile, not to a method.
        """
        known = {switch.name: switch for switch in self.switches}
        set_here = {name: value for name, value in switches.items() if name not in OF_PROFILES}
        check_of_profiles(switches)
        for name in set_here:
            if name not in known:
                raise SwitchError(f"The method {self.name} has no switch called {name}.")
        return {name: switch.read(set_here.get(name, switch.default)) for name, switch in known.items()}
