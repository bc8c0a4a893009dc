"""Differences between groups: whole matches change places, in pairs where both played the same settings."""

from __future__ import annotations

import pytest
from scipy import stats

from evaluation.metrics import METRICS, Composite, Mean, Ratio
from evaluation.metrics.values import Weighted
from evaluation.tables.comparison import average, compare, relative_gain


def ratio(*hits, of=1, start=0):
    return Ratio({start + k: (hit, of) for k, hit in enumerate(hits)}, of * len(hits))


def test_a_difference_names_both_sides_p_and_interval():
    found = compare(ratio(*[4] * 8, of=5), ratio(*[1] * 8, of=5, start=100))
    assert found.value == pytest.approx(0.6)
    assert found.p < 0.001
    assert found.interval == pytest.approx((0.6, 0.6))
    assert found.exact < 1e-6
    assert found.welch is None, "no spread at all"
    assert found.verdict == "apart"
    assert found.units == (8, 8)


def test_of_few_there_is_no_interval_and_of_composites_the_least_part_counts():
    assert compare(ratio(*[1] * 7), ratio(*[0] * 9, start=10)).interval is None

    def both(hit, start):
        parts = {"x": ratio(*[hit] * 30, start=start), "y": ratio(*[hit] * 2, start=start + 50)}
        return Composite(parts, Weighted((0.5, 0.5)))

    found = compare(both(1, 0), both(0, 100))
    assert (found.units, found.verdict, found.interval) == ((2, 2), "few", None)


def test_what_is_open_and_what_is_too_few_is_said():
    assert compare(ratio(1, 0, 1, 0, 1, 0), ratio(0, 1, 0, 1, 0, 1, start=10)).verdict == "open"
    assert compare(ratio(1, 1), ratio(0, 0, start=10)).verdict == "few"


def test_without_data_there_is_no_difference():
    assert compare(Ratio(), ratio(1)) is None
    assert compare(ratio(1), ratio(1, start=5), paired=True) is None, "no setting in common"


def test_pairs_see_a_small_gain_that_settings_hide():
    easy_and_hard = [10, 0] * 5
    one = Mean({k: (score + 1, 1) for k, score in enumerate(easy_and_hard)}, 10)
    other = Mean({k: (score, 1) for k, score in enumerate(easy_and_hard)}, 10)
    assert compare(one, other).verdict == "open"
    paired = compare(one, other, paired=True)
    assert paired.p == pytest.approx(2 / 2**10)
    assert paired.interval == (1, 1)
    assert paired.units == (10, 10)


def test_only_settings_of_both_are_paired():
    found = compare(ratio(1, 1, 0), ratio(0, 0, start=1), paired=True)
    assert (found.one, found.other) == (0.5, 0)


def test_composites_are_compared_through_their_parts():
    def half(hit):
        parts = {"x": ratio(*[hit] * 6), "y": ratio(*[hit] * 6, start=50)}
        return Composite(parts, Weighted((0.5, 0.5)))

    found = compare(half(1), half(0), paired=True)
    assert (found.value, found.exact, found.welch) == (1, None, None)
    assert found.p == pytest.approx(2 / 2**12)


def test_the_gain_in_radar_area_is_relative():
    metric = METRICS["magic.radar_area.m2"]

    def radar(share):
        return metric.made({name: METRICS[name].sums.of(share, 1) for name in metric.needs})

    assert relative_gain(radar(0.5), radar(0.25)) == pytest.approx(3, abs=0.01), "twice as far out, four times the area"
    assert relative_gain(radar(0.5), Ratio()) is None


def test_the_t_test_over_units_stands_beside_p():
    found = compare(ratio(1, 1, 1, 0, 1, 1), ratio(0, 1, 0, 0, 0, 1, start=10))
    expected = stats.ttest_ind([1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 0, 1], equal_var=False)
    assert found.welch == pytest.approx(expected.pvalue)


def test_a_gain_on_average_weighs_models_alike_and_has_an_interval_from_eight_settings_on():
    strong = ratio(*[1] * 8), ratio(*[0] * 8)
    weak = ratio(*[1] * 40), ratio(*[1] * 40)
    found = average([strong, weak, (ratio(1), ratio(1, start=90))])
    assert (found.value, found.models, found.units) == (0.5, 2, 8), "one has no setting in common"
    assert found.interval == (0.5, 0.5)
    assert average([(ratio(*[1] * 7), ratio(*[0] * 7)), weak]).interval is None
    assert average([(ratio(1), ratio(1, start=90))]) is None


def test_a_relative_gain_on_average_is_of_composites_too():
    def both(hits):
        return Composite({"x": ratio(*hits), "y": ratio(*hits)}, Weighted((0.5, 0.5)))

    found = average([(both([1] * 8), both([1, 0] * 4)), (both([1, 0] * 4), both([1, 0] * 4))], relative=True)
    assert found.value == pytest.approx((1 + 0) / 2)
    assert found.interval[0] < 0.5 < found.interval[1]
