"""Flat files as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from evaluation.exports.formats.base import File, Format
from evaluation.exports.told import Told
from evaluation.tables.sheets import safe_cell


class Csv(Format):
    """Flat files as text."""

    name, title, joined = "csv", _("CSV: flat files, one a collection"), True

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        encoding = "utf-8-sig" if self.excel and self.first else "utf-8"
        self.texts = {one.name: self.place.open(f"csv/{one.name}.csv", encoding) for one in self.collections}
        if self.first:
            for one in self.collections:
                self.texts[one.name].write(line(column.name for column in one.columns))

    def take(self, told: Told) -> None:
        for one in self.collections:
            lines = [line(row) for row in one.told(told)]
            self.texts[one.name].writelines(lines)
            self.rows[one.name] += len(lines)

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


def line(row: Iterable[Any]) -> str:
    """A row of several cells as a line of a CSV file (RFC 4180): what the standard library's writer makes of it, which
    looks at every character of long texts one by one, for a fifth of the time of an export."""
    return ",".join([_CELLS.get(value.__class__, _written)(value) for value in row]) + "\r\n"


def _written(value: Any) -> str:
    text = str(value)
    if '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return f'"{text}"' if "," in text or "\n" in text or "\r" in text else text


_CELLS: dict[type, Callable[[Any], str]] = {
    str: lambda value: _written(safe_cell(value)),
    int: repr,
    bool: cell,
    type(None): lambda value: "",
}


def value_of(text: str) -> str:
    """The text that a cell of text stands for: the other way round."""
    return text[1:] if text[:1] == "'" else text
