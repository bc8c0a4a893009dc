"""Flat files as text."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from evaluation.exports.formats.base import File, Format
from evaluation.exports.told import Told
from evaluation.tables.papers import safe_cell


class Csv(Format):
    """Flat files as text."""

    name, title, joined = "csv", _("CSV: flat files, one a collection"), True

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.writers = {}
        for one in self.collections:
            file = self.place.open(
                f"csv/{one.name}.csv", encoding="utf-8-sig" if self.excel and self.first else "utf-8"
            )
            self.writers[one.name] = csv.writer(file)
            if self.first:
                self.writers[one.name].writerow([column.name for column in one.columns])

    def take(self, told: Told) -> None:
        for one in self.collections:
            rows = [list(map(cell, row)) for row in one.told(told)]
            self.writers[one.name].writerows(rows)
            self.rows[one.name] += len(rows)

    def files(self) -> Iterator[File]:
        for one in self.collections:
            yield File(f"csv/{one.name}.csv", "text/csv", self.rows[one.name], one)


def cell(value: Any) -> Any:
    """A value as a cell of a CSV file."""
    if value.__class__ is str:
        return safe_cell(value)
    if value is True:
        return "true"
    return "false" if value is False else value


def value_of(text: str) -> str:
    """The text that a cell of text stands for: the other way round."""
    return text[1:] if text[:1] == "'" else text
