"""Rows of tables: what was measured, and what a paper prints."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from operator import is_
from typing import Any, TypeVar

from evaluation.metrics import METRICS
from evaluation.metrics.values import Composite, Interval, Sums, Value
from evaluation.tables.published import TABLES as PUBLISHED
from evaluation.tables.published import PrintedTable

T = TypeVar("T")


@dataclass(frozen=True)
class Cell:
    """A number as it stands in a table. n: how many items it counts; matches: from how many; least: of a number made
    of others, the metric that comes from fewest matches, and from how many; numerator, denominator: of one that is not.
    A printed one has none of these, and no interval."""

    value: float | None
    interval: Interval | None = None
    n: int | None = None
    matches: int | None = None
    least: tuple[str, int] | None = None
    numerator: float | None = None
    denominator: float | None = None

    @classmethod
    def of(cls, value: Value) -> Cell:
        """A cell of what was measured."""
        least = value.least if isinstance(value, Composite) else None
        sums = (value.numerator, value.denominator) if isinstance(value, Sums) else ()
        return cls(value.value, value.interval(), value.n, value.matches, least, *sums)

    @property
    def least_matches(self) -> int | None:
        """From how many matches the least part of the number comes."""
        return self.least[1] if self.least else self.matches


@dataclass(frozen=True)
class Row:
    """Who was measured. key: the group, by which `behind` finds what its numbers count; source: the paper of a printed
    row, else ""; notes: what to know before comparing with a printed row; conditions: how one's own was played
    (`Conditions.to_json`)."""

    label: str
    cells: Mapping[str, Cell]
    key: Hashable = None
    source: str = ""
    notes: tuple[str, ...] = ()
    conditions: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The row as plain values; made once, so nobody may change them."""
        return asdict(self)

    @property
    def printed(self) -> bool:
        """Whether this row is a paper's, for reference."""
        return bool(self.source)


class Memo:
    """What was made of some values, as long as these are the very same ones."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[tuple[Any, ...], Any]] = {}

    def of(self, key: Hashable, values: tuple[Any, ...], make: Callable[..., T]) -> T:
        """What `make` gives for these values; not made again for those that stood under this key the last time."""
        before = self._made.get(key)
        if before is None or not all(map(is_, before[0], values)) or len(before[0]) != len(values):
            before = self._made[key] = values, make(*values)
        return before[1]


@cache
def printed_rows(names: tuple[str, ...], columns: tuple[str, ...]) -> list[Row]:
    """The rows of these printed tables, of several tables of one paper joined by who was measured."""
    found: dict[tuple[str, str], dict[str, Cell]] = {}
    notes: dict[tuple[str, str], list[str]] = {}
    for name in names:
        table = PUBLISHED[name]
        for who in table.rows:
            key = table.paper, _printed_label(table, who)
            row = found.setdefault(key, {})
            row.update({column: _printed_cell(table, column, number) for column, number in table.of(who).items()})
            notes.setdefault(key, []).extend([table.note] if table.note else [])
    return [
        Row(
            who,
            {name: row.get(name) or _printed_area(name, row) for name in columns},
            source=paper,
            notes=tuple(dict.fromkeys(notes[paper, who])),
        )
        for (paper, who), row in found.items()
    ]


def _printed_label(table: PrintedTable, who: str) -> str:
    _, of_side, side = table.name.partition("recon.")
    return f"{side} · {who}" if of_side else who


def _printed_cell(table: PrintedTable, column: str, number: float | None) -> Cell:
    percent = table.unit == "%" and METRICS[column].unit == "share"
    return Cell(number / 100 if number is not None and percent else number)


def _printed_area(name: str, row: Mapping[str, Cell]) -> Cell:
    """The radar's area out of the printed abilities; no other column is worked out for a paper."""
    if not name.startswith("magic.radar_area."):
        return Cell(None)
    metric: Any = METRICS[name]
    values = [row[part].value for part in metric.parts]
    return Cell(None if None in values else metric.combine(values))
