"""Pages of long lists that cost the same anywhere in them: each begins beside a row, not after so many others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

OLDER, NEWER = "older", "newer"
BETWEEN = "~"


class Page(NamedTuple):
    """Rows, the newest first. newer, older: what an address has to hold for the page beside this one; empty where there
    is none."""

    rows: list[Any]
    newer: str
    older: str


class Count(NamedTuple):
    """How many rows there are, or that there are more than `n`."""

    n: int
    more: bool


def page(rows: QuerySet, size: int, at: str = "", by: str = "pk") -> Page:
    """So many rows from where `at`, out of an address, says; from the newest where it says nothing that makes sense.
    They are ordered by this column, which is never empty and has an index together with the key, and by their keys."""
    side, edge = _read(rows.model, at, by)
    if side == NEWER:
        found = list(_beside(rows, by, edge, "gt").order_by(by, "pk")[: size + 1])
        if len(found) > size:
            shown = found[size - 1 :: -1]
            return Page(shown, _address(NEWER, shown[0], by), _address(OLDER, shown[-1], by))
        side = ""  # nothing is newer than this page: it is the first one, and full
    narrowed = _beside(rows, by, edge, "lt") if side else rows
    found = list(narrowed.order_by(f"-{by}", "-pk")[: size + 1])
    shown = found[:size]
    newer = _address(NEWER, shown[0], by) if side and shown else ""
    return Page(shown, newer, _address(OLDER, shown[-1], by) if len(found) > size else "")


def names_page(rows: QuerySet, at: str, by: str = "pk") -> bool:
    """Whether `at` names a page of this list, or says nothing."""
    return not at or bool(_read(rows.model, at, by)[0])


def count(rows: QuerySet, most: int) -> Count:
    """How many there are, up to `most`, so that nobody counts a million."""
    n = rows.order_by()[: most + 1].count()
    return Count(min(n, most), n > most)


def values(rows: QuerySet, column: str, most: int = 50) -> list[Any]:
    """The values of a column with an index, in order: each is looked up after the one before."""
    found: list[Any] = []
    ordered = rows.order_by(column).values_list(column, flat=True)
    while len(found) < most:
        following = ordered.filter(**{f"{column}__gt": found[-1]}) if found else ordered
        if not (more := list(following[:1])):
            break
        found += more
    return found


def _beside(rows: QuerySet, by: str, edge: tuple[Any, Any], than: str) -> QuerySet:
    value, key = edge
    if by == "pk":
        return rows.filter(**{f"pk__{than}": key})
    # Put so that the first part alone is a range of the index.
    return rows.filter(**{f"{by}__{than}e": value}).filter(Q(**{f"{by}__{than}": value}) | Q(**{f"pk__{than}": key}))


def _address(side: str, row: Model, by: str) -> str:
    return BETWEEN.join((side, *(_column(row, name).value_to_string(row) for name in (by, "pk"))))


def _read(model: type[Model], at: str, by: str) -> tuple[str, tuple[Any, Any]]:
    side, *edge = at.split(BETWEEN)
    if side not in (OLDER, NEWER) or len(edge) != 2:
        return "", (None, None)
    try:
        value = _column(model, by).clean(edge[0], None)
        if isinstance(value, datetime):
            value = value.astimezone(UTC)  # as the database has it; not every moment has one
        return side, (value, _column(model, "pk").clean(edge[1], None))
    except (ValidationError, OverflowError, ValueError):
        return "", (None, None)


def _column(model: Model | type[Model], name: str) -> Any:
    return model._meta.pk if name == "pk" else model._meta.get_field(name)
