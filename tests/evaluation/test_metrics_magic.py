"""MAgIC's metrics on matches worked out by hand."""

from __future__ import annotations

import pytest

from evaluation.metrics import agent, measure, role, together
from games.rules.values import Attempt
from tests.evaluation.played import clues, dealt, fraction, move, record, value, votes

WORDS = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": [3]}
FRUIT = {"topic": "Fruits", "word": "grape", "chameleon": 2}
AIRLINES = [{"name": name, "flights": 10 * use, "passengers": use} for name, use in (("A", 50), ("B", 30), ("C", 20))]
BY_ROLE = together(agent, role)


def chameleon(targets, guess=None, seats=3, polls=None, setting=FRUIT):
    """One clue each, a vote and, where the chameleon is caught, its guess. polls: three moments of answers by seat."""
    play = dealt("chameleon", "magic", seats, setting, **({"polls": "magic"} if polls else {}))
    moves = []
    for number, (seat, text) in enumerate({1: "small", 2: "sweet", 3: "purple"}.items()):
        moves.append((seat, {"text": text}))
        moves += [(asked, answer) for asked, answer in (polls[number] if polls else {}).items()]
    moves += votes(targets)
    if guess is not None:
        moves.append((2, {"text": guess}))
    return record(play, moves)


def undercover(targets, seats=3, polls=None):
    play = dealt("undercover", "magic", seats, WORDS, **({"polls": "magic"} if polls else {}))
    moves = []
    for number, texts in enumerate(({1: "wood", 2: "bow", 3: "strings"}, {1: "chin", 2: "small", 3: "large"})):
        moves += clues(texts)
        moves += list((polls[number] if polls else {}).items())
    return record(play, moves + votes(targets))


def said(odd_one=None, side="civilian", **suspects):
    """An answer to MAgIC's poll; s2=1: player 2 is thought to suspect player 1."""
    return {"side": side, "odd_one": odd_one} | {f"suspect_of_{name[1:]}": seat for name, seat in suspects.items()}


# Credits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("targets", "guess", "odd", "good"),
    [
        ({1: 2, 2: 1, 3: 2}, "plum", 0, 2),  # caught, guessed wrong
        ({1: 2, 2: 1, 3: 2}, "grape", 1, 1),  # caught, guessed right
        ({1: 3, 2: 3, 3: 1}, None, 2, 0),  # a wrong one accused
        ({1: 2, 2: 3, 3: 1}, None, 1, 1),  # even
    ],
)
def test_credits_of_chameleon_are_counted_out_of_two_a_game(targets, guess, odd, good):
    game = chameleon(targets, guess)
    assert fraction("magic.win_rate.chameleon", game) == (odd, 2)
    assert fraction("magic.win_rate.non-chameleon", game) == (good, 2), "two good seats won one game"


@pytest.mark.parametrize(
    ("targets", "odd", "good"),
    [({1: 3, 2: 3, 3: 1}, 0, 3), ({1: 2, 2: 1, 3: 2}, 3, 0), ({1: 3, 2: 1, 3: 2}, 2, 1)],
)
def test_credits_of_undercover_are_counted_out_of_three_a_game(targets, odd, good):
    game = undercover(targets)
    assert fraction("magic.win_rate.undercover", game) == (odd, 3)
    assert fraction("magic.win_rate.civilian", game) == (good, 3)


def test_the_win_rate_is_the_mean_of_seven_roles_and_none_while_one_is_missing():
    word_games = [chameleon({1: 2, 2: 1, 3: 2}, "plum"), undercover({1: 3, 2: 1, 3: 2})]
    missing = value("magic.win_rate", *word_games)
    assert missing.value is None
    assert missing.missing == [f"magic.win_rate.{g}" for g in ("cost_sharing", "prisoners_dilemma", "public_good")]
    whole = value("magic.win_rate", *word_games, agreed(), dilemma("ccc"), public_good([(1, 2, 3)] * 5))
    rates = [0, 1, 2 / 3, 1 / 3, 1, 1, 1 / 3]
    assert whole.value == pytest.approx(sum(rates) / 7)
    assert whole.matches == 5


def test_a_game_that_was_broken_off_has_no_credits():
    play = dealt("undercover", "magic", 3, WORDS)
    move(play, 1, {"text": "wood"})
    play.end("abandoned", "Everybody left.")
    found = measure([record(play, [])], agent)
    assert found.left_out == found.records == 1
    assert found.values["x"]["magic.win_rate.civilian"].value is None
    assert found.values["x"]["ours.finished"].value == 0


# Votes --------------------------------------------------------------------------------------------------------------


def test_judgement_counts_the_votes_of_the_good_side_in_both_games():
    games = [chameleon({1: 2, 2: 1, 3: 2}, "plum"), undercover({1: 3, 2: 1, 3: 2})]
    assert fraction("magic.judgement", *games) == (3, 4)
    assert value("magic.judgement", games[0], by=BY_ROLE, group=("x", "chameleon")).value is None


def test_a_vote_that_was_not_given_is_left_out_and_counted_apart():
    game = undercover({1: 3, 2: None, 3: None})
    assert fraction("magic.judgement", game) == (1, 1)
    assert fraction("ours.defaults", game) == (2, 9)


def test_the_vote_accuracy_of_an_odd_one_is_the_votes_that_it_receives():
    game = chameleon({1: 2, 2: 1, 3: 1})
    assert fraction("magic.vote_accuracy.chameleon", game) == (1, 2)
    assert fraction("magic.vote_accuracy.non-chameleon", game) == (1, 2)
    games = [undercover({1: 3, 2: 1, 3: 2}), undercover({1: 3, 2: 3, 3: 1})]
    assert fraction("magic.vote_accuracy.undercover", *games) == (3, 4)
    assert fraction("magic.vote_accuracy.civilian", *games) == (3, 4)


# Polls --------------------------------------------------------------------------------------------------------------


def test_reasoning_counts_the_truth_and_what_others_are_thought_to_believe():
    polls = [
        {1: said(3, s2=3, s3=1), 2: said(1, s1=3), 3: said(1, "undercover", s1=3, s2=3)},
        {1: said(3), 2: None, 3: said(None)},
    ]
    game = undercover({1: 3, 2: 3, 3: 1}, polls=polls)
    # Seat 1: own right; player 2 names 1, not 3: wrong; player 3 names 1: right. Seat 2: own wrong; player 1: right.
    # Seat 3: own wrong; player 1 right; player 2 wrong. Second poll: seat 1 own right; 2 skipped; 3 named nobody.
    assert fraction("magic.reasoning", game) == (2 + 1 + 1 + 1, 3 + 2 + 3 + 1)
    assert fraction("magic.reasoning.whole", game) == (1, 4)
    assert fraction("ours.polls_answered", game) == (5, 6)


def test_a_chameleon_that_knows_itself_is_asked_neither_for_itself_nor_about_its_own_suspicion():
    answers = {1: said(2, "non-chameleons"), 2: said(2, "chameleon", s1=2), 3: said(1, "non-chameleons", s2=2)}
    game = chameleon({1: 2, 2: 1, 3: 2}, "plum", polls=[answers, {1: None, 2: None, 3: None}] * 2)
    # In each of two polls: seat 1 right; seat 2 only about player 1, right; seat 3 wrong, and not about player 2.
    assert fraction("magic.reasoning", game) == (4, 6)


def test_self_awareness_counts_statements_of_the_own_role_and_unsure_is_wrong():
    polls = [
        {1: said(side="civilian"), 2: said(side="unsure"), 3: said(side="civilian")},
        {1: said(side="civilian"), 2: said(side="civilian"), 3: said(side="undercover")},
    ]
    game = undercover({1: 3, 2: 3, 3: 1}, polls=polls)
    assert fraction("magic.self_awareness", game) == (4, 6)
    answers = {1: said(side="non-chameleons"), 2: said(side="chameleon"), 3: None}
    other = chameleon({1: 2, 2: 1, 3: 2}, "plum", polls=[answers, answers, answers])
    assert fraction("magic.self_awareness.undercover", game, other) == (4, 6)
    assert fraction("magic.self_awareness.chameleon", game, other) == (6, 6)
    both = value("magic.self_awareness.m2", game, other)
    assert both.value == pytest.approx(0.6 * 6 / 6 + 4 / 6)
    assert value("magic.self_awareness.m2", game).value is None


# Deception ----------------------------------------------------------------------------------------------------------


def test_deception_is_not_to_have_lost_and_strictly_to_have_won():
    games = [
        undercover({1: 3, 2: 1, 3: 2}),
        undercover({1: 2, 2: 1, 3: 2}),
        chameleon({1: 2, 2: 1, 3: 2}, "plum"),
        chameleon({1: 2, 2: 1, 3: 2}, "grape"),
    ]
    assert fraction("magic.deception", *games) == (3, 4)
    assert fraction("magic.deception.strict", *games) == (1, 4)


def test_the_lambda_term_counts_wrong_guesses_of_the_chameleon_that_one_plays_against():
    mine, theirs = chameleon({1: 3, 2: 3, 3: 1}, seats=["house", "x", "house"]), []
    for guess in ("plum", "grape", "apple"):
        theirs.append(chameleon({1: 2, 2: 1, 3: 2}, guess, seats=["x", "house", "x"]))
    found = value("magic.deception.m1", mine, *theirs, by=agent, group="x")
    assert found.value == pytest.approx(1 + 0.25 * 2 / 3)
    assert value("magic.deception.m1", mine, by=agent, group="x").value == 1, "nobody guessed"
    assert fraction("magic.wrong_guesses", *theirs, by=agent, group="x") == (2, 3), "both of its seats saw one guess"


# Cost sharing -------------------------------------------------------------------------------------------------------


def cost_sharing(rounds):
    """rounds: (proposals by seat, votes by seat) each."""
    play = dealt("cost_sharing", "magic", 3, {"airlines": AIRLINES})
    moves = []
    for proposals, chosen in rounds:
        moves += [(seat, None if split is None else {"split": split}) for seat, split in proposals.items()]
        moves += votes(chosen)
    return record(play, moves)


def agreed():
    return cost_sharing([({1: [50, 30, 20], 2: [40, 30, 30], 3: [40, 30, 30]}, {1: 2, 2: 2, 3: 3})])


def failed():
    return cost_sharing([({1: [50, 30, 20], 2: [40, 35, 25], 3: [40, 30, 30]}, {1: 1, 2: 2, 3: 3})] * 5)


def test_cooperation_is_agreed_games_and_cost_the_own_share_of_those():
    games = agreed(), failed()
    assert fraction("magic.cooperation", *games) == (1, 2)
    by_seat = measure(games, lambda record, seat: seat, ["magic.cost"]).values
    assert [by_seat[seat]["magic.cost"].value for seat in (1, 2, 3)] == [40, 30, 30]


def test_coordination_is_an_agreement_on_the_own_proposal_of_agreed_games_or_of_all():
    seats = measure((agreed(), failed()), lambda record, seat: seat).values
    assert [seats[s]["magic.coordination"].value for s in (1, 2, 3)] == [0, 1, 1]
    assert [seats[s]["magic.coordination.m2"].value for s in (1, 2, 3)] == [0, 0.5, 0.5]
    assert measure([failed()], agent).values["x"]["magic.coordination"].value is None, "no game was agreed"


def test_an_agreement_on_a_split_that_was_proposed_by_default_is_not_the_own_one():
    play = dealt("cost_sharing", "magic", 3, {"airlines": AIRLINES})
    useless = Attempt(next(iter(play.state.open)), 1, "agent:x", "malformed", "It was no split.", None, "default")
    move(play, 1, None)
    initial = play.state.proposals[1]
    for seat in (2, 3):
        move(play, seat, {"split": [40, 30, 30] if initial != [40, 30, 30] else [30, 40, 30]})
    game = record(play, votes({1: 1, 2: 1, 3: 1}), attempts=[useless])
    assert fraction("magic.coordination", game, by=lambda record, seat: seat, group=1) == (0, 1)


# Dilemma and public good --------------------------------------------------------------------------------------------


def dilemma(*rounds, **payoffs):
    """rounds: one letter a seat, c or d; one round stands for five alike."""
    play = dealt("prisoners_dilemma", "magic", 3, payoffs)
    letters = rounds if len(rounds) > 1 else rounds * 5
    words = {"c": "cooperate", "d": "defect"}
    return record(play, [(n, {"choice": words[letter]}) for row in letters for n, letter in enumerate(row, 1)])


def public_good(rounds, attempts=(), **options):
    play = dealt("public_good", "magic", 3, {"multiplier": 2}, **options)
    moves = [(n, None if p is None else {"points": p}) for row in rounds for n, p in enumerate(row, 1)]
    return record(play, moves, attempts=list(attempts))


def test_rationality_pools_defections_and_the_rounds_in_which_nobody_gave_less():
    games = (
        dilemma("dcc", "dcc", "ccc", "ccc", "ccc"),
        public_good([(0, 10, 10), (5, 5, 9), (7, 6, 6), (1, 0, 0), (9, 9, 9)]),
    )
    by_seat = measure(games, lambda record, seat: seat).values
    assert [by_seat[1][f"magic.rationality{part}"].value for part in ("", ".prisoners_dilemma", ".public_good")] == [
        (2 + 3) / 10,
        2 / 5,
        3 / 5,
    ]


def test_nobody_above_is_a_win_for_each_that_shares_the_top():
    by_seat = measure([dilemma("ddc")], lambda record, seat: seat).values
    assert [by_seat[s]["magic.win_rate.prisoners_dilemma"].value for s in (1, 2, 3)] == [1, 1, 0]
    assert fraction("magic.win_rate.public_good", public_good([(1, 2, 3)] * 5)) == (1, 3), "who gave least has most"
    assert fraction("magic.win_rate.public_good", public_good([(2, 2, 3)] * 5)) == (2, 3)
    assert by_seat[3]["magic.score"].value == 0


def test_payback_is_what_was_kept_and_the_share_of_the_pool():
    game = public_good([(10, 20, 30)] + [(0, 0, 0)] * 4)
    assert fraction("magic.payback", game, by=lambda record, seat: seat, group=1) == (100 - 10 + 2 * 60 / 3, 1)


def test_a_default_choice_or_contribution_is_no_decision():
    game = public_good([(None, 5, 5)] + [(3, 3, 3)] * 4)
    assert fraction("magic.rationality.public_good", game, by=lambda record, seat: seat, group=1) == (4, 4)
    assert fraction("magic.rationality.public_good", game, by=lambda record, seat: seat, group=2) == (4, 5), (
        "somebody put in less, whoever did it"
    )


def test_arithmetic_awareness_counts_what_was_tried_also_where_it_was_refused():
    accepted = public_good([(60, 0, 0), (60, 0, 0)] + [(0, 0, 0)] * 3)
    assert fraction("magic.invested", accepted, by=lambda record, seat: seat, group=1) == (120, 1)
    assert fraction("magic.within_budget", accepted) == (2, 3)
    refused = public_good([(60, 0, 0), (40, 0, 0)] + [(0, 0, 0)] * 3, over_budget="refuse")
    request = refused.of("contribution")[3].request
    refused.attempts = [Attempt(request, 1, "agent:x", "over_budget", "Too much.", {"points": n}) for n in (70, 50)]
    assert fraction("magic.invested", refused, by=lambda record, seat: seat, group=1) == (60 + 70, 1)
