"""Intervals, tests and agreement beside published or exactly known values."""

from __future__ import annotations

import ast
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from evaluation.metrics import Composite, Mean, Ratio
from evaluation.metrics.values import Weighted
from evaluation.tables import statistics
from magic_site.parts import BASE_DIR


def rows(*pairs):
    return np.array(pairs, dtype=float).reshape(-1, 2)


# Intervals ----------------------------------------------------------------------------------------------------------


def test_wilson_as_in_newcombe_1998():
    """Newcombe (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for hits, of, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert statistics.wilson(hits, of) == pytest.approx((low, high), abs=0.0001)
    assert statistics.wilson(0, 0) is None


def test_a_bootstrap_draws_whole_matches_and_is_the_same_each_time():
    independent = rows(*[(k % 2, 1) for k in range(40)])
    clustered = rows(*[(10 * (k % 2), 10) for k in range(8)])
    narrow, wide = (statistics.bootstrap(found, seed=3) for found in (independent, clustered))
    assert narrow == statistics.bootstrap(independent, seed=3)
    assert wide[1] - wide[0] > narrow[1] - narrow[0]
    assert statistics.bootstrap(rows((1, 1))) is None


def test_a_bootstrap_of_a_mean_is_near_the_normal_interval():
    values = np.random.default_rng(1).normal(5, 2, size=400)
    low, high = statistics.bootstrap(np.stack([values, np.ones(400)], axis=1), resamples=4000)
    half = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03)


def test_the_order_of_the_matches_does_not_change_an_interval():
    found = rows(*[(1, 2), (0, 1), (3, 3), (2, 4)] * 2)
    assert statistics.bootstrap(found) == statistics.bootstrap(found[::-1])


def test_from_few_matches_there_is_no_interval():
    for found in (rows(*[(15, 1)] * 2), rows(*[(3, 5)] * 7), rows(*[(3, 5)] * 7, (0, 0))):
        assert statistics.bootstrap(found) is None
        assert statistics.of_share(found) is None
    assert statistics.of_share(rows(*[(3, 5)] * 8))


def test_the_interval_of_a_share_is_wilsons_where_each_match_has_one_item():
    assert statistics.of_share(rows(*[(k < 81, 1) for k in range(263)])) == pytest.approx((0.2553, 0.3662), abs=0.0001)


def test_items_of_one_match_make_an_interval_no_surer_than_the_matches_are():
    """All items of a match are alike: however many they are, each match counts once."""
    alone, many = (rows(*[(of * (k % 4 > 0), of) for k in range(12)]) for of in (1, 50))
    low, high = statistics.wilson(9, 12)
    assert statistics.of_share(alone) == pytest.approx((low, high))
    assert statistics.of_share(many)[0] <= low and high <= statistics.of_share(many)[1]
    assert statistics.of_share(rows(*[(9, 9)] * 12)) == statistics.wilson(12, 12), "no spread is not sure"


@pytest.mark.parametrize(("matches", "items", "mean", "alike"), [(8, 5, 0.5, 0.3), (8, 2, 0.9, 0.3), (26, 5, 0.8, 0.8)])
def test_the_interval_of_a_pooled_share_holds_the_truth_as_often_as_it_says(matches, items, mean, alike):
    """Beta-binomial matches, `alike` the correlation within one. Wilson's on the items held it in 64 to 92%."""
    rng, held = np.random.default_rng(5), 0
    a, b = mean * (1 - alike) / alike, (1 - mean) * (1 - alike) / alike
    for _ in range(200):
        hits = rng.binomial(items, rng.beta(a, b, matches))
        low, high = statistics.of_share(np.stack([hits, np.full(matches, items)], axis=1))
        held += low <= mean <= high
    assert held >= 180


# Tests --------------------------------------------------------------------------------------------------------------


def test_fisher_on_the_lady_tasting_tea():
    """Fisher (1935): three of four cups right; one-sided 17/70, two-sided 34/70."""
    assert statistics.fisher(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert statistics.fisher(4, 4, 0, 4) == pytest.approx(2 / 70)
    assert statistics.fisher(0, 0, 1, 4) == 1


def test_fishers_test_ends_whatever_the_number_of_items():
    """Work that grows with the square of the items would not end here."""
    assert statistics.fisher(499_500, 1_000_000, 500_500, 1_000_000) == pytest.approx(0.1575, abs=0.001)


def side(column):
    """A group of units, each of which stands for itself."""
    return [column], np.ones(len(column), int)


@pytest.mark.parametrize("move", [statistics.regrouped, statistics.swapped])
def test_matches_that_are_alike_are_drawn_together(move):
    """One by one ten thousand take tens or hundreds of megabytes, and the time to fill them."""
    one, other = (rows(*[(k % n == 0, 1) for k in range(10_000)]) for n in (2, 3))
    tracemalloc.start()
    move(side(one), side(other), resamples=5000, seed=1)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10e6


def test_scipy_is_imported_only_where_something_is_counted():
    """It takes a second or more, which no start of a process is to wait for."""
    for folder in ("agents", "evaluation", "games", "magic_site"):
        for file in (BASE_DIR / folder).rglob("*.py"):
            for statement in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    names = [getattr(statement, "module", None), *(alias.name for alias in statement.names)]
                    assert not any((name or "").split(".")[0] == "scipy" for name in names), file


def test_welch_t_as_in_its_textbook_example():
    """Two lots of ten and ten: t, freedom and p by R's t.test on the sleep data (Student 1908)."""
    one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    t, freedom, p = statistics.welch(one, other)
    assert (t, freedom, p) == pytest.approx((-1.8608, 17.776, 0.07939), abs=0.001)
    assert statistics.welch([1], [1, 2]) is None
    assert statistics.welch([1, 1], [1, 1]) is None


def test_chi_square_against_its_tables():
    assert statistics.chi_square([158, 58])[0] == pytest.approx(46.296, abs=0.001)
    assert statistics.chi_square([44, 56], [50, 50])[1] == pytest.approx(0.2301, abs=0.0001)
    assert statistics.chi_square([25, 25]) == (0, 1)


def apart(one, other, move=statistics.regrouped, resamples=5000):
    """p that two ratios of sums differ by chance."""
    found = move(side(one), side(other), resamples=resamples, seed=0)
    observed = one[:, 0].sum() / one[:, 1].sum() - other[:, 0].sum() / other[:, 1].sum()
    whole = move is statistics.swapped and len(one) <= statistics.MOST_EXACT
    return statistics.share_as_far(found[0][:, 0] - found[1][:, 0], observed, whole)


def test_a_permutation_of_matches_finds_what_is_far_apart_and_not_what_is_the_same():
    low, high = rows(*[(0, 5)] * 8), rows(*[(5, 5)] * 8)
    assert apart(low, high) < 0.001
    assert apart(low, low) == 1


def test_matches_and_not_their_items_change_groups():
    """Two against two matches can part in six ways, two of them as far: however many items there are, p is 1/3."""
    assert apart(rows((0, 500), (0, 500)), rows((500, 500), (500, 500))) == pytest.approx(1 / 3, abs=0.03)


def test_a_permutation_is_scipys():
    rng = np.random.default_rng(2)
    one, other = rng.normal(0, 1, 9), rng.normal(0.9, 1, 11)
    stacked = [np.stack([side, np.ones(len(side))], axis=1) for side in (one, other)]
    found = stats.permutation_test((one, other), lambda x, y, axis: x.mean(axis) - y.mean(axis), vectorized=True)
    assert apart(*stacked) == pytest.approx(found.pvalue, abs=0.02)


def test_a_paired_permutation_of_few_pairs_goes_through_all_of_them():
    one, other = rows(*[(1, 1)] * 5), rows(*[(0, 1)] * 5)
    assert apart(one, other, statistics.swapped) == pytest.approx(2 / 32)
    assert apart(one, one, statistics.swapped) == 1
    assert apart(np.tile(one, (6, 1)), np.tile(other, (6, 1)), statistics.swapped) < 0.001


# Values -------------------------------------------------------------------------------------------------------------


def test_ratios_add_up_over_matches_and_one_match_stays_one():
    one, other = Ratio({"a": (1, 2), "b": (0, 1)}, 3), Ratio({"b": (2, 2)}, 2)
    total = one + other
    assert (total.numerator, total.denominator, total.n, total.matches) == (3, 5, 5, 2)
    assert one.value == pytest.approx(1 / 3), "what was added to stays as it was"
    assert Ratio().value is None
    assert Ratio().interval() is None


def test_of_a_composite_only_the_parts_add_up():
    def half(unit, one, other):
        parts = {"x": Ratio({unit: one}, one[1]), "y": Mean({unit: other}, other[1])}
        return Composite(parts, Weighted((0.5, 0.5)))

    total = half("a", (1, 1), (0, 10)) + half("b", (0, 1), (10, 10))
    assert total.value == pytest.approx(0.5 * 1 / 2 + 0.5 * 10 / 20)
    assert total.matches == 2


def test_a_composite_without_a_needed_part_has_no_value():
    parts = {"x": Ratio({"a": (1, 2)}, 2), "y": Ratio()}
    assert Composite(parts, Weighted((1, 1))).value is None
    assert Composite(parts, Weighted((1, 1))).missing == ["y"]
    assert Composite(parts, Weighted((1, 0.25)), frozenset("x")).value == 0.5


def test_the_interval_of_a_composite_holds_its_value_and_narrows_with_more_matches():
    def of(count):
        sums = {f"m{k}": (float(k % 2), 1.0) for k in range(count)}
        return Composite({"x": Ratio(sums, count), "y": Ratio(sums, count)}, Weighted((0.5, 0.5)))

    widths = []
    for count in (10, 100, 1000):
        low, high = of(count).interval()
        assert low <= of(count).value <= high
        widths.append(high - low)
    assert all(wide > narrow for wide, narrow in pairwise(widths))


def test_a_composite_tells_its_least_part_and_gives_no_interval_where_that_comes_from_few_matches():
    def of(**matches):
        parts = {name: Ratio({f"{name}{k}": (k % 2, 1) for k in range(n)}, n) for name, n in matches.items()}
        return Composite(parts, Weighted((0.5, 0.5)), frozenset("x"))

    assert of(x=90, y=1).least == ("y", 1)
    assert of(x=90, y=1).interval() is None
    assert of(x=90, y=0).least == ("x", 90), "what has no data is not in the number"
    assert of(x=90, y=8).interval()
    nested = Composite({"a": of(x=20, y=3), "b": Ratio({"m": (1, 1)}, 1)}, Weighted((0.5, 0.5)))
    assert nested.least == ("b", 1)


def test_a_correlation_has_an_interval_from_eight_pairs_on():
    rising = [1.0, 2, 3, 4, 5, 6, 7, 8]
    found = statistics.correlation(rising, [2.0, 1, 4, 3, 6, 5, 8, 7])
    assert found.r == pytest.approx(0.9047619)
    assert found.interval[0] < found.r < found.interval[1]
    few = statistics.correlation(rising[:7], rising[:7])
    assert (few.r, few.n, few.interval) == (pytest.approx(1), 7, None)
    assert statistics.correlation([1, 2], [1, 2]) is None
    assert statistics.correlation(rising, [1.0] * 8) is None
