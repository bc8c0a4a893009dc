"""A question with one possible answer is asked of nobody; it is written down as forced, counts nowhere as a call, and
takes its time where others may not learn that there was no choice."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from agents import tasks
from agents.situation import FORCED, Decision, Thought
from evaluation.metrics.base import agent
from evaluation.metrics.measuring import measure
from evaluation.records.record import of_play
from games.match import store
from games.registry import RULES
from games.rules.core import fold
from games.rules.fields import Choice, Flag, Number, OneSeat, SomeSeats, Split, Text
from games.rules.forced import only_values
from games.rules.kit import WORDS
from games.rules.play import Play, agents_and_people, new_header
from games.rules.random_play import random_action
from games.rules.sample import sample_of
from games.rules.values import Refusal, Request
from games.web import forms
from magic_site import clock
from tests.agents.method_scenes import at, begin, decide, stages, until
from tests.games.tables import match_at, room_of


def dealt(game, preset, seed):
    rules = RULES[game]
    seats = rules.presets[preset].low
    setting = sample_of(RULES[game]).setting(rules.options(preset, {}, seats), random.Random(seed))
    return Play(rules, new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting))


@pytest.mark.parametrize(
    ("game", "preset"), [(game, preset) for game, rules in RULES.items() for preset in rules.presets]
)
def test_what_the_rules_call_forced_is_all_that_can_be_done(game, preset):
    """Whatever a player at random finds legal is that; the asked seat's own view tells it."""
    for seed in range(1, 4):
        play, rng = dealt(game, preset, seed), random.Random(seed)
        while not play.over:
            request = next(request for request in play.state.open.values() if request.waits)
            view = fold(play.rules, play.options, play.visible(request.seat, request.opened_at))
            forced = play.rules.forced(view, request)
            action = random_action(play, request, rng, WORDS)
            assert forced is None or forced == play.rules.act(play.state, request, action)
            assert not isinstance(play.act(request.seat, request.id, action), Refusal)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        (OneSeat("x", seats=(2,)), {"x": 2}),
        (OneSeat("x", seats=(2, 3)), {}),
        (OneSeat("x", seats=(2,), optional=True), {}),
        (SomeSeats("x", seats=(4, 1), count=2), {"x": [1, 4]}),
        (SomeSeats("x", seats=(4, 1), count=1), {}),
        (Choice("x", options=("yes",)), {"x": "yes"}),
        (Number("x", 0, 0), {"x": 0}),
        (Number("x", 0, 0, readable=9), {}),
        (Split("x", parts=1, total=100), {"x": [100]}),
        (Text("x"), {}),
        (Flag("x"), {}),
        (Flag("x", only=False), {"x": False}),
        (Split("x", most=(50, 30, 20)), {"x": [50, 30, 20]}),
        (Split("x", most=(50, 30, 30)), {}),
    ],
)
def test_a_field_with_one_value_is_known(field, values):
    assert only_values([field]) == values


def test_the_quest_card_of_the_good_is_not_asked_and_looks_like_any_other():
    play = begin("avalon")
    cards = {}
    while not play.over and len(cards) < 2:
        request = until(play, lambda r: r.kind == "quest" and r.seat not in cards, seed=len(play.log))
        decision, provider = decide(at(play, request), "recon")
        cards[play.rules.sides(play.state)[request.seat]] = len(provider.told)
        if play.rules.sides(play.state)[request.seat] == "good":
            assert decision.action == {"success": True}
            assert stages(decision) == [FORCED]
            assert decision.thoughts[0].data == {"action": {"success": True}, FORCED: True}
            assert decision.thoughts[0].attempts == 0
        play.act(request.seat, request.id, {"success": True})
    assert cards == {"good": 0, "evil": 3}


def test_a_run_off_between_oneself_and_another_is_not_asked():
    play = begin("undercover")
    vote = until(play, lambda r: r.kind == "vote")
    alone = vote._replace(fields=(OneSeat("seat", seats=(4,)),))
    for method in ("direct", "pgm", "mptt"):
        decision, provider = decide(replace(at(play, vote), request=alone), method)
        assert (decision.action, provider.told) == ({"seat": 4}, [])


def test_a_persons_form_has_the_only_value_chosen():
    alone, free = (Request("9:1:vote", "vote", 1, (OneSeat("seat", seats=seats),), 9) for seats in ((4,), (2, 4)))
    assert [option.chosen for option in forms.inputs(alone)[0].options] == [True]
    assert [option.chosen for option in forms.inputs(free)[0].options] == [False, False]


def test_a_word_that_was_worked_out_before_the_vote_is_not_worked_out_again():
    play = begin("chameleon")
    vote = until(play, lambda r: (r.kind, r.seat) == ("vote", 2))
    voted, provider = decide(at(play, vote), "pgm")
    assert stages(voted)[0] == "secret"
    guess = vote._replace(id=f"{len(play.log)}:2:guess", kind="guess", fields=(Text("text"),))
    guessed, provider = decide(replace(at(play, vote, voted.thoughts), request=guess), "pgm")
    assert guessed.thoughts[0].data["from"] == vote.id
    assert len(provider.told) == 1


def test_a_forced_answer_is_no_call_and_no_reply_to_metrics():
    play = begin("avalon")
    request = until(play, lambda r: r.kind == "quest" and play.rules.sides(play.state)[r.seat] == "good")
    decision, _ = decide(at(play, request), "recon")
    play.act(request.seat, request.id, decision.action, "agent:house")
    found = measure([of_play(play, decision.thoughts)], agent, ["ours.calls", "ours.compliance"]).values["house"]
    assert found["ours.calls"].numerator == 0
    assert found["ours.compliance"].value is None


@pytest.mark.django_db
def test_where_nobody_may_know_that_there_was_no_choice_it_takes_as_long_as_the_last_move(monkeypatch):
    match = match_at(room_of(1, "avalon", "recon", 6))
    play = store.load(match)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=1))
    open_request = next(iter(play.state.open.values()))
    match.pending.filter(request=open_request.id).update(opened_at=now)
    secret = open_request._replace(audience=(open_request.seat,))
    before = [Thought("1:1:x", 1, "m", "a", model="m", ms=9000), Thought("2:1:x", 1, "m", "a", model="m", ms=2500)]
    before.append(Thought("2:1:x", 1, "m", "b", model="m", ms=1500))
    forced = Decision({}, (Thought("3:1:x", 1, "m", FORCED),))
    assert tasks.left_to_seem(match, secret, forced, before) == pytest.approx(3)
    assert tasks.left_to_seem(match, open_request, forced, before) == 0
    assert tasks.left_to_seem(match, secret, Decision({}, (before[0],)), before) == 0
    assert tasks.left_to_seem(match, secret, forced, []) == 0
