"""The named strategies of the Prisoner's Dilemma.

With several opponents "they defected" means: at least half of the other seats did, so with three seats one is enough.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from games.prisoners_dilemma.house.course import Course
from games.prisoners_dilemma.rules import COOPERATE, DEFECT


class Move(NamedTuple):
    choice: str
    why: str


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


def generous(course: Course, rng: random.Random, generosity: float) -> Move:
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
