"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import random
from typing import Any

from games.rules.sample import Sample, other_challengers


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    airlines = [
        {
            "name": f"Airline {letter}",
            "flights": rng.randint(20, 120),
            "passengers": 100 * rng.randint(20, 150),
            "hours": rng.choice((1, 1.5, 2.25)),
            "aircraft": rng.choice(("small", "medium", "large")),
            "standalone": 1000 * rng.randint(600, 900),
        }
        for letter in "ABCDEF"[: options.seats]
    ]
    return {"airlines": airlines, "fee": 1_000_000, "challenger": rng.randint(1, options.seats)}


SAMPLE = Sample(setting, other_challengers)
