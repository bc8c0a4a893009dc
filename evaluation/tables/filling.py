"""Tables out of records: filled match by match, as plain values or as CSV, and the events behind a number."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation import metrics
from evaluation.metrics import METRICS, Metric
from evaluation.metrics.base import Key
from evaluation.metrics.measuring import Meter, Seen, hashable
from evaluation.records.record import Record
from evaluation.tables.conditions import ByRow
from evaluation.tables.papers import SPECS, TOTAL, Spec
from evaluation.tables.rows import Cell, Memo, Row, printed_rows
from evaluation.tables.sheets import safe_cell


@dataclass(frozen=True)
class Table:
    """A filled table. records: how many matches went in; left_out: how many of those were not played to an end."""

    spec: Spec
    rows: Sequence[Row]
    records: int
    left_out: int

    @property
    def columns(self) -> list[Metric]:
        return [METRICS[name] for name in self.spec.columns]

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache: {"name", "title", "columns", "rows", "records", "left_out"}."""
        return {
            "name": self.spec.name,
            "title": self.spec.title,
            "columns": list(self.spec.columns),
            "rows": [row.plain for row in self.rows],
            "records": self.records,
            "left_out": self.left_out,
        }

    def csv(self) -> str:
        """One line a row, six columns a metric: value, interval, n, matches, and the matches of its least part.
        Printed rows name their paper and what to know before comparing; others whom they were played against and in
        how many settings."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        parts = ("", "low", "high", "n", "matches", "least matches")
        heads = [f"{name} {part}".strip() for name in self.spec.columns for part in parts]
        lines.writerow(["who", "source", *heads, "against", "settings", "matches left out", "notes"])
        for row in self.rows:
            values: list[Any] = []
            for name in self.spec.columns:
                cell = row.cells[name]
                values += [cell.value, *(cell.interval or (None, None)), cell.n, cell.matches, cell.least_matches]
            played = row.conditions
            values += [safe_cell(", ".join(played.get("against", ()))), played.get("settings"), played.get("left_out")]
            values.append(" ".join(row.notes))
            lines.writerow([safe_cell(row.label), row.source, *("" if value is None else value for value in values)])
        return text.getvalue()


class Filling:
    """A table that is filled match by match."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.counted = [(Meter(by, spec.columns), ByRow(by)) for by in _keys(spec)]
        self._rows: dict[tuple[int, Hashable], Row] = {}
        self._cells = Memo()

    def of(self, record: Record) -> list[tuple[Any, Any]] | None:
        """What a match gives to each kind of rows, as plain values; None if it is none of the table's."""
        if self.spec.keep(record):
            return [(meter.of(record), conditions.of(record)) for meter, conditions in self.counted]
        return None

    def merge(self, given: Iterable[tuple[Any, Any]]) -> None:
        """Take in what a match gives."""
        for k, ((meter, conditions), (sums, told)) in enumerate(zip(self.counted, given, strict=True)):
            meter.merge(sums)
            conditions.merge(told)
            for key, _ in told:
                self._rows.pop((k, hashable(key)), None)

    def table(self) -> Table:
        """The table so far, its rows beside the printed ones."""
        rows = []
        for k, (meter, _) in enumerate(self.counted):
            keys = sorted(meter.numbers.groups, key=lambda key: (label(key), repr(key)))
            rows += [self._rows.get((k, key)) or self._rows.setdefault((k, key), self._row(k, key)) for key in keys]
        meter, printed = self.counted[0][0], printed_rows(self.spec.printed, self.spec.columns)
        return Table(self.spec, [*rows, *printed], meter.records, meter.left_out)

    def _row(self, k: int, key: Hashable) -> Row:
        meter, conditions = self.counted[k]
        cells = {}
        for name in self.spec.columns:
            value = meter.numbers.value(key, name)
            cells[name] = self._cells.of((k, key, name), (value,), Cell.of)
        return Row(label(key), cells, key, conditions=conditions.found[key].to_json())


def tables(records: Iterable[Record], names: Iterable[str] | None = None) -> dict[str, Table]:
    """These tables, all of them if None, in one pass over the records."""
    found = [Filling(SPECS[name]) for name in (SPECS if names is None else names)]
    for record in records:
        for filling in found:
            if given := filling.of(record):
                filling.merge(given)
    return {filling.spec.name: filling.table() for filling in found}


def _keys(spec: Spec) -> list[Key]:
    """The groups of its rows: each by itself, and all together."""
    return [spec.by, *([spec.together] if spec.totals else [])]


def behind(records: Iterable[Record], name: str, key: Hashable, column: str) -> Iterator[Seen]:
    """What the number in this column of this row counts, event by event. key: the row's, or the list that JSON makes
    of it."""
    spec, key = SPECS[name], tuple(key) if isinstance(key, list) else key
    by = spec.together if spec.totals and key == TOTAL else spec.by
    return metrics.seen((record for record in records if spec.keep(record)), by, key, column)


def label(key: Hashable) -> str:
    """A group in words."""
    return " · ".join(map(str, key)) if isinstance(key, tuple) else str(key)
