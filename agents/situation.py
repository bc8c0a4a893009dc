"""What an agent is given for one decision, and what comes back: the border between players and whoever plays them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.rules.core import Rules
from games.rules.values import Attempt, Event, Request


@dataclass(frozen=True)
class Thought:
    """One step of an agent's reasoning, tied to the request that it answers. Only the omniscient see it.

    stage: the step's name within the method. data: what was read from it, a belief matrix under "beliefs"
    (`agents.beliefs`), a sentence under "why". cost in US dollars, ms: time of the call, attempts: calls made.
    """

    request: str
    seat: int
    method: str
    stage: str
    prompt: str = ""
    reply: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    ms: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class Situation:
    """The information state of one seat at one request, and nothing beyond it.

    log: visible(log up to the opening of the request, seat); state: the fold of it; names: how each seat is called;
    thoughts: this seat's own earlier ones, oldest first; match: the match's id, for the books and for no prompt.
    """

    rules: Rules
    options: Any
    request: Request
    log: tuple[Event, ...]
    state: Any
    names: dict[int, str]
    thoughts: tuple[Thought, ...] = ()
    match: str = ""

    @property
    def seat(self) -> int:
        return self.request.seat


@dataclass(frozen=True)
class Decision:
    """What an agent does: a legal action, or None when it found none and the table's default is to be played
    (`attempts` then say why). by: who decided, as the log records it, where it was not the seat's own profile."""

    action: dict[str, Any] | None
    thoughts: tuple[Thought, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    by: str = ""
