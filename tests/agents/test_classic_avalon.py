"""Avalon as players have it, with free talk: house agents speak, hear one another and make no illegal move."""

import pytest

from agents import headless
from agents.models import AgentProfile
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

HOUSE = headless.of_profile(AgentProfile(name="house", provider="house"))


@pytest.mark.slow
def test_house_agents_play_it_to_the_end():
    rules = RULES["avalon"]
    preset, seats = rules.players
    for seed in range(3):
        play = Play(rules, new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed))
        played = headless.play_out(play, dict.fromkeys(range(1, seats + 1), HOUSE))
        assert play.over and played.refusals == [] and played.attempts == []
        assert all(event.data["text"] for event in play.log if event.kind == "ready")
