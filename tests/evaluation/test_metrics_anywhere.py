"""Every metric stands any match that the rules allow: of people, of agents, with moves left out, cut anywhere."""

from __future__ import annotations

import random

import pytest

from evaluation.metrics import METRICS, Ratio, measure, role, seen
from evaluation.records.record import of_play
from games.registry import RULES
from games.rules import kit
from games.rules.random_play import random_action

TRIALS = [trial for rules in RULES.values() for trial in kit.kit_cases(rules) if trial.seats <= 7]


def named(trial):
    return f"{trial.rules.name}-{trial.preset}-{trial.seats}-{trial.overrides['polls']}"


def played(trial, rng, moves, lazy):
    """A match of random legal moves; some are left to the default. It ends early after so many."""
    play = trial.begin()
    for _ in range(moves):
        if play.over:
            return play
        request = rng.choice([request for request in play.state.open.values() if request.waits])
        if rng.random() < lazy:
            play.expire(request.id)
        else:
            play.act(request.seat, request.id, random_action(play, request, rng, trial.words), "person")
    if not play.over:
        play.end("abandoned", "Everybody left.")
    return play


@pytest.mark.parametrize("trial", TRIALS, ids=named)
def test_no_match_is_too_odd_to_be_measured(trial):
    rng = random.Random(named(trial))
    records = []
    for number, (moves, lazy) in enumerate(((1000, 0), (1000, 0.3), (1000, 1), (rng.randrange(30), 0.1), (0, 0))):
        record = of_play(played(trial, rng, moves, lazy))
        record.id = str(number)
        records.append(record)
    found = measure(records, role, METRICS)
    assert found.records == 5
    assert found.left_out == sum(not record.finished for record in records)
    for group, row in found.values.items():
        for name, value in row.items():
            if isinstance(value, Ratio):
                assert 0 <= value.numerator <= value.denominator, name
            if value.value is None:
                assert value.interval() is None, name
            assert value.n == sum(one.item.weight != 0 for one in seen(records, role, group, name)), name


@pytest.mark.parametrize("trial", TRIALS, ids=named)
def test_a_match_in_which_nobody_did_anything_has_no_votes_and_no_beliefs(trial):
    found = measure([of_play(played(trial, random.Random(1), 1000, 1))], lambda record, seat: "all").values["all"]
    for name in ("magic.judgement", "magic.rationality", "wiu.vote_success", "spygame.vote_rate", "magic.reasoning"):
        assert found[name].value is None, name
    assert found["ours.defaults"].value == 1
