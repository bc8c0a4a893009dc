"""The arithmetic of the suspicion matrix, by numbers worked out by hand and by the authors' figures."""

import math

import pytest

from agents.methods import pgm_matrix as matrix

SEATS = (1, 2, 3)

# MAgIC (ACL edition), figure 5: matrices of players who know the word, after each of three clues, and the
# verdicts that lead to them. Of the fourth player there, one row is printed with a sum of 1.002 and does not follow.
EVEN = (0.333, 0.333, 0.333)
PRINTED = {
    "GPT-4+PGM, player 1": (
        1,
        (
            ({2: 0, 3: 0}, {1: 0, 3: 0}, {1: 0, 2: 0}),
            ((0.233, 0.384, 0.384), EVEN, EVEN),
        ),
        (
            ({2: 1, 3: 0}, {1: -1, 3: 0}, {1: -1, 2: 1}),
            ((0.297, 0.358, 0.345), (0.326, 0.337, 0.337), (0.322, 0.345, 0.333)),
        ),
        (
            ({2: 1, 3: -1}, {1: -1, 3: -1}, {1: -1, 2: 1}),
            ((0.321, 0.354, 0.325), (0.327, 0.342, 0.331), (0.319, 0.348, 0.333)),
        ),
    ),
    "GPT-4+PGM, player 3": (
        3,
        (
            ({2: 0, 3: 0}, {1: -1, 3: 0}, {1: -1, 2: 0}),
            (EVEN, (0.326, 0.337, 0.337), (0.372, 0.391, 0.237)),
        ),
        (
            ({2: 1, 3: 0}, {1: -1, 3: 0}, {1: -1, 2: 1}),
            ((0.33, 0.341, 0.33), (0.324, 0.338, 0.338), (0.333, 0.366, 0.302)),
        ),
        (
            ({2: 1, 3: -1}, {1: 0, 3: -1}, {1: -1, 2: 1}),
            ((0.332, 0.347, 0.321), (0.334, 0.339, 0.327), (0.321, 0.356, 0.322)),
        ),
    ),
    "Llama-2-70B+PGM, player 3": (
        3,
        (
            ({2: -1, 3: 0}, {1: 0, 3: 1}, {1: 1, 2: -1}),
            ((0.337, 0.326, 0.337), (0.33, 0.33, 0.341), (0.403, 0.365, 0.232)),
        ),
        (
            ({2: 1, 3: 0}, {1: 0, 3: 1}, {1: -1, 2: 1}),
            ((0.331, 0.338, 0.331), (0.328, 0.328, 0.343), (0.343, 0.356, 0.301)),
        ),
        (
            ({2: 1, 3: 0}, {1: 0, 3: 1}, {1: -1, 2: 1}),
            ((0.329, 0.343, 0.329), (0.328, 0.328, 0.344), (0.325, 0.353, 0.322)),
        ),
    ),
}


def begun(owner=1, own=(2, 3)):
    return matrix.start(owner, SEATS, "chameleon", own)


def row(beliefs, viewer):
    return tuple(cell[0] for cell in beliefs.rows[viewer].values())


def test_who_knows_that_it_is_not_the_odd_one_starts_without_suspicion_of_itself():
    beliefs = begun()
    assert row(beliefs, 1) == (0, 0.5, 0.5)
    assert row(beliefs, 2) == row(beliefs, 3) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert (beliefs.owner, beliefs.labels, beliefs.shared) == (1, ("chameleon",), "subjects")


@pytest.mark.parametrize("player", PRINTED)
def test_the_magic_update_gives_the_matrices_that_the_authors_print(player):
    owner, *clues = PRINTED[player]
    beliefs = begun(owner, [seat for seat in SEATS if seat != owner])
    for verdicts, printed in clues:
        beliefs = matrix.updated(beliefs, dict(zip(SEATS, verdicts, strict=True)), matrix.MAGIC, eta=9)
        for viewer in SEATS:
            assert row(beliefs, viewer) == pytest.approx(printed[viewer - 1], abs=0.0006)


def test_the_normalised_update_moves_a_row_in_proportion_and_keeps_zeros():
    beliefs = matrix.updated(begun(), {1: {1: 1, 2: 1, 3: -1}}, matrix.NORMALISED, eta=math.log(2))
    assert row(beliefs, 1) == pytest.approx((0, 0.8, 0.2))  # 0.5 * 2 against 0.5 / 2
    assert row(beliefs, 2) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    beliefs = matrix.updated(beliefs, {1: {2: 1}, 3: {2: 1}}, matrix.NORMALISED, eta=math.log(2))
    assert row(beliefs, 1) == pytest.approx((0, 8 / 9, 1 / 9))  # 1.6 against 0.2
    assert row(beliefs, 3) == pytest.approx((1 / 4, 1 / 2, 1 / 4))


@pytest.mark.parametrize("eta", [1e9, -1e9, 0])
def test_any_strength_of_the_update_leaves_probabilities(eta):
    beliefs = matrix.updated(begun(), {1: {2: 1, 3: -1}, 2: {1: -1, 3: -1}}, matrix.NORMALISED, eta)
    assert row(beliefs, 1) == {1e9: (0, 1, 0), -1e9: (0, 0, 1), 0: (0, 0.5, 0.5)}[eta]
    assert sum(row(beliefs, 2)) == pytest.approx(1)


def test_numbers_of_any_scale_replace_rows_and_nothing_but_zeros_leaves_the_row():
    beliefs = matrix.replaced(begun(), {1: {2: 30, 3: 90}, 2: {1: 10, 2: 20, 3: 50}, 3: {1: 0, 2: 0}})
    assert row(beliefs, 1) == (0, 0.25, 0.75)
    assert row(beliefs, 2) == (0.125, 0.25, 0.625)
    assert row(beliefs, 3) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_a_seat_that_leaves_the_game_leaves_the_matrix():
    beliefs = matrix.among(matrix.replaced(begun(), {2: {1: 10, 2: 30, 3: 60}}), (1, 2))
    assert set(beliefs.rows) == {1, 2}
    assert row(beliefs, 1) == (0, 1)
    assert row(beliefs, 2) == pytest.approx((0.25, 0.75))


def test_who_suspects_and_who_trusts_the_owner_most_is_read_from_the_second_hop():
    beliefs = matrix.replaced(begun(), {2: {1: 60, 2: 10, 3: 30}, 3: {1: 20, 2: 50, 3: 30}})
    assert matrix.suspect_most(beliefs, (2, 3)) == [2]
    assert matrix.trust_most(beliefs, (2, 3)) == [3]
    assert matrix.suspect_most(begun(), (2, 3)) == matrix.trust_most(begun(), (2, 3)) == [2, 3]
    assert matrix.trust_most(begun(), ()) == []
