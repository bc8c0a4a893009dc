"""Changing words wherever they stand in rows: what an erasure does to all that is kept of a match."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import QuerySet

Change = Callable[[str], str]

CODES = frozenset(("beliefs", "request", "method", "stage", "model", "by", "code", "instead"))
"""Under these names JSON values hold words of the program, which may be the same as somebody's."""


def change_words(rows: QuerySet, columns: Iterable[str], change: Change) -> None:
    """Change every text in these columns of rows, texts in JSON values too."""
    columns, changed = list(columns), list(rows)
    for row in changed:
        for column in columns:
            setattr(row, column, everywhere(getattr(row, column), change))
    rows.model._default_manager.bulk_update(changed, columns, batch_size=200)


def everywhere(value: Any, change: Change) -> Any:
    """A JSON value with every text in it changed, but for names of fields and what stands under `CODES`."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [everywhere(item, change) for item in value]
    if isinstance(value, dict):
        return {key: item if key in CODES else everywhere(item, change) for key, item in value.items()}
    return value
