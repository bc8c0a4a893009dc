"""What a reasoning method is: steps that read from top to bottom, each a template and a reader, each leaving a thought.

A method's `think` is a generator. It yields a `Stage` and gets back what was read from the model's reply; or it yields
several stages that do not need one another, which are asked at once, and gets back a list. The stage that is `final`
gives the action. What a stage is told beside the situation is what stands in its `given`, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from agents.beliefs import Beliefs
from agents.situation import Situation
from games.rules.core import Rules
from games.rules.fields import Text

from .readers import Move, Reader

Steps = Generator["Stage | tuple[Stage, ...]", Any, None]
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

    name: unique within the decision. Its template is `<method>/<game>/<name>.txt` where a game has its own, else
    `<method>/<name>.txt`, else `general/<name>.txt`; `template` stands in for the name there. given: what the template
    finds as `given.<name>`.
    record: the part of the record that is shown. second: asked of the profile's second model, where it has one.
    keep: from the value to what the thought keeps of it beside, such as {"beliefs": ...}. otherwise: the value when two
    replies in a row could not be read; without it the move is the table's default.
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

    def last(self, stage: str) -> Any:
        """What this method last made of that stage at this seat, in an earlier decision; None if it never did."""
        for thought in reversed(self.situation.thoughts):
            if (thought.method, thought.stage) == (self.method, stage) and "value" in thought.data:
                return thought.data["value"]
        return None

    def beliefs(self) -> Beliefs | None:
        """The matrix that this seat holds since its last thought with one."""
        for thought in reversed(self.situation.thoughts):
            if thought.data.get("beliefs"):
                return Beliefs.from_json(thought.data["beliefs"])
        return None


class Method:
    """A way to come to a decision."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    switches: ClassVar[tuple[Switch, ...]] = ()

    def plays(self, rules: Rules) -> bool:
        """Whether the method makes sense in a game."""
        return True

    def think(self, turn: Turn) -> Steps:
        """The steps of this decision."""
        raise NotImplementedError

    def side(self, turn: Turn) -> str | None:
        """Which side this seat takes itself to be on, as the method last thought: "odd", "good", "unsure"; None where
        it has not thought about that."""
        return None

    def remembered(self, turn: Turn) -> dict[str, str]:
        """What the method carries on from turn to turn, by its name in words: what a poll is answered from when it
        takes a call."""
        return {}

    def poll(self, turn: Turn) -> Steps:
        """The steps of an answer to a poll that the memory does not hold: one call, with what is carried on."""
        yield Stage("poll", Move(), given={"notes": self.remembered(turn)}, final=True)

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
