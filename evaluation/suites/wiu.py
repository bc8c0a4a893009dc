"""The experiments on "Who is Undercover?": one profile in all five seats, topics from the parts of the word network.

Dong et al. 2024, section 5.1: three civilians and two undercovers; topics, roles and speaking order are drawn. Every
challenger is dealt the same ones, so that its results can be paired with another's.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .base import Entry, Planned, Setting, Suite, SuiteError, number_from

SEATS, UNDERCOVERS = 5, 2


class Wiu(Suite):
    name = "wiu"
    title = "Who is Undercover?"
    about = "One profile in all five seats; topics drawn from the parts of the word network, roles and order drawn."
    source = "MPTT / WIU, section 5.1"
    games = ("undercover",)
    page = "wiu"
    matches = 50

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        for number, (name, data) in enumerate(
            topics(settings("undercover"), entry.matches or self.matches, entry.seed)
        ):
            seed = number_from(entry.seed, "wiu", number, name)
            yield agents_only(challenger, name, data, seed)


def agents_only(profile: str, name: str, data: dict[str, Any], seed: int) -> Planned:
    """A match of this profile against itself on a topic."""
    undercovers = sorted(random.Random(f"{seed}:undercovers").sample(range(1, SEATS + 1), UNDERCOVERS))
    words = [data["civilian_word"], data["undercover_word"]]
    random.Random(f"{seed}:words").shuffle(words)
    setting = {"civilian_word": words[0], "undercover_word": words[1], "undercovers": undercovers}
    labels = {"challenger": profile, "setting": name, "part": data.get("part", "")}
    return Planned("undercover", "wiu", (profile,) * SEATS, seed, {"polls": "wiu"}, setting, labels)


def topics(found: Sequence[Setting], count: int, seed: int) -> list[Setting]:
    """So many pairs of words, drawn from each part of the network in turn."""
    parts: dict[str, list[Setting]] = {}
    for name, data in found:
        if "part" in data:
            parts.setdefault(data["part"], []).append((name, data))
    if not parts:
        raise SuiteError("There are no pairs of words with a part of the word network.")
    chance = random.Random(f"{seed}:topics")
    for pairs in parts.values():
        chance.shuffle(pairs)
    order = sorted(parts)
    return [parts[order[k % len(order)]][k // len(order) % len(parts[order[k % len(order)]])] for k in range(count)]
