"""Situations for the tests of methods, and a model that answers by stage: what each was told is kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.providers import Completion, Provider
from agents.situation import Decision, Situation, Thought
from agents.turns import situation
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.play import Play, agents_and_people, new_header
from games.rules.random_play import random_action
from games.rules.sample import sample_of
from tests.model_server import Call, player

DEALS = {
    "undercover": ("wiu", 5, {"civilian_word": "wig", "undercover_word": "hat", "undercovers": [2, 4]}),
    "chameleon": ("party", 4, {"topic": "Music", "word": "cello", "chameleon": 2}),
    "avalon": (
        "recon",
        6,
        {
            "roles": ["merlin", "percival", "servant", "servant", "morgana", "minion"],
            "assassin": 6,
            "first_leader": 1,
        },
    ),
    "spygame": ("seed004", 7, {"place": "zoo", "roles": ["keeper"] * 7, "spy": 2, "first_leader": 1}),
    "cost_sharing": ("magic", 3, None),
    "prisoners_dilemma": (
        "magic",
        3,
        {"cooperate": 3, "defect": 1, "one_defect": 5, "two_defect": 2},
    ),
    "public_good": ("magic", 3, {"multiplier": 2}),
}


class ByStage(Provider):
    """Answers each stage by what its template is recognised by; keeps (what was told, schema, model) in order."""

    name, default_key_env = "By stage", ""

    def __init__(self, says: Mapping[str, Any] | None = None):
        super().__init__()
        self.says, self.told = dict(says or {}), []

    def complete(self, messages, *, model, settings=None, schema=None):
        prompt = "\n\n".join(message.content for message in messages)
        self.told.append((prompt, schema, model))
        for mark, reply in self.says.items():
            if mark in prompt:
                text = reply if isinstance(reply, str) else json.dumps(reply)
                return Completion(text, model=model, structured=schema is not None)
        call = Call("openai", model, [("user", prompt)], schema=schema)
        return Completion(player.answer(call), model=model, structured=schema is not None)


def deal_of(game: str) -> tuple[str, int, dict[str, Any]]:
    """Preset, number of seats and setting of a game's scenes; the sample's deal for a game that is not in `DEALS`."""
    rules = RULES[game]
    preset, seats, setting = DEALS.get(rules.family) or (*rules.quick, None)
    if setting is None:
        setting = sample_of(rules).setting(rules.options(preset, {}, seats), random.Random(1))
    return preset, seats, setting


def begin(game: str, polls: str = "none", seed: int = 4) -> Play:
    """A match with a fixed deal."""
    rules = RULES[game]
    preset, seats, setting = deal_of(game)
    options = {"polls": polls} if polls != "none" else {}
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting, options=options)
    return Play(rules, header)


def until(play: Play, wanted: Callable[[Any], bool], seed: int = 1) -> Any:
    """Play by chance until a request fits; gives it."""
    rng = random.Random(seed)
    for _ in range(300):
        for request in play.state.open.values():
            if wanted(request):
                return request
        request = next(request for request in play.state.open.values() if request.waits)
        play.act(request.seat, request.id, random_action(play, request, rng, WORDS))
    raise AssertionError("no such request")


def at(play: Play, request: Any, thoughts: tuple[Thought, ...] = ()) -> Situation:
    return situation(play, request, {seat.seat: seat.name for seat in play.header.seats}, thoughts)


def decide(
    where: Situation, method: str, says: Mapping[str, Any] | None = None, **switches: Any
) -> tuple[Decision, ByStage]:
    """What the method does here; the second model is called m2."""
    provider = ByStage(says)
    decision = think(
        where,
        method=METHODS[method],
        model=Model(provider, "m1"),
        second=Model(provider, "m2"),
        switches=switches,
        by="agent:x",
    )
    assert decision.action is not None, decision.attempts
    return decision, provider


def stages(decision: Decision) -> list[str]:
    return [thought.stage for thought in decision.thoughts]


def prompts(decision: Decision) -> dict[str, str]:
    """What each stage was told, by its name."""
    return {thought.stage: thought.prompt for thought in decision.thoughts}
