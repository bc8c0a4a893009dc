"""How the test kit tries a game: a whole deal, and deals that differ from it in one hidden thing. A game says it in its
folder, as `SAMPLE` in `sample.py`."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from games.rules.core import Rules


def _nothing(options: Any) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True)
class Sample:
    """How to try a game.

    setting: a whole deal for these options. neighbours: settings that differ from it by one exchange. telling: the
    kinds of event that may tell a viewer what was hidden, besides the end.
    """

    setting: Callable[[Any, random.Random], dict[str, Any]]
    neighbours: Callable[[Any, dict[str, Any]], Iterable[dict[str, Any]]]
    telling: Callable[[Any], frozenset[str]] = _nothing


def sample_of(rules: Rules) -> Sample:
    """How to try this game."""
    return rules.part("sample").SAMPLE


def other_challengers(options: Any, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Another seat is put to the test: nobody at the table may notice."""
    for seat in range(1, options.seats + 1):
        if seat != setting["challenger"]:
            yield setting | {"challenger": seat}
