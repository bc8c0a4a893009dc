"""Reasons: what the record of a match holds for or against a seat. Each is a small object that can be checked alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
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
    def of_me(self) -> Ways:
        """How the subject says it of itself."""
        return _turned(self.ways, True)

    @property
    def of_you(self) -> Ways:
        """How it is said to the subject."""
        return _turned(self.ways, False)

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


_OF_ME = {
    "they were": "I was",
    "they are": "I am",
    "they": "I",
    "them": "me",
    "their": "my",
    "theirs": "mine",
    "themselves": "myself",
}
_OF_YOU = {"they": "you", "them": "you", "their": "your", "theirs": "yours", "themselves": "yourself"}


@lru_cache(maxsize=256)
def _turned(ways: Ways, of_me: bool) -> Ways:
    return ways.turned(_OF_ME if of_me else _OF_YOU)
