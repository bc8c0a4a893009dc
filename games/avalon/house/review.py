"""What a review of a match of Avalon is made of: how the match stood, and what a seat could have known of a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.reviews.odds import log_odds
from games.avalon.house.position import Position, believed
from games.avalon.posterior.exact import EVIL, ROLES, Knowledge
from games.rules import values
from games.rules.sentences import sentence
from games.rules.values import Event

WON = frozenset(("good",))
"""The results in which good wins."""

ABOUT = sentence("How likely good was to win")
ABOVE, BELOW = sentence("good wins"), sentence("evil wins")

FEATURES = (
    "successes",
    "failures",
    "rejections",
    "last attempt",
    "two lost",
    "seats",
    "evil found",
    "dagger",
    "Merlin found",
    "on the table: clean",
    "on the table: not clean",
    "on its quest: clean",
    "on its quest: not clean",
    "evil leads",
    "dagger falls",
)
MERLIN = ROLES.index("merlin")


def standings(
    options: Any, deal: Mapping[str, Any], events: Sequence[values.Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers of `FEATURES` after each event that changes them.

    Evil is found as far as a watcher's posterior says who it is, Merlin as far as that of the Assassin does; both are
    log odds. events: what everybody sees.
    """
    at = _Standing(deal)
    for event in events:
        if isinstance(event, Event) and at.take(event):
            yield event.seq, at.numbers()


class _Standing:
    """A match as a watcher sees it who knows the deal."""

    def __init__(self, deal: Mapping[str, Any]) -> None:
        roles = dict(enumerate(deal["roles"], 1))
        self.evil = frozenset(seat for seat, role in roles.items() if role in EVIL)
        self.merlin = next((seat for seat, role in roles.items() if role == "merlin"), None)
        self.dagger = deal["assassin"] if self.merlin else None
        self.position = Position(0)
        self.rejections = 0
        self.stage = ""
        if self.dagger:
            known = frozenset(seat for seat in self.evil if roles[seat] != "oberon")
            sees = known - {self.dagger} if self.dagger in known else frozenset[int]()
            self.knows = Knowledge(self.dagger, roles[self.dagger], sees)

    def take(self, event: Event) -> bool:
        """Take an event in; says whether the match may stand otherwise after it."""
        self.position.fold([event])
        match event.kind:
            case "team":
                self.stage = "table"
            case "voted":
                self.stage, self.rejections = "quest" if event.data["approved"] else "", event.data["rejections"]
            case "quested" | "proposing":
                self.stage = ""
            case "assassinating":
                self.stage = "dagger"
            case "opened":
                return False
            case _:
                return False
        return True

    def numbers(self) -> tuple[float, ...]:
        at, evil = self.position, self.evil
        clean = bool(self.stage in ("table", "quest") and len(at.team & evil) < at.needed)
        dirty = self.stage in ("table", "quest") and not clean
        return (
            at.successes,
            at.failures,
            self.rejections,
            self.rejections == 4,
            at.failures == 2,
            len(at.cast) - 6,
            self._found(),
            self.dagger is not None,
            self._merlin_found(),
            clean and self.stage == "table",
            dirty and self.stage == "table",
            clean and self.stage == "quest",
            dirty and self.stage == "quest",
            at.leader in evil,
            self.stage == "dagger",
        )

    def _found(self) -> float:
        """The mean log odds of each evil seat to be evil, to a watcher, less what they were at first."""
        record = self.position.record
        chances = believed(record).evil()
        before = len(self.evil) / record.seats
        odds = [log_odds(float(chances[seat - 1])) for seat in self.evil]
        return sum(odds) / len(odds) - log_odds(before)

    def _merlin_found(self) -> float:
        """The log odds of Merlin to be Merlin, to the Assassin, less what they were at first."""
        if not self.dagger or not self.merlin:
            return 0.0
        chance = float(believed(self.position.record, self.knows).roles()[self.merlin - 1, MERLIN])
        return log_odds(chance) - log_odds(1 / (len(self.position.cast) - len(self.evil)))
