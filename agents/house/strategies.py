"""Named strategies of the house agents: which one a seat plays, and the thought that says so."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from agents.beliefs import Beliefs
from agents.house.discourse import Speaker
from agents.situation import Decision, Situation
from games.rules.sentences import sentence
from games.rules.values import Impossible

BEFORE_A_ROUND = "I say what I make of the last round, and what I mean to do."


class StrategicSpeaker(Speaker):
    """A seat that talks as its strategy plays. strategy: its name, empty where that is not known yet."""

    def __init__(self, situation: Situation, chance: random.Random, strategy: str = ""):
        super().__init__(situation, chance)
        self.strategy = strategy or kept_strategy(situation) or ""


def chosen(
    situation: Situation, rng: random.Random, switches: Mapping[str, Any], known: Iterable[str], usual: Iterable[str]
) -> str:
    """The strategy that the profile names under ``strategy``; else one of the usual ones, drawn at the seat's first
    move and kept for the match in its thoughts. Raises `Impossible` for one that the game does not have."""
    if "strategy" in switches:
        if (name := switches["strategy"]) not in known:
            no_such = sentence(
                "The house agent of {game} has no strategy '{name}'. It has: {names}.",
                game=situation.rules.title,
                name=name,
                names=", ".join(known),
            )
            raise Impossible(no_such)
        return name
    drawn = rng.choice(tuple(usual))
    return kept_strategy(situation) or drawn


def kept_strategy(situation: Situation) -> str | None:
    """The strategy of the seat's earlier moves; None before its first."""
    kept = (thought.data.get("strategy") for thought in reversed(situation.thoughts))
    return next((name for name in kept if name), None)


def decided(
    situation: Situation, strategy: str, action: dict[str, Any], why: str, beliefs: Beliefs | None = None
) -> Decision:
    """The decision with one thought: the strategy, the reason, what it believes of the others."""
    data = {"strategy": strategy, "why": why} | ({} if beliefs is None else {"beliefs": beliefs.to_json()})
    return Decision(action, (situation.thought_of_house(data),))
