"""Reasons: what the record of a match holds for or against a seat. Each is a small object that can be checked alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games.rules.values import Seen

from .wording import Ways

AGAINST, FOR = -1, 1


@dataclass(frozen=True)
class Reason:
    """Something that happened. subject: of whom it speaks; events: the numbers of the events that it rests on; facts:
    what of it is said, by the part of the sentence.

    A game has a subclass for each kind: ``tone`` is AGAINST or FOR, ``weight`` how much it says, ``ways`` how it is
    said of "they" as a clause after a colon, ``tales`` how it is said as a sentence with {name}.
    """

    subject: int
    events: tuple[int, ...]
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    tone: ClassVar[int]
    weight: ClassVar[float]
    ways: ClassVar[Ways]
    tales: ClassVar[Ways]

    @property
    def kind(self) -> str:
        return type(self).__name__

    @property
    def topic(self) -> tuple[str, int, tuple[int, ...]]:
        """What it is about: two reasons of the same topic say the same."""
        return self.kind, self.subject, self.events

    def holds(self, log: Sequence[Seen]) -> bool:
        """Whether these events, and no more than they, bear it out."""
        raise NotImplementedError


def freshest(reasons: Iterable[Reason], given: Mapping[tuple, int]) -> list[Reason]:
    """Reasons by what they say, those first that were given the least often; given: how often each topic was."""
    return sorted(reasons, key=lambda reason: (given.get(reason.topic, 0), -reason.weight, reason.events))
