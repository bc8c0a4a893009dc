"""The named strategies of Public Good. None puts in more than it has."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from games.public_good.house.course import Course

FIRST_SHARE = 0.5
"""What a conditional cooperator puts in first, of an even part of its points for each round left."""


class Move(NamedTuple):
    points: int
    why: str


def _free_rider(course: Course) -> Move:
    return Move(0, "What the others put in is shared with me anyway, so I keep mine.")


def _full_contributor(course: Course) -> Move:
    return Move(course.even, f"The pool grows by {course.multiplier:g}: an even part of my points each round.")


def _conditional_cooperator(course: Course) -> Move:
    if not course.others:
        return Move(round(FIRST_SHARE * course.even), "I begin with a fair part, and go by the others from then on.")
    mean = course.others[-1]
    return Move(round(mean), f"The others put in {mean:g} on average last round; I put in as much.")


def _undercutter(course: Course) -> Move:
    if not course.others:
        return Move(course.even // 3, "A little to set an example, and less than the others will give.")
    least = course.others[-1] if course.least[-1] is None else course.least[-1]
    aim = max(math.ceil(least) - 1, 0)
    return Move(aim, f"The least that another put in was about {least:g}; one less keeps the pool alive and me ahead.")


def _grim_trigger(course: Course) -> Move:
    fair = min(course.others, default=None)
    if fair is not None and fair < 1:
        return Move(0, "In one round the others gave next to nothing; I give nothing any more.")
    return Move(course.even, "The others give, so I give an even part of my points.")


def _fictitious_play(course: Course) -> Move:
    if course.returned > 1:
        return Move(course.left, f"Of each point {course.returned:.0%} comes back to me: all of it goes in.")
    return Move(0, f"Of each point only {course.returned:.0%} comes back to me, whatever the others do: I keep it.")


STRATEGIES: dict[str, Callable[[Course], Move]] = {
    "free_rider": _free_rider,
    "conditional_cooperator": _conditional_cooperator,
    "undercutter": _undercutter,
    "full_contributor": _full_contributor,
    "grim_trigger": _grim_trigger,
    "fictitious_play": _fictitious_play,
}
