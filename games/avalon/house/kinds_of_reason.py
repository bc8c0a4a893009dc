"""Reasons at Avalon: what the public record holds for (`merits`) or against (`faults`) a seat, a class for each kind.

A speaker holds nothing against others that it did itself: `barred` says of each team what rules it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agents.house.discourse.reasons import Reason
from games.avalon.house.record import Record, Tabled
from games.rules.values import Seen

KINDS: list[type[OfRecord]] = []
"""Every kind of reason."""


class OfRecord(Reason):
    """A reason that rests on some of the teams: ``teams`` says whether they bear it out, ``choose`` which sets of teams
    may, ``barred`` whether the speaker may not use it."""

    def __init_subclass__(cls) -> None:
        if "ways" in vars(cls):
            KINDS.append(cls)

    @classmethod
    def borne(cls, record: Record, teams: Sequence[Tabled], subject: int) -> bool:
        """Whether these teams bear it out of this subject."""
        raise NotImplementedError

    @classmethod
    def barred(cls, record: Record, teams: Sequence[Tabled], speaker: int) -> bool:
        """Whether the speaker did the same."""
        return False

    @classmethod
    def choices(cls, record: Record, subject: int) -> Iterable[Sequence[Tabled]]:
        """The sets of teams that are tried: each by itself."""
        return ([team] for team in record)

    @classmethod
    def told(cls, record: Record, teams: Sequence[Tabled], subject: int) -> dict[str, Any]:
        """The facts that are said of them."""
        return {"quest": teams[0].quest}

    @classmethod
    def found(cls, record: Record, subject: int, speaker: int) -> Iterator[Reason]:
        """All of this kind that a speaker may give on a subject."""
        for teams in cls.choices(record, subject):
            if cls.borne(record, teams, subject) and not cls.barred(record, teams, speaker):
                yield cls(subject, tuple(team.seq for team in teams), cls.told(record, teams, subject))

    def holds(self, log: Sequence[Seen]) -> bool:
        record = Record.of(log)
        teams = [team for seq in self.events if (team := record.at(seq)) is not None]
        if len(teams) != len(self.events) or not self.borne(record, teams, self.subject):
            return False
        return self.told(record, teams, self.subject) == self.facts


class Several(OfRecord):
    """Rests on all teams of a sort together."""

    @classmethod
    def sort(cls, record: Record, subject: int) -> Sequence[Tabled]:
        raise NotImplementedError

    @classmethod
    def choices(cls, record: Record, subject: int) -> Iterable[Sequence[Tabled]]:
        some = cls.sort(record, subject)
        return [some] if some else []
