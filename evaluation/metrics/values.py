"""What a metric amounts to: sums that add up over matches, and what is made of them.

A value keeps its numerator and denominator match by match: items of one match are not independent, so whoever asks how
sure a number is draws whole matches. "No data" is None, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from evaluation.tables import statistics

Interval = tuple[float, float]

RESAMPLES = 1000
SEED = 7


class Item(NamedTuple):
    """One thing that a metric counts.

    seq: the event in which it can be seen; 0 for one that stands in no single event. value goes to the numerator,
    weight to the denominator. once: what this is the count of; a group counts it once a match, whichever of its seats
    brings it (a game won by a team of three is one game). by: who says so, where people's labels
    count in a rule's place (`records.exposure.told_by`).
    """

    seq: int
    value: float
    weight: float = 1
    once: Hashable = None
    by: str = ""


class Value(Protocol):
    """What every kind of value answers."""

    @property
    def value(self) -> float | None: ...

    @property
    def n(self) -> int: ...

    @property
    def matches(self) -> int: ...

    def interval(self) -> Interval | None: ...


class Sums:
    """Numerator and denominator by match, or by whatever unit is independent of the others.

    n: how many items are in it; times: how many units are just like this one, where it stands for several. `+` adds up;
    a unit that is on both sides is one unit.
    """

    __slots__ = ("_parts", "_times", "n")

    def __init__(
        self,
        parts: Mapping[Hashable, tuple[float, float]] | None = None,
        n: int = 0,
        times: Mapping[Hashable, int] | None = None,
    ):
        self._parts: dict[Hashable, tuple[float, float]] = dict(parts or {})
        self._times: Mapping[Hashable, int] = times or {}
        self.n = n

    @classmethod
    def of(cls, numerator: float, denominator: float, unit: Hashable = "") -> Sums:
        """What a table prints: numerator and denominator, without the matches that they come from."""
        return cls({unit: (numerator, denominator)}, round(denominator))

    def count(self, unit: Hashable, value: float, weight: float) -> None:
        """Take in one item."""
        numerator, denominator = self._parts.get(unit, (0, 0))
        self._parts[unit] = (numerator + value, denominator + weight)
        self.n += weight != 0

    @property
    def parts(self) -> Mapping[Hashable, tuple[float, float]]:
        """(numerator, denominator) by unit."""
        return self._parts

    @property
    def numerator(self) -> float:
        return self._added(0)

    @property
    def denominator(self) -> float:
        return self._added(1)

    def _added(self, which: int) -> float:
        """The same in whatever order matches come."""
        return math.fsum(part[which] * self.alike(unit) for unit, part in self._parts.items())

    def alike(self, unit: Hashable) -> int:
        """How many units this one stands for."""
        return self._times.get(unit, 1)

    @property
    def matches(self) -> int:
        """From how many matches something was counted."""
        return sum(self.alike(unit) for unit, (_, denominator) in self._parts.items() if denominator > 0)

    @property
    def value(self) -> float | None:
        denominator = self.denominator
        return self.numerator / denominator if denominator else None

    def interval(self) -> Interval | None:
        """The middle 95% over resampled matches; None with few of them."""
        return statistics.bootstrap(self.arrays(), self.times(), resamples=RESAMPLES, seed=SEED)

    def arrays(self, units: Sequence[Hashable] | None = None) -> np.ndarray:
        """An array of (numerator, denominator) rows, in the order of `units` or as they were counted."""
        found = self._parts.values() if units is None else [self._parts.get(unit, (0, 0)) for unit in units]
        return np.array(list(found), dtype=float).reshape(-1, 2)

    def times(self, units: Sequence[Hashable] | None = None) -> np.ndarray:
        """How many units each row of `arrays` stands for."""
        return np.array([self.alike(unit) for unit in (self._parts if units is None else units)], dtype=np.int64)

    def __add__(self, other: Sums) -> Sums:
        total = type(self)(self._parts, self.n + other.n, {**self._times, **other._times})
        for unit, (numerator, denominator) in other.parts.items():
            own = total._parts.get(unit, (0, 0))
            total._parts[unit] = (own[0] + numerator, own[1] + denominator)
        return total

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.numerator:g}/{self.denominator:g})"


class Ratio(Sums):
    """So many of so many. Its interval is Wilson's, over matches where a match has several items."""

    __slots__ = ()

    def interval(self) -> Interval | None:
        return statistics.of_share(self.arrays(), self.times())


class Mean(Sums):
    """A mean over items; its interval is a bootstrap over matches."""

    __slots__ = ()


@dataclass(frozen=True)
class Composite:
    """A number made of several: of a composite only its parts add up over matches.

    combine: from the parts' values, in order, to the number, and from arrays of values to an array of numbers; nan is
    none. needed: which parts must have data (None: all); the value of one that is not needed and has none is None for
    `combine`.
    """

    parts: Mapping[str, Any]
    combine: Callable[[Sequence[Any]], Any]
    needed: frozenset[str] | None = None

    @property
    def value(self) -> float | None:
        return self._of([part.value for part in self.parts.values()])

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts.values())

    @property
    def matches(self) -> int:
        units = {unit: leaf.alike(unit) for leaf in self.leaves() for unit, (_, weight) in leaf.parts.items() if weight}
        return sum(units.values())

    @property
    def least(self) -> tuple[str, int] | None:
        """The part with data that comes from fewest matches, and from how many; None without data."""
        found = [(name, least_matches(part)) for name, part in self.parts.items() if part.value is not None]
        return min(found, key=lambda one: one[1], default=None)

    @property
    def missing(self) -> list[str]:
        """The parts that have no data."""
        return [name for name, part in self.parts.items() if part.value is None]

    def leaves(self) -> list[Sums]:
        """The sums at the bottom, in order."""
        return [
            leaf for part in self.parts.values() for leaf in (part.leaves() if isinstance(part, Composite) else [part])
        ]

    def interval(self) -> Interval | None:
        """The middle 95% of what resampled matches give; None where the number itself has no value, or some part comes
        from few matches."""
        if self.value is None or least_matches(self) < statistics.FEWEST:
            return None
        leaves = self.leaves()
        units = list(dict.fromkeys(unit for leaf in leaves for unit in leaf.parts))
        times = times_of(leaves, units)
        columns = [leaf.arrays(units) for leaf in leaves]
        drawn = statistics.resampled(columns, times, resamples=RESAMPLES, seed=SEED)
        return None if drawn is None else statistics.middle(self.recombined(drawn))

    def recombined(self, ratios: np.ndarray) -> np.ndarray:
        """The numbers for other values of the leaves, one row of them each; nan stands for no data."""
        return self._recombined(iter(ratios.T))

    def _recombined(self, columns: Iterator[np.ndarray]) -> np.ndarray:
        parts = self.parts.values()
        values = np.array([p._recombined(columns) if isinstance(p, Composite) else next(columns) for p in parts])
        known = ~np.isnan(values)
        found = np.full(values.shape[1], np.nan)
        for there in np.unique(known, axis=1).T:  # once for all rows that have data of the same parts
            if not self._lacks(there):
                rows = (there == known.T).all(axis=1)
                found[rows] = self.combine([v[rows] if has else None for v, has in zip(values, there, strict=True)])
        return found

    def _of(self, values: Sequence[float | None]) -> float | None:
        if self._lacks([value is not None for value in values]):
            return None
        found = float(self.combine(values))
        return None if math.isnan(found) else found

    def _lacks(self, there: Iterable[bool]) -> bool:
        """Whether a part that is needed has no data."""
        needed = self.parts.keys() if self.needed is None else self.needed
        return any(not has for name, has in zip(self.parts, there, strict=True) if name in needed)

    def __add__(self, other: Composite) -> Composite:
        return Composite(
            {name: part + other.parts[name] for name, part in self.parts.items()}, self.combine, self.needed
        )


def least_matches(value: Sums | Composite) -> int:
    """From how many matches a number comes; of one made of others the part that comes from fewest."""
    if isinstance(value, Composite):
        return value.least[1] if value.least else 0
    return value.matches


def times_of(leaves: Sequence[Sums], units: Sequence[Hashable]) -> np.ndarray:
    """How many units each of these stands for, whichever of the leaves knows it."""
    found: dict[Hashable, int] = {}
    for leaf in leaves:
        found.update(leaf._times)
    return np.array([found.get(unit, 1) for unit in units], dtype=np.int64)


@dataclass(frozen=True)
class Weighted:
    """The weighted sum of the parts; one without data adds nothing, so say which are needed."""

    weights: Sequence[float] = field(default_factory=tuple)

    def __call__(self, values: Sequence[float | None]) -> float:
        return sum(weight * value for weight, value in zip(self.weights, values, strict=True) if value is not None)
