"""Belief matrices through their public way in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.beliefs import LABELS, SUBJECTS, Beliefs

SIDES = ("good", "evil")


def sides(rows, owner=1):
    return Beliefs(owner, SIDES, ("evil",), rows)


def test_it_answers_for_the_owner_and_for_another_viewer():
    beliefs = sides({1: {2: (0.9, 0.1), 3: (0.4, 0.6)}, 2: {1: (0.3, 0.7)}})
    assert beliefs.suspicion(3) == pytest.approx(0.6)
    assert beliefs.probability(1, "good", viewer=2) == pytest.approx(0.3)
    assert beliefs.standout() == 3
    assert beliefs.standout(viewer=2) == 1
    assert beliefs.standout(among=[2]) == 2


def test_nobody_stands_out_among_nobody_or_equals():
    assert sides({1: {2: (0.5, 0.5)}}).standout(among=[]) is None
    level = sides({1: {2: (0.4, 0.6), 3: (0.4, 0.6), 4: (0.9, 0.1)}})
    assert level.standout() is None
    assert level.top() == [2, 3]


def test_suspicion_adds_up_the_suspect_labels():
    beliefs = Beliefs(1, ("servant", "morgana", "minion"), ("morgana", "minion"), {1: {2: (0.5, 0.2, 0.3)}})
    assert beliefs.suspicion(2) == pytest.approx(0.5)


def test_of_equals_the_lower_seat_comes_first():
    beliefs = Beliefs(4, ("undercover",), ("undercover",), {4: {3: (0.5,), 1: (0.5,)}}, SUBJECTS)
    assert beliefs.ranked() == [1, 3]


@pytest.mark.parametrize(
    ("rows", "shared"),
    [
        ({1: {2: (0.5, 0.6)}}, LABELS),
        ({1: {2: (-0.5, 1.5)}}, LABELS),
        ({1: {2: (float("nan"), 1.0)}}, LABELS),
        ({1: {2: (1.0,)}}, LABELS),
    ],
)
def test_it_refuses_what_is_no_distribution_over_labels(rows, shared):
    with pytest.raises(ValueError, match="seat 1"):
        Beliefs(1, SIDES, ("evil",), rows, shared)


def test_it_refuses_a_row_that_does_not_share_one_over_subjects():
    with pytest.raises(ValueError, match="seat 2"):
        Beliefs(1, ("odd",), ("odd",), {2: {1: (0.5,), 3: (0.6,)}}, SUBJECTS)


def test_weights_of_nothing_become_an_even_share():
    beliefs = Beliefs.normalised(1, ("odd",), ("odd",), {1: {2: (0,), 3: (0,)}}, SUBJECTS)
    assert beliefs.suspicion(2) == beliefs.suspicion(3) == 0.5


def test_the_heat_map_puts_the_owner_first_and_leaves_gaps_where_nothing_is_thought():
    table = sides({1: {2: (1.0, 0.0)}, 2: {1: (0.2, 0.8), 2: (0.0, 1.0)}}, owner=2).table()
    assert [row["viewer"] for row in table] == [2, 1]
    assert table[1]["cells"][0] is None
    assert table[0]["cells"][0] == {"subject": 1, "suspicion": 0.8, "labels": {"good": 0.2, "evil": 0.8}}


weights = st.lists(st.floats(0, 1e6), min_size=2, max_size=2)
matrices = st.dictionaries(st.integers(1, 12), st.dictionaries(st.integers(1, 12), weights, min_size=1), min_size=1)


@given(rows=matrices)
def test_normalised_cells_sum_to_one_and_survive_json(rows):
    owner = next(iter(rows))
    beliefs = Beliefs.normalised(owner, SIDES, ("evil",), rows)
    again = Beliefs.from_json(json.loads(json.dumps(beliefs.to_json())))
    for viewer, row in beliefs.rows.items():
        for subject, cell in row.items():
            assert sum(cell) == pytest.approx(1)
            assert again.suspicion(subject, viewer) == pytest.approx(beliefs.suspicion(subject, viewer), abs=1e-3)


@given(row=st.dictionaries(st.integers(1, 12), st.tuples(st.floats(0, 1e6)), min_size=1))
def test_normalised_rows_sum_to_one_over_subjects(row):
    beliefs = Beliefs.normalised(1, ("odd",), ("odd",), {1: row}, SUBJECTS)
    assert sum(beliefs.suspicion(subject) for subject in row) == pytest.approx(1)
