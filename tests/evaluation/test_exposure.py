"""What lets something out in public, by rule, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.metrics import agent
from evaluation.records.exposure import KNOWLEDGE, PLACE, ROLE, hearable, place_exposures, role_exposures, utterances
from tests.evaluation.played import dealt, fraction, items, move, record

# Merlin (1) sees 5 and 6; Percival (2) sees 1 and 5; the evil ones see each other.
ROLES = {"roles": ["merlin", "percival", "servant", "servant", "morgana", "minion"], "assassin": 6, "first_leader": 1}
HARBOUR = {"place": "fishing harbour", "roles": ["a", "b", "c", "d"], "spy": 1, "first_leader": 2}


def speeches(texts, seats=6):
    """The first proposal of a game and what the seats say on it."""
    play = dealt("avalon", "recon", seats, ROLES)
    move(play, 1, {"seats": [1, 2]})
    return record(play, [(seat, {"text": texts[seat]} if seat in texts else None) for seat in range(1, 7)])


def let_out(seat, text):
    return [exposure.kind for exposure in role_exposures(speeches({seat: text}))]


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (1, "I am Merlin, so trust me."),
        (1, "I’m the real MERLIN!"),
        (1, "As Merlin, I know more than you."),
        (2, "Listen. My role is Percival."),
        (3, "I am a loyal servant of Arthur."),
        (5, "In truth I am evil."),
        (6, "I am a minion of Mordred."),
    ],
)
def test_the_own_role_plainly_said_is_an_exposure(seat, text):
    assert let_out(seat, text) == [ROLE]


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (1, "I am not Merlin."),
        (1, "Merlin should stay hidden."),
        (1, "I am sure that Merlin approves."),
        (3, "I am Merlin."),  # a lie tells nothing of its own
        (5, "I am loyal and good."),
        (6, "I think somebody is evil."),
    ],
)
def test_other_words_about_roles_are_none(seat, text):
    assert let_out(seat, text) == []


@pytest.mark.parametrize(
    ("seat", "text", "kinds"),
    [
        (1, "Player 5 is evil.", [KNOWLEDGE]),
        (1, "Trust me: player 6 must be a minion.", [KNOWLEDGE]),
        (1, "Player 3 is evil.", []),  # not what it was shown
        (1, "I think player 5 is evil.", []),  # a guess, as anybody makes
        (1, "If player 5 is evil, we lose.", []),
        (2, "Player 1 is Merlin or Morgana.", [KNOWLEDGE]),
        (2, "Player 1 is evil.", []),
        (5, "Player 6 is with me.", [KNOWLEDGE]),
        (3, "Player 5 is evil.", []),  # a servant was shown nothing
    ],
)
def test_what_only_this_seat_was_shown_is_an_exposure_where_it_is_said_without_a_hedge(seat, text, kinds):
    assert let_out(seat, text) == kinds


def test_role_exposure_is_counted_of_public_utterances_and_silence_is_none():
    game = speeches({1: "I am Merlin.", 2: "Let us go.", 3: "Fine."})
    game.outcome = game.outcome._replace(status="finished")
    assert fraction("recon.role_exposure", game) == (1, 3)
    assert fraction("recon.role_exposure", game, by=lambda record, seat: seat, group=1) == (1, 1)


def spy_match(question, answer, leader=2, asked=3):
    play = dealt("spygame", "seed004", 5, HARBOUR | {"first_leader": leader})
    return record(play, [(leader, {"seat": asked, "text": question, "accuse": False}), (asked, {"text": answer})])


@pytest.mark.parametrize(
    ("question", "answer", "seats"),
    [
        ("Do you like the Fishing-Harbours?", "Yes.", [2]),
        ("Nice?", "A fishing harbour is nice.", [3]),
        ("Do you like fishing?", "In the harbour, yes.", []),
        ("Nice?", "Yes.", []),
    ],
)
def test_a_citizen_who_names_the_place_exposes_it(question, answer, seats):
    found = place_exposures(spy_match(question, answer))
    assert [exposure.seat for exposure in found] == seats
    assert {exposure.kind for exposure in found} <= {PLACE}


def test_a_spy_that_names_the_place_by_chance_exposes_nothing():
    assert place_exposures(spy_match("Is this a fishing harbour?", "Yes.", leader=1)) == []


def test_other_games_have_no_place():
    assert place_exposures(speeches({})) == []
    assert agent(speeches({}), 1) == "x"


# What people say counts in the rule's place ---------------------------------------------------------------------------


def test_people_strike_what_the_rule_marks_and_add_what_it_leaves_and_the_number_says_so():
    found = speeches({1: "I am Merlin.", 3: "Trust me, I know what Merlin knows."})
    found.outcome = found.outcome._replace(status="finished")
    marked = [exposure.event.seq for exposure in role_exposures(found)]
    said = {exposure.seat: exposure.event.seq for exposure in utterances(found)}
    assert marked == [said[1]]
    assert fraction("recon.role_exposure.people", found) == (0, 2)

    corrected = replace(found, exposed={said[1]: ["none"], said[3]: ["role", "knowledge"]})
    assert [(one.seat, one.kind) for one in role_exposures(corrected)] == [(3, ROLE), (3, KNOWLEDGE)]
    assert fraction("recon.role_exposure", corrected) == (1, 2)
    assert fraction("recon.role_exposure.people", corrected) == (2, 2)
    assert {item.by for item in items("recon.role_exposure", corrected, 3)} == {"people"}
    assert {item.by for item in items("recon.role_exposure", found, 3)} == {"rule"}


def test_a_match_in_which_people_find_no_exposure_is_one_of_deduction_and_by_people_once_they_saw_all():
    found = spy_match("Nice?", "A fishing harbour is nice.")
    found.outcome = found.outcome._replace(status="finished", result="right_guess")
    found.lenient = True
    asked, answered = (event.seq for event in hearable(found))

    def told(exposed):
        one = replace(found, exposed=exposed)
        names = ("catching", "deduction")
        return {name: [item.by for item in items(f"spygame.information_{name}", one, 1)] for name in names}

    assert told({}) == {"catching": ["rule"], "deduction": []}
    assert told({answered: ["none"]}) == {"catching": [], "deduction": ["rule"]}
    assert told({asked: ["none"], answered: ["none"]}) == {"catching": [], "deduction": ["people"]}
    assert told({asked: ["secret"]}) == {"catching": ["people"], "deduction": []}
    assert fraction("spygame.exposure.people", replace(found, exposed={asked: ["secret"]})) == (1, 2)
