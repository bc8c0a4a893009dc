"""People against agents: at the same tables, and tables with a person against tables of agents only."""

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from evaluation import metrics
from evaluation.metrics import METRICS
from evaluation.metrics.base import bottom
from evaluation.metrics.measuring import Numbers, Share, Tally, needed, shares
from evaluation.records.record import Record
from evaluation.tables.conditions import short
from evaluation.tables.contrasts import Contrast, contrast
from evaluation.tables.papers import WHO_MOVED
from evaluation.tables.rows import Memo

METHOD_1 = ("wiu.survival", "wiu.comprehension", "wiu.self_judgement", "wiu.influence", "wiu.vote_success")
METHOD_2 = (*METHOD_1, "wiu.victory")
"""The columns of the paper's table 3, with survival in both."""

STUDY = "human_study"
"""The suite whose deals are chosen because a team lost them."""


ARMS = {1: ("person", "agent"), 2: ("with a person", "agents only")}
"""By method the two arms of its contrasts."""

COMMON = (
    "ours.wins",
    "magic.judgement",
    "magic.reasoning",
    "magic.deception",
    "magic.self_awareness",
    "magic.cooperation",
    "magic.coordination",
    "magic.rationality",
    *(f"magic.{ability}.avalon" for ability in ("judgement", "reasoning", "deception")),
    *WHO_MOVED,
)
"""What people and agents are compared in besides the paper's table: every ability of MAgIC."""


class Method1:
    """People against agents of the same team in the same matches (MPTT / WIU, section 5.3, table 3). Within a match the
    two change places, so each match is its own pair."""

    def __init__(self, columns: Sequence[str] = METHOD_1) -> None:
        self.columns = columns
        self._needs = needed(columns)
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._made: dict[tuple[str, str], Contrast | None] = {}

    def of(self, record: Record) -> list[tuple[str, list[Share]]] | None:
        """What a match gives to both arms of each team in which there are both; None if there is no such team."""
        found = shares(record, metrics.together(metrics.side, metrics.kind), self._needs)
        both = [(team, [found[team, arm] for arm in ARMS[1] if (team, arm) in found]) for team in _teams(found)]
        return [(team, arms) for team, arms in both if len(arms) == len(ARMS[1])] or None

    def merge(self, given: Iterable[tuple[str, Sequence[Share]]]) -> None:
        """Take in what a match gives."""
        for team, arms in given:
            for name in self.columns:
                needs = METRICS[name].needs
                row = tuple(tuple(share[need]) if need in share else None for share in arms for need in needs)
                if any(row):
                    self._made.pop((team, name), None)
                    self._tallies.setdefault((team, name), Tally()).add(row)

    def contrasts(self) -> list[Contrast]:
        """Team by team, in the order of the columns."""
        teams = sorted({team for team, _name in self._tallies})
        found = [self._contrast(team, name) for team in teams for name in self.columns]
        return [one for one in found if one]

    def _contrast(self, team: str, name: str) -> Contrast | None:
        key = team, name
        if key in self._tallies and key not in self._made:
            metric, needs = METRICS[name], METRICS[name].needs
            sums = self._tallies[key].sums([bottom(need).sums for need in needs] * 2)
            sides = sums[: len(needs)], sums[len(needs) :]
            one, other = (metric.made(dict(zip(needs, side, strict=True))) for side in sides)
            self._made[key] = contrast(team, name, one, other) if one.n or other.n else None
        return self._made.get(key)


class Method2:
    """Matches with a person against matches of agents only (section 5.3, table 3; of survival the text speaks and the
    table does not). Each team counts the matches alone in which a person sat in it. Where there are matches of agents
    dealt alike, with the same agents, these twins alone are counted beside them, in pairs. A human study is compared
    within itself: the matches that its deals were taken from were chosen because a team lost, so they are no measure of
    the agents. Where others moved for a seat, what became of it counts for its teammates alone."""

    def __init__(self, columns: Sequence[str] = METHOD_2) -> None:
        self.columns = columns
        self._apart, self._twins = Numbers(columns), Numbers(columns)
        self._people: dict[str, set[str]] = {}
        self._alone: set[str] = set()
        self._waiting: dict[str, list[tuple[str, str, str]]] = {}
        self._made = Memo()

    def of(self, record: Record) -> dict[str, Any] | None:
        """What a match gives; None if no agent plays in it."""
        if not any(player.kind == "agent" for player in record.seats):
            return None
        return {
            "deal": short(_dealt_alike(record)),
            "study": bool(_study(record)),
            "people": sorted(_teams_of_people(record)) if record.has_person else None,
            "shares": list(shares(record, metrics.side, self._apart.needs).items()),
        }

    def merge(self, given: Mapping[str, Any]) -> None:
        """Take in what a match gives. What it gives to a team waits, as text, until there are both a match of people in
        that team and one of agents that was dealt alike."""
        deal, people = given["deal"], given["people"]
        if people is None:
            self._alone.add(deal)
        else:
            self._people.setdefault(deal, set()).update(people)
        arm = ARMS[2][people is None]
        for team, share in given["shares"]:
            if people is None or team in people:
                if not given["study"]:
                    self._apart.take((team, arm), share)
                self._waiting.setdefault(deal, []).append((team, arm, json.dumps(share)))
        if deal in self._alone and deal in self._people:
            waiting, self._waiting[deal] = self._waiting.get(deal, ()), []
            for team, arm, share in waiting:
                if team in self._people[deal]:
                    self._twins.take((team, arm), json.loads(share), deal)
                else:
                    self._waiting[deal].append((team, arm, share))

    def contrasts(self) -> list[Contrast]:
        """Team by team, in the order of the columns."""
        numbers = self._twins if self._twins.groups else self._apart
        found = []
        for team in _teams(numbers.groups):
            keys = [(team, arm) for arm in ARMS[2]]
            if all(key in numbers.groups for key in keys):
                for name in self.columns:
                    values = tuple(numbers.value(key, name) for key in keys)
                    if any(value.n for value in values):
                        made = partial(contrast, team, name)
                        found.append(self._made.of((team, name), values, made))
        return found


def method_1(records: Iterable[Record], columns: Sequence[str] = METHOD_1) -> list[Contrast]:
    """People against agents in the same matches (`Method1`), in one pass over the records."""
    return _contrasts(Method1(columns), records)


def method_2(records: Iterable[Record], columns: Sequence[str] = METHOD_2) -> list[Contrast]:
    """Matches with a person against matches of agents only (`Method2`), in one pass over the records."""
    return _contrasts(Method2(columns), records)


Method = TypeVar("Method", Method1, Method2)


def _contrasts(found: Method, records: Iterable[Record]) -> list[Contrast]:
    for record in records:
        if given := found.of(record):
            found.merge(given)
    return found.contrasts()


def _teams(groups: Iterable[Hashable]) -> list[str]:
    """The teams of groups, (team, arm) each."""
    return sorted({str(group[0]) for group in groups if isinstance(group, tuple)})


def _teams_of_people(record: Record) -> set[str]:
    return {
        record.sides[seat] for seat in record.numbers if seat in record.sides and record.player(seat).kind == "person"
    }


def _dealt_alike(record: Record) -> Hashable:
    """The same for matches, of one study or of none, that were dealt alike to people and the same agents; in a study
    also for the sake of the same team."""
    study = _study(record)
    return (
        study,
        record.labels.get("team", "") if study else "",
        record.dealt_from,
        *sorted({player.agent for player in record.seats if player.agent}),
    )


def _study(record: Record) -> str:
    return record.labels.get("competition", "") if record.labels.get("suite") == STUDY else ""
