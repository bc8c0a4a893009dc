"""House agents: they need no model and no key. One file a game, each with `decide`."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

from agents.situation import Decision, Situation


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """What the house agent of this game does; every draw comes from `rng`."""
    return import_module(f"agents.house.{situation.rules.name}").decide(situation, rng, switches)
