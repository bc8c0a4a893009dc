"""Our own metrics on records worked out by hand."""

from __future__ import annotations

import math

import pytest

from agents.beliefs import SUBJECTS, Beliefs
from evaluation.metrics import Mean, Ratio, agent, beliefs, kind, measure
from evaluation.records.record import Note
from games.avalon.posterior.exact import Knowledge, Proposal, PublicRecord, posterior
from games.rules.schema import Cost
from tests.evaluation.played import clues, dealt, fraction, move, record, value, votes

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [3]}
FRUIT = {"topic": "Fruits", "word": "grape", "chameleon": 3}
AVALON = {"roles": ["merlin", "percival", "servant", "servant", "morgana", "minion"], "assassin": 6, "first_leader": 1}


def undercover(agents=3, **more):
    play = dealt("undercover", "magic", agents, WORDS)
    texts = ({1: "a b", 2: "c d", 3: "e f"}, {1: "g h", 2: "i j", 3: "k l"})
    moves = [made for round in texts for made in clues(round)]
    return record(play, [*moves, *votes({1: 3, 2: 3, 3: 1})], **more)


FREE = Cost()


def note(request, seat, beliefs=None, stage="think", model="", cost=FREE, **more):
    return Note(request, seat, stage, model, cost, beliefs, **more)


def odd(owner, **chances):
    """Who the undercover is, shared over subjects: s3=0.7 is seat 3."""
    row = {int(name[1:]): (p,) for name, p in chances.items()}
    return Beliefs(owner, ("undercover",), ("undercover",), {owner: row}, SUBJECTS).to_json()


# Beliefs ------------------------------------------------------------------------------------------------------------


def test_log_loss_and_brier_are_of_what_was_believed_of_each_other_seat():
    game = undercover()
    game.notes = [note("6:1:clue", 1, odd(1, s2=0.25, s3=0.75))]
    found = measure([game], lambda record, seat: seat).values[1]
    assert found["ours.log_loss"].value == pytest.approx(-math.log(0.75))
    assert found["ours.brier"].value == pytest.approx(0.25**2)
    assert found["ours.log_loss.uniform"].value == pytest.approx(-math.log(0.5))
    assert found["ours.log_loss"].n == 2


def test_of_several_matrices_for_one_request_the_last_counts_and_certainty_is_clipped():
    game = undercover()
    game.notes = [note("6:1:clue", 1, odd(1, s2=0.5, s3=0.5)), note("6:1:clue", 1, odd(1, s2=1, s3=0))]
    assert value("ours.log_loss", game).value == pytest.approx(-math.log(beliefs.CLIP))


def test_beliefs_about_what_nobody_is_are_no_beliefs_about_who_is_what():
    game = undercover()
    moves_to_come = Beliefs(1, ("cooperate", "defect"), ("defect",), {1: {2: (0.5, 0.5), 3: (0.5, 0.5)}})
    game.notes = [note("6:1:clue", 1, moves_to_come.to_json())]
    assert value("ours.log_loss", game).value is None


def test_labels_may_be_roles_or_sides():
    play = dealt("avalon", "recon", 6, AVALON)
    roles = Beliefs(3, ("servant", "morgana", "minion"), ("morgana", "minion"), {3: {5: (0.2, 0.3, 0.5)}})
    sides = Beliefs(3, ("good", "evil"), ("evil",), {3: {5: (0.2, 0.8)}})
    for matrix in (roles, sides):
        game = record(play, [])
        game.notes = [note("9:3:team_vote", 3, matrix.to_json())]
        assert [b[1:] for b in beliefs.beliefs(game, 3)] == [(5, 0.8, True)]


def test_calibration_says_how_often_what_was_believed_is_true():
    game, sums = undercover(), [(Mean(), Ratio()) for _ in range(4)]
    game.notes = [note("6:1:clue", 1, odd(1, s2=0.25, s3=0.75))]
    for number in range(4):
        for believed in beliefs.beliefs(game, 1):
            mean, ratio = sums[beliefs.bin_of(believed.p, len(sums))]
            mean.count(number, believed.p, 1)
            ratio.count(number, believed.truth, 1)
    assert [(b.n, b.believed, b.true.value) for b in beliefs.bins(sums)] == [
        (0, None, None),
        (4, 0.25, 0),
        (0, None, None),
        (4, 0.75, 1),
    ]


# Persuasion ---------------------------------------------------------------------------------------------------------


def said(odd_one):
    return {"side": "non-chameleons", "odd_one": odd_one}


def test_persuasion_is_the_change_between_the_polls_around_an_utterance():
    play = dealt("chameleon", "magic", 3, FRUIT, polls="magic")
    answers = (
        {1: None, 2: said(1), 3: said(2)},
        {1: said(3), 2: said(3), 3: said(1)},
        {1: said(3), 2: said(3), 3: None},
    )
    moves = []
    for seat, text, polled in zip((1, 2, 3), ("small", "sweet", "purple"), answers, strict=True):
        moves += [(seat, {"text": text}), *polled.items()]
    game = record(play, [*moves, *votes({1: 3, 2: 3, 3: 1}), (3, {"text": "plum"})])
    # Seat 1 spoke before any poll: no change is known. Around the clue of seat 2 all were asked; seat 1 skipped before,
    # so that of the opponent, seat 3, nobody can be compared: the opponent's own mind is not counted.
    by_seat = measure([game], lambda record, seat: seat, ["ours.persuasion", "ours.suspicion_drawn"]).values
    assert by_seat[1]["ours.persuasion"].value is None
    assert by_seat[2]["ours.persuasion"].value is None
    # Of itself seat 2 drew less: seat 3 named it before, and names 1 after.
    assert by_seat[2]["ours.suspicion_drawn"].value == -1
    # Around seat 3's clue: seats 1 and 2 named it before and after.
    assert (by_seat[3]["ours.suspicion_drawn"].value, by_seat[3]["ours.suspicion_drawn"].n) == (0, 2)
    # Its opponents: seat 1 about 2 and seat 2 about 1 did not move.
    assert (by_seat[3]["ours.persuasion"].value, by_seat[3]["ours.persuasion"].n) == (0, 2)


def test_without_polls_persuasion_has_no_data():
    assert value("ours.persuasion", undercover()).value is None


# Cost and compliance ------------------------------------------------------------------------------------------------


def test_cost_is_a_match_and_a_win_of_all_seats_of_a_player_together():
    games = [undercover(["x", "x", "y"]), undercover(["y", "y", "x"])]
    for game in games:
        game.notes = [
            note("6:1:clue", 1, model="m", cost=Cost(90, 10, 0.5, 1500)),
            note("6:2:clue", 2, model="m", cost=Cost(40, 10, 0.25, 500)),
            note("6:3:clue", 3, model="m", cost=Cost(9, 1, 0.1, 100)),
            note("6:3:vote", 3),  # a thought without a model costs nothing
        ]
    found = measure(games, agent).values["x"]
    assert found["ours.tokens"].value == (150 + 10) / 2
    assert found["ours.money"].value == pytest.approx(0.85 / 2)
    assert found["ours.seconds"].value == pytest.approx(2.1 / 2)
    assert found["ours.calls"].value == 3 / 2
    assert found["ours.tokens.a_win"].value == 160, "the games won by x: the first"
    assert found["ours.money.a_win"].value == pytest.approx(0.85)
    assert found["ours.seconds.a_win"].value == pytest.approx(2.1)
    assert found["ours.calls.a_win"].value == 3


def test_compliance_counts_questions_whose_first_reply_could_be_used():
    game = undercover()
    game.notes = [
        note("6:1:clue", 1, model="m", problem=True),
        note("6:1:clue", 1, model="m"),
        note("6:1:clue", 1, stage="speak", model="m"),
        note("8:2:clue", 2, model="m"),
        note("8:2:clue", 2),  # by no model
    ]
    assert fraction("ours.compliance", game) == (2, 3)
    assert value("ours.compliance", undercover()).value is None


def test_wins_are_of_sides_and_in_games_without_sides_of_seats():
    assert fraction("ours.wins", undercover()) == (1, 2), "one side of two"
    play = dealt("prisoners_dilemma", "magic", 3, {})
    moves = [(seat, {"choice": "defect" if seat == 1 else "cooperate"}) for _ in range(5) for seat in (1, 2, 3)]
    assert fraction("ours.wins", record(play, moves)) == (1, 3)


# Detection ----------------------------------------------------------------------------------------------------------


def test_detection_counts_each_other_player_that_was_rightly_taken():
    game = undercover(["", "x", "x"], detections={1: [2]})
    assert fraction("ours.detection", game, by=kind, group="person") == (1, 2)
    assert fraction("ours.passed_for_person", game, by=kind, group="agent") == (1, 2)
    skipped = undercover(["", "x", "x"], detections={1: None})
    assert value("ours.detection", skipped, by=kind, group="person").value is None


# Skill --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [None, "Player 5 is evil. I trust Player 6."])
def test_the_reference_knows_what_a_failed_quest_tells_and_nothing_of_what_is_said(said):
    play = dealt("avalon", "recon", 6, AVALON)
    move(play, 1, {"seats": [1, 5]})
    for seat in range(1, 7):
        move(play, seat, said and {"text": said})
    for seat in range(2, 7):
        move(play, seat, {"approve": True})
    move(play, 1, {"success": True})
    move(play, 5, {"success": False})
    game = record(play, [])
    even = dict.fromkeys((1, 2, 4, 5, 6), (0.6, 0.4))
    matrix = Beliefs(3, ("good", "evil"), ("evil",), {3: even}).to_json()
    game.notes = [note(f"{len(game.events)}:3:team_vote", 3, matrix)]
    game.outcome = game.outcome._replace(status="finished")
    names = ["ours.skill", "ours.skill.logic", "ours.log_loss.avalon", "ours.log_loss.avalon.uniform"]
    found = measure([game], lambda record, seat: seat, names).values[3]
    # By logic at least one of 1 and 5 is evil: of the 10 pairs of others 7 hold one of them: P(1) = P(5) = 4/7.
    logic = found["ours.skill.logic"].parts["ours.log_loss.avalon.logic"].value
    chances = {1: 4 / 7, 5: 4 / 7, 2: 2 / 7, 4: 2 / 7, 6: 2 / 7}
    expected = sum(-math.log(chances[s] if s in (5, 6) else 1 - chances[s]) for s in chances) / 5
    assert logic == pytest.approx(expected)
    assert found["ours.skill.logic"].value == pytest.approx(0), "it believed an even guess"
    assert found["ours.log_loss.avalon"].value == found["ours.log_loss.avalon.uniform"].value
    quest = Proposal(1, frozenset((1, 5)), 1, 1, votes=tuple((seat, True) for seat in range(2, 7)), fails=1)
    evil = posterior(PublicRecord(tuple(sorted(AVALON["roles"])), (quest,)), Knowledge(3, "servant")).evil()
    fitted = found["ours.skill"].parts["ours.log_loss.avalon.posterior"].value
    expected = sum(-math.log(evil[s - 1] if s in (5, 6) else 1 - evil[s - 1]) for s in chances) / 5
    assert fitted == pytest.approx(expected) and fitted != pytest.approx(logic)
    assert found["ours.skill"].value == pytest.approx(0)
