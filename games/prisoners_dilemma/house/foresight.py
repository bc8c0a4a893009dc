"""How a hard agent of the Prisoner's Dilemma chooses: it asks which strategies the others seem to play, lets each of
its own plans run against them, and takes the first step of the best one."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from games.prisoners_dilemma.house.course import Course
from games.prisoners_dilemma.house.strategies import STRATEGIES, Move
from games.prisoners_dilemma.rules import COOPERATE, DEFECT, points

SUPPOSED = ("tit_for_tat", "generous_tit_for_tat", "grim_trigger", "pavlov", "always_defect", "always_cooperate")
"""What others may play."""
SLIP = 0.1
"""How often somebody does otherwise than their strategy says."""
AHEAD = 5
"""It looks so many rounds ahead at most."""
SUPPOSITIONS = 24
"""So many times it draws what the others may play."""
RIVALRY = 0.15
"""What the points of the others, on average, count against its own: who has the most wins."""


def foreseen(course: Course, rounds_left: int, rng: random.Random) -> Move:
    """The choice with which the best plan begins."""
    supposed = {seat: chances(course, seat) for seat in course.others}
    drawn = Counter(
        tuple(rng.choices(SUPPOSED, list(weights.values()))[0] for weights in supposed.values())
        for _ in range(SUPPOSITIONS)
    )
    plans = [*itertools.product((COOPERATE, DEFECT), repeat=min(rounds_left, AHEAD))]
    worth = {
        plan: sum(
            times * _worth(course, plan, dict(zip(course.others, names, strict=True))) for names, times in drawn.items()
        )
        for plan in plans
    }
    best = max(plans, key=worth.__getitem__)
    likely = {seat: max(weights, key=weights.__getitem__) for seat, weights in supposed.items()}
    named = ", ".join(f"seat {seat} {name.replace('_', ' ')}" for seat, name in likely.items())
    return Move(best[0], f"The others seem to play so: {named}. Against that my best plan begins with: {best[0]}.")


def chances(course: Course, seat: int) -> dict[str, float]:
    """How likely a seat plays each strategy, by what it did."""
    weights = dict.fromkeys(SUPPOSED, 1.0)
    for number, done in enumerate(course.rounds):
        view = _view(course, seat, course.rounds[:number])
        for name in SUPPOSED:
            weights[name] *= 1 - SLIP if STRATEGIES[name](view).choice == done[seat] else SLIP
    return weights


def _worth(course: Course, plan: tuple[str, ...], supposed: Mapping[int, str]) -> float:
    """What the seat gains by a plan against these strategies, less what the others gain by it."""
    rounds, gained = course.rounds, dict.fromkeys((course.seat, *supposed), 0)
    for own in plan:
        choices = {seat: STRATEGIES[name](_view(course, seat, rounds)).choice for seat, name in supposed.items()}
        choices[course.seat] = own
        for seat, more in points(course.payoffs, choices).items():
            gained[seat] += more
        rounds = (*rounds, choices)
    rivals = [gained[seat] for seat in supposed]
    return gained[course.seat] - RIVALRY * sum(rivals) / len(rivals)


def _view(course: Course, seat: int, rounds: tuple[dict[int, str], ...]) -> Course:
    """These rounds as another seat sees them."""
    last = (points(course.payoffs, rounds[-1])[seat],) if rounds else ()
    return replace(course, seat=seat, rounds=rounds, gained=last)
