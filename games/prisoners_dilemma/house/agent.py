"""The house agent of the Prisoner's Dilemma: it plays one named strategy, drawn for the match or set by its profile.

Switch ``strategy``: one of `STRATEGIES`; without it ``strength`` says which it may be. Switch ``generosity`` (0.3): how
often `generous_tit_for_tat` forgives.

With several opponents "they defected" means: at least half of the other seats did, so with three seats one is enough.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from agents.beliefs import Beliefs
from agents.house.strategies import BEFORE_A_ROUND, chosen, decided
from agents.house.strength import EASY, HARD, NORMAL, strength_of
from agents.situation import Decision, Situation
from games.prisoners_dilemma.house.course import Course
from games.prisoners_dilemma.house.talk import Talker
from games.prisoners_dilemma.rules import COOPERATE, DEFECT

GENEROSITY = 0.3


class Move(NamedTuple):
    choice: str
    why: str


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A choice, with the reason for it. Every draw comes from ``rng``."""
    name = chosen(situation, rng, switches, STRATEGIES, BY_STRENGTH[strength_of(switches)])
    if situation.request.kind == "ready":
        return decided(situation, name, {"text": Talker(situation, rng, name).opening() or None}, BEFORE_A_ROUND)
    course = Course.seen(situation)
    if name == "generous_tit_for_tat":
        move = _generous(course, rng, switches.get("generosity", GENEROSITY))
    else:
        move = STRATEGIES[name](course)
    return decided(situation, name, {"choice": move.choice}, move.why, _beliefs(course))


# Strategies ---------------------------------------------------------------------------------------------------------


def _always_defect(course: Course) -> Move:
    return Move(DEFECT, "Whatever the others do, defecting gives me more.")


def _always_cooperate(course: Course) -> Move:
    return Move(COOPERATE, "If all of us cooperate, all of us do well.")


def _tit_for_tat(course: Course) -> Move:
    if not course.rounds:
        return Move(COOPERATE, "I begin friendly and answer in kind from then on.")
    if course.betrayed(-1):
        return Move(DEFECT, f"{course.defectors(-1)} of the others defected last round, so I do now.")
    return Move(COOPERATE, "The others cooperated last round, so I do now.")


def _generous(course: Course, rng: random.Random, generosity: float) -> Move:
    kind, answer = rng.random() < generosity, _tit_for_tat(course)
    if answer.choice == DEFECT and kind:
        return Move(COOPERATE, "They defected, but somebody has to make peace: I forgive it this time.")
    return answer


def _grim_trigger(course: Course) -> Move:
    first = next((number for number in range(len(course.rounds)) if course.defectors(number)), None)
    if first is None:
        return Move(COOPERATE, "Nobody has defected so far; I cooperate until somebody does.")
    return Move(DEFECT, f"Somebody defected in round {first + 1}; I do not cooperate again.")


def _pavlov(course: Course) -> Move:
    if not course.rounds:
        return Move(COOPERATE, "I begin friendly, keep what pays and change what does not.")
    last = course.rounds[-1][course.seat]
    if course.gained[-1] >= course.payoffs["cooperate"]:
        return Move(last, f"I got {course.gained[-1]} last round, which is good: the same again.")
    other = DEFECT if last == COOPERATE else COOPERATE
    return Move(other, f"I got only {course.gained[-1]} last round: the other choice now.")


def _fictitious_play(course: Course) -> Move:
    values = {choice: course.expected(choice) for choice in (COOPERATE, DEFECT)}
    best = max(values, key=values.__getitem__)
    means = f"cooperating brings {values[COOPERATE]:.2f} and defecting {values[DEFECT]:.2f}"
    return Move(best, f"If the others go on as they did, {means}.")


STRATEGIES: dict[str, Callable[[Course], Move]] = {
    "always_defect": _always_defect,
    "always_cooperate": _always_cooperate,
    "tit_for_tat": _tit_for_tat,
    "generous_tit_for_tat": _tit_for_tat,
    "grim_trigger": _grim_trigger,
    "pavlov": _pavlov,
    "fictitious_play": _fictitious_play,
}
USUAL = ("tit_for_tat", "generous_tit_for_tat", "grim_trigger", "pavlov", "always_defect")
"""What an agent without a named strategy may be."""
BY_STRENGTH = {EASY: ("always_cooperate", "generous_tit_for_tat"), NORMAL: USUAL, HARD: USUAL}
"""The same by its strength: an easy one trusts."""


def _beliefs(course: Course) -> Beliefs:
    """Who will probably defect: what I think of the others, and what each of them, who saw the same, thinks of all."""
    chances = {seat: (course.cooperates(seat), 1 - course.cooperates(seat)) for seat in range(1, course.seats + 1)}
    rows = {viewer: {seat: chance for seat, chance in chances.items() if seat != viewer} for viewer in chances}
    return Beliefs.normalised(course.seat, (COOPERATE, DEFECT), (DEFECT,), rows)
