"""House agents at Avalon talk of what happened: they are read back by a reader that shares nothing with them."""

import pytest

from agents.house.discourse.wording import TEMPERS, temper_of
from agents.turns import nature
from benchmarks.talk import measured
from benchmarks.told import FALSE, TRUE, judged
from games.registry import RULES
from games.rules.play import Play, new_header
from games.rules.values import Refusal, SeatInfo

AVALON = RULES["avalon"]
DEAL = ["merlin", "percival", "servant", "servant", "morgana", "minion"]


def table(**options):
    """Six people at an open table: Player 5 and Player 6 are evil, Player 3 leads first."""
    setting = {"roles": DEAL, "assassin": 6, "first_leader": 3}
    seats = tuple(SeatInfo(n, f"Player {n}", "agent", "house") for n in range(1, 7))
    return Play(AVALON, new_header(AVALON, "recon", seats=seats, seed=1, options=options, setting=setting))


def do(play, kind, **moves):
    for request in [request for request in play.state.open.values() if request.kind == kind]:
        action = moves.get(f"seat_{request.seat}", moves["all"])
        assert not isinstance(play.act(request.seat, request.id, action), Refusal)


def quest(play, team, against=(), fails=()):
    do(play, "team", all={"seats": team})
    while any(request.kind == "speech" for request in play.state.open.values()):
        do(play, "speech", all={"text": "Let us see."})
    do(play, "team_vote", all={"approve": True}, **{f"seat_{seat}": {"approve": False} for seat in against})
    do(play, "quest", all={"success": True}, **{f"seat_{seat}": {"success": False} for seat in fails})


def said(play, seat, text):
    """A sentence of this seat in the discussion of a team."""
    if any(request.kind == "team" for request in play.state.open.values()):
        do(play, "team", all={"seats": [1, 2, 3]})
    while not any(request.kind == "speech" and request.seat == seat for request in play.state.open.values()):
        do(play, "speech", all={"text": "Let us see."})
    do(play, "speech", all={"text": text})
    return judged(play.log, play.log[-1] if play.log[-1].kind == "speech" else _speech(play), text).result


def _speech(play):
    return next(event for event in reversed(play.log) if event.kind == "speech")


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("I suspect Player 6: quest 1 failed with them aboard.", TRUE),
        ("I suspect Player 4: quest 1 failed with them aboard.", FALSE),
        ("I suspect Player 6: quest 2 failed with them aboard.", FALSE),
        ("I suspect Player 4: they approved the team that failed quest 1.", TRUE),
        ("Player 2 approved the team that failed quest 1.", FALSE),
        ("Player 2 was against the team that failed quest 1.", TRUE),
        ("Player 4 was against the team that failed quest 1.", FALSE),
        ("It was Player 3 who led the team that failed quest 1.", TRUE),
        ("It was Player 4 who led the team that failed quest 1.", FALSE),
        ("Quest 1 speaks for Player 6.", FALSE),
        ("Nobody has shown anything so far.", FALSE),
        ("This is the fifth try; whoever rejects it helps evil.", FALSE),
    ],
)
def test_a_sentence_that_is_not_so_is_found(text, so):
    play = table()
    quest(play, [5, 6], against=(1, 2), fails=(6,))
    assert said(play, 1, text) == so


def test_who_stood_for_a_team_may_not_hold_it_against_others():
    play = table()
    quest(play, [5, 6], against=(1, 2), fails=(6,))
    assert said(play, 4, "Player 3 approved the team that failed quest 1.") == FALSE
    assert said(play, 5, "Quest 1 failed with Player 6 aboard.") == FALSE


@pytest.mark.slow
def test_nothing_is_said_twice_and_nothing_that_is_not_so():
    found = measured("recon", 150)
    assert found.twice == [] and found.false == [] and found.unread == []
    assert len(found.shapes) > 150
    assert sum(times for kind, times in found.read.items() if kind) > 100


def test_each_seat_has_a_temper_of_its_own_for_the_whole_match():
    drawn = {temper_of(nature(seed, seat)) for seed in range(5) for seat in range(1, 7)}
    assert drawn == set(TEMPERS)
    assert nature(3, 2) == nature(3, 2)
