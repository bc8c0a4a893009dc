"""How far raters agree, on plain values: a matrix of items by raters, in which a cell holds the labels that this rater
gave to this item.

A cell may hold several labels. All together, the whole set that a cell holds is one category: two raters agree where
they gave exactly the same ones. By label, an item has it or not: one label against the rest. Where words of a text are
marked, these numbers tell which labels were found in it, and `overlap` tells how far the marked words are the same.

Alpha is the library's, `krippendorff`. Intervals are the middle 95% when whole items are drawn anew.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import krippendorff
import numpy as np

from evaluation.tables.statistics import FEWEST, Interval, distinct, middle

MISSING = -1
"""The code of a cell that nobody filled."""

RESAMPLES = 1000
SEED = 7

LEAST, UNITS = 100, 250_000
"""Resamples of alpha: the library takes its time with each, so that there are fewer of many items, together of so many
units, and at least so many."""

Cell = tuple[str, ...]
"""The labels of one rater for one item, in the order of the scheme; empty: none of them."""

Statistic = Callable[[np.ndarray, np.ndarray, int], np.ndarray]
"""From rows of codes (a column a rater), draws that say how often each row is in them, and how many codes there are: a
number for each draw, nan where it is not defined."""


class Matrix(NamedTuple):
    """Items by raters. cells: by item a cell for each rater, None where that rater did not rate it. labels: all of the
    scheme's, in its order, which on an ordinal scale is the order of the scale."""

    items: Sequence[Hashable]
    raters: Sequence[str]
    labels: Sequence[str]
    cells: Sequence[Sequence[Cell | None]]
    ordinal: bool = False

    @property
    def categories(self) -> list[Cell]:
        """What a cell may hold: each label alone, in their order, and whatever else was given."""
        single = [(label,) for label in self.labels]
        given = {cell for row in self.cells for cell in row if cell is not None}
        return single + sorted(given - set(single))

    def codes(self, label: str | None = None) -> np.ndarray:
        """The cells as numbers, `MISSING` where there is none: of the category, or whether the label is given."""
        if label is None:
            number = {category: n for n, category in enumerate(self.categories)}
            rows = [[MISSING if cell is None else number[cell] for cell in row] for row in self.cells]
        else:
            rows = [[MISSING if cell is None else int(label in cell) for cell in row] for row in self.cells]
        return np.array(rows, dtype=np.int64).reshape(len(self.cells), len(self.raters))


class Number(NamedTuple):
    """A measure of agreement. n: of how many items; interval: None with fewer than `FEWEST`."""

    value: float | None
    interval: Interval | None
    n: int


class Agreement(NamedTuple):
    """How far raters agree on a label, or on all together (label None). percent: as `percent`; cohen: by pair of
    raters; fleiss: as `fleiss_of`;
    alpha, ordinal: as the functions of these names. ordinal: None where the scale is none."""

    label: str | None
    given: int
    percent: Number
    cohen: Mapping[tuple[str, str], Number]
    fleiss: Number
    alpha: Number
    ordinal: Number | None


def measured(matrix: Matrix, resamples: int = RESAMPLES) -> list[Agreement]:
    """The agreement on all labels together, then on each of them. given: how many cells hold the label, or anything.
    With one label there is nothing to be told apart, and all together is all there is."""
    labels = matrix.labels if len(matrix.labels) > 1 else []
    return [_measured(matrix, label, resamples) for label in (None, *labels)]


def _measured(matrix: Matrix, label: str | None, resamples: int) -> Agreement:
    codes, count = matrix.codes(label), 2 if label else len(matrix.categories)
    fewer = min(resamples, max(LEAST, UNITS // max(len(codes), 1)))
    return Agreement(
        label,
        int((codes == 1).sum() if label else (codes != MISSING).sum()),
        number(percent, codes, count, resamples),
        {
            (matrix.raters[one], matrix.raters[other]): number(cohen, codes[:, [one, other]], count, resamples)
            for one, other in combinations(range(len(matrix.raters)), 2)
        },
        fleiss_of(codes, count, resamples),
        number(alpha, codes, count, fewer),
        number(ordinal, codes, count, fewer) if matrix.ordinal and label is None else None,
    )


def number(statistic: Statistic, codes: np.ndarray, count: int, resamples: int = RESAMPLES) -> Number:
    """A statistic of the items that two raters or more have rated, with its interval."""
    codes = codes[(codes != MISSING).sum(axis=1) > 1]
    if not len(codes):
        return Number(None, None, 0)
    rows, times = distinct([codes])
    value = float(statistic(rows, times[None], count)[0])
    if np.isnan(value):
        return Number(None, None, len(codes))
    interval = None
    if len(codes) >= FEWEST:
        drawn = np.random.default_rng(SEED).multinomial(len(codes), times / len(codes), size=resamples)
        interval = middle(statistic(rows, drawn, count))
    return Number(value, interval, len(codes))


def fleiss_of(codes: np.ndarray, count: int, resamples: int = RESAMPLES) -> Number:
    """Fleiss' kappa, which is defined for equally many raters an item: of the items that have as many as most have; of
    two numbers that are as frequent, the larger."""
    raters = (codes != MISSING).sum(axis=1)
    often = np.bincount(raters[raters > 1], minlength=1)
    return number(fleiss, codes[raters == len(often) - 1 - often[::-1].argmax()], count, resamples)


# Statistics ---------------------------------------------------------------------------------------------------------


def percent(rows: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """The mean over items of the share of pairs of raters that agree."""
    return draws @ shares(rows, count) / draws.sum(axis=1)


def shares(rows: np.ndarray, count: int) -> np.ndarray:
    """For each item the share of its pairs of raters that agree; nan with one rater."""
    counts = counted(rows, count)
    raters = counts.sum(axis=1)
    pairs = raters * (raters - 1)
    return np.divide((counts * (counts - 1)).sum(axis=1), pairs, out=np.full(len(rows), np.nan), where=pairs > 0)


def cohen(rows: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """Cohen's kappa (1960) of two raters; nan where both gave the same one category to all."""
    first, second = (draws @ counted(rows[:, [rater]], count) for rater in (0, 1))
    total = draws.sum(axis=1)
    return _kappa(draws @ (rows[:, 0] == rows[:, 1]) / total, (first * second).sum(axis=1) / total**2)


def fleiss(rows: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """Fleiss' kappa (1971), of items with equally many raters; nan where only one category was ever given."""
    given = draws @ counted(rows, count)
    chance = ((given / given.sum(axis=1, keepdims=True)) ** 2).sum(axis=1)
    return _kappa(percent(rows, draws, count), chance)


def alpha(rows: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """Krippendorff's alpha, nominal; raters may differ in number from item to item. nan where only one category was
    ever given."""
    return _alpha(rows, draws, count, "nominal")


def ordinal(rows: np.ndarray, draws: np.ndarray, count: int) -> np.ndarray:
    """Krippendorff's alpha on an ordinal scale, the codes in its order."""
    return _alpha(rows, draws, count, "ordinal")


def _alpha(rows: np.ndarray, draws: np.ndarray, count: int, level: Any) -> np.ndarray:
    counts = counted(rows, count)
    found = []
    for drawn in draws:
        several = (drawn @ counts > 0).sum() > 1
        each = np.repeat(counts, drawn, axis=0)
        found.append(krippendorff.alpha(value_counts=each, level_of_measurement=level) if several else np.nan)
    return np.array(found)


def _kappa(observed: np.ndarray, chance: np.ndarray) -> np.ndarray:
    told = ~np.isclose(chance, 1)
    return np.divide(observed - chance, 1 - chance, out=np.full(len(chance), np.nan), where=told)


def counted(rows: np.ndarray, count: int) -> np.ndarray:
    """For each item how many raters gave each category."""
    return (rows[:, :, None] == np.arange(count)).sum(axis=1)


# Each item ----------------------------------------------------------------------------------------------------------


class Agreed(NamedTuple):
    """One item. given: by label how many raters gave it; share: of the pairs of its raters that agree, None with one
    rater; whole: all of several raters gave the same."""

    item: Hashable
    raters: int
    given: Mapping[str, int]
    share: float | None
    whole: bool


def by_item(matrix: Matrix) -> list[Agreed]:
    """Each item's agreement, in the matrix's order."""
    if not matrix.items:
        return []
    found = shares(matrix.codes(), len(matrix.categories))
    rows = zip(matrix.items, matrix.cells, found, strict=True)
    return [_agreed(item, [cell for cell in cells if cell is not None], matrix, share) for item, cells, share in rows]


def _agreed(item: Hashable, cells: list[Cell], matrix: Matrix, share: float) -> Agreed:
    given = {label: sum(label in cell for cell in cells) for label in matrix.labels}
    return Agreed(item, len(cells), given, None if np.isnan(share) else float(share), len(cells) > 1 and share == 1)


def overlap(spans: Sequence[Sequence[tuple[int, int]]]) -> float | None:
    """Of words that several raters marked with one label in one text, the mean over pairs of raters of: characters that
    both marked / characters that either marked. A span is (from, to); raters that marked nothing are left out."""
    marked = [{at for start, end in each for at in range(start, end)} for each in spans]
    pairs = list(combinations([each for each in marked if each], 2))
    return sum(len(one & other) / len(one | other) for one, other in pairs) / len(pairs) if pairs else None
