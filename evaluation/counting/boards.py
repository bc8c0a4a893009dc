"""The tables, and what else is counted, as pages show it: counted once for each choice of matches and kept until a
match more is stored.

Few matches are counted at once, many by a worker of their own while the page waits and shows the last count.
Everything that is kept can be counted again from the logs and gives the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet

from agents.models import AgentProfile
from evaluation import metrics
from evaluation.competitions import rehearsal, running
from evaluation.counting import stored
from evaluation.counting.flight import Flight
from evaluation.metrics import METRICS
from evaluation.metrics.base import Meter
from evaluation.records.record import Record
from evaluation.suites import Entry
from evaluation.tables import papers, people
from evaluation.tables.calibration import calibrated
from evaluation.tables.conditions import Called
from evaluation.tables.contrasts import Contrast, between
from evaluation.tables.gains import Pair, gains
from evaluation.tables.ratings import Ratings
from evaluation.tables.rows import Cell
from evaluation.web import live
from games.avalon import posterior
from games.models import Detection, Match, Notebook
from games.registry import RULES

AT_ONCE = 100
"""So many matches are counted while the page is asked for; more by a worker."""

KEPT_FOR = 30 * 86400
VERSION = 9
"""Raised when what is kept changes its shape."""

DETECTION = "ours.detection"

Part = tuple[str, ...]
"""What is counted of a choice of matches: () for all tables of the papers, else a name of `PARTS` and what it is
told."""

CALIBRATION: Part = ("calibration",)

# The tasks module puts the way to the workers here: a choice as plain values, and the part.
dispatch: Callable[..., None] | None = None


@dataclass(frozen=True)
class Choice:
    """Which matches are counted: those of a competition, a suite, a game, with the challenger in a role, from and to a
    day; all where empty. seats: "all" counts also what became of seats that others moved for. models: "apart" tells an
    agent apart by the names that the API gave its model."""

    competition: str = ""
    suite: str = ""
    game: str = ""
    role: str = ""
    since: str = ""
    until: str = ""
    seats: str = ""
    models: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Choice:
        """The choice in an address; what makes no sense in it is left out."""
        found = {
            name: str(given.get(name, "")).replace("\0", "")[:60]
            for name in ("competition", "suite", "game", "role", "since", "until", "seats", "models")
        }
        for name, chosen in (("seats", "all"), ("models", "apart")):
            if found[name] != chosen:
                found[name] = ""
        try:
            UUID(found["competition"])
        except ValueError:
            found["competition"] = ""
        for name in ("since", "until"):
            try:
                date.fromisoformat(found[name])
            except ValueError:
                found[name] = ""
        return cls(**found)

    def matches(self) -> QuerySet[Match]:
        """The matches, those that are over; not forks, whose beginnings count already."""
        found = Match.objects.originals().exclude(status="running")
        if self.competition:
            found = found.filter(_in(competition=self.competition))
        if self.suite:
            found = found.filter(_in(competition__suite=self.suite))
        if self.game:
            found = found.filter(game=self.game)
        if self.role:
            found = found.filter(Q(bout__labels__role=self.role) | Q(labels__role=self.role))
        if self.since:
            found = found.filter(created_at__date__gte=self.since)
        if self.until:
            found = found.filter(created_at__date__lte=self.until)
        return found

    def records(self, **only: Any) -> Iterator[Record]:
        """The records of these matches, or of some of them."""
        return stored.records(self.matches().filter(**only), lenient=self.seats == "all", apart=self.models == "apart")

    @property
    def imported(self) -> int:
        """How many of the matches were not played here."""
        return self.matches().filter(origin=Match.Origin.IMPORT).count()

    def key(self, part: Part = ()) -> str:
        """Under which name a count of these matches is kept."""
        told = json.dumps([asdict(self), *part], sort_keys=True)
        return f"board:{hashlib.sha256(told.encode()).hexdigest()[:24]}"

    def flight(self, part: Part = ()) -> Flight:
        """The count of these matches, of which there is one at a time."""
        return Flight(self.key(part))

    def group(self, part: Part = ()) -> UUID:
        """The pages that wait for this count."""
        return uuid5(NAMESPACE_URL, self.key(part))

    def given(self) -> dict[str, str]:
        """What was chosen, for an address."""
        return {name: value for name, value in asdict(self).items() if value}


def _in(**of_the_bout: str) -> Q:
    """Matches that a competition planned, here or where they were imported from, and those at its tables with a
    person."""
    planned = Q(**{f"bout__{name}": value for name, value in of_the_bout.items()})
    brought = Q(**{f"labels__{name.removeprefix('competition__')}": value for name, value in of_the_bout.items()})
    return planned | brought | Q(**{f"room__study_table__bout__{name}": value for name, value in of_the_bout.items()})


@dataclass(frozen=True)
class Board:
    """What was counted. fresh: nothing has been stored since. data: of the tables {"tables": {name: table}, "gains",
    "averages", "contrasts", "ratings", "unrated", "mixed", "detection"}, of others as `PARTS` says."""

    data: dict[str, Any]
    fresh: bool


def state(choice: Choice, part: Part = ()) -> str:
    """Changes with every match that is stored or ends, with every guess at who was an agent (of calibration: with marks
    that are given), with the pairs of agents that differ in their method alone, and with the posterior."""
    matches = choice.matches()
    found = matches.aggregate(n=Count("pk"), last=Max("ended_at"))
    last = found["last"].timestamp() if found["last"] else 0
    said = (Notebook if part == CALIBRATION else Detection).objects.filter(match__in=matches).count()
    pairs = hashlib.sha256(json.dumps(pairs_of_methods()).encode()).hexdigest()[:8]
    return f"{VERSION}.{posterior.VERSION}:{found['n']}:{last}:{said}:{pairs}"


def board(choice: Choice, part: Part = ()) -> Board | None:
    """What was counted of these matches; None while they are counted for the first time. Of one choice there is one
    count at a time, and the page that asks meanwhile shows the last one."""
    now, kept = state(choice, part), cache.get(choice.key(part))
    if kept and kept["state"] == now:
        return Board(kept["data"], fresh=True)
    if choice.flight(part).take():
        few = int(now.split(":")[1]) <= AT_ONCE and part[:1] not in LONG
        if few or dispatch is None:
            return Board(count(choice, part), fresh=True)
        dispatch(asdict(choice), *part)
    return Board(kept["data"], fresh=False) if kept else None


def count(choice: Choice, part: Part = ()) -> dict[str, Any]:
    """Count what was taken on and keep it; once more where it was asked for meanwhile and has moved on. Then tell the
    pages that wait."""
    flight = choice.flight(part)
    try:
        flight.hold()
        data, then = _count(choice, part)
        if flight.wanted() and state(choice, part) != then:
            data, then = _count(choice, part)
    finally:
        flight.end()
        live.tell(choice.group(part))
    return data


def _count(choice: Choice, part: Part) -> tuple[dict[str, Any], str]:
    """What is counted of the matches, and their state; not anew where that has not moved."""
    now, kept = state(choice, part), cache.get(choice.key(part))
    if kept and kept["state"] == now:
        return kept["data"], now
    data = PARTS[part[0]](choice, *part[1:]) if part else counted(choice.records)
    cache.set(choice.key(part), {"state": now, "data": data}, KEPT_FOR)
    return data, now


def counted(records: Callable[[], Iterator[Record]]) -> dict[str, Any]:
    """All tables of some records, as plain values."""
    pairs, ratings, called = pairs_of_methods(), Ratings(), Called()
    with_people = False

    def watched() -> Iterator[Record]:
        nonlocal with_people
        for record in records():
            with_people = with_people or record.has_person
            ratings.add(record)
            if not record.apart:
                called.add(record, record.numbers)
            yield record

    filled = papers.tables(watched())
    return {
        "tables": {name: table.to_json() for name, table in filled.items()},
        **_gains(records, pairs),
        "contrasts": _contrasts(records) if with_people else {},
        "ratings": [
            {"who": who, "game": game, "role": role, "sure": rating.sure, **asdict(rating)}
            for (who, game, role), rating in ratings.listed()
        ],
        "unrated": ratings.left_out,
        "mixed": called.mixed,
        "detection": _detection(records) if with_people else [],
    }


def pairs_of_methods() -> list[Pair]:
    """Profiles that differ in their way of thinking alone: the plain one, and the one with a method."""
    plain: dict[tuple, str] = {}
    profiles = list(AgentProfile.objects.exclude(provider="house").order_by("name"))
    for profile in profiles:
        if profile.method == "direct":
            plain.setdefault(_model(profile), profile.name)
    return [
        Pair(plain[_model(profile)], profile.name, _way(profile))
        for profile in profiles
        if profile.method != "direct" and _model(profile) in plain
    ]


def _model(profile: AgentProfile) -> tuple:
    return profile.provider, profile.base_url, profile.model, json.dumps(profile.settings, sort_keys=True)


def _way(profile: AgentProfile) -> str:
    """A way of thinking in words, the same for all models that think so."""
    switches = {name: value for name, value in profile.switches.items() if name != "games"}
    return ", ".join([profile.method, *(f"{name} {switches[name]}" for name in sorted(switches))])


def _gains(records: Callable[[], Iterator[Record]], pairs: list[Pair]) -> dict[str, list[dict[str, Any]]]:
    """What ways of thinking add: to each model, and on average."""
    each, averages = gains(records(), pairs) if pairs else ([], [])
    return {
        "gains": [asdict(gain) | {"difference": _difference(gain.difference)} for gain in each],
        "averages": [asdict(average) for average in averages],
    }


def _contrasts(records: Callable[[], Iterator[Record]]) -> dict[str, list[dict[str, Any]]]:
    found = {
        "1": people.method_1(records(), (*people.METHOD_1, *people.COMMON)),
        "2": people.method_2(records, (*people.METHOD_2, *people.COMMON)),
    }
    return {name: [_contrast(contrast) for contrast in contrasts] for name, contrasts in found.items()}


def _contrast(found: Contrast) -> dict[str, Any]:
    return asdict(found) | {"difference": _difference(found.difference)}


def _difference(found: Any) -> dict[str, Any] | None:
    return None if found is None else asdict(found) | {"value": found.value, "verdict": found.verdict}


def _over_all(record: Record, seat: int) -> str:
    return ""


def _by_game(record: Record, seat: int) -> str:
    return record.game


def _detection(records: Callable[[], Iterator[Record]]) -> list[dict[str, Any]]:
    """How well people saw who was an agent, by game and over all."""
    found = []
    for by in (_over_all, _by_game):
        meter = Meter(by, (DETECTION,))
        for record in records():
            meter.add(record)
        for group, values in meter.measured().values.items():
            value = values[DETECTION]
            if value.n:
                cell = Cell.of(value)
                found.append({"group": group, **asdict(cell)})
    return found


def _listened(records: Iterator[Record], called: Called) -> Iterator[Record]:
    """The records, with what APIs called their models noted."""
    for record in records:
        called.add(record, record.numbers)
        yield record


def _pair(choice: Choice, table: str, one: str, other: str) -> dict[str, Any]:
    """Two rows of a table (their keys as JSON) against one another: {"contrasts", "mixed"}, a contrast a column."""
    called = Called()
    records = _listened(choice.records(game__in=papers.SPECS[table].played_as), called)
    found = between(records, table, json.loads(one), json.loads(other))
    return {"contrasts": [_contrast(contrast) for contrast in found], "mixed": called.mixed}


def _calibration(choice: Choice) -> dict[str, Any]:
    """The calibration table: {"rows", "lines", "mixed"}."""
    called = Called()
    hiding = [name for name, rules in RULES.items() if rules.sought]
    rows, lines = calibrated(_listened(choice.records(game__in=hiding), called))
    return {
        "mixed": called.mixed,
        "rows": [asdict(row) for row in rows],
        "lines": [
            {"source": line.source, "kind": line.kind, "bins": [(b.believed, b.true.value, b.n) for b in line.bins]}
            for line in lines
        ],
    }


def _cost(choice: Choice, suite: str, entry: str, under: str) -> dict[str, Any]:
    """What a plan will take, an entry as JSON: {"expected": [(challenger, estimate)]}. under: which profiles, prices
    and prompts there are (`rehearsal.conditions`); with others it is worked out anew."""
    planned, profiles = running.plan(suite, Entry.read(json.loads(entry)))
    return {"expected": [(who, one.to_json()) for who, one in rehearsal.estimate(planned, profiles).items()]}


LONG = (CALIBRATION, ("cost",))
"""What a worker does however few the matches are: the exact posterior and rehearsals take their time."""

PARTS: dict[str, Callable[..., dict[str, Any]]] = {"pair": _pair, "calibration": _calibration, "cost": _cost}
"""What else is counted besides the tables, each when a page asks for it: from a choice of matches and some words."""


def behind(choice: Choice, table: str, key: Any, column: str) -> Iterator[metrics.Seen]:
    """What a number counts, event by event. table: one of the papers', or `DETECTION`, with a row for each game
    and "" for all of them."""
    records = choice.records(game__in=METRICS[column].played_as)
    if table == DETECTION:
        return metrics.seen(records, _by_game if key else _over_all, key, DETECTION)
    return papers.behind(records, table, key, column)
