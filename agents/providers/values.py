"""What goes to a model API and what comes from it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, replace
from typing import Any

Slot = Callable[[float], AbstractContextManager[None]]
"""What every attempt of a call goes through: it waits for a free slot, so many seconds at most, and holds it inside of
the block."""

OnPiece = Callable[[], None]
"""Called whenever something of a reply has come in, from any thread."""

MOST_TOKENS = 10**9
"""More than this no call reads or writes."""


@dataclass(frozen=True)
class Usage:
    """Tokens that an API counts: read, written, and how many of those read came from its cache (`cached`) or went into
    it (`stored`)."""

    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    stored: int = 0

    @classmethod
    def counted(cls, *counts: Any) -> "Usage":
        """As a server says it; what is no count, as some servers send, is 0."""
        return cls(*(n if isinstance(n, int) and 0 <= n <= MOST_TOKENS else 0 for n in counts))

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


NOTHING = Usage()


@dataclass(frozen=True)
class Message:
    """One turn of the conversation; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True)
class Question:
    """One call. way: which of `Provider.structures` holds the model to the schema; on_piece: see `Provider`."""

    messages: list[Message]
    model: str
    settings: dict[str, Any]
    schema: dict[str, Any] | None
    way: str | None
    on_piece: OnPiece | None


@dataclass(frozen=True)
class Answer:
    """What one call gave: the words, what they cost, the name that the API gave its model, and why it stopped
    ("stop", "length", "refused" or the API's own word). thought: reasoning that the API gives apart from the words."""

    text: str
    usage: Usage
    model: str
    finish: str
    thought: str = ""


@dataclass(frozen=True)
class Completion:
    """A model's reply.

    text: its words. thought: its reasoning, or the summary of it, where the API gives one apart from them. data: the
    parsed JSON object, where a schema was asked for and the API held the model to it. structured: whether the API did.
    usage: of all attempts together. ms: from the first attempt to the reply, pauses included. attempts: calls made.
    model: the name that the API gave. finish: "stop", "length", "refused" or the API's own word. cost: US dollars, once
    it is priced.
    """

    text: str
    data: dict[str, Any] | None = None
    usage: Usage = NOTHING
    ms: int = 0
    attempts: int = 1
    model: str = ""
    finish: str = "stop"
    structured: bool = False
    cost: float = 0.0
    thought: str = ""

    def priced(self, cost: float) -> "Completion":
        return replace(self, cost=cost)
