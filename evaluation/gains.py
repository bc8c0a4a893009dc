"""What a method adds to a model, in MAgIC's metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluation import metrics
from evaluation.comparison import Difference, compare, relative_gain
from evaluation.metrics.base import Meter
from evaluation.records import Record
from evaluation.tables import SPECS


@dataclass(frozen=True)
class Gain:
    """What a method adds to a model in one metric; relative: as a share of what it is without (radar area)."""

    plain: str
    method: str
    metric: str
    difference: Difference | None
    relative: float | None


def gains(records: Iterable[Record], pairs: Iterable[tuple[str, str]], columns: Sequence[str] = ()) -> list[Gain]:
    """The gain of each (plain, method) pair of challengers in MAgIC's metrics, over the settings that both played (M2,
    figures 4 and 8)."""
    board = SPECS["leaderboard.m1"]
    columns = columns or (*board.measured, "magic.radar_area.m2")
    meter = Meter(metrics.challenger, columns, unit=lambda record: record.case)
    for record in records:
        if board.keep(record):
            meter.add(record)
    values = meter.measured().values
    return [
        Gain(
            plain,
            method,
            name,
            compare(values[method][name], values[plain][name], paired=True),
            relative_gain(values[method][name], values[plain][name]) if "radar_area" in name else None,
        )
        for plain, method in pairs
        if plain in values and method in values
        for name in columns
    ]
