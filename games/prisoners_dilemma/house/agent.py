"""The house agent of the Prisoner's Dilemma: it plays one named strategy, drawn for the match or set by its profile.

Switch ``strategy``: one of `STRATEGIES`; without it ``strength`` says which it may be. Switch ``generosity`` (0.3): how
often `generous_tit_for_tat` forgives.
"""

from __future__ import annotations

import random
from typing import Any

from agents.beliefs import Beliefs
from agents.house.strategies import BEFORE_A_ROUND, chosen, decided
from agents.house.strength import EASY, HARD, NORMAL, strength_of
from agents.situation import Decision, Situation
from games.prisoners_dilemma.house.course import Course
from games.prisoners_dilemma.house.foresight import foreseen
from games.prisoners_dilemma.house.strategies import STRATEGIES, generous
from games.prisoners_dilemma.house.talk import Talker
from games.prisoners_dilemma.rules import COOPERATE, DEFECT

GENEROSITY = 0.3


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A choice, with the reason for it. Every draw comes from ``rng``."""
    name = chosen(situation, rng, switches, STRATEGIES, BY_STRENGTH[strength_of(switches)])
    if situation.request.kind == "ready":
        return decided(situation, name, {"text": Talker(situation, rng, name).opening() or None}, BEFORE_A_ROUND)
    course = Course.seen(situation)
    if name == FORESIGHT:
        move = foreseen(course, situation.options.rounds - len(course.rounds), rng)
        return decided(situation, name, {"choice": move.choice}, move.why, _beliefs(course))
    if name == "generous_tit_for_tat":
        move = generous(course, rng, switches.get("generosity", GENEROSITY))
    else:
        move = STRATEGIES[name](course)
    return decided(situation, name, {"choice": move.choice}, move.why, _beliefs(course))


USUAL = ("tit_for_tat", "generous_tit_for_tat", "grim_trigger", "pavlov", "always_defect")
"""What an agent without a named strategy may be."""
FORESIGHT = "foresight"
BY_STRENGTH = {EASY: ("always_cooperate", "generous_tit_for_tat"), NORMAL: USUAL, HARD: (FORESIGHT,)}
"""The same by its strength: an easy one trusts; a hard one looks ahead (`foresight.py`)."""


def _beliefs(course: Course) -> Beliefs:
    """Who will probably defect: what I think of the others, and what each of them, who saw the same, thinks of all."""
    chances = {seat: (course.cooperates(seat), 1 - course.cooperates(seat)) for seat in range(1, course.seats + 1)}
    rows = {viewer: {seat: chance for seat, chance in chances.items() if seat != viewer} for viewer in chances}
    return Beliefs.normalised(course.seat, (COOPERATE, DEFECT), (DEFECT,), rows)
