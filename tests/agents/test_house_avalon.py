"""The house agent for Avalon, through whole matches and through single decisions at set-up tables."""

import random

import pytest

from agents.beliefs import Beliefs
from agents.headless import legal_at_random, of_profile, play_out
from agents.house.discourse.reasons import AGAINST
from agents.models import AgentProfile
from agents.turns import situation
from games.avalon.house.agent import decide
from games.avalon.house.faults import Aboard
from games.avalon.house.position import Position
from games.avalon.house.reasons import reasons
from games.avalon.posterior.exact import EVIL
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Refusal

pytestmark = pytest.mark.slow

RULE = RULES["avalon"]
HOUSE = of_profile(AgentProfile(name="house", provider="house", method="house", switches={}))
QUICK = of_profile(AgentProfile(name="house", provider="house", method="house", switches={"hops": 1}))
RANDOM = legal_at_random(["Let us go.", "I trust nobody."])
DEAL = ["merlin", "percival", "servant", "servant", "morgana", "minion"]
FIXED = {"roles": DEAL, "assassin": 6, "first_leader": 3}


def table(preset="recon", seats=6, seed=1, setting=None, **options):
    if preset == "official":
        options = {"discussion": "none"} | options
    header = new_header(
        RULE, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=setting or {}
    )
    return Play(RULE, header)


def matches(number, house=("good", "evil"), mind=HOUSE, **how):
    """Matches whose ``house`` sides are played by house agents, the others by random legal moves."""
    for seed in range(number):
        play = table(seed=seed, **how)
        sides = RULE.sides(play.state)
        yield play_out(play, {seat: mind if side in house else RANDOM for seat, side in sides.items()})


def good_wins(number, house=("good", "evil")):
    return sum(match.play.state.outcome.result == "good" for match in matches(number, house, QUICK))


def asked(play, seat, kind, seed=0, thoughts=()):
    """The decision of a house agent on an open request of ``seat``."""
    request = next(r for r in play.state.open.values() if (r.seat, r.kind) == (seat, kind))
    names = {s.seat: s.name for s in play.header.seats}
    return decide(situation(play, request, names, thoughts), random.Random(seed), {})


def do(play, kind, **moves):
    """Answer every open request of a kind: ``moves`` gives one action for all, or one by ``seat_<n>``."""
    for request in [r for r in play.state.open.values() if r.kind == kind]:
        action = moves.get(f"seat_{request.seat}", moves.get("all"))
        assert not isinstance(play.act(request.seat, request.id, action), Refusal)


def speak(play, before=None):
    """Let the seats speak in turn, up to the turn of ``before``."""
    while any(r.kind == "speech" and r.seat != before for r in play.state.open.values()):
        do(play, "speech", all={"text": "Let us see."})


def quest(play, team, fails=()):
    """Send a team on a quest; the seats in ``fails`` play the fail card, None leaves the cards to be played."""
    do(play, "team", all={"seats": team})
    speak(play)
    do(play, "team_vote", all={"approve": True})
    if fails is not None:
        do(play, "quest", all={"success": True}, **{f"seat_{seat}": {"success": False} for seat in fails})


# Whole matches


@pytest.mark.parametrize(
    ("preset", "seats", "options"),
    [
        ("recon", 6, {}),
        *(("official", seats, {}) for seats in (5, 6, 7, 8, 9)),
        ("official", 7, {"lady": True, "discussion": "once"}),
        ("official", 10, {"lady": True}),
        ("official", 5, {"roles": ("merlin", "servant", "servant", "mordred", "oberon"), "dagger": "none"}),
        ("official", 5, {"roles": ("servant", "servant", "servant", "minion", "minion"), "discussion": "once"}),
    ],
)
def test_it_plays_every_table_to_its_end_without_a_refusal(preset, seats, options):
    for match in matches(2, preset=preset, seats=seats, **options):
        assert match.play.state.outcome.status == "finished"
        assert not match.refusals
        assert not match.attempts


def test_the_same_seed_gives_the_same_match():
    first, second = (next(matches(1)) for _ in range(2))
    assert first.play.log == second.play.log
    assert first.thoughts == second.thoughts


def test_neither_side_is_sure_to_win():
    assert 0.2 < good_wins(24) / 24 < 0.8


def test_each_side_wins_more_often_than_random_moves_do():
    at_random = good_wins(16, house=())
    assert good_wins(16, house=("good",)) > at_random + 3
    assert good_wins(16, house=("evil",)) < at_random - 3


# Single decisions


@pytest.mark.parametrize(("kind", "seat"), [("team", 3), ("speech", 3), ("team_vote", 4)])
def test_it_decides_from_what_its_seat_can_see_alone(kind, seat):
    decisions = []
    for deal in (DEAL, ["morgana", "minion", "servant", "servant", "merlin", "percival"]):
        dagger = deal.index("minion") + 1
        play = table(setting={"roles": deal, "assassin": dagger, "first_leader": 2})
        quest(play, [2, 6], fails=[dagger])
        if kind != "team":
            do(play, "team", all={"seats": [1, 3, 6]})
            speak(play, before=seat if kind == "speech" else None)
        decisions.append(asked(play, seat, kind))
    assert decisions[0] == decisions[1]


def test_everybody_good_approves_the_last_attempt():
    play = table(preset="official", setting=FIXED)
    for _ in range(4):
        do(play, "team", all={"seats": [5, 6]})
        do(play, "team_vote", all={"approve": False})
    do(play, "team", all={"seats": [5, 6]})
    assert all(asked(play, seat, "team_vote").action["approve"] for seat in (1, 2, 3, 4))


def test_evil_plays_one_fail_where_one_is_enough():
    play = table(setting=FIXED)
    quest(play, [1, 2])
    quest(play, [4, 5, 6], fails=None)
    for seed in range(20):
        cards = [asked(play, seat, "quest", seed).action["success"] for seat in (4, 5, 6)]
        assert cards[0] is True
        assert cards.count(False) <= 1


def test_evil_fails_the_quest_that_decides():
    play = table(setting=FIXED)
    quest(play, [1, 2])
    quest(play, [2, 3, 4])
    quest(play, [2, 3, 4, 5], fails=None)
    assert not any(asked(play, 5, "quest", seed).action["success"] for seed in range(20))


def test_evil_keeps_its_one_fail_back_where_two_are_needed():
    deal = ["merlin", "percival", "servant", "servant", "morgana", "minion", "oberon"]
    play = table("official", 7, setting={"roles": deal, "assassin": 6, "first_leader": 1})
    quest(play, [1, 2])
    quest(play, [5, 6, 7], fails=[6])
    quest(play, [5, 6, 7], fails=[6])
    quest(play, [1, 2, 3, 5], fails=None)
    assert asked(play, 5, "quest").action["success"]


def test_the_dagger_never_points_at_its_own_side_and_finds_who_voted_by_the_truth():
    play = table(preset="official", setting=FIXED)
    for team in ([5, 6], [3, 5], [4, 6]):
        do(play, "team", all={"seats": team})
        do(play, "team_vote", all={"approve": False}, seat_3={"approve": True}, seat_5={"approve": True})
    quest(play, [1, 2])
    quest(play, [1, 2, 3])
    quest(play, [1, 2, 3, 4])
    decision = asked(play, 6, "assassinate")
    assert decision.action["seat"] in (1, 2, 4)
    roles = Beliefs.from_json(decision.thoughts[0].data["roles"])
    assert roles.probability(3, "merlin") < min(roles.probability(seat, "merlin") for seat in (1, 2, 4))


def test_merlin_knows_evil_and_does_not_say_so():
    play = table(setting=FIXED)
    do(play, "team", all={"seats": [3, 4]})
    speak(play, before=1)
    decision = asked(play, 1, "speech")
    beliefs = Beliefs.from_json(decision.thoughts[0].data["beliefs"])
    assert beliefs.suspicion(5) == beliefs.suspicion(6) == 1
    assert 0 < beliefs.suspicion(5, viewer=3) < 1
    assert "Player 5" not in decision.action["text"]
    assert "Player 6" not in decision.action["text"]


@pytest.mark.parametrize("deal", [DEAL, ["minion", "servant", "percival", "merlin", "servant", "morgana"]])
def test_it_says_what_a_servant_at_its_seat_would_whatever_it_knows(deal):
    said = []
    for roles in (["servant", "merlin", "percival", "servant", "morgana", "minion"], deal):
        evil = next(seat for seat in (5, 6) if roles[seat - 1] in EVIL)
        play = table(setting={"roles": roles, "assassin": roles.index("minion") + 1, "first_leader": 2})
        quest(play, [5, 6], fails=[evil])
        do(play, "team", all={"seats": [1, 4, 5]})
        do(play, "speech", all={"text": "I doubt Player 5."})
        said.append(
            [asked(play, next(iter(play.state.open.values())).seat, "speech", seed).action for seed in range(9)]
        )
    assert said[0] == said[1]


def test_it_votes_as_it_said_unless_it_thinks_again():
    play = table(setting=FIXED)
    do(play, "team", all={"seats": [1, 5]})
    speak(play, before=4)
    kept = 0
    for seed in range(30):
        spoken = asked(play, 4, "speech", seed)
        ahead = play.fork(len(play.log))
        speak(ahead)
        vote = asked(ahead, 4, "team_vote", seed + 100, spoken.thoughts)
        kept += vote.action["approve"] == spoken.thoughts[0].data["approves"]
    assert kept >= 25


@pytest.mark.parametrize(("said", "answer"), [("Player 2", "Player 4"), ("Player 5", "Player 4 about Player 5")])
def test_it_answers_who_doubts_it_and_agrees_with_who_shares_its_doubt(said, answer):
    play = table(setting=FIXED)
    quest(play, [5, 6], fails=[6])
    do(play, "team", all={"seats": [1, 2, 3]})
    do(play, "speech", all={"text": f"I doubt {said}."})
    speak(play, before=2)
    assert any(answer in asked(play, 2, "speech", seed).action["text"] for seed in range(20))


def test_it_speaks_in_reasons_that_the_public_record_holds():
    play = table(setting=FIXED)
    quest(play, [5, 6], fails=[6])
    position = Position.of(1, play.visible(1), {})
    held = reasons(position.table, 6, 1, AGAINST)
    assert [reason.kind for reason in held] == ["Aboard"]
    assert held[0].holds(play.visible(1)) and not Aboard(2, held[0].events, held[0].facts).holds(play.visible(1))


def test_it_holds_nothing_against_others_that_it_did_itself():
    play = table(setting=FIXED)
    quest(play, [5, 6], fails=[6])
    for speaker in (1, 2, 4):  # all of them approved that team
        for subject in {1, 2, 4} - {speaker}:
            assert reasons(Position.of(speaker, play.visible(speaker), {}).table, subject, speaker, AGAINST) == []
    aboard = reasons(Position.of(5, play.visible(5), {}).table, 6, 5, AGAINST)
    assert [reason.kind for reason in aboard] == ["Beside"]


def test_each_thought_holds_both_hops_of_belief_and_one_reason():
    (match,) = matches(1)
    assert match.thoughts
    for thought in match.thoughts:
        beliefs = Beliefs.from_json(thought.data["beliefs"])
        assert beliefs.owner == thought.seat
        assert set(beliefs.rows) == set(range(1, 7))
        assert thought.data["why"].endswith(".")


def test_the_lady_shows_a_side_that_the_holder_then_knows():
    deal = ["merlin", "percival", "servant", "servant", "morgana", "minion", "oberon"]
    play = table("official", 7, setting={"roles": deal, "assassin": 6, "first_leader": 4}, lady=True)
    quest(play, [1, 2])
    quest(play, [1, 2, 4])
    looked = asked(play, 3, "lady").action["seat"]
    assert looked != 3
    do(play, "lady", all={"seat": 7})
    beliefs = Beliefs.from_json(asked(play, 6, "team").thoughts[0].data["beliefs"])
    assert beliefs.suspicion(7) < 1
    position = Position.of(3, play.visible(3), {})
    assert position.known_evil == {7}
