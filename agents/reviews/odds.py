"""How likely the side that looks for the others was to win, move by move, if house agents had played on from there.

A quick estimate: a logistic regression on a few numbers that a game reads off what everybody saw and what was dealt
(`games/<game>/house/review.py`), and on their products. `benchmarks/fit_odds.py` fits it on matches of house agents and
keeps it in the game's `house/odds.json`; `benchmarks/moments.py` says how well it is calibrated. It needs no rollout,
so it stands at once, under any match.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from games.rules.core import Rules
from games.rules.values import Event, Seen
from games.web.review import Point

LEAST, MOST = 0.01, 0.99
"""Before the end nothing is sure."""


@dataclass(frozen=True, eq=False)
class Odds:
    """A fitted regression. features: what the numbers are called, in order; middle, spread: by which they are scaled;
    weights: the constant's, each number's, and each product's in the order of `expanded`; matches: how many it was
    fitted on."""

    features: tuple[str, ...]
    middle: np.ndarray
    spread: np.ndarray
    weights: np.ndarray
    matches: int

    def shares(self, rows: np.ndarray) -> np.ndarray:
        """The chance for each row of numbers, `[row, feature]`."""
        score = expanded((rows - self.middle) / self.spread) @ self.weights
        return np.clip(1 / (1 + np.exp(-score)), LEAST, MOST)

    def to_json(self) -> dict[str, Any]:
        return {
            "matches": self.matches,
            "features": list(self.features),
            "middle": self.middle.round(4).tolist(),
            "spread": self.spread.round(4).tolist(),
            "weights": self.weights.round(4).tolist(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Odds:
        middle, spread, weights = (np.array(data[name]) for name in ("middle", "spread", "weights"))
        return cls(tuple(data["features"]), middle, spread, weights, data["matches"])


def expanded(rows: np.ndarray) -> np.ndarray:
    """A constant, the numbers, and all products of two of them: `[row, 1 + n + n (n + 1) / 2]`."""
    first, second = np.triu_indices(rows.shape[1])
    return np.concatenate([np.ones((len(rows), 1)), rows, rows[:, first] * rows[:, second]], axis=1)


def curve(rules: Rules, options: Any, events: Sequence[Seen]) -> list[Point]:
    """The chance after each event that changed it; the last point is how it ended. events: what everybody sees of a
    match that was played to its end; [] where there is no such estimate."""
    end = events[-1] if events else None
    if not isinstance(end, Event) or end.kind != "finished" or not rules.sought:
        return []
    found = list(standings(rules, options, end.data["deal"], events))
    shares = fitted(rules).shares(np.array([numbers for _seq, numbers in found])) if found else ()
    points: list[Point] = []
    for (seq, _numbers), share in zip(found, shares, strict=True):
        if not points or abs(points[-1].share - share) >= 0.0005:
            points.append(Point(seq, round(float(share), 3)))
    return [*points, Point(end.seq, float(won(rules, end)))]


def standings(
    rules: Rules, options: Any, deal: dict[str, Any], events: Sequence[Seen]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The numbers that a game reads off a match after each event that may change them."""
    yield from rules.part("house.review").standings(options, deal, events)


def won(rules: Rules, end: Event) -> bool:
    """Whether the side that looks for the others won."""
    review = rules.part("house.review")
    return end.data["result"] in review.WON


def log_odds(chance: float) -> float:
    """The log odds of a chance, which is held off 0 and 1."""
    chance = min(max(chance, 0.002), 0.998)
    return math.log(chance / (1 - chance))


def file_of(rules: Rules) -> Path:
    """Where a game's regression is kept."""
    return Path(rules.part("house.review").__file__ or "").with_name("odds.json")


@cache
def fitted(rules: Rules) -> Odds:
    """The regression that ships with the project."""
    return Odds.from_json(json.loads(file_of(rules).read_text(encoding="utf-8")))
