"""How records are measured: what a match gives to groups of seats, numbers out of that, and the events behind them."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from evaluation.metrics.base import METRICS, Key, Metric, bottom
from evaluation.metrics.values import Item, Sums, Value
from evaluation.records.record import Record, kept
from games.registry import RULES


class Measured(NamedTuple):
    """What records amount to. values: by group, then by name. records: how many there were; left_out: how many of them
    were not played to an end, and so count in few metrics."""

    values: dict[Hashable, dict[str, Value]]
    records: int
    left_out: int


S = TypeVar("S", bound=Sums)

Share = dict[str, list[float]]
"""What a match gives to a group: by metric numerator, denominator and how many items."""

Row = tuple[tuple[float, ...] | None, ...]
"""The same for the metrics that a number needs, in order; None where nothing was counted."""


class Tally:
    """What a number is made of, match by match. Matches without a unit are units of their own, and those that gave the
    same are kept as one: it grows with what is different, and never faster than the matches."""

    __slots__ = ("_alike", "_apart")

    def __init__(self) -> None:
        self._alike: Counter[Row] = Counter()
        self._apart: dict[Hashable, list[Row]] = {}

    def add(self, row: Row, unit: Hashable = None) -> None:
        """Take in what a match gave."""
        if unit is None:
            self._alike[row] += 1
        else:
            self._apart.setdefault(unit, []).append(row)

    def sums(self, kinds: Iterable[type[S]]) -> list[S]:
        """The sums of each metric that the number needs. Units of two tallies are never the same, but by name."""
        rows: dict[Hashable, Row] = {(id(self), k): row for k, row in enumerate(self._alike)}
        times = dict(zip(rows, self._alike.values(), strict=True))
        found = []
        for k, kind in enumerate(kinds):
            there = {unit: given for unit, row in rows.items() if (given := row[k])}
            parts = {unit: (given[0], given[1]) for unit, given in there.items()}
            n = round(sum(given[2] * times[unit] for unit, given in there.items()))
            for unit, several in self._apart.items():
                if columns := list(zip(*(given for row in several if (given := row[k])), strict=True)):
                    parts[unit] = math.fsum(columns[0]), math.fsum(columns[1])
                    n += round(sum(columns[2]))
            found.append(kind(parts, n, times))
        return found


def shares(record: Record, by: Key, names: Iterable[str]) -> dict[Hashable, Share]:
    """What a match gives to each group in these counted metrics. A group is there even where nothing of it counts."""
    fitting = _fitting(record, names)
    found: dict[Hashable, Share] = {}
    once: set[tuple[Hashable, ...]] = set()
    for seat in record.numbers:
        group = by(record, seat)
        if group is None:
            continue
        share = found.setdefault(group, {})
        for name, item in _counted(record, fitting, seat):
            sums = share.setdefault(name, [0.0, 0.0, 0])
            if item.once is not None:
                if (group, name, item.once) in once:
                    continue
                once.add((group, name, item.once))
            sums[0] += item.value
            sums[1] += item.weight
            sums[2] += item.weight != 0
    return found


class Amount(NamedTuple):
    """What a seat of a match gives to a counted metric. once: what it is the count of, where a group that has several
    seats counts it once a match (`Item.once`)."""

    seat: int
    metric: str
    once: Hashable
    numerator: float
    denominator: float
    n: int


def amounts(record: Record, names: Iterable[str]) -> list[Amount]:
    """What each seat of a match gives to these counted metrics: of any group of seats they add up to its numbers."""
    fitting = _fitting(record, names)
    found: dict[tuple[int, str, Hashable], list[float]] = {}
    for seat in record.numbers:
        for name, item in _counted(record, fitting, seat):
            sums = found.get((seat, name, item.once))
            if sums is None:
                found[seat, name, item.once] = [item.value, item.weight, item.weight != 0]
            elif item.once is None:
                sums[0] += item.value
                sums[1] += item.weight
                sums[2] += item.weight != 0
    return [Amount(*where, sums[0], sums[1], round(sums[2])) for where, sums in found.items()]


def _fitting(record: Record, names: Iterable[str]) -> list[Metric]:
    return [metric for metric in (METRICS[name] for name in names) if _fits(metric, record)]


def _counted(record: Record, fitting: Iterable[Metric], seat: int) -> Iterator[tuple[str, Item]]:
    """What these metrics count at a seat, one by one."""
    for metric in fitting:
        if not metric.whole or record.counts(seat):
            for item in _items(record, metric.name, seat):
                yield metric.name, item


def needed(names: Iterable[str]) -> tuple[str, ...]:
    """The counted metrics that these are made of."""
    return tuple(dict.fromkeys(need for name in names for need in METRICS[name].needs))


@kept
def _items(record: Record, name: str, seat: int) -> list[Item]:
    return list(bottom(name).items(record, seat))


class Numbers:
    """These metrics of groups, out of what matches give to them. Every number is made once, until a match more gives
    something to it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.needs = needed(names)
        self._kinds = {name: bottom(name).sums for name in self.needs}
        made_of = {name: METRICS[name].needs for name in names}
        self._concerned = {need: {n: needs for n, needs in made_of.items() if need in needs} for need in self.needs}
        self._tallies: dict[Hashable, dict[str, Tally]] = {}
        self._made: dict[tuple[Hashable, str], Value] = {}

    def take(self, group: Hashable, share: Share, unit: Hashable = None) -> None:
        """Take in what a match gives to a group."""
        tallies = self._tallies.setdefault(group, {})
        given = {name: tuple(sums) for name, sums in share.items()}
        concerned: dict[str, tuple[str, ...]] = {}
        for name in given:
            concerned |= self._concerned.get(name, {})
        for name, needs in concerned.items():
            self._made.pop((group, name), None)
            tally = tallies.get(name) or tallies.setdefault(name, Tally())
            tally.add(tuple(map(given.get, needs)), unit)

    @property
    def groups(self) -> Collection[Hashable]:
        """All groups that somebody belonged to."""
        return self._tallies.keys()

    def value(self, group: Hashable, name: str) -> Value:
        """A number of a group; the same object until a match more gives something to it."""
        if (found := self._made.get((group, name))) is None:
            metric, tally = METRICS[name], self._tallies.get(group, {}).get(name)
            sums = tally.sums(self._kinds[need] for need in metric.needs) if tally else ()
            found = self._made[group, name] = metric.made(dict(zip(metric.needs, sums, strict=False)))
        return found


class Meter:
    """Measures records one by one. by, names, unit: see `measure`.

    What one match gives (`of`) is plain values, which JSON may hold; whoever keeps it can `merge` it again.
    """

    def __init__(
        self,
        by: Key,
        names: Iterable[str] | None = None,
        unit: Callable[[Record], Hashable] | None = None,
    ):
        self.by, self.unit = by, unit
        self.names = [m.name for m in METRICS.values() if not m.heavy] if names is None else list(names)
        self.numbers = Numbers(self.names)
        self.records = self.left_out = 0

    def of(self, record: Record) -> dict[str, Any]:
        """What a match gives."""
        given = list(shares(record, self.by, self.numbers.needs).items())
        return {"finished": record.finished, "shares": given} | ({"unit": self.unit(record)} if self.unit else {})

    def merge(self, given: Mapping[str, Any]) -> None:
        """Take in what a match gives."""
        self.records += 1
        self.left_out += not given["finished"]
        unit = hashable(given.get("unit"))
        for group, share in given["shares"]:
            self.numbers.take(hashable(group), share, unit)

    def add(self, record: Record) -> None:
        """Take in one match."""
        self.merge(self.of(record))

    def measured(self) -> Measured:
        """What the records amount to so far."""
        values = {
            group: {name: self.numbers.value(group, name) for name in self.names} for group in self.numbers.groups
        }
        return Measured(values, self.records, self.left_out)


def hashable(key: Any) -> Hashable:
    """A group or a unit as JSON gives it back; what can be none of them stays none of them."""
    if isinstance(key, list):
        return tuple(map(hashable, key))
    return repr(key) if isinstance(key, dict) else key


def measure(
    records: Iterable[Record],
    by: Key,
    names: Iterable[str] | None = None,
    *,
    unit: Callable[[Record], Hashable] | None = None,
) -> Measured:
    """Measure records in one pass.

    by: the group of each seat. names: which metrics; all but the heavy ones if None. unit: what is independent of the
    others, each match by default (`Record.case` for comparisons of the same settings).
    """
    meter = Meter(by, names, unit)
    for record in records:
        meter.add(record)
    return meter.measured()


def _fits(metric: Metric, record: Record) -> bool:
    """Whether a metric counts something in such a match."""
    return record.game in RULES and metric.games(record.rules) and (metric.unfinished or record.finished)


class Seen(NamedTuple):
    """One counted item with where it is to be seen."""

    record: Record
    seat: int
    metric: str
    item: Item


def seen(records: Iterable[Record], by: Key, group: Hashable, name: str) -> Iterator[Seen]:
    """Everything that a number of a group counts, in order: the events behind it. Of a combined metric, what its parts
    count."""
    for record in records:
        for metric in map(bottom, METRICS[name].needs):
            if not _fits(metric, record):
                continue
            once: set[Hashable] = set()
            for seat in record.numbers:
                if by(record, seat) != group or (metric.whole and not record.counts(seat)):
                    continue
                for item in metric.items(record, seat):
                    if item.once is not None:
                        if item.once in once:
                            continue
                        once.add(item.once)
                    yield Seen(record, seat, metric.name, item)
