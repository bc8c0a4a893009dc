"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from games.avalon.setting import EVIL, MINION
from games.rules.sample import Sample


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    roles = rng.sample(options.roles, options.seats)
    holders = {"evil": EVIL, MINION: (MINION,), "none": ()}[options.dagger]
    evil = [seat for seat, role in enumerate(roles, 1) if role in holders]
    return {"roles": roles, "assassin": rng.choice(evil) if evil else None, "first_leader": rng.randint(1, len(roles))}


def neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Two seats change roles, the dagger with them; or the dagger lies with another evil seat."""
    roles, assassin = setting["roles"], setting["assassin"]
    for one, other in itertools.combinations(range(1, len(roles) + 1), 2):
        exchange = {one: other, other: one}
        swapped = [roles[exchange.get(seat, seat) - 1] for seat in range(1, len(roles) + 1)]
        yield setting | {"roles": swapped, "assassin": exchange.get(assassin, assassin)}
    for seat, role in enumerate(roles, 1):
        if assassin is not None and seat != assassin and role in EVIL:
            yield setting | {"assassin": seat}


SAMPLE = Sample(setting, neighbours, lambda options: frozenset({"shown", "assassinate"}))
