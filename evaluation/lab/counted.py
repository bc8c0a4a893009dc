"""What came of a lab's matches: how often each side won, or how many points each seat had, arm by arm, and how an arm
differs from the unchanged one.

Each number of a rollout gives a pair: its match in the arm and its match in the unchanged arm, of the same seed. Shares
of matches won differ with the adjusted Wald interval of paired shares (Bonett and Price 2012), points with the interval
of a paired t test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.reviews.rollouts import effect
from evaluation.tables.statistics import Interval, paired, wilson
from games.rules.play import Play

Ending = Mapping[str, float]
"""How a match ended: by side 1 or 0, or by seat its points."""

MOST_FACTOR = 999.0


class Difference(NamedTuple):
    """By how much an arm differs from the unchanged one. interval: of shares one that draws towards none, so its middle
    is not the value; factor: how many times as large the variance of the value would be without common random numbers;
    None where the arms never differed."""

    value: float
    interval: Interval | None
    factor: float | None

    @property
    def sure(self) -> bool:
        """Whether the interval leaves zero."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


class Row(NamedTuple):
    """What one side or seat had in one arm. value: the share of matches won, or the mean of points; n: of so many
    matches; difference: None for the unchanged arm, and before two matches of it were played."""

    name: str
    value: float
    interval: Interval | None
    n: int
    difference: Difference | None


def ending(play: Play) -> dict[str, float]:
    """How a match ended, as it is kept."""
    outcome = play.state.outcome
    if not play.rules.sought:
        return {str(seat): float(points) for seat, points in sorted(outcome.returns.items())}
    sides = play.rules.sides(play.state)
    won = {sides[seat] for seat in outcome.winners}
    return {side: float(side in won) for side in sorted(set(sides.values()))}


def rows(endings: Sequence[Sequence[Ending]], shares: bool) -> list[list[Row]]:
    """By arm the numbers of each side or seat. endings: by number of the rollout those of all arms, the unchanged one
    first; shares: they tell who won, and not points."""
    if not endings:
        return []
    names = sorted(endings[0][0], key=lambda name: (len(name), name) if name.isdigit() else (0, name))
    found = []
    for place in range(len(endings[0])):
        arm = []
        for name in names:
            base = np.array([one[0][name] for one in endings])
            mine = np.array([one[place][name] for one in endings])
            interval = wilson(float(mine.sum()), len(mine)) if shares else None
            other = difference(mine, base, shares) if place and len(mine) > 1 else None
            arm.append(Row(name, float(mine.mean()), interval, len(mine), other))
        found.append(arm)
    return found


def difference(mine: np.ndarray, base: np.ndarray, shares: bool) -> Difference:
    """How pairs of numbers differ."""
    apart = float(mine.var(ddof=1) + base.var(ddof=1))
    together = float((mine - base).var(ddof=1))
    factor = min(apart / together, MOST_FACTOR) if together > 0 else None
    if shares:
        found = effect([(bool(one), bool(other)) for one, other in zip(mine, base, strict=True)])
        interval: Interval | None = (found.low, found.high)
    else:
        interval = paired(mine - base)
    return Difference(float((mine - base).mean()), interval, factor)


def told(arms: Sequence[Mapping[str, Any]], found: Sequence[Sequence[Row]]) -> list[dict[str, Any]]:
    """All of it as plain values, for a file."""
    return [
        {
            "arm": dict(arm),
            "rows": [
                row._asdict() | {"difference": None if row.difference is None else row.difference._asdict()}
                for row in rows
            ],
        }
        for arm, rows in zip(arms, found, strict=True)
    ]
