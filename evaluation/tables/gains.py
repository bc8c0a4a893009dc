"""What a method adds to a model, in MAgIC's metrics, and on average over models."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evaluation import metrics
from evaluation.metrics.base import Meter
from evaluation.metrics.values import Value
from evaluation.records.record import Record
from evaluation.tables.comparison import Average, Difference, average, compare, relative_gain
from evaluation.tables.papers import SPECS


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
    """What a way of thinking adds in one metric on average over the models that were played with and without it;
    relative: as a share of what each is without (radar area)."""

    way: str
    metric: str
    difference: Average
    relative: Average | None


def gains(
    records: Iterable[Record], pairs: Sequence[Pair], columns: Sequence[str] = ()
) -> tuple[list[Gain], list[MeanGain]]:
    """The gain of each pair in MAgIC's metrics, over the settings that both played (M2, figures 4 and 8), and of each
    way of thinking on average, where at least two models were played with it (M1 and M2, section 5)."""
    board = SPECS["leaderboard.m1"]
    columns = columns or (*board.measured, "magic.radar_area.m2")
    meter = Meter(metrics.challenger, columns, unit=lambda record: record.case)
    for record in records:
        if board.keep(record):
            meter.add(record)
    values = meter.measured().values
    played = [pair for pair in pairs if pair.plain in values and pair.method in values]
    each = [_gain(values, pair, name) for pair in played for name in columns]
    ways = dict.fromkeys(pair.way for pair in played)
    means = [_mean(values, [pair for pair in played if pair.way == way], name) for way in ways for name in columns]
    return each, [mean for mean in means if mean]


def _gain(values: Mapping[Hashable, Mapping[str, Value]], pair: Pair, name: str) -> Gain:
    one, other = values[pair.method][name], values[pair.plain][name]
    relative = relative_gain(one, other) if _is_area(name) else None
    return Gain(pair.plain, pair.method, name, compare(one, other, paired=True), relative)


def _mean(values: Mapping[Hashable, Mapping[str, Value]], pairs: Sequence[Pair], name: str) -> MeanGain | None:
    both = [(values[pair.method][name], values[pair.plain][name]) for pair in pairs]
    difference = average(both)
    if difference is None or difference.models < 2:
        return None
    return MeanGain(pairs[0].way, name, difference, average(both, relative=True) if _is_area(name) else None)


def _is_area(name: str) -> bool:
    return "radar_area" in name
