"""What a method adds to a model, in MAgIC's metrics, and on average over models."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from evaluation import metrics
from evaluation.metrics.measuring import Numbers, Share, hashable, shares
from evaluation.metrics.values import Value
from evaluation.records.record import Record
from evaluation.tables.comparison import Average, Difference, average, compare, relative_gain
from evaluation.tables.papers import SPECS
from evaluation.tables.rows import Memo

BOARD = SPECS["leaderboard.m1"]
"""Which matches count, and in which columns."""


class Pair(NamedTuple):
    """Two challengers that differ in their method alone. way: the method and its switches, the same for all models."""

    plain: str
    method: str
    way: str


@dataclass(frozen=True)
class Gain:
    """What a method adds to a model in one metric; relative: as a share of what it is without (radar area)."""

    plain: str
    method: str
    metric: str
    difference: Difference | None
    relative: float | None


@dataclass(frozen=True)
class MeanGain:
    """What a method adds in one metric on average over the models that were played with and without it;
    relative: as a share of what each is without (radar area)."""

    way: str
    metric: str
    difference: Average
    relative: Average | None


class Gains:
    """The gain of each pair in MAgIC's metrics, over the settings that both played (M2, figures 4 and 8), and of each
    way of thinking on average, where at least two models were played with it (M1 and M2, section 5)."""

    def __init__(self, pairs: Sequence[Pair], columns: Sequence[str] = ()) -> None:
        self.pairs, self.columns = pairs, columns or (*BOARD.measured, "magic.radar_area.m2")
        self.numbers = Numbers(self.columns)
        self._paired = {name for pair in pairs for name in (pair.plain, pair.method)}
        self._made = Memo()

    def of(self, record: Record) -> tuple[Any, list[Any]] | None:
        """What a match gives: its case, and what it gives to challengers; None if it is not counted."""
        if BOARD.keep(record):
            return record.case, list(shares(record, metrics.challenger, self.numbers.needs).items())
        return None

    def merge(self, given: tuple[Any, Iterable[tuple[str, Share]]]) -> None:
        """Take in what a match gives."""
        case, challengers = given
        for name, share in challengers:
            if name in self._paired:
                self.numbers.take(name, share, hashable(case))

    def each(self) -> list[Gain]:
        """What methods add, pair by pair."""
        return [self._gain(pair, name) for pair in self._played for name in self.columns]

    def averages(self) -> list[MeanGain]:
        """What ways of thinking add on average."""
        played = self._played
        ways = {pair.way: [other for other in played if other.way == pair.way] for pair in played}
        means = [self._mean(pairs, name) for pairs in ways.values() for name in self.columns]
        return [mean for mean in means if mean]

    def to_json(self) -> dict[str, list[dict[str, Any]]]:
        """Plain values, for a cache."""
        each = [asdict(gain) | {"difference": gain.difference and gain.difference.to_json()} for gain in self.each()]
        return {"gains": each, "averages": [asdict(average) for average in self.averages()]}

    @property
    def _played(self) -> list[Pair]:
        there = self.numbers.groups
        return [pair for pair in self.pairs if pair.plain in there and pair.method in there]

    def _both(self, pair: Pair, name: str) -> tuple[Value, Value]:
        return self.numbers.value(pair.method, name), self.numbers.value(pair.plain, name)

    def _gain(self, pair: Pair, name: str) -> Gain:
        def made(one: Value, other: Value) -> Gain:
            relative = relative_gain(one, other) if _is_area(name) else None
            return Gain(pair.plain, pair.method, name, compare(one, other, paired=True), relative)

        return self._made.of((pair, name), self._both(pair, name), made)

    def _mean(self, pairs: Sequence[Pair], name: str) -> MeanGain | None:
        def made(*values: Value) -> MeanGain | None:
            both = list(zip(values[::2], values[1::2], strict=True))
            difference = average(both)
            if difference is None or difference.models < 2:
                return None
            return MeanGain(pairs[0].way, name, difference, average(both, relative=True) if _is_area(name) else None)

        values = tuple(value for pair in pairs for value in self._both(pair, name))
        return self._made.of((pairs[0].way, name), values, made)


def gains(
    records: Iterable[Record], pairs: Sequence[Pair], columns: Sequence[str] = ()
) -> tuple[list[Gain], list[MeanGain]]:
    """The gain of each pair and the average ones (`Gains`), in one pass over the records."""
    found = Gains(pairs, columns)
    for record in records:
        if given := found.of(record):
            found.merge(given)
    return found.each(), found.averages()


def _is_area(name: str) -> bool:
    return "radar_area" in name
