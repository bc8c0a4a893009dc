"""House agents: they need no model and no key. Each game has one in its folder (`house`), with `decide`; here
stands what several of them share."""

import os
import random
from typing import Any

from agents.house.discourse import Speaker, talk
from agents.situation import Decision, Situation

ANSWERING = ("chat", "say")
"""Kinds of request by which a seat is asked to answer whoever spoke to it."""

# numpy reads it when it is first loaded. The arrays of the minds are small: more threads a process only wait for one
# another, many times slower on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """What the house agent of this game does; every draw comes from `rng`.

    Who is spoken to (`chat`, `say`) answers as its game's `Speaker` does, or in general where the game has none.
    """
    house = situation.rules.part("house")
    if situation.request.kind in ANSWERING:
        speaker = getattr(house, "Speaker", Speaker)
        return talk(situation, speaker(situation, rng))
    return house.decide(situation, rng, switches)
