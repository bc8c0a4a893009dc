"""House agents of three strengths: normal is what a profile plays that names none, and no move of any is refused."""

import random

import pytest

from agents import headless
from agents.house.strength import STRENGTHS
from agents.models import AgentProfile
from agents.seating import by_strength
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of
from games.rules.values import Impossible


def mind(**switches) -> headless.Mind:
    return headless.of_profile(AgentProfile(name="house", provider="house", switches={"hops": 1} | switches))


def played(game: str, player: headless.Mind, seed: int = 3) -> headless.Played:
    rules = RULES[game]
    preset, seats = rules.players
    setting = sample_of(rules).setting(rules.options(preset, {}, seats), random.Random(seed))
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting)
    return headless.play_out(Play(rules, header), dict.fromkeys(range(1, seats + 1), player))


@pytest.mark.parametrize("game", RULES)
def test_normal_is_what_is_played_where_no_strength_is_named(game):
    usual, normal = played(game, mind()), played(game, mind(strength="normal"))
    assert usual.play.log == normal.play.log
    assert [thought.data for thought in usual.thoughts] == [thought.data for thought in normal.thoughts]


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("game", RULES)
def test_no_move_is_refused_at_any_strength(game, strength):
    match = played(game, mind(strength=strength))
    assert match.play.state.outcome.status == "finished"
    assert (match.refusals, match.attempts) == ([], [])


@pytest.mark.parametrize("game", RULES)
def test_a_strength_that_is_none_is_refused_with_a_sentence(game):
    with pytest.raises(Impossible) as refused:
        played(game, mind(strength="brutal"))
    assert str(refused.value) == "A house agent has no strength 'brutal'. It has: easy, normal, hard."


def test_the_house_agents_are_offered_by_strength_and_the_usual_one_is_marked(db):
    for name, switches in (("house", {}), ("a", {"strength": "hard"}), ("b", {"strength": "easy"})):
        AgentProfile.objects.create(name=name, title=name, provider="house", method="house", switches=switches)
    AgentProfile.objects.create(name="c", title="c", provider="house", method="house", switches={"telling": 0.3})
    assert by_strength() == [("b", "Easy", False), ("house", "Normal", True), ("a", "Hard", False)]
