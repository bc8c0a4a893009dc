"""Every game's house agent does at least as well as random play, on each of its sides."""

from __future__ import annotations

import random

import pytest

from agents import headless
from agents.house import words
from agents.models import AgentProfile
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of

pytestmark = pytest.mark.slow

HOUSE = headless.of_profile(AgentProfile(name="house", provider="house"))
ANYTHING = headless.legal_at_random(list(words.network().words))
"""Words that are understood with and without the sentence model."""
MATCHES = 60
TOLERANCE = 0.15
"""Of all matches: so much less often than random play it may win, since few are played."""


def wins(name: str, side: str, player: headless.Mind) -> float:
    """How often a side wins when this player has all of its seats, or the first one, and random play the others."""
    rules, won = RULES[name], 0
    preset, seats = rules.quick
    for seed in range(MATCHES):
        setting = sample_of(rules).setting(rules.options(preset, {}, seats), random.Random(seed))
        header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting)
        play = Play(rules, header)
        sides = rules.sides(play.state)
        mine = [seat for seat in sides if sides[seat] == side] if rules.sought else [1]
        minds = dict.fromkeys(sides, ANYTHING) | dict.fromkeys(mine, player)
        outcome = headless.play_out(play, minds).play.state.outcome
        won += bool({*mine} & {*outcome.winners})
    return won / MATCHES


@pytest.mark.parametrize(
    ("name", "side"), [(name, side) for name, rules in RULES.items() for side in rules.teams or (rules.family,)]
)
def test_the_house_agent_does_at_least_as_well_as_random_play(name, side):
    house, anything = wins(name, side, HOUSE), wins(name, side, ANYTHING)
    assert house >= anything - TOLERANCE, (
        f"The house agent of {name} wins {house:.0%} as {side}, and random play {anything:.0%} in the same seats."
    )
