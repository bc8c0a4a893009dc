"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import random
from collections.abc import Iterator
from typing import Any

from games.rules.sample import Sample


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    return {"topic": "Music", "word": "violin", "chameleon": rng.randint(1, options.seats)}


def neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Another word, another chameleon, or both."""
    yield setting | {"word": "cello"}
    for seat in range(1, options.seats + 1):
        if seat != setting["chameleon"]:
            yield setting | {"chameleon": seat}
            yield setting | {"chameleon": seat, "word": "cello"}


SAMPLE = Sample(setting, neighbours, lambda options: frozenset({"accused"}))
