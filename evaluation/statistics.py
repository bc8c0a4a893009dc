"""Intervals, tests and agreement, on plain numbers. Nothing here knows of matches or games.

Written out instead of taken from a library: together they are shorter than what SciPy adds to an installation (about
110 MB on disk), and each is checked in the tests against published values.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np

Z95 = 1.959963984540054
BLOCK = 100
"""So many resamples are drawn at a time: that bounds the memory."""

MOST_EXACT = 12
"""Up to so many pairs or groups a permutation test goes through all permutations."""

Interval = tuple[float, float]


# Intervals ----------------------------------------------------------------------------------------------------------


def wilson(numerator: float, denominator: float, z: float = Z95) -> Interval | None:
    """Wilson's score interval of a share (Wilson 1927); None without data."""
    if not denominator:
        return None
    share, spread = numerator / denominator, z * z / denominator
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(max(share * (1 - share), 0) / denominator + spread / (4 * denominator)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(sums: np.ndarray, *, resamples: int = 1000, seed: int = 0) -> Interval | None:
    """The middle 95% of a ratio of sums when its rows (numerator, denominator) are drawn anew; None with fewer than
    two rows that have a denominator."""
    sums = sums[sums[:, 1] > 0]
    if len(sums) < 2:
        return None
    drawn = resampled([sums], resamples=resamples, seed=seed)
    return None if drawn is None else middle(drawn[:, 0])


def resampled(columns: Sequence[np.ndarray], *, resamples: int, seed: int) -> np.ndarray | None:
    """Ratios of sums over rows drawn with replacement, the same rows of every column: resamples x columns, nan where a
    denominator is 0; None with fewer than two rows. Each column is rows of (numerator, denominator).

    Equal rows are drawn together, which is the same draw and, with counts in them, a few instead of thousands; it also
    makes the result the same in whatever order the rows come.
    """
    if not columns or len(columns[0]) < 2:
        return None
    rows, times = np.unique(np.concatenate(columns, axis=1), axis=0, return_counts=True)
    total, rng = int(times.sum()), np.random.default_rng(seed)
    drawn = []
    for first in range(0, resamples, BLOCK):
        counts = rng.multinomial(total, times / total, size=min(BLOCK, resamples - first))
        drawn.append(counts @ rows)
    return _ratios(np.concatenate(drawn))


def middle(values: Sequence[float | None] | np.ndarray, share: float = 0.95) -> Interval | None:
    """The range that holds the middle of these numbers; None and nan are left out."""
    found = np.array([value for value in values if value is not None], dtype=float)
    found = found[~np.isnan(found)]
    if not len(found):
        return None
    low, high = np.quantile(found, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)


# Tests --------------------------------------------------------------------------------------------------------------


def permutation(one: np.ndarray, other: np.ndarray, *, resamples: int = 5000, seed: int = 0) -> float | None:
    """p that two ratios of sums differ by chance: whole rows (matches) change groups. Rows are (numerator,
    denominator); None if either group has no data."""
    if not one[:, 1].sum() or not other[:, 1].sum():
        return None
    found = regrouped([one], [other], resamples=resamples, seed=seed)
    return share_as_far(found[0][:, 0] - found[1][:, 0], _apart(one, other))


def paired_permutation(one: np.ndarray, other: np.ndarray, *, resamples: int = 5000, seed: int = 0) -> float | None:
    """p that two ratios of sums over the same settings differ by chance: in each pair the two may change sides. Row k
    of both belongs to setting k. Up to `MOST_EXACT` pairs go through all ways; None without data."""
    if not len(one) or not one[:, 1].sum() or not other[:, 1].sum():
        return None
    found = swapped([one], [other], resamples=resamples, seed=seed)
    return share_as_far(found[0][:, 0] - found[1][:, 0], _apart(one, other), whole=len(one) <= MOST_EXACT)


def regrouped(
    ones: Sequence[np.ndarray], others: Sequence[np.ndarray], *, resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Ratios of sums when whole rows change groups by chance: for each group resamples x columns, nan without data.
    Each column is rows of (numerator, denominator), the same rows (matches) in all columns of a group."""
    one, other = np.concatenate(ones, axis=1), np.concatenate(others, axis=1)
    rows = np.concatenate([one, other])
    rng = np.random.default_rng(seed)
    first = []
    for start in range(0, resamples, BLOCK):
        order = np.argsort(rng.random((min(BLOCK, resamples - start), len(rows))), axis=1)
        chosen = np.zeros(order.shape)
        np.put_along_axis(chosen, order[:, : len(one)], 1, axis=1)
        first.append(chosen @ rows)
    sums = np.concatenate(first)
    return _ratios(sums), _ratios(rows.sum(axis=0) - sums)


def swapped(
    ones: Sequence[np.ndarray], others: Sequence[np.ndarray], *, resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """As `regrouped`, but row k of the one may only change places with row k of the other. Up to `MOST_EXACT` rows all
    ways are gone through, in place of resamples."""
    one, other = np.concatenate(ones, axis=1), np.concatenate(others, axis=1)
    pairs = len(one)
    if pairs <= MOST_EXACT:
        swaps = (np.arange(2**pairs)[:, None] >> np.arange(pairs)) & 1
    else:
        swaps = np.random.default_rng(seed).integers(0, 2, size=(resamples, pairs))
    change = swaps @ (other - one)
    return _ratios(one.sum(axis=0) + change), _ratios(other.sum(axis=0) - change)


def share_as_far(found: np.ndarray, observed: float, whole: bool = False) -> float:
    """The share of differences as far from 0 as the observed one, nan left out; of a sample (not of the `whole`) the
    observed one counts with them."""
    found = found[~np.isnan(found)]
    as_far = int((np.abs(found) >= abs(observed) - 1e-12).sum())
    return as_far / len(found) if whole else (as_far + 1) / (len(found) + 1)


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    ratios = [side[:, 0].sum() / side[:, 1].sum() for side in (one, other)]
    return ratios[0] - ratios[1]


def _ratios(sums: np.ndarray) -> np.ndarray:
    """Numerators and denominators in turn, as their ratios."""
    numerators, denominators = sums[:, ::2], sums[:, 1::2]
    return np.divide(numerators, denominators, out=np.full(numerators.shape, np.nan), where=denominators > 1e-12)


def fisher(hits: int, of: int, others: int, of_others: int) -> float:
    """Fisher's exact test, two-sided: p of a table at most as likely as this one, its margins given."""
    total, all_hits = of + of_others, hits + others

    def likely(k: int) -> int:
        return math.comb(of, k) * math.comb(of_others, all_hits - k)

    seen = likely(hits)
    low, high = max(0, all_hits - of_others), min(of, all_hits)
    return sum(ways for k in range(low, high + 1) if (ways := likely(k)) <= seen) / math.comb(total, all_hits)


def binomial(hits: int, of: int, share: float = 0.5) -> float:
    """The exact binomial test, two-sided: p of a count at most as likely as this one."""
    chances = [math.comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(of + 1)]
    return min(1.0, math.fsum(chance for chance in chances if chance <= chances[hits] * (1 + 1e-9)))


def welch(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float] | None:
    """Welch's t test: (t, degrees of freedom, two-sided p); None with fewer than two numbers on a side or no spread."""
    if min(len(one), len(other)) < 2:
        return None
    errors = [float(np.var(side, ddof=1)) / len(side) for side in (one, other)]
    error = sum(errors)
    if not error:
        return None
    t = (float(np.mean(one)) - float(np.mean(other))) / math.sqrt(error)
    freedom = error**2 / sum(e**2 / (len(side) - 1) for e, side in zip(errors, (one, other), strict=True))
    return t, freedom, incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def chi_square(counts: Sequence[float], expected: Sequence[float] | None = None) -> tuple[float, float]:
    """Pearson's chi-square of counts against those expected, an even split by default: (statistic, p)."""
    expected = expected or [sum(counts) / len(counts)] * len(counts)
    statistic = sum((count - wanted) ** 2 / wanted for count, wanted in zip(counts, expected, strict=True))
    return statistic, incomplete_gamma((len(counts) - 1) / 2, statistic / 2)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a

    def step(n: int) -> float:
        m = n // 2
        if n % 2:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))

    return front / _continued(step, lambda n: 1.0)


def incomplete_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function (Abramowitz and Stegun 6.5.29 and 6.5.31)."""
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-16:
            n += 1
            term *= x / n
            total += term
        return 1 - total * front
    return front / _continued(lambda n: -n * (n - a), lambda n: x + 2 * n + 1 - a)


def _continued(above: Callable[[int], float], below: Callable[[int], float]) -> float:
    """below(0) + above(1) / (below(1) + above(2) / (below(2) + ...)), by Lentz's method."""
    tiny = 1e-300
    value = below(0) or tiny
    c, d = value, 0.0
    for n in range(1, 1000):
        d = 1 / (below(n) + above(n) * d or tiny)
        c = below(n) + above(n) / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


# Agreement of raters ------------------------------------------------------------------------------------------------


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float | None:
    """Fleiss' kappa (1971): one row an item, how many raters chose each category; every item has equally many raters.
    None without items, with one rater, or where only one category was ever chosen. Raises ValueError for uneven rows.
    """
    if not counts:
        return None
    raters = sum(counts[0])
    if any(sum(row) != raters for row in counts):
        raise ValueError("Fleiss' kappa needs equally many raters for each item.")
    if raters < 2:
        return None
    agreed = sum(sum(n * (n - 1) for n in row) for row in counts) / (len(counts) * raters * (raters - 1))
    shares = [sum(column) / (len(counts) * raters) for column in zip(*counts, strict=True)]
    chance = sum(share * share for share in shares)
    return None if math.isclose(chance, 1) else (agreed - chance) / (1 - chance)


def krippendorff_alpha(ratings: Sequence[Mapping[Hashable, Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal data: for each item {rater: category}; raters may differ in number and items.
    None where no item has two ratings, or only one category was ever chosen."""
    items = [Counter(item.values()) for item in ratings if len(item) > 1]
    totals: Counter = Counter()
    for item in items:
        totals.update(item)
    n = totals.total()
    apart = sum(
        (item.total() ** 2 - sum(count * count for count in item.values())) / (item.total() - 1) for item in items
    )
    by_chance = n * n - sum(count * count for count in totals.values())
    return None if not by_chance else 1 - (n - 1) * apart / by_chance
