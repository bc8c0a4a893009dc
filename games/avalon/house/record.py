"""The public record of an Avalon match with the numbers of its events: each team, how it was voted on, how it fared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.rules.values import Event, Seen


class Tabled(NamedTuple):
    """A proposed team. seq: the number of its event; votes: None until they are told; fails, success: None unless it
    went."""

    seq: int
    quest: int
    attempt: int
    leader: int
    team: frozenset[int]
    votes: dict[int, bool] | None = None
    fails: int | None = None
    success: bool | None = None

    @property
    def won(self) -> bool:
        return self.success is True

    @property
    def lost(self) -> bool:
        return self.success is False

    @property
    def turned_down(self) -> bool:
        return self.votes is not None and 2 * sum(self.votes.values()) <= len(self.votes)

    def by(self, seat: int) -> bool | None:
        """How a seat voted; None where it did not."""
        return (self.votes or {}).get(seat)

    def stood_for(self, seat: int) -> bool:
        """Whether a seat led or approved it."""
        return seat == self.leader or self.by(seat) is True


@dataclass
class Record:
    """All teams in their order, read off the events that everybody sees."""

    teams: list[Tabled] = field(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[Seen]) -> Record:
        record = cls()
        for event in events:
            if isinstance(event, Event):
                record.take(event)
        return record

    def take(self, event: Event) -> None:
        """Take in one event."""
        data = event.data
        if event.kind == "proposing":
            self._asked = (data["quest"], data["attempt"], data["leader"])
        elif event.kind == "team":
            quest, attempt, leader = self._asked
            self.teams.append(Tabled(event.seq, quest, attempt, leader, frozenset(data["seats"])))
        elif event.kind == "voted":
            votes = {int(seat): approves for seat, approves in data["votes"].items() if approves is not None}
            self._change(votes=votes)
        elif event.kind == "quested":
            self._change(fails=data["fails"], success=data["success"])

    def _change(self, **news: Any) -> None:
        self.teams[-1] = self.teams[-1]._replace(**news)

    def at(self, seq: int) -> Tabled | None:
        """The team of this event."""
        return next((team for team in self.teams if team.seq == seq), None)

    def __iter__(self) -> Iterator[Tabled]:
        return iter(self.teams)

    @property
    def went(self) -> list[Tabled]:
        return [team for team in self.teams if team.success is not None]

    @property
    def lost(self) -> list[Tabled]:
        return [team for team in self.teams if team.lost]

    @property
    def won(self) -> list[Tabled]:
        return [team for team in self.teams if team.won]

    @property
    def voted(self) -> list[Tabled]:
        return [team for team in self.teams if team.votes is not None]

    @property
    def stained(self) -> frozenset[int]:
        """Who was on a quest that somebody played a fail card on."""
        return frozenset(seat for team in self.went if team.fails for seat in team.team)
