"""The games as environments of PettingZoo, by PettingZoo's own tests."""

from __future__ import annotations

import json
import warnings

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (requirements-pettingzoo.txt)")

from gymnasium import spaces
from pettingzoo.test import api_test, seed_test

from games.pettingzoo import MagicTable
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.values import Impossible

TABLES = [*((game, {}) for game in RULES), ("avalon", {"discussion": "none"})]
FINITE = {"cost_sharing", "prisoners_dilemma", "public_good"}
CYCLES = 40


@pytest.fixture(autouse=True)
def texts_are_no_arrays():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Action space for each agent probably should be")
        yield


def random_match(env: MagicTable, seed: int = 1) -> dict[str, float]:
    """The rewards of a match of random legal moves."""
    env.reset(seed=seed)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _observation, reward, terminated, _truncated, info = env.last()
        total[agent] += reward
        env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))
    return total


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_each_game_passes_pettingzoo_s_own_tests(game, options):
    api_test(MagicTable(game, **options), num_cycles=CYCLES)
    seed_test(lambda: MagicTable(game, **options), num_cycles=CYCLES)


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_actions_are_numbers_or_numbers_with_words(game, options):
    finite = game in FINITE or options == {"discussion": "none"}
    space = MagicTable(game, **options).action_space("seat_1")
    assert isinstance(space, spaces.Discrete if finite else spaces.Dict)


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_a_match_ends_as_the_rules_say(game, options):
    env = MagicTable(game, **options)
    total = random_match(env)
    outcome = env.play.state.outcome
    assert outcome.status == "finished" and not env.agents
    for seat, agent in enumerate(env.possible_agents, 1):
        assert total[agent] == outcome.returns.get(seat, float(seat in outcome.winners))


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_an_action_of_the_mask_is_never_refused(game, options):
    env, words = MagicTable(game, **options), iter(WORDS)
    env.reset(seed=2)
    for agent in env.agent_iter():
        *_seen, terminated, _truncated, info = env.last()
        action = None if terminated else env.action_space(agent).sample(info["action_mask"])
        env.step(action | {"text": next(words)} if isinstance(action, dict) else action)
        assert "refused" not in env.infos.get(agent, {})


def test_what_is_not_legal_is_played_by_default_and_said():
    env = MagicTable("prisoners_dilemma")
    env.reset(seed=3)
    first = env.agent_selection
    env.step(7)
    assert env.infos[first]["refused"] == "There is no such answer."
    assert next(event for event in env.play.log if event.request).by == "default"


def test_an_observation_holds_what_the_seat_may_know_and_no_more():
    env = MagicTable("avalon", discussion="none")
    env.reset(seed=5)
    for agent in env.possible_agents:
        told = json.loads(env.observe(agent)["text"])
        seat = told["seat"]
        assert told["card"]["role"] == env.play.state.roles[seat]
        dealt = [event["seat"] for event in told["events"] if event["kind"] == "dealt" and event["data"]]
        assert dealt == [seat]
        assert (told["asked"] is not None) == (agent == env.agent_selection)


def test_what_cannot_be_dealt_is_refused():
    with pytest.raises(Impossible):
        MagicTable("avalon", seats=2)
