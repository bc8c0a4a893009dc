"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import random
from typing import Any

from games.rules.sample import Sample, other_challengers


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    multiplier = 1.8 if options.multiplier == "drawn" else float(options.multiplier)
    return {"multiplier": multiplier, "challenger": rng.randint(1, options.seats)}


SAMPLE = Sample(setting, other_challengers)
