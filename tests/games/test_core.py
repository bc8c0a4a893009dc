"""The core, by a game made for it: requests, refusals, chance, openings, polls, takeover, forks and the end."""

import pytest

from games.rules import kit
from games.rules.core import last_round
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sight import requests_for, visible_header
from games.rules.values import OMNISCIENT, PUBLIC, Impossible, Refusal, Shell

from .toy import HARBOUR, SAMPLE

DEAL = {"purses": [5, 6, 7], "smuggler": 2}


def match(setting=DEAL, seats=3, seed=7, **options) -> Play:
    people = agents_and_people(seats, 0)
    return Play(
        HARBOUR, new_header(HARBOUR, "plain", seats=people, seed=seed, options=options, setting=setting, id="m")
    )


def asked(play: Play, seat: int, kind: str):
    return next(request for request in play.state.open.values() if (request.seat, request.kind) == (seat, kind))


def do(play: Play, seat: int, kind: str, action):
    return play.act(seat, asked(play, seat, kind).id, action)


def stake_all(play: Play, coins: int = 1) -> None:
    for seat in (1, 2, 3):
        do(play, seat, "stake", {"coins": coins})
    do(play, 2, "bribe", {"bribe": False})


def kinds(play: Play, viewer: int = OMNISCIENT) -> list[str]:
    return [event.kind for event in play.visible(viewer)]


@pytest.mark.parametrize("seed", range(4))
def test_the_game_passes_the_test_kit(seed):
    for trial in kit.kit_cases(HARBOUR, SAMPLE, seed):
        kit.check(trial)


# Requests


def test_a_seat_answers_its_open_requests_in_any_order():
    play = match()
    assert [request.kind for request in play.requests(1) if request.seat == 1] == ["stake", "say"]
    do(play, 1, "say", {"text": "hello"})
    do(play, 1, "stake", {"coins": 1})
    assert kinds(play)[-2:] == ["say", "stake"]


def test_an_id_stays_the_same_while_others_answer():
    play = match()
    before = asked(play, 3, "stake").id
    do(play, 1, "stake", {"coins": 1})
    assert asked(play, 3, "stake").id == before


def test_a_hidden_request_and_its_answer_are_for_its_own_seat():
    play = match()
    assert "bribe" in {request.kind for request in play.requests(2)}
    for viewer in (PUBLIC, 1, 3):
        assert "bribe" not in {request.kind for request in play.requests(viewer)}
    do(play, 2, "bribe", {"bribe": True})
    assert "bribe" in kinds(play, 2)
    for viewer in (PUBLIC, 1, 3):
        assert "bribe" not in kinds(play, viewer)


def test_others_see_that_a_sealed_move_was_made_and_nothing_else():
    play = match()
    do(play, 1, "stake", {"coins": 4})
    assert play.visible(1)[-1].data == {"coins": 4}
    assert isinstance(play.visible(3)[-1], Shell)
    assert (play.visible(3)[-1].kind, play.visible(3)[-1].seat) == ("stake", 1)


def test_talk_holds_nobody_up_and_ends_with_its_phase():
    play = match()
    late = asked(play, 1, "say").id
    stake_all(play)
    assert play.state.round == 2
    refused = play.act(1, late, {"text": "wait"})
    assert (refused.code, refused.sentence) == ("over", "That move is not asked of you any more.")


def test_the_same_answer_twice_is_no_error_and_another_is():
    play = match()
    request = asked(play, 1, "say").id
    play.act(1, request, {"text": "hello"})
    length = len(play.log)
    assert play.act(1, request, {"text": "hello"}) == []
    assert play.act(1, request, {"text": "  hello "}) == []
    assert play.act(1, request, {"text": "bye"}).sentence == "This move is already made."
    assert play.act(1, request, {"text": 5}).sentence == "This move is already made."
    assert len(play.log) == length


@pytest.mark.parametrize("forged", ["", "5:1:stake", "6:2:stake", "nonsense", "6:1:stake "])
def test_a_forged_request_is_refused_and_changes_nothing(forged):
    play = match()
    length = len(play.log)
    assert type(play.act(1, forged, {"coins": 1})) is Refusal
    assert len(play.log) == length


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ({}, "'coins' is missing."),
        ({"coins": None}, "'coins' is missing."),
        ({"coins": "1"}, "Give a whole number."),
        ({"coins": True}, "Give a whole number."),
        ({"coins": 10}, "Give a number from 0 to 9."),
        ({"coins": 1, "more": 2}, "There is no field more here."),
        ([1], "An action is a set of named fields."),
        (None, "An action is a set of named fields."),
    ],
)
def test_a_malformed_action_is_refused_with_a_sentence(action, sentence):
    play = match()
    assert do(play, 1, "stake", action).sentence == sentence
    assert not play.attempts


def test_a_kept_refusal_is_an_attempt_and_leaves_the_request_open():
    play = match()
    refused = do(play, 1, "stake", {"coins": 9})
    assert refused.sentence == "Your purse holds 5."
    (attempt,) = play.attempts
    assert (attempt.seat, attempt.code, attempt.action) == (1, "purse", {"coins": 9})
    assert asked(play, 1, "stake") and kinds(play)[-1] == "round"


# Chance


def test_a_draw_follows_from_the_seed_and_is_written_down():
    weathers = {seed: match(seed=seed).log[-1].data["weather"] for seed in range(20)}
    assert {seed: match(seed=seed).log[-1].data["weather"] for seed in range(20)} == weathers
    assert set(weathers.values()) == {"calm", "storm"}


def test_a_default_may_be_drawn_and_is_legal():
    coins = {match(seed=seed).expire("6:1:stake")[0].data["coins"] for seed in range(60)}
    assert coins == set(range(6))


def test_a_default_on_what_is_not_open_adds_nothing():
    assert match().expire("6:9:stake") == []


# Openings


def test_a_scripted_seat_plays_its_openings_in_its_turns():
    setting = DEAL | {"openings": {"1": [{"coins": 3}, {"coins": 4}], "3": [{"coins": 2}]}}
    play = match(setting, scripted=[1])
    assert [(event.seat, event.data) for event in play.log if event.by == "opening"] == [(1, {"coins": 3})]
    for seat in (2, 3):
        do(play, seat, "stake", {"coins": 1})
    do(play, 2, "bribe", {"bribe": False})
    assert [event.data for event in play.log if event.by == "opening"] == [{"coins": 3}, {"coins": 4}]


def test_an_opening_that_the_table_refuses_leaves_the_turns_to_the_player_also_after_a_restart():
    setting = DEAL | {"openings": {"1": [{"coins": 9}, {"coins": 4}]}}
    play = match(setting, scripted=[1])
    stake_all(play)
    taken_up = Play(HARBOUR, play.header, play.log)
    assert not [event for event in play.log if event.by == "opening"]
    assert taken_up.log == play.log
    assert not play.attempts and not taken_up.attempts


@pytest.mark.parametrize(
    ("openings", "reason"),
    [
        ({"1": [{"coins": 99}]}, "An opening of seat 1 cannot be played. Give a number from 0 to 9."),
        ({"4": [{"coins": 1}]}, "There is no seat '4' for these openings."),
        ({"1": {"coins": 1}}, "Openings are a list of actions for each seat."),
        ([], "Openings are a list of actions for each seat."),
    ],
)
def test_an_opening_that_can_never_be_played_refuses_the_setting(openings, reason):
    with pytest.raises(Impossible, match=reason.replace(".", r"\.")):
        match(DEAL | {"openings": openings})


# Polls


def polled() -> Play:
    play = match(polls="smuggler")
    stake_all(play)
    return play


def test_the_next_round_waits_for_the_polls():
    play = polled()
    assert kinds(play)[-2:] == ["counted", "polling"]
    assert {request.kind for request in play.state.open.values()} == {"poll"}
    do(play, 1, "poll", {"smuggler": 3})
    play.skip(2, asked(play, 2, "poll").id)
    assert play.state.round == 1
    play.expire(asked(play, 3, "poll").id)
    assert kinds(play)[-5:] == ["poll", "poll", "poll", "polled", "round"]


def test_nobody_else_learns_what_a_poll_says_or_that_it_was_answered():
    play = polled()
    do(play, 1, "poll", {"smuggler": 3})
    assert play.visible(1)[-1].data == {"smuggler": 3}
    for viewer in (PUBLIC, 2, 3):
        assert "poll" not in kinds(play, viewer)
        assert all(request.seat == viewer for request in play.requests(viewer))


def test_only_a_poll_may_be_skipped():
    play = match()
    assert type(play.skip(1, asked(play, 1, "stake").id)) is Refusal
    assert "stake" not in kinds(play)


def test_polls_do_not_count_for_an_agents_chance():
    play = polled()
    assert play.earlier_requests(asked(play, 1, "poll")) == 1
    do(play, 1, "poll", {"smuggler": 3})
    for seat in (2, 3):
        play.skip(seat, asked(play, seat, "poll").id)
    assert play.earlier_requests(asked(play, 1, "stake")) == 1


# The table's own events


def test_a_seat_is_taken_over_and_given_back():
    play = match()
    play.note("taken_over", 1, {"by": "house"})
    assert play.state.stand_ins == {1: "house"}
    play.note("returned", 1)
    assert play.state.stand_ins == {}


def test_a_paused_table_takes_no_move_and_loses_none():
    play = match()
    request = asked(play, 1, "stake").id
    play.note("paused")
    assert play.requests(1) == []
    assert play.act(1, request, {"coins": 1}).code == "paused"
    assert play.expire(request) == []
    play.note("resumed")
    assert play.act(1, request, {"coins": 1})


def test_only_events_of_the_table_are_noted():
    with pytest.raises(ValueError):
        match().note("counted", None, {"round": 1, "stakes": {}})


def test_a_match_that_is_ended_early_publishes_its_deal_and_is_over():
    play = match()
    request = asked(play, 1, "stake").id
    play.end("void", "The lights went out.")
    assert play.view(PUBLIC).deal == DEAL
    assert play.state.outcome.status == "void"
    assert play.act(1, request, {"coins": 1}).sentence == "The match is over."
    assert play.note("paused") == [] and play.end("void", "again") == []
    assert kinds(play)[-1] == "ended"


# Forks and watching


def test_a_fork_inside_a_sealed_vote_knows_who_has_acted():
    play = match()
    do(play, 1, "stake", {"coins": 2})
    do(play, 3, "stake", {"coins": 3})
    fork = play.fork(7, id="f")
    assert {request.seat for request in fork.state.open.values() if request.kind == "stake"} == {2, 3}
    do(fork, 3, "stake", {"coins": 7})
    assert (fork.state.stakes, play.state.stakes) == ({1: 2, 3: 7}, {1: 2, 3: 3})
    assert fork.header.forked_from == {"match": "m", "seq": 7}


def test_a_fork_shares_the_whole_deal():
    play = match(setting={})
    fork = play.fork(2, seed=99)
    assert fork.log[:5] == play.log[:5]
    assert fork.header.forked_from["seq"] == 5


def test_delayed_watching_shows_finished_rounds():
    play = match()
    assert last_round(HARBOUR, play.log) == 0
    stake_all(play)
    assert play.log[last_round(HARBOUR, play.log) - 1].kind == "counted"
    assert kinds(play, PUBLIC)[-1] == "round"
    assert [event.kind for event in play.visible(PUBLIC, until=last_round(HARBOUR, play.log))][-1] == "counted"


def test_who_played_is_named_to_the_omniscient_only():
    play = match()
    play.act(1, asked(play, 1, "stake").id, {"coins": 1}, by="agent:house")
    assert play.visible(OMNISCIENT)[-1].by == "agent:house"
    assert play.visible(1)[-1].by == play.visible(PUBLIC)[-1].by == "seat"


def test_a_header_as_others_see_it_holds_no_seed_setting_or_profile():
    header = new_header(HARBOUR, "plain", seats=agents_and_people(1, 2), seed=5, setting=DEAL)
    seen = visible_header(header, 1, kinds_named=False)
    assert (seen.seed, seen.setting) == (0, {})
    assert all(seat.agent is None and seat.kind == "" for seat in seen.seats)
    assert visible_header(header, OMNISCIENT, kinds_named=False) == header


def test_own_requests_of_a_view_are_those_of_the_match():
    play = match()
    do(play, 2, "bribe", {"bribe": True})
    for viewer in (PUBLIC, 1, 2, 3):
        assert requests_for(play.view(viewer), viewer) == play.requests(viewer)


# Options


@pytest.mark.parametrize(
    ("preset", "seats", "options", "reason"),
    [
        ("grand", 3, {}, "Harbour has no preset 'grand'. It has: plain."),
        ("plain", 5, {}, "Harbour (plain) is for 2 to 4 seats; this table has 5."),
        ("plain", 3, {"wind": 1}, "Harbour has no option 'wind'."),
        ("plain", 3, {"rounds": 6}, "Option 'rounds' is a whole number from 1 to 5."),
        ("plain", 3, {"rounds": "2"}, "Option 'rounds' is a whole number from 1 to 5."),
        ("plain", 3, {"polls": "all"}, "Option 'polls' is one of: none, smuggler."),
        ("plain", 3, {"seats": 4}, "The options say 4 seats; this table has 3."),
        ("plain", 3, {"scripted": 1}, "Option 'scripted' takes a list."),
        ("plain", 3, {"scripted": [4]}, "Only seats at this table can be scripted."),
        ("plain", 3, {"scripted": ["1"]}, "Only seats at this table can be scripted."),
    ],
)
def test_options_that_cannot_be_played_are_refused_with_the_reason(preset, seats, options, reason):
    with pytest.raises(Impossible) as refused:
        HARBOUR.options(preset, options, seats)
    assert str(refused.value) == reason
