"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from games.rules.sample import Sample


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    roles: list[str | None] = [f"role {number}" for number in range(1, options.seats + 1)]
    spy = rng.randint(1, options.seats)
    roles[spy - 1] = None
    leader = rng.randint(1, options.seats)
    return {"place": "harbour", "places": ["harbour", "zoo"], "roles": roles, "spy": spy, "first_leader": leader}


def neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The place is another; or two seats change what they are, the spy's too."""
    yield setting | {"place": "zoo"}
    roles, spy = setting["roles"], setting["spy"]
    for one, other in itertools.combinations(range(1, options.seats + 1), 2):
        exchange = {one: other, other: one}
        swapped = [roles[exchange.get(seat, seat) - 1] for seat in range(1, options.seats + 1)]
        yield setting | {"roles": swapped, "spy": exchange.get(spy, spy)}


SAMPLE = Sample(setting, neighbours, lambda options: frozenset({"revealed"}))
