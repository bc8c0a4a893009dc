"""What a metric is, the registry of all of them, and how seats are grouped (records are measured in `measuring`).

A metric says for one seat of one record which items it counts. Everything else follows from that: sums over any
grouping, intervals, and the list of events behind a number.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.metrics.values import Composite, Item, Ratio, Sums, Value
from evaluation.records.record import Record
from games.registry import RULES
from games.rules.core import Rules
from games.rules.sentences import declared

Items = Callable[[Record, int], Iterable[Item]]
Key = Callable[[Record, int], Hashable]
"""The group of a seat in a record; None leaves the seat out."""

Games = Callable[[Rules], bool]
"""In which games something can be counted."""


def family(*names: str) -> Games:
    """In these games of the papers, by whatever name they are registered."""
    return lambda rules: rules.family in names


def every_game(rules: Rules) -> bool:
    """In all of them."""
    return True


def hiding(rules: Rules) -> bool:
    """Where somebody is to be found out."""
    return bool(rules.sought)


@dataclass(frozen=True)
class Metric:
    """A number that the records give.

    about: what is counted, in a sentence. source: paper, equation or table. edition: which reading of the paper, where
    there are several. reading: the paper leaves the definition open, and this one is ours. unit: "share" for what pages
    show in percent, else what it is counted in, "" for plain numbers. lower: less is better. games: where it can be
    counted. unfinished: matches that were broken off count too. heavy: it takes so long that it is measured only when
    asked for. whole: it tells what became of a seat, and so leaves out seats that others moved for (`Record.counts`).
    beside: it tells how a match went and not how somebody played, and so counts whoever moved.
    """

    name: str
    title: str
    about: str
    source: str
    games: Games
    edition: str = ""
    unit: str = "share"
    reading: bool = False
    lower: bool = False
    unfinished: bool = False
    heavy: bool = False
    whole: bool = False
    beside: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "about"):
            object.__setattr__(self, name, declared(getattr(self, name)))

    @property
    def played_as(self) -> tuple[str, ...]:
        """The names of the games in which it can be counted."""
        return tuple(name for name, rules in RULES.items() if self.games(rules))

    @property
    def needs(self) -> tuple[str, ...]:
        """The counted metrics that it is made of."""
        raise NotImplementedError

    def made(self, found: Mapping[str, Sums]) -> Value:
        """The value, from the sums of what it needs."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Counted(Metric):
    """A metric that counts items. sums: `Ratio` for so many of so many, `Mean` for what is measured."""

    items: Items
    sums: type[Sums] = Ratio

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def made(self, found: Mapping[str, Sums]) -> Sums:
        return found.get(self.name) or self.sums()


@dataclass(frozen=True, kw_only=True)
class Combined(Metric):
    """A metric made of others. combine, needed: see `Composite`."""

    parts: tuple[str, ...]
    combine: Callable[[Sequence[Any]], Any]
    needed: frozenset[str] | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in self.parts for name in METRICS[part].needs))

    def made(self, found: Mapping[str, Sums]) -> Composite:
        return Composite({part: METRICS[part].made(found) for part in self.parts}, self.combine, self.needed)


OURS = "this project"
"""The source of a metric that no paper defines."""

METRICS: dict[str, Metric] = {}
"""All metrics by name; the name carries its paper's prefix."""


def register(metric: Metric) -> Metric:
    """Put a metric into the registry; raises ValueError if its name is taken."""
    if metric.name in METRICS:
        raise ValueError(f"There are two metrics called {metric.name}.")
    METRICS[metric.name] = metric
    return metric


def bottom(name: str) -> Counted:
    """A metric that counts, by its name. Raises `TypeError` for one that is made of others."""
    metric = METRICS[name]
    if not isinstance(metric, Counted):
        raise TypeError(f"{name} counts nothing itself.")
    return metric


def of_paper(paper: str, **usual: Any) -> Callable[..., Callable[[Items], Items]]:
    """What registers a function as what a metric of this paper counts; the first paragraph of its docstring says what
    that is, where `about` does not. where: the place in the paper; usual: what its metrics mostly are."""

    def counted(name: str, title: str, where: str = "", *, about: str = "", **more: Any) -> Callable[[Items], Items]:
        def taken(items: Items) -> Items:
            said = about or " ".join((items.__doc__ or "").split("\n\n")[0].split())
            source = f"{paper}, {where}" if where else paper
            facts: dict[str, Any] = {"source": source, "items": items} | usual | more
            register(Counted(name, title, said, **facts))
            return items

        return taken

    return counted


# How seats are grouped ----------------------------------------------------------------------------------------------


def agent(record: Record, seat: int) -> Hashable:
    """By who plays: the agent's profile, or "person"; where models are told apart, with what their APIs called them."""
    name = _plays(record, seat)
    called = record.called(seat) if record.apart else ()
    return f"{name} ({', '.join(called)})" if called else name


def _plays(record: Record, seat: int) -> str:
    player = record.player(seat)
    return player.agent or player.kind


def challenger(record: Record, seat: int) -> Hashable:
    """By the challenger of a competition, the seats only that it is tested at, also where the same profile defends; in
    matches that are no competition's, by who plays."""
    named = record.labels.get("challenger")
    own = agent(record, seat)
    if named is None:
        return own
    return own if named == _plays(record, seat) and _is_tested(record, seat) else None


def _is_tested(record: Record, seat: int) -> bool:
    fixed, part = record.labels.get("seat") or record.setting.get("challenger"), record.labels.get("role", "")
    if fixed is not None:
        return seat == int(fixed)
    part = record.rules.earlier_words.get(part, part)
    played = {*record.roles.values(), *record.sides.values()}
    return part not in played or part in (record.roles.get(seat), record.sides.get(seat))


def kind(record: Record, seat: int) -> Hashable:
    """People, or agents."""
    return record.player(seat).kind


def together(*keys: Key) -> Key:
    """By all of these at once; a seat that one of them leaves out is left out."""

    def key(record: Record, seat: int) -> Hashable:
        found = tuple(part(record, seat) for part in keys)
        return None if None in found else found

    return key


def side(record: Record, seat: int) -> Hashable:
    """By the side that a seat is on."""
    return record.sides.get(seat)


def role(record: Record, seat: int) -> Hashable:
    """By what a seat was dealt."""
    return record.roles.get(seat)
