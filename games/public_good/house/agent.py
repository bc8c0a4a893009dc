"""The house agent of Public Good: it plays one named strategy, drawn for the match or set by its profile.

Switch ``strategy``: one of `STRATEGIES`; without it ``strength`` says which it may be. No strategy puts in more than it
has.
"""

from __future__ import annotations

import random
from typing import Any

from agents.house.strategies import BEFORE_A_ROUND, chosen, decided
from agents.house.strength import EASY, HARD, NORMAL, strength_of
from agents.situation import Decision, Situation
from games.public_good.house.course import Course
from games.public_good.house.foresight import foreseen
from games.public_good.house.strategies import STRATEGIES
from games.public_good.house.talk import Talker


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A contribution, with the reason for it."""
    name = chosen(situation, rng, switches, STRATEGIES, BY_STRENGTH[strength_of(switches)])
    if situation.request.kind == "ready":
        return decided(situation, name, {"text": Talker(situation, rng, name).opening() or None}, BEFORE_A_ROUND)
    course = Course.seen(situation)
    if name == FORESIGHT:
        move = foreseen(situation, course, rng)
        return decided(situation, name, {"points": move.points}, move.why)
    move = STRATEGIES[name](course)
    return decided(situation, name, {"points": min(move.points, course.left)}, move.why)


USUAL = ("conditional_cooperator", "undercutter", "full_contributor", "free_rider")
"""What an agent without a named strategy may be."""
FORESIGHT = "foresight"
BY_STRENGTH = {EASY: ("full_contributor",), NORMAL: USUAL, HARD: (FORESIGHT,)}
"""The same by its strength: an easy one trusts; a hard one looks ahead (`foresight.py`)."""
