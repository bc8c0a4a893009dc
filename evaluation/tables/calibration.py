"""How well people, agents and the exact posterior know who is what, round by round, and whether they are as sure as
they are right."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from evaluation.metrics import Mean, Ratio, kind
from evaluation.metrics.beliefs import (
    BINS,
    Believed,
    Bin,
    beliefs,
    bin_of,
    bins,
    brier,
    even,
    log_loss,
    marked,
    posterior,
    stated,
)
from evaluation.metrics.measuring import Tally
from evaluation.records.record import Record
from evaluation.tables.conditions import Called
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


class Calibration:
    """The table and the curves, out of what each match gives."""

    def __init__(self) -> None:
        self._scores: dict[tuple[str, str, int], tuple[Tally, Tally]] = {}
        self._bins: dict[tuple[str, str], list[tuple[Tally, Tally]]] = {}
        self.called = Called()

    def of(self, record: Record) -> dict[str, Any]:
        """What a match gives: by source, kind of player and round both scores, by source and kind the beliefs in each
        bin and how many were true, each as numerator, denominator and how many beliefs; and the names of models."""
        given: dict[str, Any] = {"called": Called.of(record, record.numbers)}
        if not record.finished or not record.rules.sought:
            return given
        scores: dict[tuple, list[list[float]]] = {}
        bars: dict[tuple, list[list[float]]] = {}
        for source, who, believed in _all(record):
            scored = [score(believed.p, believed.truth) for score in (log_loss, brier)]
            for number in (ALL, record.round_of(believed.seq)):
                _count(scores, (source, who, number), scored)
            _count(bars, (source, who, bin_of(believed.p)), (believed.p, float(believed.truth)))
        return given | {"scores": list(scores.items()), "bins": list(bars.items())}

    def merge(self, given: Mapping[str, Any], at: Any = None) -> None:
        """Take in what a match gives."""
        self.called.merge(given["called"])
        for key, both in given.get("scores", ()):
            _take(self._scores.setdefault(tuple(key), (Tally(), Tally())), both)
        for (source, who, number), both in given.get("bins", ()):
            curve = self._bins.setdefault((source, who), [(Tally(), Tally()) for _ in range(BINS)])
            _take(curve[number], both)

    def rows(self) -> list[Row]:
        """The table so far."""
        order = [source.name for source in SOURCES]
        return [
            Row(*key, *(Cell.of(*tally.sums([Mean])) for tally in self._scores[key]))
            for key in sorted(self._scores, key=lambda key: (order.index(key[0]), key))
        ]

    def lines(self) -> list[Line]:
        """The curves so far."""
        return [
            Line(*key, tuple(bins([(mean.sums([Mean])[0], ratio.sums([Ratio])[0]) for mean, ratio in self._bins[key]])))
            for key in sorted(self._bins)
        ]

    def to_json(self) -> dict[str, Any]:
        """{"rows", "lines", "mixed"}, as plain values."""
        return {
            "mixed": self.called.mixed,
            "rows": [asdict(row) for row in self.rows()],
            "lines": [
                {"source": line.source, "kind": line.kind, "bins": [(b.believed, b.true.value, b.n) for b in line.bins]}
                for line in self.lines()
            ],
        }


def _count(found: dict[tuple, list[list[float]]], key: tuple, numbers: Sequence[float]) -> None:
    for sums, number in zip(found.setdefault(key, [[0.0, 0.0, 0] for _ in numbers]), numbers, strict=True):
        sums[0] += number
        sums[1] += 1
        sums[2] += 1


def _take(tallies: Iterable[Tally], given: Iterable[Iterable[float]]) -> None:
    for tally, sums in zip(tallies, given, strict=True):
        tally.add((tuple(sums),))


def calibrated(records: Iterable[Record]) -> tuple[list[Row], list[Line]]:
    """The table and the curves of these matches, in one pass."""
    found = Calibration()
    for record in records:
        found.merge(found.of(record))
    return found.rows(), found.lines()


def _all(record: Record) -> Iterator[tuple[str, str, Believed]]:
    for seat in record.numbers:
        for source in SOURCES:
            who = str(kind(record, seat)) if source.apart else ""
            for believed in source.of(record, seat):
                yield source.name, who, believed
