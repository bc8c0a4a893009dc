"""Ratings: what a match tells."""

from __future__ import annotations

import pytest

from evaluation.tables.ratings import MU, SIGMA, Ratings
from tests.evaluation.played import dealt, record, votes

FRUIT = {"topic": "Fruits", "word": "grape", "chameleon": 2}
CAUGHT, EVEN = {1: 2, 2: 1, 3: 2}, {1: 2, 2: 3, 3: 1}


def rated(records):
    """The ratings after these matches."""
    return after(records).found


def after(records):
    ratings = Ratings()
    for one in records:
        ratings.add(one)
    return ratings


def chameleon(targets, seats):
    play = dealt("chameleon", "magic", seats, FRUIT)
    moves = [(1, {"text": "small"}), (2, {"text": "sweet"}), (3, {"text": "purple"}), *votes(targets)]
    return record(play, [*moves, (2, {"text": "plum"})] if targets == CAUGHT else moves)


def dilemma(letters, seats):
    play = dealt("prisoners_dilemma", "magic", seats, {})
    choice = {"c": "cooperate", "d": "defect"}
    return record(play, [(n, {"choice": choice[x]}) for _ in range(5) for n, x in enumerate(letters, 1)])


def test_a_rating_is_the_mean_of_what_its_seats_bring():
    """Two good players against one: values of openskill 6.2, PlackettLuce with its defaults."""
    found = rated([chameleon(CAUGHT, ["x", "y", "z"])])
    apart = [found[key] for key in (("x", "chameleon", "non-chameleon"), ("z", "chameleon", "non-chameleon"))]
    together = rated([chameleon(CAUGHT, ["x", "y", "x"])])["x", "chameleon", "non-chameleon"]
    assert apart == [together, together], "equal players bring the same"
    assert (together.mu, together.sigma) == pytest.approx((25.746116583375226, 8.207298168569771))
    odd = found["y", "chameleon", "chameleon"]
    assert (odd.mu, odd.sigma) == pytest.approx((24.253883416624774, 8.244535891006825))


def test_who_wins_rises_in_that_role_and_gets_surer():
    found = rated([chameleon(CAUGHT, ["x", "y", "x"])] * 3)
    good, odd = found["x", "chameleon", "non-chameleon"], found["y", "chameleon", "chameleon"]
    assert good.mu > MU > odd.mu
    assert good.sigma < SIGMA and odd.sigma < SIGMA
    assert good.matches == odd.matches == 3, "two seats of one role are one match"
    assert good.sure < good.mu


def test_an_even_vote_is_a_tie():
    found = rated([chameleon(EVEN, ["x", "y", "z"])])
    assert found["x", "chameleon", "non-chameleon"].mu < MU, "two against one are expected to win"
    assert found["y", "chameleon", "chameleon"].mu > MU


def test_who_plays_alone_against_itself_is_not_rated_and_neither_is_what_all_win_together():
    assert rated([chameleon(CAUGHT, ["x", "x", "x"])]) == {}
    unfinished = record(dealt("prisoners_dilemma", "magic", ["x", "y", "z"], {}), [])
    assert rated([unfinished]) == {}


def test_in_games_of_points_each_seat_is_ranked_by_what_it_has():
    found = rated([dilemma("dcc", ["x", "y", ""])])
    assert found["x", "prisoners_dilemma", "prisoners_dilemma"].mu > MU
    assert found["person", "prisoners_dilemma", "prisoners_dilemma"].mu == pytest.approx(
        found["y", "prisoners_dilemma", "prisoners_dilemma"].mu
    )


def test_the_list_goes_by_game_and_role_and_then_by_what_is_sure():
    found = after([dilemma("dcc", ["x", "y", "z"]), chameleon(CAUGHT, ["x", "y", "x"])]).listed()
    assert [key for key, _ in found][:3] == [
        ("y", "chameleon", "chameleon"),
        ("x", "chameleon", "non-chameleon"),
        ("x", "prisoners_dilemma", "prisoners_dilemma"),
    ]
