"""The values that cross the core's border: events, requests, refusals, outcomes, headers and viewers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from .fields import Field, Malformed, OneSeat
from .schema import Attempt as Attempt
from .schema import Thought as Thought
from .sentences import sentence

FORMAT = "magic-match/2"
READ = ("magic-match/1", FORMAT)
"""The formats that can be read. Version 1 has whole prompts, no numbers of thoughts and no origin."""

# How words of an erased person read.
ERASED = "[erased]"

# A viewer is a seat's number, or one of these two.
PUBLIC = 0
OMNISCIENT = -1
Viewer = int

# Beside a type: None at some places and never at others. Who reads it there knows which, and need not ask: the seat
# of an event by its kind, what was dealt by whose fold it is, an option by whether it is resolved.
MaybeNone = Any


class Impossible(ValueError):
    """Options or a setting that no match can be played with, with a sentence for the person who asked."""

    def __init__(self, sentence: str):
        self.sentence = sentence
        super().__init__(sentence)


class LogError(ValueError):
    """A log that cannot have happened under its rules; the message says where and why."""


class Event(NamedTuple):
    """One line of a match's log.

    seq: 1, 2, 3 ... in the whole log. seat: who acted or whom it is about; None where that is nobody. audience: None
    for everybody, else the seats that may see it; () is the moderator's own record. data: JSON values. by: person,
    agent:<profile>, default, opening or moderator. request: the id that it answers.
    """

    seq: int
    kind: str
    seat: int | MaybeNone
    audience: tuple[int, ...] | None
    data: dict[str, Any]
    by: str
    request: str | None


class Shell(NamedTuple):
    """What others see of a sealed event: that it happened, to whom, and nothing of what."""

    seq: int
    kind: str
    seat: int | MaybeNone
    audience: tuple[int, ...] | None
    data: None
    by: str
    request: str | None


Seen = Event | Shell
"""An event as some viewer sees it."""


class Draft(NamedTuple):
    """An event that the rules want to add: without its number, and always by the moderator."""

    kind: str
    seat: int | None
    data: dict[str, Any]
    audience: tuple[int, ...] | None = None


class Kind(NamedTuple):
    """What a kind of event is: its data fields, who sees it, and what everybody else sees of it.

    audience: 'everyone', 'seat' (the event's seat only), 'some' (whom each event names) or 'nobody' (the moderator's
    own record).
    others: 'shell' (seq, kind, seat) or 'nothing', for those outside of the audience.
    ends_round: delayed watching shows the log up to the last such event.
    turning: which of these events are turning points of the match; None: all that end a round.
    words: the data fields that hold what a player said in words of their own; these alone can be erased.
    beats: how long live pages hold their breath before they show it: a big moment; 0: it is none.
    """

    about: str
    fields: tuple[str, ...] = ()
    audience: str = "everyone"
    others: str = "nothing"
    ends_round: bool = False
    turning: Callable[[Event], bool] | None = None
    words: tuple[str, ...] = ()
    beats: int = 0

    def turns(self, event: Seen) -> bool:
        """Whether the match took a turn with this event."""
        if self.turning is None or isinstance(event, Shell):
            return self.ends_round
        return self.turning(event)


class Request(NamedTuple):
    """Who may act and with what. `waits`: the match does not go on without it. `audience`: who may know that it is
    open (None: everybody). `unasked`: what nobody is asked for, and whoever plays may bring along, such as a profile's
    threshold. `ways`: the ways to answer, where what one field may be depends on another one: in each the same fields,
    which allow less."""

    id: str
    kind: str
    seat: int
    fields: tuple[Field, ...]
    opened_at: int
    waits: bool = True
    audience: tuple[int, ...] | None = None
    unasked: tuple[Field, ...] = ()
    ways: tuple[tuple[Field, ...], ...] = ()

    @property
    def each_way(self) -> tuple[tuple[Field, ...], ...]:
        """The ways to answer, of which there is one at least."""
        return self.ways or (self.fields,)

    @property
    def candidates(self) -> tuple[int, ...]:
        """The seats of which it wants one."""
        return next(item.seats for item in self.fields if isinstance(item, OneSeat))

    def read(self, action: Any) -> dict[str, Any]:
        """The action with every field normalised; raises `Malformed`."""
        if not isinstance(action, dict):
            raise Malformed(sentence("An action is a set of named fields."))
        values: dict[str, Any] = {}
        for item in self.fields:
            value = action.get(item.name)
            if value is not None:
                values[item.name] = item.read(value)
            elif item.optional:
                values[item.name] = None
            else:
                raise Malformed(sentence("'{field}' is missing.", field=item.name))
        for item in self.unasked:
            if action.get(item.name) is not None:
                values[item.name] = item.read(action[item.name])
        for name in action:
            if name not in values:
                raise Malformed(sentence("There is no field {field} here.", field=str(name)))
        return values

    def schema(self, *, exact: bool = False) -> dict[str, Any]:
        """The JSON schema of the action; what may be left out is null there, since APIs want every name, and several
        ways to answer are one there, since they want no choice of objects. exact: all that a schema can say, and only
        what must be there is required."""
        ways = [_object(fields, exact) for fields in (self.each_way if exact else (self.fields,))]
        return ways[0] if len(ways) == 1 else {"type": "object", "anyOf": ways}


def _object(fields: tuple[Field, ...], exact: bool) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {item.name: item.schema(exact=exact) for item in fields},
        "required": [item.name for item in fields if not (exact and item.optional)],
        "additionalProperties": False,
    }


@final
class Refusal(NamedTuple):
    """A move that does not count, with a sentence for the person who made it. `keep`: it is kept as an attempt."""

    code: str
    sentence: str
    keep: bool = False


class Outcome(NamedTuple):
    """How a match stands. status: running, finished, void or abandoned; result from the rules' closed list;
    returns: points by seat."""

    status: str = "running"
    result: str | None = None
    winners: tuple[int, ...] = ()
    returns: Mapping[int, float] = {}


RUNNING = Outcome()


@dataclass(frozen=True)
class SeatInfo:
    """A seat as the header freezes it. kind: person or agent; agent: the profile's name."""

    seat: int
    name: str
    kind: str = "person"
    agent: str | None = None


@dataclass(frozen=True)
class Header:
    """What is fixed before the first event. `options` are resolved, `setting` may fix the deal, seed is 63 bits."""

    game: str
    preset: str
    options: dict[str, Any]
    setting: dict[str, Any]
    seed: int
    seats: tuple[SeatInfo, ...]
    rules_version: int
    id: str = ""
    forked_from: dict[str, Any] | None = None

    @property
    def names(self) -> dict[int, str]:
        """How each seat is called."""
        return {seat.seat: seat.name for seat in self.seats}
