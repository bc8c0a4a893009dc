"""Choices among equals: an opinion names nobody where several are level, an action takes one of them by lot."""

import random
from collections.abc import Mapping

from agents.beliefs import highest


def ahead(chances: Mapping[int, float]) -> int | None:
    """The seat with the highest chance; None where several are level."""
    top = highest(chances)
    return top[0] if len(top) == 1 else None


def one_of_highest(chances: Mapping[int, float], rng: random.Random) -> int:
    """A seat with the highest chance; only where several are level something is drawn."""
    top = highest(chances)
    return top[0] if len(top) == 1 else rng.choice(top)
