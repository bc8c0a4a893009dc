"""What a game asks its players: every kind of request, found by random play, for tests and for the log reference."""

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

from .core import Rules
from .kit import KitCase, random_move
from .play import Play
from .sample import Sample, sample_of
from .values import Impossible, Request

SEEDS, LARGE = 3, 7
"""So many matches by each option, and seats at the larger table; a test holds that they come to every request."""


def every_request(rules: Rules, sample: Sample | None = None) -> Iterator[tuple[Play, Request]]:
    """Each kind of request with each set of questions, the first time that random play comes to it, in the match as it
    stands then: each preset at a small and a larger table, and each of its options in each other position."""
    sample, seen = sample or sample_of(rules), set()
    for trial in trials(rules, sample):
        try:
            play, rng = trial.begin(), trial.rng
        except Impossible:
            continue  # the option does not go with this table
        while not play.over:
            for request in play.state.open.values():
                sort = request.kind, tuple((item.name, item.label) for item in request.fields)
                if sort not in seen:
                    seen.add(sort)
                    yield play, request
            request = rng.choice([request for request in play.state.open.values() if request.waits])
            play.act(request.seat, request.id, random_move(play, request, rng))


def trials(rules: Rules, sample: Sample) -> Iterator[KitCase]:
    """Matches of every preset, at a small and a larger table, with each option in each position."""
    for preset, about in rules.presets.items():
        for seats in sorted({about.low, min(about.high, LARGE)}):
            for seed, overrides in itertools.product(range(SEEDS), ({}, *_other_positions(about.options))):
                yield KitCase(rules, sample, preset, seats, seed, overrides)


def _other_positions(options: Any) -> Iterator[dict[str, Any]]:
    """Each option that is set otherwise, one at a time."""
    for item in dataclasses.fields(options):
        usual, choices = getattr(options, item.name), item.metadata.get("choices")
        if isinstance(usual, tuple) or item.metadata["hidden"] or item.name == "seats":
            continue
        if isinstance(usual, bool):
            choices = (False, True)
        elif isinstance(usual, int):
            choices = (usual + 1, item.default)
        yield from ({item.name: value} for value in choices or () if value != usual)
