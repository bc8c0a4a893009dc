"""A whole deal, and deals that differ from it in one hidden thing: how the test kit tries the game."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from games.rules.sample import Sample


def setting(options: Any, rng: random.Random) -> dict[str, Any]:
    seats = rng.sample(range(1, options.seats + 1), options.undercovers + options.blanks)
    found = {"civilian_word": "violin", "undercover_word": "cello", "undercovers": seats[: options.undercovers]}
    return found | {"blanks": seats[options.undercovers :]}


def neighbours(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The other word is another; two seats change roles; or the words change places with them."""
    for name in ("civilian_word", "undercover_word"):
        yield setting | {name: "viola"}
    turned = {"civilian_word": setting["undercover_word"], "undercover_word": setting["civilian_word"]}
    for one, other in itertools.combinations(range(1, options.seats + 1), 2):
        exchange = {one: other, other: one}
        swapped = setting | {
            role: [exchange.get(seat, seat) for seat in setting[role]] for role in ("undercovers", "blanks")
        }
        yield swapped
        yield swapped | turned


SAMPLE = Sample(setting, neighbours, lambda options: frozenset({"out"} if options.reveal_out else ()))
