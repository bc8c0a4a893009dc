"""By what hard house agents of Avalon read others: what a normal one would have done at each seat, as each role."""

from dataclasses import replace

import numpy as np
import pytest

from agents.house.strength import HARD
from games.avalon.house.agent import approval
from games.avalon.house.claims import USUAL, Customs
from games.avalon.house.conduct import SLIP, conduct
from games.avalon.house.position import Position
from games.avalon.house.skill import SKILLS
from games.avalon.posterior.exact import Evidence, mask_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Refusal

DEAL = ["merlin", "servant", "servant", "servant", "minion", "minion"]
ROLES = tuple(sorted(DEAL))
EVIL = mask_of((5, 6))
LOST = (([1, 5], (5,)), ([2, 3, 6], (6,)))
"""Two quests that were lost, as teams and fail cards: the next one may end the match."""


def table(quests=(), discussion="none"):
    """A table of `DEAL` at which these quests went; for the next one seats 1 and 5 are proposed, with others."""
    header = new_header(
        RULES["avalon"],
        "official",
        seats=agents_and_people(0, 6),
        seed=1,
        options={"discussion": discussion, "roles": tuple(DEAL)},
        setting={"roles": DEAL, "assassin": 6, "first_leader": 2},
    )
    play = Play(RULES["avalon"], header)
    for team, fails in quests:
        _answer(play, "team", lambda seat, team=team: {"seats": team})
        _answer(play, "team_vote", lambda seat: {"approve": True})
        _answer(play, "quest", lambda seat, fails=fails: {"success": seat not in fails})
    _answer(play, "team", lambda seat: {"seats": [1, 5, 3, 2][: 2 + len(quests)]})
    return play


def _answer(play, kind, action):
    for request in [request for request in play.state.open.values() if request.kind == kind]:
        assert not isinstance(play.act(request.seat, request.id, action(request.seat)), Refusal)


def position(play, seat, **skill):
    return Position.of(seat, play.visible(seat), {}, SKILLS[HARD] if skill else SKILLS["normal"])


def told(play, votes, talks=False):
    """The evidence of these votes on the team that is proposed."""
    *before, last = position(play, 2).proposals
    customs = USUAL if talks else Customs(talks=False)
    silent = conduct(ROLES, customs, (*before, last))
    voted = conduct(ROLES, customs, (*before, replace(last, votes=tuple(votes.items()))))
    return Evidence(*(one - other for one, other in zip(voted, silent, strict=True)))


@pytest.mark.parametrize("quests", [(), LOST[:1], LOST])
def test_it_expects_of_each_role_the_votes_that_a_normal_agent_casts(quests):
    play = table(quests)
    leader = position(play, 1).leader
    for seat in {1, 2, 3, 4, 5, 6} - {leader}:
        evidence = told(play, {seat: True})
        expected = np.log(SLIP / 2 + (1 - SLIP) * approval(position(play, seat)))
        row = {1: evidence.merlin[0, EVIL], 5: evidence.evil[EVIL], 6: evidence.evil[EVIL]}
        assert row.get(seat, evidence.loyal[seat - 1]) == pytest.approx(expected)


def test_votes_after_talk_tell_nothing_unless_the_quest_may_end_the_match():
    votes = dict.fromkeys((1, 4, 5, 6), True)
    assert not any(part.any() for part in told(table(), votes, talks=True))
    assert told(table(LOST), votes, talks=True).evil.any()


def test_who_approves_the_team_that_nobody_innocent_would_is_taken_for_evil():
    """After two lost quests seat 4, which is good, sees who wants the team of a seat of a lost one."""
    play = table(LOST)
    _answer(play, "team_vote", lambda seat: {"approve": seat in (1, 5, 6)})
    hard, normal = (position(play, 4, **skill).mind.evil() for skill in ({"hard": True}, {}))
    assert hard[5] > normal[5] + 0.05
