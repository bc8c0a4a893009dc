"""How far the raters of a task agree: its labels as a matrix of items by raters, each item's agreement, and measures of
both. Files of an export hold `matrix` and `rows`; `evaluation.tables.agreement` says what each measure is.

Labels of models stand in it only where they are asked for: `with_final` says how far a model agrees with people.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from evaluation.labelling.models import Final, Given, Item, Round, Scheme, Task
from evaluation.tables import agreement
from evaluation.tables.agreement import Agreement, Cell, Matrix

PEOPLE = "people"
"""What people's final labels are called beside a model's."""

WHILE_OPEN = 200
"""Resamples for the intervals of a round that is still labelled, which are counted anew all the time."""


class Row(NamedTuple):
    """An item and how far its raters agree. given: by rater, a pseudonym, the labels; counts: by label how many raters
    gave it; share: of the pairs of raters that gave just the same labels, None with one rater; whole: several raters
    gave the same, and nobody anything else; final, how: what holds, None and "" before that is decided."""

    task: UUID
    round: int
    item: int
    match: UUID
    anchor: dict[str, Any]
    scheme: str
    version: int
    given: Mapping[str, Cell]
    counts: Mapping[str, int]
    share: float | None
    whole: bool
    final: list[str] | None
    how: str


def matrix(of: Task | Round, *, models: bool = False) -> Matrix:
    """Items by raters of a round; of a task, all its rounds by the version of its scheme that its newest round has.

    items: keys of `Item`; raters: pseudonyms, the same within a task. models: those of models too. What is given in a
    round that is still open is in it: it is for the task's owner alone until then.
    """
    return _matrix(scheme_of(of), _items(of), _given(of, models))


def rows(of: Task | Round, *, models: bool = False) -> Iterator[Row]:
    """Each item of `matrix` with its agreement."""
    scheme, items = scheme_of(of), list(_items(of).select_related("round", "final"))
    found = _matrix(scheme, items, _given(of, models))
    for item, cells, one in zip(items, found.cells, agreement.by_item(found), strict=True):
        given = {rater: cell for rater, cell in zip(found.raters, cells, strict=True) if cell is not None}
        final = getattr(item, "final", None)
        yield Row(
            item.round.task_id,
            item.round.number,
            item.pk,
            item.match_id,
            item.anchor,
            scheme.name,
            scheme.version,
            given,
            one.given,
            one.share,
            one.whole,
            final.labels if final else None,
            final.how if final else "",
        )


def measured(of: Task | Round, *, models: bool = False) -> list[Agreement]:
    """How far raters agree, on all labels together and on each."""
    return _measured(matrix(of, models=models), agreement.RESAMPLES if _closed(of) else WHILE_OPEN)


def with_final(of: Task | Round, profile: str) -> list[Agreement]:
    """How far a model agrees with what people's labels came to, on all labels together and on each."""
    scheme = scheme_of(of)
    decided = Final.objects.filter(item__in=_items(of)).exclude(how=Final.How.RULE)
    said = Given.objects.filter(item__in=_items(of), profile=profile)
    sides: tuple[tuple[str, QuerySet], ...] = ((PEOPLE, decided), (profile, said))
    given = [(item, who, labels) for who, rows in sides for item, labels in rows.values_list("item", "labels")]
    return _measured(_matrix(scheme, _items(of), given, (PEOPLE, profile)), agreement.RESAMPLES)


def overlaps(of: Task | Round) -> dict[str, float]:
    """By label how far the words are the same that people marked with it (`evaluation.tables.agreement.overlap`), on
    average over items in which several did; without those that nobody marked twice."""
    marked: dict[tuple[int, str], dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    found = Given.objects.filter(item__in=_items(of), profile="").exclude(spans=[])
    for item, rater, labels, spans in found.values_list("item", "pseudonym", "labels", "spans"):
        for label, span in zip(labels, spans, strict=True):
            if span:
                marked[item, label][rater].append((span[0], span[1]))
    shares: dict[str, list[float]] = defaultdict(list)
    for (_item, label), raters in marked.items():
        share = agreement.overlap(list(raters.values()))
        if share is not None:
            shares[label].append(share)
    return {label: sum(each) / len(each) for label, each in shares.items()}


def scheme_of(of: Task | Round) -> Scheme:
    """The version of the scheme whose labels are counted."""
    newest = of.last if isinstance(of, Task) else of
    return newest.scheme if newest else of.scheme


def _items(of: Task | Round) -> QuerySet[Item]:
    mine = {"round__task": of, "round__scheme": scheme_of(of)} if isinstance(of, Task) else {"round": of}
    return Item.objects.filter(**mine).order_by("round__number", "number", "pk")


def _given(of: Task | Round, models: bool) -> Iterable[tuple[int, str, list[str]]]:
    rows = Given.objects.filter(item__in=_items(of))
    return (rows if models else rows.filter(profile="")).values_list("item", "pseudonym", "labels")


def _matrix(
    scheme: Scheme, items: Iterable[Item], given: Iterable[tuple[int, str, list[str]]], raters: tuple[str, ...] = ()
) -> Matrix:
    place = {label: n for n, label in enumerate(scheme.names)}
    cells: dict[int, dict[str, Cell]] = {item.pk: {} for item in items}
    for item, rater, labels in given:
        cells[item][rater] = tuple(sorted(set(labels), key=lambda label: (place.get(label, len(place)), label)))
    raters = raters or tuple(sorted({rater for row in cells.values() for rater in row}))
    table = tuple(tuple(row.get(rater) for rater in raters) for row in cells.values())
    ordinal = scheme.kind == Scheme.Kind.ORDINAL
    return Matrix(tuple(cells), raters, tuple(scheme.names), table, ordinal)


def _closed(of: Task | Round) -> bool:
    newest = of.last if isinstance(of, Task) else of
    return newest is None or newest.closed


@lru_cache(maxsize=64)
def _measured(matrix: Matrix, resamples: int) -> list[Agreement]:
    return agreement.measured(matrix, resamples)
