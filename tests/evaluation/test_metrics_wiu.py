"""The metrics of "Who is Undercover?" on matches worked out by hand: seats 4 and 5 are undercovers."""

from __future__ import annotations

import pytest

from agents.situation import Thought
from evaluation.metrics import kind, measure, side, together
from evaluation.records.record import Record
from tests.evaluation.played import clues, dealt, fraction, items, move, record, value, votes

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [4, 5]}


def match(*rounds, agents=5, polls=None, tie="runoff"):
    """rounds: the votes of each ballot by seat. polls: by (round, "speaking" or "voting", seat) what is answered."""
    play = dealt("undercover", "wiu", agents, WORDS, **({"polls": "wiu"} if polls is not None else {}), tie=tie)
    texts = iter(f"clue {number}" for number in range(100))
    ballots = list(rounds)
    number = 1
    while not play.over and (ballots or play.state.step == "over"):
        while play.state.phase == "clues":
            waiting = [r for r in play.state.open.values() if r.waits]
            if waiting[0].kind == "poll":
                answer_polls(play, polls, number)
            elif waiting[0].kind == "clue":
                move(play, waiting[0].seat, {"text": next(texts)})
            if play.state.phase == "votes":
                break
        for seat, target in ballots.pop(0).items():
            move(play, seat, None if target is None else {"seat": target})
        if play.state.phase != "votes":
            number += 1
    return record(play, [])


def answer_polls(play, polls, number):
    for request in list(play.state.open.values()):
        moment = "voting" if len(request.fields) > 1 else "speaking"
        move(play, request.seat, polls.get((number, moment, request.seat)))


def team(name, found: Record, which):
    return fraction(name, found, by=side, group=which)


CAUGHT = match({1: 4, 2: 4, 3: 5, 4: 1, 5: 4}, {1: 5, 2: 5, 3: 5, 5: 1})
LOST = match({1: 2, 2: 1, 3: 1, 4: 1, 5: 1}, {2: 3, 3: 2, 4: 2, 5: 2})


def test_victory_is_a_match_of_a_team_however_many_are_on_it():
    assert team("wiu.victory", CAUGHT, "civilian") == (1, 1)
    assert team("wiu.victory", CAUGHT, "undercover") == (0, 1)
    both = measure([CAUGHT, LOST], side, ["wiu.victory"]).values
    assert both["civilian"]["wiu.victory"].value + both["undercover"]["wiu.victory"].value == 1


def test_survival_counts_members_after_each_round():
    assert team("wiu.survival_1", CAUGHT, "undercover") == (1, 2)
    assert team("wiu.survival_2", CAUGHT, "undercover") == (0, 2)
    assert team("wiu.survival_1", LOST, "civilian") == (2, 3)
    assert team("wiu.survival", LOST, "civilian") == (1, 3)


def test_a_match_that_ended_earlier_counts_as_it_ended():
    short = match({1: 4, 2: 4, 3: 4, 4: 5, 5: 4}, {1: 5, 2: 5, 3: 5, 5: 1})
    assert short.outcome.result == "civilians"
    assert team("wiu.survival_2", short, "civilian") == (3, 3)
    assert len(short.of("out")) == 2


def test_the_sums_of_survival_are_what_one_out_a_round_leaves():
    """3 (1 - CL) + 2 (1 - UC) is the number of those who are out."""
    for rounds in (1, 2):
        civilian, undercover = (
            measure([CAUGHT, LOST], side).values[which][f"wiu.survival_{rounds}"].value
            for which in ("civilian", "undercover")
        )
        assert 3 * (1 - civilian) + 2 * (1 - undercover) == pytest.approx(rounds)


def test_a_successful_vote_hits_an_opponent_who_goes_out():
    # Round 1: votes of 1 and 2 for 4, who is out; 3 for 5 fails. Round 2: all three for 5, who is out.
    assert team("wiu.vote_success", CAUGHT, "civilian") == (5, 6)
    # 5 voted its own teammate out, which is no success; 4 and 5 hit nobody who goes out.
    assert team("wiu.vote_success", CAUGHT, "undercover") == (0, 3)


def test_concealment_counts_the_votes_of_the_other_team_once():
    assert team("wiu.concealment", CAUGHT, "undercover") == (0, 6)
    assert team("wiu.concealment", LOST, "undercover") == (5, 5)
    assert team("wiu.concealment", LOST, "civilian") == (0, 4)


def test_influence_is_the_share_of_a_ballot_that_names_the_same():
    assert [item.value for item in items("wiu.influence", CAUGHT, 3)] == [1 / 5, 3 / 4]


def test_a_run_off_is_a_ballot_of_its_own():
    tied = match({1: 4, 2: 4, 3: 5, 4: 5, 5: 1}, {1: 4, 2: 4, 3: 4, 4: 5, 5: 4})
    assert [item.value for item in items("wiu.vote_success", tied, 1)] == [1, 1]
    assert [item.value for item in items("wiu.vote_success", tied, 3)] == [0, 1]
    assert [item.value for item in items("wiu.influence", tied, 4)] == [2 / 5, 1 / 5]


def test_who_does_not_vote_is_left_out():
    quiet = match({1: 4, 2: None, 3: None, 4: None, 5: 4})
    assert team("wiu.vote_success", quiet, "civilian") == (0, 0), "the match is not over"
    whole = match({1: 4, 2: None, 3: None, 4: None, 5: 4}, {1: 5, 2: 5, 3: 5, 5: None})
    assert team("wiu.vote_success", whole, "civilian") == (4, 4)
    assert team("wiu.influence", whole, "undercover") == (1, 1)


def judged(side, trusted=None, suspected=None, same_word=None):
    return {"side": side, "trusted": trusted, "suspected": suspected, "same_word": same_word}


POLLS = {
    (1, "speaking", 1): {"side": "undercover"},
    (1, "speaking", 2): {"side": "unsure"},
    (1, "speaking", 3): {"side": "undercover"},
    (1, "speaking", 4): {"side": "civilian"},
    (1, "speaking", 5): None,
    (1, "voting", 1): judged("civilian", [2, 4], [5], [2, 3]),
    (1, "voting", 2): judged("civilian", [1], [4, 5], [1, 3, 4]),
    (1, "voting", 3): None,
    (1, "voting", 4): judged("unsure", [], None, []),
    (1, "voting", 5): judged("undercover", [4], [1, 2, 3], [4]),
    # In round 2 only seats 1, 2, 3 and 5 are in.
    (2, "speaking", 1): {"side": "civilian"},
    (2, "voting", 5): judged("civilian", None, None, []),
}
POLLED = match({1: 4, 2: 4, 3: 5, 4: 1, 5: 4}, {1: 5, 2: 5, 3: 5, 5: 1}, polls=POLLS)


def test_trust_and_assessment_count_each_player_that_is_named():
    assert team("wiu.trust", POLLED, "civilian") == (2, 3)
    assert team("wiu.trust", POLLED, "undercover") == (1, 1)
    assert team("wiu.assessment", POLLED, "civilian") == (3, 3)
    assert team("wiu.assessment", POLLED, "undercover") == (3, 3)


def test_self_judgement_is_of_the_voting_phase_and_unsure_is_wrong_and_told_apart():
    assert team("wiu.self_judgement", POLLED, "civilian") == (2, 2)
    assert team("wiu.self_judgement", POLLED, "undercover") == (1, 3)
    assert team("wiu.unsure", POLLED, "undercover") == (1, 3)


def test_a_reversal_is_a_wrong_self_judgement_that_is_right_when_votes_are_cast():
    # Seats 1 (wrong) and 2 (unsure) come right; 3 skipped the later poll, so nobody knows.
    assert team("wiu.reversal", POLLED, "civilian") == (2, 2)
    assert team("wiu.reversal", POLLED, "undercover") == (0, 1)


def test_comprehension_is_exactly_who_holds_the_own_word_of_those_who_are_in():
    assert team("wiu.comprehension", POLLED, "civilian") == (1, 2)
    # Seat 4 named nobody: wrong. Seat 5 named 4: right; in round 2 nobody holds its word, and it named nobody: right.
    assert team("wiu.comprehension", POLLED, "undercover") == (2, 3)
    assert team("wiu.comprehension.soft", POLLED, "civilian") == (4 + 3, 8)
    assert team("wiu.comprehension.soft", POLLED, "undercover") == (3 + 4 + 3, 4 + 4 + 3)


def test_without_polls_there_is_no_data_and_not_nothing():
    assert value("wiu.self_judgement", CAUGHT, by=side, group="civilian").value is None


def test_people_alone_can_be_measured_as_well():
    people = match({1: 4, 2: 4, 3: 5, 4: 1, 5: 4}, {1: 5, 2: 5, 3: 5, 5: 1}, agents=["", "", "", "", ""])
    key = together(kind, side)
    assert fraction("wiu.vote_success", people, by=key, group=("person", "civilian")) == (5, 6)
    assert set(measure([people], kind).values) == {"person"}


def test_what_a_stand_in_does_is_not_the_persons_doing():
    play = dealt("undercover", "magic", ["", "x", "x"], {**WORDS, "undercovers": [3]})
    for texts in ({1: "a b", 2: "c d", 3: "e f"}, {1: "g h", 2: "i j", 3: "k l"}):
        for seat, action in clues(texts):
            move(play, seat, action)
    move(play, 1, {"seat": 3}, by="agent:x")
    found = record(play, votes({2: 3, 3: 1}))
    assert fraction("magic.judgement", found, by=kind, group="person") == (0, 0)
    assert fraction("ours.stand_ins", found, by=kind, group="person") == (1, 3)


def test_a_guess_at_the_other_word_is_a_move_whose_thoughts_name_it():
    play = dealt("undercover", "wiu", 5, WORDS)
    (first,) = play.state.open.values()
    said = {"method": "mptt", "model": "m"}
    other = WORDS["undercover_word" if first.seat in (1, 2, 3) else "civilian_word"]
    thoughts = [
        Thought(first.id, first.seat, stage="identity", reply="I hear strings.", **said),
        Thought(first.id, first.seat, stage="speak", reply=f"Theirs may be the {other.upper()}s!", **said),
    ]
    move(play, first.seat, {"text": "wood"})
    (second,) = play.state.open.values()
    thoughts.append(Thought(second.id, second.seat, stage="speak", reply="I say wood.", **said))
    move(play, second.seat, {"text": "bow"})
    found = record(play, [], thoughts=thoughts)
    assert [item.value for item in items("wiu.guesses_word", found, first.seat)] == [1]
    assert [item.value for item in items("wiu.guesses_word", found, second.seat)] == [0]


def test_a_vote_for_a_supposed_teammate_is_for_one_who_was_trusted_or_has_the_own_word():
    says = {
        (1, "voting", 1): {"side": "civilian", "trusted": [4], "suspected": [], "same_word": []},
        (1, "voting", 2): {"side": "civilian", "trusted": [], "suspected": [4], "same_word": [3]},
        (1, "voting", 4): {"side": "undercover", "trusted": [], "suspected": [], "same_word": [5]},
    }
    found = match({1: 4, 2: 4, 3: 4, 4: 5, 5: 4}, polls=says)
    by_seat = {seat: [item.value for item in items("wiu.teammate_vote", found, seat)] for seat in range(1, 6)}
    assert by_seat == {1: [1], 2: [0], 3: [], 4: [1], 5: []}, "3 and 5 did not say whom they trust"
