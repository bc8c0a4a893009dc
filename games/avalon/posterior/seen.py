"""What one seat of an Avalon table was told and has seen, folded from its events."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from games.avalon.posterior.exact import Knowledge, Proposal, PublicRecord
from games.rules import values
from games.rules.values import Event


@dataclass
class Seen:
    """The match as ``seat`` knows it. A method ``on_<kind>`` folds an event that is visible to it.

    ``proposals`` hold every proposed team so far, the one on the table last. ``shown`` maps seats to whether they are
    evil, as the Lady of the Lake told this seat.
    """

    seat: int
    cast: tuple[str, ...] = ()
    role: str = ""
    sees: frozenset[int] = frozenset()
    quest: int = 1
    attempt: int = 1
    leader: int = 0
    failures: int = 0
    proposals: list[Proposal] = field(default_factory=list)
    shown: dict[int, bool] = field(default_factory=dict)

    def fold(self, events: Iterable[values.Seen]) -> Self:
        """Take in these events."""
        for event in events:
            taken = getattr(self, f"on_{event.kind}", None)
            if taken is not None and isinstance(event, Event):
                taken(event)
        return self

    @property
    def record(self) -> PublicRecord:
        """What everybody has seen; of what was said, nothing."""
        return PublicRecord(tuple(sorted(self.cast)), tuple(self.proposals))

    @property
    def knowledge(self) -> Knowledge:
        """What this seat alone was told."""
        return Knowledge(self.seat, self.role, self.sees, frozenset(self.shown.items()))

    def on_opened(self, event: Event) -> None:
        self.cast = tuple(event.data["roles"])

    def on_dealt(self, event: Event) -> None:
        self.role = event.data["role"]
        self.sees = frozenset(event.data["sees"])

    def on_proposing(self, event: Event) -> None:
        self.quest, self.attempt, self.leader = event.data["quest"], event.data["attempt"], event.data["leader"]

    def on_team(self, event: Event) -> None:
        team = frozenset(event.data["seats"])
        self.proposals.append(Proposal(self.leader, team, self.quest, self.attempt, self.failures))

    def on_voted(self, event: Event) -> None:
        votes = tuple((int(seat), approves) for seat, approves in event.data["votes"].items() if approves is not None)
        self.proposals[-1] = replace(self.proposals[-1], votes=votes)

    def on_quested(self, event: Event) -> None:
        self.proposals[-1] = replace(self.proposals[-1], fails=event.data["fails"])
        self.failures = event.data["failures"]

    def on_shown(self, event: Event) -> None:
        self.shown[event.data["seat"]] = event.data["side"] == "evil"
