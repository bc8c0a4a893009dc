"""What a seat of Public Good has seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.situation import Situation
from games.rules.values import Event


@dataclass(frozen=True)
class Course:
    """What the seat's view tells. left: what it may still put in; others: what each other seat put in on average, round
    by round; least: the smallest contribution of the others, None where only totals are told."""

    seats: int
    multiplier: float
    left: int
    rounds_left: int
    others: tuple[float, ...]
    least: tuple[int | None, ...]

    @classmethod
    def seen(cls, situation: Situation) -> Course:
        state, seat = situation.state, situation.seat
        public = situation.rules.public(state)
        own = _own(situation)
        return cls(
            public["seats"],
            public["multiplier"],
            max(math.floor(state.has(seat)), 0),
            public["rounds"] - len(public["history"]),
            tuple(
                (entry["total"] - mine) / (public["seats"] - 1)
                for entry, mine in zip(public["history"], own, strict=True)
            ),
            tuple(_least_of_others(entry, seat, mine) for entry, mine in zip(public["history"], own, strict=True)),
        )

    @property
    def even(self) -> int:
        """An even part of what is left for each round left."""
        return self.left // self.rounds_left

    @property
    def returned(self) -> float:
        """What comes back to me of a point that I put in."""
        return self.multiplier / self.seats


def _least_of_others(pooled: Mapping[str, Any], seat: int, own: int) -> int | None:
    """The least that another seat put in, where single contributions are told."""
    if pooled["contributions"] is not None:
        return min(points for other, points in pooled["contributions"].items() if other != str(seat))
    if "amounts" not in pooled:
        return None
    amounts = list(pooled["amounts"])
    amounts.remove(own)
    return min(amounts)


def _own(situation: Situation) -> list[int]:
    """What this seat put in, round by round."""
    return [
        event.data["points"]
        for event in situation.log
        if event.kind == "contribution" and event.seat == situation.seat and isinstance(event, Event)
    ]
