"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import random
from typing import Any

from games.rules.sample import Sample, other_challengers


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    payoffs = {"cooperate": 4, "defect": 1, "one_defect": 7, "two_defect": 3} if options.payoffs == "drawn" else {}
    return payoffs | {"challenger": rng.randint(1, options.seats)}


SAMPLE = Sample(setting, other_challengers)
