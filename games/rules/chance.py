"""Chance: every random draw of a match, from its seed.

A stream depends on the seed and on how many events of the rules came before it, on nothing else: polls, pauses and the
order in which workers answer cannot shift it. Each draw is named `<kind>.<field>`: the rules write what was drawn into
that field of the next event of that kind, so that the history alone replays a match (`Recorded`).
"""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from .values import Event, LogError

T = TypeVar("T")


class Chance:
    """Draws at one point of a match. The generator is made, and its stream named, only when something is drawn."""

    __slots__ = ("_generator", "_stream")

    def __init__(self, stream: Callable[[], str]):
        self._stream = stream
        self._generator: random.Random | None = None

    @property
    def _random(self) -> random.Random:
        if self._generator is None:
            self._generator = random.Random(self._stream())
        return self._generator

    def pick(self, name: str, options: Sequence[T]) -> T:
        """One of `options`, each as likely."""
        return self._random.choice(options)

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        """`items` in a random order."""
        shuffled = list(items)
        self._random.shuffle(shuffled)
        return shuffled

    def sample(self, name: str, items: Sequence[int], count: int) -> list[int]:
        """`count` different ones of `items`, in ascending order."""
        return sorted(self._random.sample(items, count))


class Recorded(Chance):
    """Draws taken from recorded events instead: what was drawn must have been possible, not what a seed would give."""

    __slots__ = ("_events",)

    def __init__(self, events: Iterable[Event]):
        super().__init__(str)
        self._events = list(events)

    def _recorded(self, name: str) -> Any:
        kind, field = name.split(".")
        for event in self._events:
            if event.kind == kind and field in event.data:
                return event.data[field]
        raise LogError(f"The log does not say what was drawn as '{name}'")

    def pick(self, name: str, options: Sequence[T]) -> T:
        value = self._recorded(name)
        if value not in options:
            raise LogError(f"'{name}' cannot have been {value!r}")
        return value

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        value = self._recorded(name)
        if not isinstance(value, list) or sorted(map(repr, value)) != sorted(map(repr, items)):
            raise LogError(f"'{name}' cannot have been {value!r}")
        return list(value)

    def sample(self, name: str, items: Sequence[int], count: int) -> list[int]:
        value = self._recorded(name)
        possible = isinstance(value, list) and len(value) == len({*map(repr, value)}) == count
        if not possible or any(item not in items for item in value) or value != sorted(value):
            raise LogError(f"'{name}' cannot have been {value!r}")
        return list(value)


def agent_random(seed: int, seat: int, earlier_requests: int) -> random.Random:
    """The generator of a house agent for one request: the same for any order of workers, with or without polls."""
    return random.Random(f"{seed}:seat {seat}:{earlier_requests}")
