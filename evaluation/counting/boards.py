"""The tables, and what else is counted, as pages show it: counted once for each choice of matches and kept until a
match more is stored.

Few matches are counted at once, many by a worker of their own while the page waits and shows the last count.
Everything that is kept can be counted again from the logs and gives the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from django.core.cache import cache
from django.db.models import Q, QuerySet

from agents.models import AgentProfile
from evaluation import metrics
from evaluation.competitions import rehearsal, running
from evaluation.counting import stored, sums
from evaluation.desk.selection import planned
from evaluation.metrics import METRICS
from evaluation.records.record import Record
from evaluation.suites import Entry
from evaluation.tables import filling, papers
from evaluation.tables.board import DETECTION, Beside, Board, Counting, by_game, over_all
from evaluation.tables.calibration import Calibration
from evaluation.tables.gains import Pair
from games.jobs import jobs
from games.jobs.jobs import Run
from games.jobs.standing import Standing, standing
from games.models import Job, Match
from games.registry import RULES
from magic_site import clock

AT_ONCE = 100
"""So many matches are counted while the page is asked for; more by a worker."""

KEPT_FOR = 30 * 86400
VERSION = 11
"""Raised when what is kept changes its shape."""

Part = tuple[str, ...]
"""What is counted of a choice of matches: () for all tables of the papers; `CALIBRATION`; ("pair", table, one, other)
for two rows of a table, by their keys as JSON; ("cost", suite, entry, under) for what a plan will take."""

CALIBRATION: Part = ("calibration",)
COST: Part = ("cost",)

KIND = "count"
"""The kind of job that counts a part of a choice."""

FAILED_FOR = timedelta(minutes=1)
"""After so long what could not be counted is tried again when a page asks."""


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
            found = found.filter(planned(competition=UUID(self.competition)))
        if self.suite:
            found = found.filter(planned(suite=self.suite))
        if self.game:
            found = found.filter(game=self.game)
        if self.role:
            called = [self.role, *(s for rules in RULES.values() for s in rules.teams if rules.one_of(s) == self.role)]
            found = found.filter(Q(bout__labels__role__in=called) | Q(labels__role__in=called))
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

    def group(self, part: Part = ()) -> UUID:
        """The pages that wait for this count."""
        return uuid5(NAMESPACE_URL, self.key(part))

    def given(self) -> dict[str, str]:
        """What was chosen, for an address."""
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True)
class Counted:
    """What was counted. fresh: nothing has been stored since. data: as what counts it gives it (`Board`, `Calibration`,
    `Beside`); of a cost {"expected"}."""

    data: dict[str, Any]
    fresh: bool


class Work(NamedTuple):
    """What is counted of which matches. mark: what else it follows from; kept: whether it is asked for again, so that
    what is merged is kept."""

    matches: QuerySet[Match]
    reading: sums.Reading
    make: Callable[[], Counting]
    mark: str = ""
    kept: bool = True


def work(choice: Choice, part: Part = ()) -> Work:
    """What is counted of a choice."""
    matches, how = choice.matches(), {"lenient": choice.seats == "all", "apart": choice.models == "apart"}
    board = sums.Reading("board", **how)
    if not part:
        pairs = pairs_of_methods()
        mark = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:8]
        return Work(matches, board, partial(Board, pairs, choice.models == "apart"), mark)
    if part == CALIBRATION:
        hiding = [name for name, rules in RULES.items() if rules.sought]
        return Work(matches.filter(game__in=hiding), sums.Reading("calibration", **how), Calibration)
    _pair, table, one, other = part
    in_it = matches.filter(game__in=papers.SPECS[table].played_as)
    return Work(in_it, board, partial(Beside, table, json.loads(one), json.loads(other)), kept=False)


def state(choice: Choice, part: Part = ()) -> str:
    """Changes with every match that is stored, ends or becomes another one (`sums.drop`), with the pairs of agents that
    differ in their method alone, and with the code that counts."""
    if part[:1] == COST:
        return _state(sums.State(0, 0, 0))
    found = work(choice, part)
    return _state(sums.state(found.matches, found.reading), found.mark)


def _state(found: sums.State, mark: str = "") -> str:
    return ":".join(map(str, (*found, mark, sums.version(), VERSION)))


def board(choice: Choice, part: Part = ()) -> Counted | None:
    """What was counted of these matches; None while they are counted for the first time. Of one choice there is one
    count at a time, and the page that asks meanwhile shows the last one."""
    now, kept = state(choice, part), cache.get(choice.key(part))
    if kept and kept["state"] == now:
        return Counted(kept["data"], fresh=True)
    few = int(now.split(":")[0]) <= AT_ONCE and part[:1] not in LONG
    if not _failed_just_now(choice, part):
        given = {"choice": choice.given(), "part": list(part)}
        job = jobs.ask(KIND, choice.key(part), about=choice.group(part), send=not few, **given)
        if job is not None and few:
            jobs.work(job.pk)
            now, kept = state(choice, part), cache.get(choice.key(part))
    return Counted(kept["data"], fresh=kept["state"] == now) if kept else None


def waits(choice: Choice, part: Part = ()) -> Standing | None:
    """How the count of these matches stands; None where none is under way."""
    return standing(KIND, key=choice.key(part))


def _failed_just_now(choice: Choice, part: Part) -> bool:
    last = Job.objects.filter(kind=KIND, key=choice.key(part)).order_by("asked_at").last()
    ended = last.ended_at if last is not None and last.state == Job.State.FAILED else None
    return ended is not None and ended > clock.now() - FAILED_FOR


def count(run: Run, choice: dict[str, str], part: Sequence[str]) -> None:
    """Count a part of a choice of matches, and keep it."""
    _count(Choice(**choice), tuple(part), run.tell)


def _count(choice: Choice, part: Part, progress: sums.Progress | None) -> tuple[dict[str, Any], str]:
    """What is counted of the matches, and their state; not anew where that has not moved."""
    now, kept = state(choice, part), cache.get(choice.key(part))
    if kept and kept["state"] == now:
        return kept["data"], now
    data, then = counted(choice, part, progress)
    cache.set(choice.key(part), {"state": then, "data": data}, KEPT_FOR)
    return data, then


def counted(choice: Choice, part: Part = (), progress: sums.Progress | None = None) -> tuple[dict[str, Any], str]:
    """What is counted of the matches, out of what is kept of each (`sums`), and the state in which they were."""
    if part[:1] == COST:
        return _cost(*part[1:]), state(choice, part)
    found = work(choice, part)
    key = f"{choice.key(part)}:{found.mark}" if found.kept else ""
    data, then = sums.counted(found.matches, found.reading, found.make, key, progress)
    return data, _state(then, found.mark)


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


def _cost(suite: str, entry: str, under: str) -> dict[str, Any]:
    """What a plan will take, an entry as JSON: {"expected": [(challenger, estimate)]}. under: which profiles, prices
    and prompts there are (`rehearsal.conditions`); with others it is worked out anew."""
    planned, profiles = running.plan(suite, Entry.read(json.loads(entry)))
    return {"expected": [(who, one.to_json()) for who, one in rehearsal.estimate(planned, profiles).items()]}


LONG = (CALIBRATION, COST)
"""What a worker does however few the matches are: the exact posterior and rehearsals take their time."""


def behind(choice: Choice, table: str, key: Any, column: str) -> Iterator[metrics.Seen]:
    """What a number counts, event by event. table: one of the papers', or `DETECTION`, with a row for each game
    and "" for all of them."""
    records = choice.records(game__in=METRICS[column].played_as)
    if table == DETECTION:
        return metrics.seen(records, by_game if key else over_all, key, DETECTION)
    return filling.behind(records, table, key, column)
