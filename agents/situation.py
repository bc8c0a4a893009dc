"""What an agent is given for one decision, and what comes back: the border between players and whoever plays them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.rules.core import Rules
from games.rules.values import Attempt, Event, Request

PROVIDER = "provider"
"""The code of an attempt that got no reply, of an API that may give one later."""

SETUP = "setup"
"""The code of an attempt that gets none however often it is made: the profile cannot be asked, or not in this game."""

SPENDING = "spending"
"""The code of an attempt that was not made, since nothing more may be spent."""

PROFILE = "profile"
"""The code of an attempt for a profile that is not there any more."""

LOST = "lost"
"""The code of an attempt that no worker brought to an end (`games.match.pending`)."""

NO_ANSWER = frozenset((PROVIDER, SETUP, SPENDING, PROFILE, LOST))
"""Nobody answered, and what is played then is not the player's move. Every other code is of a reply that could not be
read or that the rules refuse: the default after it is what the player brought about."""


FORCED = "forced"
"""The stage of a decision without a choice, and the mark in every thought that nobody was asked for."""


@dataclass(frozen=True)
class Thought:
    """One step of an agent's reasoning, tied to the request that it answers. Only the omniscient see it.

    stage: the step's name within the method. data: what was read from it, a belief matrix under "beliefs"
    (`agents.beliefs`), a sentence under "why". model: the name that the API gave it. cached, stored: of the tokens
    read, how many came from the API's cache and went into it. cost in US dollars, ms: time of the call, attempts: calls
    made, 0 where no model was asked.
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
    cached: int = 0
    stored: int = 0
    cost: float = 0.0
    ms: int = 0
    attempts: int = 1


@dataclass(frozen=True)
class Situation:
    """The information state of one seat at one request, and nothing beyond it.

    log: visible(log up to the opening of the request, seat); state: the fold of it; names: how each seat is called;
    thoughts: this seat's own earlier ones, oldest first; match: the match's id, for the books and for no prompt; lot:
    drawn by the match's seed for this decision, the same with and without polls, for a choice among equals.
    texts: what was made of the log for prompts, by what it is and how long the log was; copies for other moments and
    requests of the same seat share it.
    """

    rules: Rules
    options: Any
    request: Request
    log: tuple[Event, ...]
    state: Any
    names: dict[int, str]
    thoughts: tuple[Thought, ...] = ()
    match: str = ""
    lot: int = 0
    texts: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False, repr=False)

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

    @property
    def unanswered(self) -> Attempt | None:
        """Why the seat's own player gave no answer; None where it did, be it one that could not be used."""
        return next((attempt for attempt in reversed(self.attempts) if attempt.code in NO_ANSWER), None)
