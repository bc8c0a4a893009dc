"""MAgIC's abilities in Avalon, counted by hand from one poll."""

import pytest

from tests.evaluation.played import dealt, items, record

DEAL = {"roles": ["merlin", "servant", "servant", "morgana", "minion"], "assassin": 5, "first_leader": 1}
POLLS = {  # what each seat answers
    1: {"suspect_of_2": 4, "suspect_of_3": 5, "suspect_of_4": 1},
    2: {"evil": [3, 4], "suspect_of_3": 2, "suspect_of_5": 2},
    3: {"evil": [4, 5], "suspect_of_2": 5},
    4: {"suspect_of_2": 3},
    5: {},
}


@pytest.fixture(scope="module")
def polled():
    play = dealt("avalon", "official", 5, DEAL, polls="magic", discussion="none")
    return record(play, [(1, {"seats": [1, 2]}), *POLLS.items()])


def counts(whole, name: str) -> list[tuple[float, int]]:
    """By seat: what counts, of how many items."""
    found = [items(name, whole, seat) for seat in whole.numbers]
    return [(sum(item.value for item in own), len(own)) for own in found]


def test_judgement_is_evil_seats_among_those_that_good_seats_name(polled):
    assert counts(polled, "magic.judgement.avalon") == [(0, 0), (1, 2), (2, 2), (0, 0), (0, 0)]


def test_reasoning_compares_with_the_truth_and_with_what_the_others_name(polled):
    # Seat 1: seat 2 does name 4, seat 3 does name 5, and seat 4 was not asked. Seat 2: 1 of 2 right, seat 3 does not
    # name 2. Seat 3: both right, seat 2 does not name 5. Seat 4: seat 2 does name 3.
    assert counts(polled, "magic.reasoning.avalon") == [(2, 2), (1, 3), (2, 3), (1, 1), (0, 0)]


def test_deception_is_answers_of_good_seats_that_leave_an_evil_seat_out(polled):
    assert counts(polled, "magic.deception.avalon") == [(0, 0), (0, 0), (0, 0), (0, 2), (1, 2)]
