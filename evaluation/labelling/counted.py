"""Numbers from labels: how often a label holds, by who played and how it went; which categories go with which metrics.

Counted is what holds of things (`labels.finals`), never what single raters or models gave. A thing counts once, in its
match: intervals are over matches, as everywhere. What a thing is grouped by is read off its anchor: the seat that an
event or a thought is of, and the agent, method and model behind it; a whole match has no seat, and is in no group but
its game.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from evaluation.counting import stored
from evaluation.labelling import labels
from evaluation.labelling.labels import Held
from evaluation.metrics.base import METRICS, bottom
from evaluation.metrics.values import Ratio, Sums
from evaluation.tables import statistics
from evaluation.tables.board import BOARD
from evaluation.tables.comparison import Difference, compare
from evaluation.tables.published import TABLES
from evaluation.tables.published_labels import CATEGORIES, SCHEME, TABLE_IV, Category
from evaluation.tables.ratings import At
from evaluation.tables.statistics import Correlation
from games.match.view import moved, thoughts_of
from games.models import Match

WON, LOST = "won", "lost"
UNKNOWN = ""
"""The group of what cannot be told, such as the role of a whole match."""

MANY = 500
"""So many matches are looked up at once."""


class Thing(NamedTuple):
    """Something that labels hold of. seq: the event at which it is to be seen; by: what it is grouped by."""

    held: Held
    game: str
    seat: int | None
    seq: int | None
    by: Mapping[str, str]


BY = ("role", "side", "method", "model", "agent", "outcome", "game")
"""What shares can be told by. outcome: whether the seat won; agent: its profile, or "person"."""


def things(matches: QuerySet[Match], scheme: str, version: int | None = None) -> Iterator[Thing]:
    """What the labels of a scheme hold of in these matches, in the order of the matches."""
    held: dict[UUID, list[Held]] = defaultdict(list)
    for one in labels.finals(matches, scheme, version):
        held[one.match].append(one)
    keys = list(held)
    for first in range(0, len(keys), MANY):
        some = keys[first : first + MANY]
        found = Match.objects.filter(pk__in=some).prefetch_related("sitters").order_by("created_at", "pk")
        told = _Told(some, [one for key in some for one in held[key]])
        planned = {match.pk: match for match in found}
        for key, match in planned.items():
            yield from (told.thing(match, one) for one in held[key])


class _Told:
    """What events and thoughts say of the things that are labelled."""

    def __init__(self, keys: Collection[UUID], held: Iterable[Held]) -> None:
        anchors = [one.anchor for one in held]
        seqs = {anchor["event"] for anchor in anchors if "event" in anchor}
        requests = {anchor["request"] for anchor in anchors if "request" in anchor}
        self.events = {(one.match, one.seq): one for one in moved(keys, seqs, requests)}
        self.answers = {(one.match, one.request): one for one in self.events.values() if one.request}
        asked = requests | {one.request for one in self.events.values() if one.request}
        rows = thoughts_of(keys).filter(request__in=asked).order_by("pk")
        self.thoughts: dict[tuple[UUID, str], list[tuple[int, int, str, str]]] = defaultdict(list)
        for match, request, *thought in rows.values_list("match_id", "request", "n", "seat", "method", "model"):
            self.thoughts[match, request].append(tuple(thought))

    def thing(self, match: Match, held: Held) -> Thing:
        anchor, seq, seat = held.anchor, held.anchor.get("event"), held.anchor.get("seat")
        request = anchor.get("request")
        if seq is not None and (event := self.events.get((match.pk, seq))):
            seat, request = event.seat, event.request
        elif request is not None:
            answer = self.answers.get((match.pk, request))
            seq = answer.seq if answer else int(request.partition(":")[0])
        thoughts = self.thoughts.get((match.pk, request or ""), [])
        if "thought" in anchor:
            thoughts = [one for one in thoughts if one[0] == anchor["thought"]]
        if seat is None and thoughts:
            seat = thoughts[-1][1]
        return Thing(held, match.game, seat, seq, self._groups(match, seat, thoughts))

    @staticmethod
    def _groups(match: Match, seat: int | None, thoughts: Sequence[tuple[int, int, str, str]]) -> dict[str, str]:
        sitter = next((one for one in match.seated if one.seat == seat), None)
        found = dict.fromkeys(BY, UNKNOWN) | {"game": match.game}
        if sitter is not None:
            outcome = UNKNOWN if sitter.won is None else WON if sitter.won else LOST
            found |= {"role": sitter.role, "side": sitter.side, "outcome": outcome}
            found["agent"] = sitter.agent or sitter.kind
        if thoughts:
            found["method"] = thoughts[-1][2]
            found["model"] = next((model for *_, model in reversed(thoughts) if model), UNKNOWN)
        return found


def shares(found: Iterable[Thing], by: str, names: Sequence[str]) -> dict[str, dict[str, Ratio]]:
    """By group, then by label: the share of its things that have the label. A thing may have several."""
    counted: dict[str, dict[str, Ratio]] = {}
    for thing in found:
        cells = counted.setdefault(thing.by[by], {name: Ratio() for name in names})
        for name in names:
            cells[name].count(thing.held.match, float(name in thing.held.labels), 1)
    return dict(sorted(counted.items()))


# Table IV of SpyGame's paper ------------------------------------------------------------------------------------------


def steps(matches: QuerySet[Match], version: int | None = None) -> list[tuple[tuple[str, str], Thing]]:
    """The spy's reasoning steps that were labelled, each with its row of table IV: the citizens that it plays against
    ("weak", "strong", or "" in matches of no suite), and who plays it."""
    found = [thing for thing in things(matches, SCHEME, version) if _is_spys_step(thing)]
    planned = stored.planned_as({thing.held.match for thing in found})
    return [((planned[thing.held.match].get("citizens", ""), thing.by["agent"]), thing) for thing in found]


def _is_spys_step(thing: Thing) -> bool:
    return "thought" in thing.held.anchor and thing.by["side"] == "spy"


def table_iv(found: Iterable[tuple[Hashable, Thing]]) -> dict[Hashable, dict[str, Ratio]]:
    """By row, then by category, the share of the spy's steps that have it. n is the row's number of steps."""
    rows: dict[Hashable, dict[str, Ratio]] = {}
    for row, thing in found:
        cells = rows.setdefault(row, {category.name: Ratio() for category in CATEGORIES})
        for category in CATEGORIES:
            cells[category.name].count(thing.held.match, float(_has(thing, category)), 1)
    return rows


def _has(thing: Thing, category: Category) -> bool:
    return not set(category.labels).isdisjoint(thing.held.labels)


# Categories and metrics (section V-C) ---------------------------------------------------------------------------------


class Link(NamedTuple):
    """A category and a metric that the paper sets beside it. having, lacking: the metric in matches with a step that
    has the category, and in labelled matches without one; difference: of the two; rows: how both rise together over
    the rows of our table IV; printed: the same over the paper's own rows. A correlation is None with fewer than three
    rows."""

    category: Category
    metric: str
    having: Sums
    lacking: Sums
    difference: Difference | None
    rows: Correlation | None
    printed: Correlation | None


class Linking:
    """Counts what labelled matches give to the metrics that section V-C sets beside the categories: of matches with a
    labelled step of the spy alone, parted by whether one of them has the category."""

    def __init__(self, found: Sequence[tuple[tuple[str, str], Thing]]) -> None:
        self.rows = table_iv(found)
        self.row_of = {thing.held.match: row for row, thing in found}
        self.having = {
            category.name: {thing.held.match for _row, thing in found if _has(thing, category)}
            for category in CATEGORIES
        }
        self.parts: dict[tuple[str, str, bool], Sums] = {}
        self.by_row: dict[tuple[Hashable, str], Sums] = {}

    def of(self, record: Any) -> Any:
        """What a match gives to all tables."""
        return BOARD.of(record)

    def merge(self, given: Mapping[str, Any], at: At | None = None) -> None:
        """Take in what a match gives; it is known by `at`."""
        match = at[1] if at else None
        if not isinstance(match, UUID) or match not in self.row_of:
            return
        for name, told in given.get("tables", {}).items():
            if name in ("spygame.weak", "spygame.strong"):
                (sums, _conditions), *_totals = told
                for _group, share in sums["shares"]:
                    self._take(match, share)

    def _take(self, match: UUID, share: Mapping[str, Sequence[float]]) -> None:
        for category in CATEGORIES:
            for metric in category.metrics:
                if metric in share:
                    value, weight, _n = share[metric]
                    has = match in self.having[category.name]
                    self._sums(self.parts, (category.name, metric, has), metric).count(match, value, weight)
        for metric in {metric for category in CATEGORIES for metric in category.metrics} & share.keys():
            value, weight, _n = share[metric]
            self._sums(self.by_row, (self.row_of[match], metric), metric).count(match, value, weight)

    @staticmethod
    def _sums(found: dict[Any, Sums], key: Hashable, metric: str) -> Sums:
        return found.setdefault(key, bottom(metric).sums())

    def to_json(self) -> list[Link]:
        """The links, in the order of the paper."""
        return [self._link(category, metric) for category in CATEGORIES for metric in category.metrics]

    def _link(self, category: Category, metric: str) -> Link:
        empty = bottom(metric).sums
        having, lacking = (self.parts.get((category.name, metric, has)) or empty() for has in (True, False))
        both = [
            (share, value)
            for row, cells in self.rows.items()
            if (share := cells[category.name].value) is not None
            and (sums := self.by_row.get((row, metric))) is not None
            and (value := sums.value) is not None
        ]
        return Link(
            category, metric, having, lacking, compare(having, lacking), _together(both), printed(category, metric)
        )


def printed(category: Category, metric: str) -> Correlation | None:
    """How far a category's share and a metric rise together over the rows that the paper prints in tables II to IV."""
    place = CATEGORIES.index(category)
    both = []
    for (citizens, who), row in TABLE_IV.items():
        table = TABLES[f"spygame.{citizens}"]
        value = table.of(who).get(metric)
        if value is not None:
            both.append((row.shares[place], value))
    return _together(both)


def _together(both: Sequence[tuple[float, float]]) -> Correlation | None:
    ones, others = [one for one, _ in both], [other for _, other in both]
    return statistics.correlation(ones, others) if len(set(others)) > 1 else None


def titles(metric: str) -> str:
    """What a metric is called."""
    return METRICS[metric].title
