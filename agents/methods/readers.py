"""Readers: what a stage makes of a model's reply, and the schema that it asks the model to keep to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from agents.private import Parts, UnclearError, parts
from agents.providers import Completion
from agents.reading import CUT_OFF, NOTHING, REFUSED, Reading, read_action
from agents.situation import Situation
from games.rules.fields import Field, Malformed, Text
from games.rules.values import Request

THOUGHT = Text("thought", limit=4000)


class Reader(Protocol):
    """Makes something of a model's reply."""

    def fields(self, situation: Situation) -> tuple[Field, ...]:
        """The named values that the reply must give; none for free text."""

    def read(self, reply: Completion, situation: Situation) -> Reading:
        """What the reply says, or what is wrong with it."""


class Words:
    """The reply as it is."""

    def fields(self, situation: Situation) -> tuple[Field, ...]:
        return ()

    def read(self, reply: Completion, situation: Situation) -> Reading:
        if reply.finish == "refused":
            return Reading(problem=REFUSED)
        try:
            split = parts(reply.text)
        except UnclearError:
            split = Parts(reply.text)
        text = (split.public or split.thought).strip()
        return Reading(text) if text else Reading(problem=NOTHING)


class Form:
    """One JSON object with these fields."""

    def __init__(self, *fields: Field) -> None:
        self._fields = fields

    def fields(self, situation: Situation) -> tuple[Field, ...]:
        return self._fields

    def read(self, reply: Completion, situation: Situation) -> Reading:
        if reply.finish in ("refused", "length"):
            return Reading(problem=REFUSED if reply.finish == "refused" else CUT_OFF)
        asked = situation.request._replace(fields=self.fields(situation))
        heard = situation.request.fields
        return read_action(reply.text, asked, structured=reply.structured, names=situation.names, heard=heard)


class Move(Form):
    """The reply as an action for the request. With `thought` a thought stands in the same object before the action; it
    is kept apart and nobody hears it."""

    def __init__(self, *, thought: bool = False) -> None:
        super().__init__()
        self.thought = thought

    def fields(self, situation: Situation) -> tuple[Field, ...]:
        return (THOUGHT, *situation.request.fields) if self.thought else situation.request.fields

    def read(self, reply: Completion, situation: Situation) -> Reading:
        reading = super().read(reply, situation)
        if not self.thought or reading.problem:
            return reading
        action = dict(reading.value)
        thoughts = [reading.kept.get("thought"), action.pop("thought")]
        return Reading(action, kept={"thought": "\n\n".join(filter(None, thoughts))})


class Draft(Move):
    """An action that is not made: a first version of what the seat may say or do."""


@dataclass(frozen=True, slots=True)
class PerSeat(Field):
    """An object with one entry for each of these seats, each entry read as `item`, or as its own one of several."""

    seats: tuple[int, ...]
    item: Field | Mapping[int, Field]

    def of(self, seat: int) -> Field:
        """How the entry of a seat is read."""
        return self.item if isinstance(self.item, Field) else self.item[seat]

    def read(self, value: Any) -> dict[int, Any]:
        if not isinstance(value, dict):
            raise Malformed(f"'{self.name}' is an object with an entry for each seat.")
        entries: dict[int, Any] = {}
        for seat in self.seats:
            if str(seat) not in value:
                raise Malformed(f"'{self.name}' has no entry for seat {seat}.")
            entries[seat] = self.of(seat).read(value[str(seat)])
        if len(value) > len(entries):
            raise Malformed(f"'{self.name}' has entries for other seats than were asked for.")
        return entries

    def shape(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {str(seat): self.of(seat).schema() for seat in self.seats},
            "required": [str(seat) for seat in self.seats],
            "additionalProperties": False,
        }


def by_seat(value: Any) -> Any:
    """A value that was kept as JSON, with seats as numbers again."""
    if isinstance(value, Mapping):
        return {int(key) if str(key).isdecimal() else key: by_seat(item) for key, item in value.items()}
    return value


def schema_of(reader: Reader, situation: Situation) -> dict[str, Any] | None:
    """The JSON schema that a reply must fit; None for free text."""
    fields = reader.fields(situation)
    if not fields:
        return None
    request: Request = situation.request._replace(fields=fields)
    return request.schema()
