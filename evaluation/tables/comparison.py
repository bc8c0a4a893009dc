"""Whether two groups differ in a metric: the difference, how sure it is, and p.

Items of one match are not independent, so what changes places is always a whole unit: a match, or a setting where both
groups played the same ones.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.metrics.values import RESAMPLES, SEED, Composite, Interval, Ratio, Sums, Value
from evaluation.tables import statistics

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
    left, right = [leaf.arrays(units) for leaf in ones], [leaf.arrays(others_units) for leaf in others]
    first, second = (_number(value, _ratios(columns)) for value, columns in ((one, left), (other, right)))
    if first is None or second is None:
        return None
    ratios = _numbers(one, other, *_permuted(left, right, paired))
    whole = paired and len(units) <= statistics.MOST_EXACT
    sizes = _least(left), _least(right)
    return Difference(
        first,
        second,
        _interval(one, other, left, right, paired) if min(sizes) >= statistics.FEWEST else None,
        statistics.share_as_far(ratios, first - second, whole),
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
        units = [unit for unit in _units(both[0]) if unit in set(_units(both[1]))]
        columns = [[leaf.arrays(units) for leaf in leaves] for leaves in both]
        if _apart(one, other, *map(_ratios, columns), relative) is not None:
            found.append((one, other, both, units, min(map(_least, columns))))
    if not found:
        return None
    every = list(dict.fromkeys(unit for _, _, _, units, _ in found for unit in units))
    drawn_from: list[np.ndarray] = []
    for _, _, both, units, _ in found:
        shared = set(units)
        here = [unit if unit in shared else _NOWHERE for unit in every]
        drawn_from += [leaf.arrays(here) for leaves in both for leaf in leaves]

    def mean(ratios: Sequence[float]) -> float:
        apart, at = [], 0
        for one, other, (ones, others), _, _ in found:
            middle, end = at + len(ones), at + len(ones) + len(others)
            apart.append(_apart(one, other, ratios[at:middle], ratios[middle:end], relative))
            at = end
        return math.nan if None in apart else sum(apart) / len(apart)

    least = min(units for *_, units in found)
    interval = None
    if least >= statistics.FEWEST:
        drawn = statistics.resampled(drawn_from, resamples=RESAMPLES, seed=SEED)
        interval = None if drawn is None else statistics.middle([mean(row) for row in drawn])
    return Average(mean(_ratios(drawn_from)), interval, len(found), least)


_NOWHERE = object()


def _apart(one: Value, other: Value, ones: Sequence[float], others: Sequence[float], relative: bool) -> float | None:
    """One number minus the other, or as a share of it, from the ratios of their leaves."""
    first, second = _number(one, ones), _number(other, others)
    if first is None or second is None or (relative and not second):
        return None
    return first / second - 1 if relative else first - second


def _leaves(value: Any) -> list[Sums]:
    return value.leaves() if isinstance(value, Composite) else [value]


def _units(leaves: Sequence[Sums]) -> list[Hashable]:
    """Everything that some leaf has data of, in order."""
    return list(dict.fromkeys(unit for leaf in leaves for unit, (_, weight) in leaf.parts.items() if weight))


def _least(columns: Sequence[np.ndarray]) -> int:
    """From how many units the column comes that has fewest, those left out that have none."""
    return min((found for column in columns if (found := int((column[:, 1] > 0).sum()))), default=0)


def _ratios(columns: Sequence[np.ndarray]) -> list[float]:
    return [float(c[:, 0].sum() / c[:, 1].sum()) if c[:, 1].sum() else math.nan for c in columns]


def _number(value: Any, ratios: Sequence[float]) -> float | None:
    if isinstance(value, Composite):
        return value.recombined(ratios)
    return None if math.isnan(ratios[0]) else float(ratios[0])


def _numbers(one: Value, other: Value, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Differences of the numbers that rows of ratios give."""
    if isinstance(one, Composite):
        found = [(_number(one, a), _number(other, b)) for a, b in zip(first, second, strict=True)]
        return np.array([math.nan if a is None or b is None else a - b for a, b in found])
    return first[:, 0] - second[:, 0]


def _permuted(left: list[np.ndarray], right: list[np.ndarray], paired: bool) -> tuple[np.ndarray, np.ndarray]:
    move: Callable[..., tuple[np.ndarray, np.ndarray]] = statistics.swapped if paired else statistics.regrouped
    return move(left, right, resamples=PERMUTATIONS, seed=SEED)


def _interval(
    one: Value, other: Value, left: list[np.ndarray], right: list[np.ndarray], paired: bool
) -> Interval | None:
    if paired:
        drawn = statistics.resampled([*left, *right], resamples=RESAMPLES, seed=SEED)
        if drawn is None:
            return None
        first, second = drawn[:, : len(left)], drawn[:, len(left) :]
    else:
        first, second = (
            statistics.resampled(side, resamples=RESAMPLES, seed=SEED + k) for k, side in enumerate((left, right))
        )
        if first is None or second is None:
            return None
    return statistics.middle(_numbers(one, other, first, second))


def _fisher(one: Value, other: Value, left: list[np.ndarray], right: list[np.ndarray]) -> float | None:
    if not (isinstance(one, Ratio) and isinstance(other, Ratio)):
        return None
    counts = [float(number) for side in (left[0], right[0]) for number in side.sum(axis=0)]
    if any(number != round(number) for number in counts):
        return None
    return statistics.fisher(*map(round, counts))


def _welch(left: list[np.ndarray], right: list[np.ndarray]) -> float | None:
    if len(left) != 1:
        return None
    rates = [[numerator / weight for numerator, weight in side[0] if weight] for side in (left, right)]
    found = statistics.welch(*rates)
    return None if found is None else found[2]
