"""How far raters agree, beside the same numbers by other people's libraries."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.tables import agreement
from evaluation.tables.agreement import MISSING, Matrix, by_item, measured, overlap
from evaluation.tables.statistics import FEWEST

LABELS = ("a", "b", "c", "d", "e")


def matrix(*rows: str, ordinal: bool = False, labels: tuple[str, ...] = LABELS) -> Matrix:
    """Of rows of one letter a rater, "." for a rater who did not rate it, "-" for no label."""
    cells = [[None if cell == "." else () if cell == "-" else (cell,) for cell in row] for row in rows]
    return Matrix(range(len(rows)), [f"rater {n}" for n in range(1, len(rows[0]) + 1)], labels, cells, ordinal)


def of(found: list[agreement.Agreement], label: str | None = None) -> agreement.Agreement:
    return next(one for one in found if one.label == label)


ITEMS = st.lists(st.text(alphabet="abcde.", min_size=3, max_size=3), min_size=1, max_size=12)


@given(ITEMS)
def test_every_measure_is_what_other_libraries_give(rows):
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    found = measured(matrix(*rows, ordinal=True), resamples=2)
    kept = [row for row in rows if row.count(".") < 2]
    together = of(found)
    data = np.array([[np.nan if cell == "." else ord(cell) for cell in row] for row in kept]).T
    if len(set("".join(kept)) - {"."}) > 1:
        for number, level in ((together.alpha, "nominal"), (together.ordinal, "ordinal")):
            assert number.value == pytest.approx(krippendorff.alpha(data, level_of_measurement=level))
        for label in LABELS:
            one = (data == ord(label)).astype(float)
            one[np.isnan(data)] = np.nan
            if len(np.unique(one[~np.isnan(one)])) > 1:
                assert of(found, label).alpha.value == pytest.approx(
                    krippendorff.alpha(one, level_of_measurement="nominal")
                )
    else:
        assert together.alpha.value is None
    whole = [row for row in kept if "." not in row]
    if len(whole) >= len(kept) / 2 and len(set("".join(whole))) > 1:
        table, _ = inter_rater.aggregate_raters(np.array([[ord(cell) for cell in row] for row in whole]))
        assert together.fleiss.value == pytest.approx(inter_rater.fleiss_kappa(table))
        assert together.fleiss.n == len(whole)
    both = [row for row in rows if "." not in row[:2]]
    if len({cell for row in both for cell in row[:2]}) > 1:
        table = np.zeros((5, 5))
        for row in both:
            table["abcde".index(row[0]), "abcde".index(row[1])] += 1
        kappa = inter_rater.cohens_kappa(table, return_results=False)
        assert together.cohen["rater 1", "rater 2"].value == pytest.approx(kappa)


def test_fleiss_kappa_on_the_example_of_1971():
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    rows = ["".join(label * n for label, n in zip(LABELS, row, strict=True)) for row in counts]
    assert of(measured(matrix(*rows), resamples=2)).fleiss.value == pytest.approx(0.210, abs=0.0005)


def test_krippendorffs_alpha_on_his_own_example():
    """Krippendorff (2011), "Computing Krippendorff's alpha-reliability", part C: four observers; nominal 0.743, ordinal
    0.815."""
    raters = ("abccbadab...", "abccbbdabe.c", ".cccbcdbbea.", "abccbddabea.")
    found = of(measured(matrix(*("".join(row) for row in zip(*raters, strict=True)), ordinal=True), resamples=2))
    assert found.alpha.value == pytest.approx(0.743, abs=0.0005)
    assert found.ordinal.value == pytest.approx(0.815, abs=0.0005)


def test_what_is_not_defined_is_no_number():
    assert of(measured(matrix("a.", "b."), resamples=2)).alpha == (None, None, 0)
    alike = of(measured(matrix(*["aa"] * FEWEST), resamples=2))
    assert alike.percent.value == 1
    assert {alike.fleiss.value, alike.alpha.value, *(pair.value for pair in alike.cohen.values())} == {None}
    assert by_item(Matrix([], ["one"], LABELS, [])) == []
    assert of(measured(Matrix([], ["one", "other"], LABELS, []))).percent == (None, None, 0)


def test_an_interval_holds_its_value_and_is_given_from_eight_items_on():
    rows = ["aa", "ab", "bb", "cc", "aa", "bc", "cc", "bb"]
    found = of(measured(matrix(*rows)))
    for number in (found.percent, found.fleiss, found.alpha, found.cohen["rater 1", "rater 2"]):
        low, high = number.interval
        assert low < number.value < high
    assert of(measured(matrix(*rows[:-1]))).alpha.interval is None
    assert measured(matrix(*rows)) == measured(matrix(*rows)), "the same each time"


def test_several_labels_of_an_item_are_one_category_together_and_each_its_own_by_label():
    cells = [[("a", "b"), ("a",)], [("a", "b"), ("a", "b")], [(), ("b",)], [(), ()]]
    found = measured(Matrix(range(4), ["one", "other"], ("a", "b"), cells), resamples=2)
    assert of(found).percent.value == 0.5
    assert of(found, "a").percent.value == 1
    assert of(found, "a").given == 4
    assert of(found, "b").percent.value == 0.5


def test_each_items_agreement_and_whether_all_agreed():
    found = by_item(matrix("aaa", "aab", "abc", "a..", "-aa", labels=("a", "b", "c")))
    assert [one.share for one in found] == [1, pytest.approx(1 / 3), 0, None, pytest.approx(1 / 3)]
    assert [one.whole for one in found] == [True, False, False, False, False]
    assert [one.raters for one in found] == [3, 3, 3, 1, 3]
    assert found[1].given == {"a": 2, "b": 1, "c": 0}


def test_marked_words_overlap_by_characters():
    assert overlap([[(0, 10)], [(5, 15)]]) == pytest.approx(5 / 15)
    assert overlap([[(0, 4), (6, 8)], [(0, 4)], []]) == pytest.approx(4 / 6)
    assert overlap([[(0, 4)], []]) is None
    assert MISSING < 0
