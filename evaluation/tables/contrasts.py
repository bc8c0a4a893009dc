"""Two groups beside one another, metric by metric: two rows of a table, people and agents."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.metrics.base import Meter
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


def contrast(group: str, column: str, one: Value, other: Value) -> Contrast:
    """Two values beside one another: in pairs if they have units in common, else as they are."""
    difference = compare(one, other, paired=True) or compare(one, other)
    return Contrast(group, column, Cell.of(one), Cell.of(other), difference)


def between(records: Iterable[Record], table: str, one: Any, other: Any) -> list[Contrast]:
    """Two rows of a table against one another in all of its columns, in pairs over the settings that both played. one,
    other: the rows' keys as JSON has them. Nothing where a row is not there."""
    spec = SPECS[table]
    meter = Meter(spec.by, spec.columns, unit=lambda record: record.case)
    for record in records:
        if spec.keep(record):
            meter.add(record)
    rows = [(list(key) if isinstance(key, tuple) else key, row) for key, row in meter.measured().values.items()]
    first, second = (next((row for key, row in rows if key == wanted), None) for wanted in (one, other))
    if first is None or second is None:
        return []
    return [contrast("", name, first[name], second[name]) for name in spec.columns]
