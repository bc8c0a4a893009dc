"""Whether two groups differ in a metric: the difference, how sure it is, and p.

Items of one match are not independent, so what changes places is always a whole unit: a match, or a setting where both
groups played the same ones.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evaluation.metrics.values import RESAMPLES, SEED, Composite, Interval, Ratio, Sums, Value, times_of
from evaluation.tables import statistics
from evaluation.tables.statistics import Side

PERMUTATIONS = 5000
FEW = 5
"""With fewer units than this on a side no difference can be told."""

LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """One group minus the other.

    interval: the middle 95% over resampled units, None for few. p: by permutation of units, in pairs if `paired`.
    exact: Fisher's exact test on the items of two ratios, which takes them as independent; welch: the p of Welch's
    t-test over units (MAgIC's later edition reports a t-test and does not say which); both None where they do not fit.
    units: from how many each side comes (pairs if paired); of a number made of others, its least part.
    """

    one: float
    other: float
    interval: Interval | None
    p: float | None
    exact: float | None
    welch: float | None
    paired: bool
    units: tuple[int, int]

    @property
    def value(self) -> float:
        return self.one - self.other

    @property
    def verdict(self) -> str:
        """What can be said at this n: "few" (nothing), "apart" or "open" (they may be the same)."""
        if min(self.units) < FEW or self.p is None:
            return "few"
        return "apart" if self.p < LEVEL else "open"

    def to_json(self) -> dict[str, Any]:
        """Plain values, for a cache."""
        return asdict(self) | {"value": self.value, "verdict": self.verdict}


def compare(one: Value, other: Value, *, paired: bool = False) -> Difference | None:
    """How two groups differ; None where either has no value.

    paired: only units that both have count, and each changes places with its like. Measure with `Record.case` as the
    unit to pair settings; matches pair groups that sat at the same tables.
    """
    ones, others = _leaves(one), _leaves(other)
    units, others_units = _units(ones), _units(others)
    if paired:
        shared = set(others_units)
        units = others_units = [unit for unit in units if unit in shared]
    left, right = _side(ones, units), _side(others, others_units)
    first, second = _number(one, left), _number(other, right)
    if first is None or second is None:
        return None
    sizes = _least(left), _least(right)
    whole = paired and left[1].sum() <= statistics.MOST_EXACT
    move = statistics.swapped if paired else statistics.regrouped
    changed = _apart(one, other, *move(left, right, resamples=PERMUTATIONS, seed=SEED))
    return Difference(
        first,
        second,
        _interval(one, other, left, right, paired) if min(sizes) >= statistics.FEWEST else None,
        statistics.share_as_far(changed, first - second, whole),
        _fisher(one, other, left, right),
        _welch(left, right),
        paired,
        sizes,
    )


def relative_gain(one: Value, other: Value) -> float | None:
    """By how much the one is more than the other, as a share of it: MAgIC's gain in radar area."""
    return one.value / other.value - 1 if one.value is not None and other.value else None


@dataclass(frozen=True)
class Average:
    """A difference on average over pairs of groups (a method's gain over models, which are taken as they are).

    interval: the middle 95% over resampled units, the same ones for all pairs; None for few. models: how many pairs
    have data on both sides; units: from how many settings, of a number made of others its least part, and of the pairs
    the one with fewest.
    """

    value: float
    interval: Interval | None
    models: int
    units: int


def average(pairs: Sequence[tuple[Value, Value]], *, relative: bool = False) -> Average | None:
    """How much more the first of each pair is than the second, on average over pairs, each over the units that both of
    it have; relative: as a share of the second. None where no pair has data."""
    found = []
    for one, other in pairs:
        both = [_leaves(one), _leaves(other)]
        units = _units(both[0])
        shared = set(_units(both[1]))
        units = [unit for unit in units if unit in shared]
        sides = [_side(leaves, units) for leaves in both]
        if not np.isnan(_apart(one, other, _ratios(sides[0]), _ratios(sides[1]), relative)).any():
            found.append((one, other, both, units, min(map(_least, sides))))
    if not found:
        return None
    every = list(dict.fromkeys(unit for _, _, _, units, _ in found for unit in units))
    drawn_from: list[np.ndarray] = []
    for _, _, both, units, _ in found:
        shared = set(units)
        here = [unit if unit in shared else _NOWHERE for unit in every]
        drawn_from += [leaf.arrays(here) for leaves in both for leaf in leaves]

    def means(ratios: np.ndarray) -> np.ndarray:
        apart, at = [], 0
        for one, other, (ones, others), _, _ in found:
            middle, end = at + len(ones), at + len(ones) + len(others)
            apart.append(_apart(one, other, ratios[:, at:middle], ratios[:, middle:end], relative))
            at = end
        return np.asarray(sum(apart) / len(apart))

    times = times_of([leaf for _, _, both, _, _ in found for leaves in both for leaf in leaves], every)
    least = min(units for *_, units in found)
    interval = None
    if least >= statistics.FEWEST:
        drawn = statistics.resampled(drawn_from, times, resamples=RESAMPLES, seed=SEED)
        interval = None if drawn is None else statistics.middle(means(drawn))
    return Average(float(means(_ratios((drawn_from, times)))[0]), interval, len(found), least)


_NOWHERE = object()


def _leaves(value: Any) -> list[Sums]:
    return value.leaves() if isinstance(value, Composite) else [value]


def _units(leaves: Sequence[Sums]) -> list[Hashable]:
    """Everything that some leaf has data of, in order."""
    return list(dict.fromkeys(unit for leaf in leaves for unit, (_, weight) in leaf.parts.items() if weight))


def _side(leaves: Sequence[Sums], units: Sequence[Hashable]) -> Side:
    """A column for each leaf, a row for each unit."""
    return [leaf.arrays(units) for leaf in leaves], times_of(leaves, units)


def _least(side: Side) -> int:
    """From how many units the column comes that has fewest, those left out that have none."""
    columns, times = side
    return min((found for column in columns if (found := int(times[column[:, 1] > 0].sum()))), default=0)


def _ratios(side: Side) -> np.ndarray:
    """One row: the ratio of each column, nan without data."""
    columns, times = side
    sums = [[math.fsum(numbers) for numbers in (times[:, None] * column).T] for column in columns]
    return np.array([[numerator / weight if weight else math.nan for numerator, weight in sums]])


def _number(value: Any, side: Side) -> float | None:
    (found,) = _numbers(value, _ratios(side))
    return None if math.isnan(found) else float(found)


def _numbers(value: Any, ratios: np.ndarray) -> np.ndarray:
    """The number that each row of ratios gives."""
    return value.recombined(ratios) if isinstance(value, Composite) else ratios[:, 0]


def _apart(one: Value, other: Value, ones: np.ndarray, others: np.ndarray, relative: bool = False) -> np.ndarray:
    """One number minus the other, or by how much it is more as a share of it, for each row of ratios."""
    first, second = _numbers(one, ones), _numbers(other, others)
    if relative:
        return np.divide(first, second, out=np.full(len(first), np.nan), where=second != 0) - 1
    return first - second


def _interval(one: Value, other: Value, left: Side, right: Side, paired: bool) -> Interval | None:
    if paired:
        drawn = statistics.resampled([*left[0], *right[0]], left[1], resamples=RESAMPLES, seed=SEED)
        if drawn is None:
            return None
        first, second = drawn[:, : len(left[0])], drawn[:, len(left[0]) :]
    else:
        ones = statistics.resampled(*left, resamples=RESAMPLES, seed=SEED)
        others = statistics.resampled(*right, resamples=RESAMPLES, seed=SEED + 1)
        if ones is None or others is None:
            return None
        first, second = ones, others
    return statistics.middle(_apart(one, other, first, second))


def _fisher(one: Value, other: Value, left: Side, right: Side) -> float | None:
    if not (isinstance(one, Ratio) and isinstance(other, Ratio)):
        return None
    counts = [float(number) for columns, times in (left, right) for number in times @ columns[0]]
    if any(number != round(number) for number in counts):
        return None
    return statistics.fisher(*map(round, counts))


def _welch(left: Side, right: Side) -> float | None:
    if len(left[0]) != 1:
        return None
    rates = []
    for (column,), times in (left, right):
        there = column[:, 1] != 0
        rates.append(np.sort(np.repeat(column[there, 0] / column[there, 1], times[there])))
    found = statistics.welch(*rates)
    return None if found is None else found[2]
