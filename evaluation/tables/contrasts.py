"""Two groups beside one another, metric by metric: two rows of a table, people and agents."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from evaluation.metrics.measuring import Numbers, Share, hashable, shares
from evaluation.metrics.values import Value
from evaluation.records.record import Record
from evaluation.tables.comparison import Difference, compare
from evaluation.tables.papers import SPECS
from evaluation.tables.rows import Cell


@dataclass(frozen=True)
class Contrast:
    """One metric in two arms. No difference where one of them has no data. column: the metric's name; group: of whom
    both are, such as a team."""

    group: str
    column: str
    one: Cell
    other: Cell
    difference: Difference | None

    @cached_property
    def plain(self) -> dict[str, Any]:
        """Plain values, for a cache; made once, so nobody may change them."""
        return asdict(self) | {"difference": self.difference and self.difference.to_json()}


def contrast(group: str, column: str, one: Value, other: Value) -> Contrast:
    """Two values beside one another: in pairs if they have units in common, else as they are."""
    difference = compare(one, other, paired=True) or compare(one, other)
    return Contrast(group, column, Cell.of(one), Cell.of(other), difference)


class Between:
    """Two rows of a table against one another in all of its columns, in pairs over the settings that both played. one,
    other: the rows' keys as JSON has them."""

    def __init__(self, table: str, one: Any, other: Any) -> None:
        self.spec, self.keys = SPECS[table], (hashable(one), hashable(other))
        self.numbers = Numbers(self.spec.columns)

    def of(self, record: Record) -> tuple[Any, list[Any]] | None:
        """What a match gives: its case, and what it gives to the table's rows; None if it is none of the table's."""
        if self.spec.keep(record):
            return record.case, list(shares(record, self.spec.by, self.numbers.needs).items())
        return None

    def merge(self, case: Any, given: Iterable[tuple[Any, Share]]) -> None:
        """Take in what a match gives to rows."""
        for key, share in given:
            if hashable(key) in self.keys:
                self.numbers.take(hashable(key), share, hashable(case))

    def contrasts(self) -> list[Contrast]:
        """A contrast a column; none where a row is not there."""
        if not all(key in self.numbers.groups for key in self.keys):
            return []
        return [contrast("", n, *(self.numbers.value(key, n) for key in self.keys)) for n in self.spec.columns]


def between(records: Iterable[Record], table: str, one: Any, other: Any) -> list[Contrast]:
    """Two rows of a table against one another (`Between`), in one pass over the records."""
    found = Between(table, one, other)
    for record in records:
        if given := found.of(record):
            found.merge(*given)
    return found.contrasts()
