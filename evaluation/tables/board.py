"""All tables, and what stands beside them, out of what each match gives.

Whatever is counted does three things: `of` says what one match gives, as plain values; `merge` takes that in; then
there are the numbers so far. What a match gives can be kept and merged again, in any order, and comes to the same.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from evaluation.metrics.measuring import Numbers, Share, shares
from evaluation.records.record import Record
from evaluation.tables import people
from evaluation.tables.conditions import Called
from evaluation.tables.contrasts import Between, Contrast
from evaluation.tables.filling import Filling
from evaluation.tables.gains import Gains, Pair
from evaluation.tables.papers import SPECS
from evaluation.tables.ratings import At, Ratings
from evaluation.tables.rows import Cell

DETECTION = "ours.detection"

COLUMNS = {1: (*people.METHOD_1, *people.COMMON), 2: (*people.METHOD_2, *people.COMMON)}
"""By method what people and agents are compared in."""


class Counting(Protocol):
    """What counts matches. at: when a match began, where that matters."""

    def of(self, record: Record) -> Any:
        """What a match gives, as plain values that JSON may hold."""

    def merge(self, given: Any, at: At | None = None) -> None:
        """Take in what a match gives."""

    def to_json(self) -> Any:
        """The numbers so far."""


class Board:
    """All tables of some matches. apart: agents are told apart by the names of their models, so that none is mixed."""

    def __init__(self, pairs: Sequence[Pair] = (), apart: bool = False) -> None:
        self.apart = apart
        self.tables = {name: Filling(spec) for name, spec in SPECS.items()}
        self.gains, self.ratings, self.called, self.detection = Gains(pairs), Ratings(), Called(), Detection()
        self.methods: dict[str, people.Method1 | people.Method2] = {
            "1": people.Method1(COLUMNS[1]),
            "2": people.Method2(COLUMNS[2]),
        }
        self.with_people = False

    def of(self, record: Record) -> dict[str, Any]:
        """What a match gives to each part that it counts in."""
        given = {
            "tables": {name: found for name, table in self.tables.items() if (found := table.of(record))},
            "gains": self.gains.of(record),
            "ratings": self.ratings.of(record),
            "called": self.called.of(record, record.numbers),
            "detection": self.detection.of(record),
            "methods": {name: both for name, method in self.methods.items() if (both := method.of(record))},
            "person": record.has_person,
            "case": record.case,
        }
        return {name: found for name, found in given.items() if found}

    def merge(self, given: Mapping[str, Any], at: At | None = None) -> None:
        """Take in what a match gives."""
        for name, one in given.get("tables", {}).items():
            self.tables[name].merge(one)
        for name, one in given.get("methods", {}).items():
            self.methods[name].merge(one)
        for part, name in ((self.gains, "gains"), (self.called, "called"), (self.detection, "detection")):
            if name in given:
                part.merge(given[name])
        if "ratings" in given:
            self.ratings.merge(given["ratings"], at)
        self.with_people = self.with_people or "person" in given

    def to_json(self) -> dict[str, Any]:
        """{"tables": {name: table}, "gains", "averages", "contrasts", "ratings", "unrated", "mixed", "detection"}."""
        methods = self.methods.items() if self.with_people else ()
        return {
            "tables": {name: filling.table().to_json() for name, filling in self.tables.items()},
            **self.gains.to_json(),
            "contrasts": {name: plain(method.contrasts()) for name, method in methods},
            "ratings": self.ratings.to_json(),
            "unrated": self.ratings.left_out,
            "mixed": {} if self.apart else self.called.mixed,
            "detection": self.detection.to_json() if self.with_people else [],
        }


class Beside:
    """Two rows of a table (their keys as JSON has them) beside one another, out of what matches give to a `Board`."""

    def __init__(self, table: str, one: Any, other: Any) -> None:
        self.table = table
        self.between, self.called = Between(table, one, other), Called()

    def of(self, record: Record) -> dict[str, Any]:
        """The same that it gives to a board."""
        return BOARD.of(record)

    def merge(self, given: Mapping[str, Any], at: At | None = None) -> None:
        """Take in what a match gives."""
        self.called.merge(given.get("called", ()))
        if found := given.get("tables", {}).get(self.table):
            (sums, _told), *_totals = found
            self.between.merge(given["case"], sums["shares"])

    def to_json(self) -> dict[str, Any]:
        """{"contrasts", "mixed"}, a contrast a column."""
        return {"contrasts": plain(self.between.contrasts()), "mixed": self.called.mixed}


class Detection:
    """How well people saw who was an agent, by game and over all ("")."""

    def __init__(self) -> None:
        self.numbers = Numbers((DETECTION,))

    def of(self, record: Record) -> tuple[str, Share] | None:
        """What a match gives; None where nobody said anything."""
        share = shares(record, over_all, (DETECTION,)).get("")
        return (record.game, share) if share else None

    def merge(self, given: tuple[str, Share]) -> None:
        """Take in what a match gives."""
        game, share = given
        for group in ("", game):
            self.numbers.take(group, share)

    def to_json(self) -> list[dict[str, Any]]:
        """A cell for each game with the group that it is of, and one for all games before them."""
        found = [(group, self.numbers.value(group, DETECTION)) for group in sorted(map(str, self.numbers.groups))]
        return [{"group": group, **asdict(Cell.of(value))} for group, value in found if value.n]


def plain(contrasts: Iterable[Contrast]) -> list[dict[str, Any]]:
    """Contrasts as plain values."""
    return [contrast.plain for contrast in contrasts]


def over_all(record: Record, seat: int) -> Hashable:
    """All in one group."""
    return ""


def by_game(record: Record, seat: int) -> Hashable:
    """By game."""
    return record.game


BOARD = Board()
"""What says of a match what it gives to any board."""
