"""What a reasoning method is: named stages, each a template and a reader, each leaving a thought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from agents.providers import Completion
from agents.reading import CUT_OFF, NOTHING, REFUSED, Reading, read_action
from agents.situation import Situation


class Reader(Protocol):
    """Makes something of a model's reply."""

    def schema(self, situation: Situation) -> dict[str, Any] | None:
        """The JSON schema that the reply must fit; None for free text."""

    def read(self, reply: Completion, situation: Situation) -> Reading:
        """What the reply says, or what is wrong with it."""


class Words:
    """The reply as it is."""

    def schema(self, situation: Situation) -> None:
        return None

    def read(self, reply: Completion, situation: Situation) -> Reading:
        if reply.finish == "refused":
            return Reading(problem=REFUSED)
        text = reply.text.strip()
        return Reading(text) if text else Reading(problem=NOTHING)


class Move:
    """The reply as an action for the request."""

    def schema(self, situation: Situation) -> dict[str, Any]:
        return situation.request.schema()

    def read(self, reply: Completion, situation: Situation) -> Reading:
        if reply.finish in ("refused", "length"):
            return Reading(problem=REFUSED if reply.finish == "refused" else CUT_OFF)
        return read_action(reply.text, situation.request, structured=reply.structured, names=situation.names)


@dataclass(frozen=True)
class Stage:
    """One model call. Its template is `<method>/<name>.txt`, or `<method>/<game>/<name>.txt` where a game has its own;
    there `earlier.<name>` is what an earlier stage of the same decision gave."""

    name: str
    reader: Reader


class Method:
    """A way to come to a decision. The last stage's reader gives the action."""

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]

    def stages(self, situation: Situation) -> tuple[Stage, ...]:
        """The stages of this decision, in order."""
        raise NotImplementedError
