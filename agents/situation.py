"""What an agent is given for one decision, and what comes back: the border between players and whoever plays them."""

from dataclasses import dataclass, field
from typing import Any

from games.rules.core import Rules
from games.rules.values import Attempt, Request, Seen
from games.rules.values import Thought as Thought

PROVIDER = "provider"
"""The code of an attempt that got no reply, of an API that may give one later."""

SETUP = "setup"
"""The code of an attempt that gets none however often it is made: the profile cannot be asked, or not in this game."""

SPENDING = "spending"
"""The code of an attempt that was not made, since nothing more may be spent."""

PROFILE = "profile"
"""The code of an attempt for a profile that is not there any more."""

LOST = "lost"
"""The code of an attempt that no worker, or no program from outside, brought to an end (`games.match.sweeper`)."""

NO_ANSWER = frozenset((PROVIDER, SETUP, SPENDING, PROFILE, LOST))
"""Nobody answered, and what is played then is not the player's move. Every other code is of a reply that could not be
read or that the rules refuse: the default after it is what the player brought about."""


FORCED = "forced"
"""The stage of a decision without a choice, and the mark in every thought that nobody was asked for."""


@dataclass(frozen=True)
class Situation:
    """The information state of one seat at one request, and nothing beyond it.

    log: visible(log up to the opening of the request, seat); state: the fold of it; names: how each seat is called;
    thoughts: this seat's own earlier ones, oldest first; match: the match's id, for the books and for no prompt; lot:
    drawn by the match's seed for this decision, the same with and without polls, for a choice among equals; nature:
    drawn by it for the seat, the same for all that the seat decides.
    texts: what was made of the log for prompts, by what it is and how long the log was; copies for other moments and
    requests of the same seat share it.
    """

    rules: Rules
    options: Any
    request: Request
    log: tuple[Seen, ...]
    state: Any
    names: dict[int, str]
    thoughts: tuple[Thought, ...] = ()
    match: str = ""
    lot: int = 0
    nature: int = 0
    texts: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def seat(self) -> int:
        return self.request.seat

    def thought_of_house(self, data: dict[str, Any]) -> Thought:
        """What a house agent keeps of the whole move."""
        return Thought(self.request.id, self.seat, "house", self.request.kind, data=data)


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
