"""Random legal moves: the weakest player there is, for tests, benchmarks and as a yardstick."""

import itertools
import random
from collections.abc import Sequence
from typing import Any

from .fields import Choice, Field, Flag, Number, OneSeat, SomeSeats, Split, Text
from .play import Play
from .values import Refusal, Request

TRIES = 200


def random_action(play: Play, request: Request, rng: random.Random, words: Sequence[str]) -> dict[str, Any]:
    """An action that the table will not refuse, each choice as likely; texts are drawn from `words`.

    Raises RuntimeError if none is found in many tries, which means that the request cannot be answered.
    """
    for _ in range(TRIES):
        action = {field.name: random_value(field, rng, words) for field in request.fields}
        if request.kind == "poll" or type(play.rules.act(play.state, request, request.read(action))) is not Refusal:
            return action
    raise RuntimeError(f"no legal action found for {request.id}")


def random_value(field: Field, rng: random.Random, words: Sequence[str]) -> Any:
    """A value that the field accepts."""
    match field:
        case Text():
            return rng.choice(words)
        case Choice():
            return rng.choice(field.options)
        case Flag():
            return rng.random() < 0.5
        case OneSeat():
            return rng.choice(field.seats)
        case SomeSeats():
            count = rng.randint(0, len(field.seats)) if field.count is None else field.count
            return sorted(rng.sample(field.seats, count))
        case Number():
            return rng.randint(field.low, field.high)
        case Split():
            units = field.total // field.step
            cuts = sorted(rng.randint(0, units) for _ in range(field.parts - 1))
            edges = [0, *cuts, units]
            return [field.step * (high - low) for low, high in itertools.pairwise(edges)]
    raise TypeError(f"no random value for {type(field).__name__}")
