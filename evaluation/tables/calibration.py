"""How well people, agents and the exact posterior know who is what, round by round, and whether they are as sure as
they are right."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from evaluation.metrics import Mean, Sums, kind
from evaluation.metrics.beliefs import (
    Believed,
    Bin,
    Curve,
    beliefs,
    brier,
    even,
    log_loss,
    marked,
    posterior,
    stated,
)
from evaluation.records.record import Record
from evaluation.tables.rows import Cell

ALL = 0
"""In place of a round: all of them together."""


class Source(NamedTuple):
    """Where beliefs come from. apart: people and agents stand in rows of their own."""

    name: str
    of: Callable[[Record, int], Iterable[Believed]]
    apart: bool = True


SOURCES = (
    Source("matrices", beliefs),
    Source("polls", stated),
    Source("marks", marked),
    Source("posterior", posterior, apart=False),
    Source("even", even, apart=False),
)


@dataclass(frozen=True)
class Row:
    """One source of one kind of player in one round (`ALL`: in all of them)."""

    source: str
    kind: str
    round: int
    log_loss: Cell
    brier: Cell


@dataclass(frozen=True)
class Line:
    """The reliability of one source of one kind of player."""

    source: str
    kind: str
    bins: tuple[Bin, ...]


def calibrated(records: Iterable[Record]) -> tuple[list[Row], list[Line]]:
    """The table and the curves of these matches, in one pass."""
    sums: dict[tuple[str, str, int], tuple[Sums, Sums]] = {}
    curves: dict[tuple[str, str], Curve] = {}
    for record in records:
        if not record.finished or not record.rules.sought:
            continue
        for source, who, believed in _all(record):
            curves.setdefault((source, who), Curve()).add(record.id, believed.p, believed.truth)
            for number in (ALL, record.round_of(believed.seq)):
                both = sums.setdefault((source, who, number), (Mean(), Mean()))
                for found, score in zip(both, (log_loss, brier), strict=True):
                    found.count(record.id, score(believed.p, believed.truth), 1)
    order = [source.name for source in SOURCES]
    rows = [
        Row(source, who, number, Cell.of(loss), Cell.of(square))
        for (source, who, number), (loss, square) in sorted(
            sums.items(), key=lambda one: (order.index(one[0][0]), one[0])
        )
    ]
    lines = [Line(source, who, tuple(curve.bins())) for (source, who), curve in sorted(curves.items())]
    return rows, lines


def _all(record: Record) -> Iterator[tuple[str, str, Believed]]:
    for seat in record.numbers:
        for source in SOURCES:
            who = str(kind(record, seat)) if source.apart else ""
            for believed in source.of(record, seat):
                yield source.name, who, believed
