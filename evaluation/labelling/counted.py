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

import numpy as np
from django.db.models import QuerySet

from evaluation.counting import stored, sums
from evaluation.counting.sums import Reading
from evaluation.labelling import labels
from evaluation.labelling.labels import Held
from evaluation.metrics.base import bottom
from evaluation.metrics.values import Ratio, Sums
from evaluation.tables import agreement, statistics
from evaluation.tables.agreement import Number
from evaluation.tables.board import BOARD
from evaluation.tables.comparison import Difference, compare
from evaluation.tables.published import TABLES
from evaluation.tables.published_labels import (
    AGAINST,
    CATEGORIES,
    EXPOSURE,
    GAME,
    PLANNED,
    SCHEME,
    TABLE_IV,
    USUAL,
    Category,
)
from evaluation.tables.ratings import At
from evaluation.tables.statistics import Correlation
from games.match.view import moved, thoughts_of
from games.models import Match
from games.registry import RULES

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
        for match in found:
            yield from (told.thing(match, one) for one in held[match.pk])


class _Thought(NamedTuple):
    n: int
    seat: int
    method: str
    model: str


class _Told:
    """What events and thoughts say of the things that are labelled."""

    def __init__(self, keys: Collection[UUID], held: Iterable[Held]) -> None:
        anchors = [one.anchor for one in held]
        seqs = {anchor["event"] for anchor in anchors if "event" in anchor}
        requests = {anchor["request"] for anchor in anchors if "request" in anchor}
        self.moves = {(one.match, one.seq): one for one in moved(keys, seqs, requests)}
        self.answers = {(one.match, one.request): one for one in self.moves.values() if one.request}
        asked = requests | {one.request for one in self.moves.values() if one.request}
        rows = thoughts_of(keys).filter(request__in=asked).order_by("pk")
        self.thought: dict[tuple[UUID, str], list[_Thought]] = defaultdict(list)
        for match, request, *thought in rows.values_list("match_id", "request", "n", "seat", "method", "model"):
            self.thought[match, request].append(_Thought._make(thought))

    def thing(self, match: Match, held: Held) -> Thing:
        anchor, seq, seat = held.anchor, held.anchor.get("event"), held.anchor.get("seat")
        request = anchor.get("request")
        if seq is not None and (event := self.moves.get((match.pk, seq))):
            seat, request = event.seat, event.request
        elif request is not None:
            answer = self.answers.get((match.pk, request))
            seq = answer.seq if answer else int(request.partition(":")[0])
        thoughts = self.thought.get((match.pk, request or ""), [])
        if "thought" in anchor:
            thoughts = [one for one in thoughts if one.n == anchor["thought"]]
        if seat is None and thoughts:
            seat = thoughts[-1].seat
        return Thing(held, match.game, seat, seq, self._groups(match, seat, thoughts))

    @staticmethod
    def _groups(match: Match, seat: int | None, thoughts: Sequence[_Thought]) -> dict[str, str]:
        sitter = next((one for one in match.seated if one.seat == seat), None)
        found = dict.fromkeys(BY, UNKNOWN) | {"game": match.game}
        if sitter is not None:
            outcome = UNKNOWN if sitter.won is None else WON if sitter.won else LOST
            found |= {"role": sitter.role, "side": sitter.side, "outcome": outcome}
            found["agent"] = sitter.agent or sitter.kind
        if thoughts:
            found["method"] = thoughts[-1].method
            found["model"] = next((one.model for one in reversed(thoughts) if one.model), UNKNOWN)
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


Step = tuple[tuple[str, str], Thing]
"""A labelled step of the spy and its row of table IV: the citizens that it plays against (`AGAINST`), and who plays."""


def steps(matches: QuerySet[Match], version: int | None = None) -> list[Step]:
    """The spy's reasoning steps that were labelled."""
    found = [thing for thing in things(matches, SCHEME, version) if "thought" in thing.held.anchor and _sought(thing)]
    planned = stored.planned({thing.held.match for thing in found})
    against = {match: told.get(PLANNED, USUAL) for match, told in planned.items()}
    return [((against.get(thing.held.match, USUAL), thing.by["agent"]), thing) for thing in found]


def table_iv(found: Iterable[Step]) -> dict[tuple[str, str], dict[str, Ratio]]:
    """By row, then by category, the share of the spy's steps that have it. n is the row's number of steps."""
    rows: dict[tuple[str, str], dict[str, Ratio]] = {}
    for row, thing in found:
        cells = rows.setdefault(row, {category.name: Ratio() for category in CATEGORIES})
        for category in CATEGORIES:
            cells[category.name].count(thing.held.match, float(_has(thing, category)), 1)
    return dict(sorted(rows.items()))


class Found(NamedTuple):
    """A category over all rows. share: of the labelled steps (of exposure, citizens' utterances) that have it; kappa:
    Fleiss', of what raters gave before anything was decided."""

    category: Category
    share: Ratio
    kappa: Number


def categories(matches: QuerySet[Match], found: Sequence[Step], version: int | None = None) -> list[Found]:
    """How often each category was found, and how far raters agreed on it."""
    heard = [thing for thing in things(matches, EXPOSURE.scheme) if "event" in thing.held.anchor and _told(thing)]
    of_steps = [thing for _row, thing in found]
    given = [(EXPOSURE, heard, None), *((category, of_steps, version) for category in CATEGORIES)]
    return [_found(matches, category, several, of) for category, several, of in given]


def _found(matches: QuerySet[Match], category: Category, found: Sequence[Thing], version: int | None) -> Found:
    share, items = Ratio(), {thing.held.item for thing in found}
    for thing in found:
        share.count(thing.held.match, float(_has(thing, category)), 1)
    cells: dict[int, list[int]] = defaultdict(list)
    for said in labels.given(matches, category.scheme, version):
        if said.item in items and not said.profile:
            cells[said.item].append(int(not set(category.labels).isdisjoint(said.labels)))
    most = max(map(len, cells.values()), default=0)
    codes = np.array([row + [agreement.MISSING] * (most - len(row)) for row in cells.values()], dtype=np.int64)
    return Found(category, share, agreement.fleiss_of(codes.reshape(len(cells), most), 2))


def _sought(thing: Thing) -> bool:
    rules = RULES.get(thing.game)
    return rules is not None and rules.family == GAME and thing.by["side"] == rules.sought


def _told(thing: Thing) -> bool:
    """Whether it is of one who was told the place."""
    rules = RULES.get(thing.game)
    return rules is not None and rules.family == GAME and thing.by["side"] not in (rules.sought, UNKNOWN)


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

    def __init__(self, found: Sequence[Step]) -> None:
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
            if name in AGAINST.values():
                (measured, _conditions), *_totals = told
                for _group, share in measured["shares"]:
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

    def to_json(self) -> list[Link]:  # no cache holds them: they are merged for one page
        """The links, in the order of the paper."""
        return [self._link(category, metric) for category in CATEGORIES for metric in category.metrics]

    def _link(self, category: Category, metric: str) -> Link:
        empty = bottom(metric).sums
        having, lacking = (self.parts.get((category.name, metric, has)) or empty() for has in (True, False))
        both = [
            (share, value)
            for row, cells in self.rows.items()
            if (share := cells[category.name].value) is not None
            and (told := self.by_row.get((row, metric))) is not None
            and (value := told.value) is not None
        ]
        return Link(
            category, metric, having, lacking, compare(having, lacking), _together(both), printed(category, metric)
        )


def printed(category: Category, metric: str) -> Correlation | None:
    """How far a category's share and a metric rise together over the rows that the paper prints in tables II to IV."""
    place = CATEGORIES.index(category)
    both = []
    for (against, who), row in TABLE_IV.items():
        value = TABLES[AGAINST[against]].of(who).get(metric)
        if value is not None:
            both.append((row.shares[place], value))
    return _together(both)


def _together(both: Sequence[tuple[float, float]]) -> Correlation | None:
    ones, others = [one for one, _ in both], [other for _, other in both]
    return statistics.correlation(ones, others) if len(set(others)) > 1 else None


def links(found: Sequence[Step]) -> list[Link]:
    """The links of these steps' categories to what their matches give to the metrics."""
    chosen = Match.objects.filter(pk__in={thing.held.match for _row, thing in found})
    return sums.counted(chosen, Reading("board"), lambda: Linking(found))[0]
