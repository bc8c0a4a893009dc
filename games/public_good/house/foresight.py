"""How a hard agent of Public Good chooses: it asks which strategies the others seem to play, lets each of its own plans
run against them to the end, and takes the first step of the best one.

Where contributions are not told by seat, each other seat is taken to have put in what the others did on average.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.situation import Situation
from games.public_good.house.course import Course
from games.public_good.house.strategies import STRATEGIES, Move

SUPPOSED = ("conditional_cooperator", "undercutter", "full_contributor", "free_rider")
"""What others may play."""
SLIP = 0.1
"""How often somebody does otherwise than their strategy says."""
SUPPOSITIONS = 16
"""So many times it draws what the others may play."""
PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Of what it has for each round left, a plan puts in one of these parts until it stops."""
RIVALRY = 0.8
"""What the points of the others, on average, count against its own: who has the most wins."""

Given = tuple[tuple[int, ...], ...]
"""What each seat put in, round by round."""


@dataclass(frozen=True)
class Table:
    """What all seats have before a match, and how the pool is shared."""

    seats: int
    points: int
    rounds: int
    multiplier: float
    at_once: bool

    def has(self, seat: int, given: Given) -> float:
        """What a seat has after these rounds."""
        back = sum(map(sum, given)) * self.multiplier / self.seats if self.at_once else 0.0
        return self.points - sum(round[seat - 1] for round in given) + back

    def ends_with(self, seat: int, given: Given) -> float:
        """What a seat has when the pool is shared."""
        return replace(self, at_once=True).has(seat, given)

    def course(self, seat: int, given: Given) -> Course:
        """What a seat has seen after these rounds."""
        others = [[points for other, points in enumerate(round, 1) if other != seat] for round in given]
        return Course(
            self.seats,
            self.multiplier,
            max(math.floor(self.has(seat, given)), 0),
            self.rounds - len(given),
            tuple(sum(points) / len(points) for points in others),
            tuple(min(points) for points in others),
        )

    def move(self, seat: int, strategy: str, given: Given) -> int:
        """What a seat puts in next by a strategy."""
        course = self.course(seat, given)
        return min(STRATEGIES[strategy](course).points, course.left)


def foreseen(situation: Situation, course: Course, rng: random.Random) -> Move:
    """The contribution with which the best plan begins."""
    seat, public = situation.seat, situation.rules.public(situation.state)
    table = Table(course.seats, public["points"], public["rounds"], course.multiplier, public["share"] == "round")
    given = _given(seat, public["history"], course)
    others = [other for other in range(1, table.seats + 1) if other != seat]
    supposed = [chances(table, other, given) for other in others]
    drawn = Counter(tuple(rng.choices(SUPPOSED, weights)[0] for weights in supposed) for _ in range(SUPPOSITIONS))
    plans = [(part, stop) for part in PARTS for stop in range(1, course.rounds_left + 1) if part or stop == 1]

    def worth(plan: tuple[float, int]) -> float:
        return sum(
            times * _worth(table, seat, plan, dict(zip(others, names, strict=True)), given)
            for names, times in drawn.items()
        )

    best = max(plans, key=worth)
    points = math.floor(best[0] * course.even)
    likely = ", ".join(
        f"seat {other} {SUPPOSED[weights.index(max(weights))].replace('_', ' ')}"
        for other, weights in zip(others, supposed, strict=True)
    )
    return Move(points, f"The others seem to play so: {likely}. Against that my best plan begins with {points}.")


def chances(table: Table, seat: int, given: Given) -> list[float]:
    """How likely a seat plays each of `SUPPOSED`, by what it put in."""
    weights = [1.0] * len(SUPPOSED)
    for number, done in enumerate(given):
        for place, name in enumerate(SUPPOSED):
            off = abs(table.move(seat, name, given[:number]) - done[seat - 1])
            weights[place] *= 1 - SLIP if off <= 1 else SLIP
    return weights


def _worth(table: Table, seat: int, plan: tuple[float, int], supposed: dict[int, str], given: Given) -> float:
    """What the seat has at the end by a plan against these strategies, less what the others have."""
    part, stop = plan
    for number in range(table.rounds - len(given)):
        course = table.course(seat, given)
        own = math.floor(part * course.even) if number < stop else 0
        others = {other: table.move(other, name, given) for other, name in supposed.items()}
        given = (*given, tuple(own if one == seat else others[one] for one in range(1, table.seats + 1)))
    rivals = [table.ends_with(other, given) for other in supposed]
    return table.ends_with(seat, given) - RIVALRY * sum(rivals) / len(rivals)


def _given(seat: int, history: Sequence[dict[str, Any]], course: Course) -> Given:
    """What each seat put in, as far as that is told."""
    rounds = []
    for entry, mean in zip(history, course.others, strict=True):
        told = entry["contributions"]
        own = round(entry["total"] - mean * (course.seats - 1))
        rounds.append(
            tuple(
                told[str(one)] if told is not None else own if one == seat else round(mean)
                for one in range(1, course.seats + 1)
            )
        )
    return tuple(rounds)
