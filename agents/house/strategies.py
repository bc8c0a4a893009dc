"""Named strategies of the house agents: which one a seat plays, and the thought that says so."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from agents.beliefs import Beliefs
from agents.situation import Decision, Situation, Thought
from games.rules.values import Impossible

METHOD = "house"


def chosen(situation: Situation, rng: random.Random, switches: Mapping[str, Any], usual: Iterable[str]) -> str:
    """The strategy that the profile names under ``strategy``; else one of the usual ones, drawn at the seat's first
    move and kept for the match in its thoughts."""
    if "strategy" in switches:
        return switches["strategy"]
    kept = (thought.data.get("strategy") for thought in reversed(situation.thoughts))
    drawn = rng.choice(tuple(usual))
    return next((name for name in kept if name), drawn)


def decided(
    situation: Situation, strategy: str, action: dict[str, Any], why: str, beliefs: Beliefs | None = None
) -> Decision:
    """The decision with one thought: the strategy, the reason, what it believes of the others."""
    data = {"strategy": strategy, "why": why} | ({} if beliefs is None else {"beliefs": beliefs.to_json()})
    return Decision(action, (Thought(situation.request.id, situation.seat, METHOD, situation.request.kind, data=data),))


def unknown(game: str, strategy: str, known: Iterable[str]) -> Impossible:
    """The error for a profile that names a strategy which its game does not have."""
    return Impossible(f"The house agent of {game} has no strategy '{strategy}'. It has: {', '.join(known)}.")
