"""SpyGame's metrics on matches worked out by hand: seat 1 is the spy of seven, the place is the harbour."""

from __future__ import annotations

import math

import pytest

from evaluation.metrics import METRICS, agent, measure
from tests.evaluation.played import dealt, fraction, record, value, votes

ROLES = ["captain", "cook", "fisher", "guard", "pilot", "sailor"]
PLACE = {"place": "harbour", "roles": ROLES, "spy": 1, "first_leader": 2}
SEATS = ["spy", *["citizen"] * 6]
ASKED = {"text": "What do you do here?", "accuse": False}


def of_spy(name, *records):
    return fraction(name, *records, by=agent, group="spy")


def match(*moves, turns=9):
    play = dealt("spygame", "seed004", SEATS, PLACE, turns=turns)
    return record(play, moves)


def turn(leader, asked, answer="I work."):
    return [(leader, {"seat": asked, **ASKED}), (asked, {"text": answer})]


def stays(guess=None, certainty=20):
    return [(1, {"place": guess, "certainty": certainty})]


def reveals(guess):
    return [(1, {"place": guess, "certainty": 90})]


def day(accuser, accused, agree):
    return [(accuser, {"seat": accused, "text": None, "accuse": True})] + [
        (seat, {"agree": yes}) for seat, yes in agree.items()
    ]


RIGHT = match(*turn(2, 3), *stays("harbour"), *turn(3, 4), *reveals("Harbours"))
WRONG = match(*turn(2, 3), *reveals("zoo"))
NOTICED = match(*turn(2, 3, "Ships come to the harbour."), *stays("the harbour"), *turn(3, 4), *reveals("zoo"))
ACCUSED = match(*day(2, 1, dict.fromkeys((3, 4, 5, 6, 7), True)))
VOTED = match(
    *turn(2, 3),
    *stays(),
    *day(3, 4, {1: True, 2: True, 5: True, 6: False, 7: False}),
    *votes({1: 2, 2: 1, 3: 1, 4: 1, 5: 1, 6: 3, 7: 3}),
    turns=2,
)
TIED = match(*turn(2, 3), *stays(), *turn(3, 4), *votes({1: 3, 2: 1, 3: 1, 4: 1, 5: 3, 6: 3, 7: None}), turns=2)
ALL = RIGHT, WRONG, NOTICED, ACCUSED, VOTED, TIED


def test_the_results_are_those_that_the_scripts_mean():
    assert [game.outcome.result for game in ALL] == [
        "right_guess",
        "wrong_guess",
        "wrong_guess",
        "spy_accused",
        "spy_voted",
        "vote_tied",
    ]


def test_winning_rate_and_living_rounds_are_of_all_games():
    assert of_spy("spygame.winning_rate", *ALL) == (2, 6)
    assert of_spy("spygame.living_round", *ALL) == (2 + 1 + 2 + 1 + 2 + 2, 6)


def test_guess_success_is_of_games_with_a_public_guess():
    assert of_spy("spygame.guess_success", *ALL) == (1, 3)
    assert value("spygame.guess_success", ACCUSED, by=agent, group="spy").value is None


def test_the_notice_rate_counts_what_the_spy_told_the_moderator():
    assert of_spy("spygame.notice_rate", *ALL) == (2, 6)


def test_catching_and_deduction_part_the_games_by_exposure():
    assert of_spy("spygame.information_catching", *ALL) == (0, 1)
    assert of_spy("spygame.information_deduction", *ALL) == (1, 5)


def test_the_caught_rate_is_of_games_that_the_spy_lost():
    assert of_spy("spygame.caught_rate", *ALL) == (2, 4)
    assert value("spygame.caught_rate", RIGHT, by=agent, group="spy").value is None


def test_accusations_of_the_spy_are_counted_among_citizens_accusations():
    assert of_spy("spygame.accusation_rate", *ALL) == (1, 2)
    assert value("spygame.accusation_rate", RIGHT, by=agent, group="spy").value is None
    by_the_spy = match(*turn(2, 1), *stays(), *day(1, 4, dict.fromkeys((2, 3, 5, 6, 7), False)))
    by_the_spy.outcome = VOTED.outcome
    assert of_spy("spygame.accusation_rate", by_the_spy) == (0, 0)


def test_to_disagree_by_day_is_no_vote_and_the_spy_has_none_that_counts():
    assert of_spy("spygame.vote_rate", VOTED) == (4, 2 + 6)
    assert of_spy("spygame.vote_rate", ACCUSED) == (5, 5)


def test_entropy_is_of_the_citizens_final_votes_in_bits_or_nats():
    shares = (4 / 6, 2 / 6)
    bits = -sum(share * math.log2(share) for share in shares)
    assert value("spygame.vote_entropy", VOTED, ACCUSED, by=agent, group="spy").value == pytest.approx(bits)
    nats = value("spygame.vote_entropy.nats", VOTED, by=agent, group="spy").value
    assert nats == pytest.approx(bits * math.log(2))
    assert value("spygame.vote_entropy", ACCUSED, by=agent, group="spy").value is None


def test_a_vote_that_was_not_given_is_left_out():
    assert of_spy("spygame.vote_rate", TIED) == (3, 5)


def test_the_citizens_have_no_items_of_their_own():
    row = measure(ALL, agent).values["citizen"]
    of_all = {name for name, metric in METRICS.items() if "table I" in metric.source}
    assert of_all == {"spygame.steps", "spygame.utterances", "spygame.words"}
    assert all(found.value is None for name, found in row.items() if name.startswith("spygame.") and name not in of_all)


def test_how_matches_went_is_counted_of_all_who_play():
    said = [one for one in ACCUSED.of("lead", "answer") if one.data.get("text")]
    both = value("spygame.utterances", ACCUSED, VOTED, by=lambda record, seat: "all", group="all")
    assert both.denominator == 2 and both.numerator >= len(said)
    words = value("spygame.words", ACCUSED, by=lambda record, seat: "all", group="all")
    assert (words.numerator, words.denominator) == (sum(len(one.data["text"].split()) for one in said), len(said))
