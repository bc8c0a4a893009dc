"""Noise for choices that should not always be the best one."""

import math
import random


def gumbel(rng: random.Random) -> float:
    """Noise that turns the largest of some values into a draw in proportion to exp(value / noise's factor)."""
    return -math.log(-math.log(min(max(rng.random(), 1e-12), 1 - 1e-12)))
