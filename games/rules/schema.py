"""What stands beside a log, each field said once: rows, lines of log files, their checks and docs/log.md follow it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from .shapes import BELIEFS, LARGEST, NUMBER, SEAT, Shape, anything, left_out, list_of, text, whole


def kept(about: str, shape: Shape, **default: Any) -> Any:
    """A field: what it says, and what a file may have there; with a default the file may leave it out."""
    return field(metadata={"about": about, "shape": left_out(shape) if default else shape}, **default)


PIECE = Shape(
    "three numbers", lambda value: isinstance(value, list) and len(value) == 3 and all(map(whole().fits, value))
)
PIECES = list_of(PIECE)
PROMPT = Shape("a text, or the pieces that it is made of", lambda value: isinstance(value, str) or PIECES.fits(value))


@dataclass(frozen=True)
class Thought:
    """One step of an agent's reasoning, tied to the request that it answers. Only the omniscient see it."""

    request: str = kept("the request", text(80))
    seat: int = kept("whose agent thought it", SEAT)
    method: str = kept("how it thinks, or `house`", text(60))
    stage: str = kept("the step within the method", text(60))
    prompt: str = kept("what a model was told, as pieces: [text, first line, last line], from 0", PROMPT, default="")
    reply: str = kept("what it said", text(), default="")
    data: dict[str, Any] = kept("what was read from it", BELIEFS, default_factory=dict)  # noqa: RUF009 (a field)
    model: str = kept("the name that the API gave the model", text(100), default="")
    tokens_in: int = kept("tokens read", whole(), default=0)
    tokens_out: int = kept("tokens written", whole(), default=0)
    cached: int = kept("of those read, how many came from the API's cache", whole(), default=0)
    stored: int = kept("of those read, how many went into it", whole(), default=0)
    cost: float = kept("US dollars", NUMBER, default=0.0)
    ms: int = kept("time of the call", whole(), default=0)
    attempts: int = kept("calls; 0: no model was asked", whole(), default=1)
    n: int = kept("its number among the thoughts about its request, from 1", whole(1, 9999), default=0)


@dataclass(frozen=True)
class Attempt:
    """A refused move worth keeping, or a reply that could not be read; beside the log, without a seq."""

    request: str = kept("the request", text(80))
    seat: int = kept("who tried", SEAT)
    by: str = kept("as of an event", text(100))
    code: str = kept("why it does not count, for programs", text(40))
    sentence: str = kept("why, for people", text())
    action: Any = kept("what was tried", anything())  # noqa: RUF009 (a field)
    instead: str = kept("what was done then", text(40), default="asked again")


ANCHORS = {(), ("seat",), ("event",), ("request", "thought")}
ANCHOR = Shape(
    "{seat}, {event}, {request, thought}, or {} for the whole match",
    lambda value: (
        isinstance(value, dict)
        and tuple(sorted(value)) in ANCHORS
        and all(text(80).fits(of) if name == "request" else whole(1).fits(of) for name, of in value.items())
    ),
)
GIVEN = Shape(
    "1 to 40 texts of at most 80 characters, or whole numbers",
    lambda value: isinstance(value, list) and 0 < len(value) <= 40 and all(map(_is_label, value)),
)
SPAN = Shape(
    "two whole numbers, the first smaller",
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(whole().fits, value)) and value[0] < value[1],
)


def _is_label(value: Any) -> bool:
    return text(80).fits(value) or (type(value) is int and abs(value) <= LARGEST)


@dataclass(frozen=True)
class Label:
    """What a rater found, by a scheme, of a match or of something in it; written later, and read by no rule."""

    scheme: str = kept("the name of the scheme", text(80))
    version: int = kept("which version of it", whole(1))
    on: Any = kept("what it is on: {seat}, {event}, {request, thought}, or {} for the match", ANCHOR)  # noqa: RUF009
    labels: Any = kept("what was given, each a text or a whole number", GIVEN)  # noqa: RUF009 (a field)
    rater: str = kept("a pseudonym", text(80))
    span: Any = kept("from and to which character, if not all words are meant", SPAN, default=None)  # noqa: RUF009
    note: str = kept("the rater's own words", text(4000), default="")
    seconds: float = kept("how long it took", NUMBER, default=0.0)


class Counted(Protocol):
    """What says how much a call of a model took."""

    @property
    def tokens_in(self) -> int: ...
    @property
    def tokens_out(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def ms(self) -> int: ...


class Cost(NamedTuple):
    """What calls of models took, added up in this place alone. dollars: as `agents.calls.Price` has it; ms: waited
    for."""

    tokens_in: float = 0
    tokens_out: float = 0
    dollars: float = 0.0
    ms: float = 0

    @classmethod
    def of(cls, *thoughts: Counted) -> Cost:
        """Of thoughts, as they are in memory or in rows."""
        each = [(thought.tokens_in, thought.tokens_out, thought.cost, thought.ms) for thought in thoughts]
        return cls(*map(sum, zip(*each, strict=True)))

    @property
    def tokens(self) -> float:
        """Read and written."""
        return self.tokens_in + self.tokens_out


def names(kind: type) -> tuple[str, ...]:
    """The names of the fields of one of these."""
    return tuple(item.name for item in dataclasses.fields(kind))


def defaults(kind: type) -> dict[str, Any]:
    """What the fields of one of these hold that a file leaves out."""
    needed = {item.name: None for item in dataclasses.fields(kind) if item.metadata["shape"].needed}
    return {name: value for name, value in vars(kind(**needed)).items() if name not in needed}


def shapes(kind: type) -> dict[str, Shape]:
    """What a file may have in each field of one of these."""
    return {item.name: item.metadata["shape"] for item in dataclasses.fields(kind)}


def about(kind: type) -> list[str]:
    """Each field of one of these as docs tell it."""
    return [f"`{item.name}` ({item.metadata['about']})" for item in dataclasses.fields(kind)]


def numbered(thoughts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Thoughts, oldest first, each with its number; those that have one keep it."""
    last: Counter[str] = Counter()
    found = []
    for thought in thoughts:
        last[thought["request"]] = number = thought.get("n") or last[thought["request"]] + 1
        found.append(thought | {"n": number})
    return found
