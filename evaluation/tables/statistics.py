"""Intervals and tests, on plain numbers. Nothing here knows of matches or games.

SciPy is imported where it counts something: it takes a second or more, and most processes never count. What draws whole
rows anew is NumPy's, many equal rows at a time, which SciPy's bootstrap and permutation test would draw one by one.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Z95 = 1.959963984540054
FEWEST = 8
"""From fewer independent units (matches, or settings) no interval is given."""

BLOCK = 100
"""So many resamples are drawn at a time: that bounds the memory."""

MOST_EXACT = 12
"""Up to so many pairs a permutation test goes through all permutations."""

TINY = 1e-9
"""Numbers no farther apart than this do not spread."""

Interval = tuple[float, float]


# Intervals ----------------------------------------------------------------------------------------------------------


def wilson(numerator: float, denominator: float) -> Interval | None:
    """Wilson's score interval of a share (Wilson 1927); None without data. The denominator need not be whole, as
    SciPy's has to be."""
    if not denominator:
        return None
    share, spread = numerator / denominator, Z95 * Z95 / denominator
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * math.sqrt(max(share * (1 - share), 0) / denominator + spread / (4 * denominator)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def of_share(sums: np.ndarray, times: np.ndarray | None = None) -> Interval | None:
    """The interval of a share of items that hang together in units (rows of numerator and denominator; times: how many
    units each row stands for): Wilson's, at the number of independent items that would be as sure (Korn and Graubard
    1998). With one item a unit that is Wilson's of the items; where all units are wholly hits, or none of them, each
    unit counts once. None with fewer than `FEWEST` units."""
    from scipy.special import stdtrit

    sums, times = distinct([sums], times)
    sums, times = sums[sums[:, 1] > 0], times[sums[:, 1] > 0]
    units = int(times.sum())
    if units < FEWEST:
        return None
    hits, of = times @ sums
    part = hits / of
    if part in (0, 1):
        return wilson(part * units, units)
    variance = (times * (sums[:, 0] - part * sums[:, 1]) ** 2).sum() / of**2
    as_sure = min(part * (1 - part) / variance, of) if variance else of
    few = (stdtrit(of - 1, 0.975) / stdtrit(units - 1, 0.975)) ** 2 if of > units else 1.0
    return wilson(part * as_sure * few, as_sure * few)


def bootstrap(
    sums: np.ndarray, times: np.ndarray | None = None, *, resamples: int = 1000, seed: int = 0
) -> Interval | None:
    """The middle 95% of a ratio of sums when its rows (numerator, denominator) are drawn anew; None with fewer than
    `FEWEST` rows that have a denominator. times: how many equal ones each row stands for."""
    sums, times = distinct([sums], times)
    sums, times = sums[sums[:, 1] > 0], times[sums[:, 1] > 0]
    if times.sum() < FEWEST:
        return None
    drawn = resampled([sums], times, resamples=resamples, seed=seed)
    return None if drawn is None else middle(drawn[:, 0])


def distinct(columns: Sequence[np.ndarray], times: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Columns beside one another as their different rows, in order, and how often each is there. times: how many equal
    rows each one stands for. So what is counted of rows is the same in whatever order they come."""
    rows, which = np.unique(np.concatenate(columns, axis=1), axis=0, return_inverse=True)
    return rows, np.bincount(which.ravel(), weights=times, minlength=len(rows)).astype(np.int64)


def resampled(
    columns: Sequence[np.ndarray], times: np.ndarray | None = None, *, resamples: int, seed: int
) -> np.ndarray | None:
    """Ratios of sums over rows drawn with replacement, the same rows of every column: resamples x columns, nan where a
    denominator is 0; None with fewer than two rows. Each column is rows of (numerator, denominator); times: how many
    equal ones each stands for.

    Equal rows are drawn together, which is the same draw and, with counts in them, a few instead of thousands.
    """
    if not columns:
        return None
    rows, times = distinct(columns, times)
    total, rng = int(times.sum()), np.random.default_rng(seed)
    if total < 2:
        return None
    drawn = []
    for first in range(0, resamples, BLOCK):
        counts = rng.multinomial(total, times / total, size=min(BLOCK, resamples - first))
        drawn.append(counts @ rows)
    return _ratios(np.concatenate(drawn))


def paired(differences: np.ndarray) -> Interval | None:
    """The interval of a mean of differences in pairs, by Student's t; None with fewer than two."""
    from scipy.special import stdtrit

    n = len(differences)
    if n < 2:
        return None
    mean, half = differences.mean(), stdtrit(n - 1, 0.975) * differences.std(ddof=1) / math.sqrt(n)
    return float(mean - half), float(mean + half)


def middle(values: Sequence[float | None] | np.ndarray, share: float = 0.95) -> Interval | None:
    """The range that holds the middle of these numbers; None and nan are left out."""
    found = np.array([value for value in values if value is not None], dtype=float)
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)


# Tests --------------------------------------------------------------------------------------------------------------


Side = tuple[Sequence[np.ndarray], np.ndarray]
"""A group: its columns, rows of (numerator, denominator) each, and how many equal units each row stands for."""


def regrouped(ones: Side, others: Side, *, resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ratios of sums when whole rows change groups by chance: for each group resamples x columns, nan without data.
    The same rows (matches) are in all columns of a group."""
    one, other = np.concatenate(ones[0], axis=1), np.concatenate(others[0], axis=1)
    rows, times = distinct([np.concatenate([one, other])], np.concatenate([ones[1], others[1]]))
    size, rng = int(ones[1].sum()), np.random.default_rng(seed)
    drawn = [
        rng.multivariate_hypergeometric(times, size, size=min(BLOCK, resamples - start), method="marginals") @ rows
        for start in range(0, resamples, BLOCK)
    ]
    sums = np.concatenate(drawn)
    return _ratios(sums), _ratios(times @ rows - sums)


def swapped(ones: Side, others: Side, *, resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """As `regrouped`, but row k of the one may only change places with row k of the other, and both stand for equally
    many. Up to `MOST_EXACT` rows all ways are gone through, in place of resamples."""
    rows, times = distinct([*ones[0], *others[0]], ones[1])
    one, other = rows[:, : 2 * len(ones[0])], rows[:, 2 * len(ones[0]) :]
    if times.sum() <= MOST_EXACT:
        each = np.repeat(other - one, times, axis=0)
        change = ((np.arange(2 ** len(each))[:, None] >> np.arange(len(each))) & 1) @ each
    else:
        apart, times_apart = distinct([other - one], times)
        change = np.random.default_rng(seed).binomial(times_apart, 0.5, size=(resamples, len(apart))) @ apart
    return _ratios(times @ one + change), _ratios(times @ other - change)


def share_as_far(found: np.ndarray, observed: float, whole: bool = False) -> float:
    """The share of differences as far from 0 as the observed one, nan left out; of a sample (not of the `whole`) the
    observed one counts with them."""
    found = found[~np.isnan(found)]
    as_far = int((np.abs(found) >= abs(observed) - 1e-12).sum())
    return as_far / len(found) if whole else (as_far + 1) / (len(found) + 1)


def _ratios(sums: np.ndarray) -> np.ndarray:
    """Numerators and denominators in turn, as their ratios."""
    numerators, denominators = sums[:, ::2], sums[:, 1::2]
    return np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 1e-12)


def fisher(hits: int, of: int, others: int, of_others: int) -> float:
    """Fisher's exact test, two-sided: p of a table at most as likely as this one, its margins given."""
    from scipy import stats

    return float(stats.fisher_exact([[hits, of - hits], [others, of_others - others]]).pvalue)


def welch(one: Sequence[float] | np.ndarray, other: Sequence[float] | np.ndarray) -> tuple[float, float, float] | None:
    """Welch's t test: (t, degrees of freedom, two-sided p); None with fewer than two numbers on a side or no spread."""
    from scipy.special import stdtr

    if min(len(one), len(other)) < 2:
        return None
    sides = [np.asarray(side, dtype=float) for side in (one, other)]
    # SciPy's own test warns of a side that does not spread, which is no fault here.
    first, second = (side.var(ddof=1) / len(side) if np.ptp(side) > TINY else 0.0 for side in sides)
    if not first + second:
        return None
    t = (sides[0].mean() - sides[1].mean()) / math.sqrt(first + second)
    freedom = (first + second) ** 2 / (first**2 / (len(one) - 1) + second**2 / (len(other) - 1))
    return float(t), float(freedom), float(2 * stdtr(freedom, -abs(t)))


def chi_square(counts: Sequence[float], expected: Sequence[float] | None = None) -> tuple[float, float]:
    """Pearson's chi-square of counts against those expected, an even split by default: (statistic, p)."""
    from scipy import stats

    found = stats.chisquare(counts, expected)
    return float(found.statistic), float(found.pvalue)


class Correlation(NamedTuple):
    """Pearson's r of n pairs of numbers; interval: by Fisher's z, None for few."""

    r: float
    n: int
    interval: Interval | None


def correlation(ones: Sequence[float], others: Sequence[float]) -> Correlation | None:
    """How far two rows of numbers rise together; None with fewer than three pairs or no spread."""
    from scipy import stats

    if len(ones) < 3 or len(set(ones)) == 1 or len(set(others)) == 1:
        return None
    found = stats.pearsonr(ones, others)
    low, high = found.confidence_interval()
    return Correlation(float(found.statistic), len(ones), (float(low), float(high)) if len(ones) >= FEWEST else None)
