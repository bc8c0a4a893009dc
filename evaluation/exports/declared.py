"""How the flat files of exports are declared: a collection is a file in each format, a column is said once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from evaluation.exports.content import Content
from evaluation.exports.told import Told
from games.rules.logfile import as_json as as_json

TEXT, WHOLE, NUMBER, YES_NO, MOMENT, JSON = "text", "whole number", "number", "yes or no", "moment", "json"
"""What a column may hold. A moment is in UTC, by ISO 8601; yes or no is `true` or `false`; json is a JSON value as a
text. Every type has an empty value too: nothing is known, or there is nothing to be known."""


class Column(NamedTuple):
    """A column: its name, what it holds (one of the types), what it means, and where the value comes from. part: it is
    empty in an export without that (`content.PARTS`)."""

    name: str
    type: str
    about: str
    source: str
    part: str = ""


Row = list[Any]

MATCH = Column("match", TEXT, "The id of the match, by which all files are merged.", "log: `match`")
SEAT = Column("seat", WHOLE, "The seat, from 1.", "log")
REQUEST = Column("request", TEXT, "The request that it is about; with the match it names a move.", "log")

Rows = Callable[[Told], Iterable[Row]]


@dataclass(frozen=True)
class Collection:
    """Rows of one sort. about: what a row is. part: what an export must hold to have it (`content.PARTS`), or "".
    key: the columns that together name a row, if any do."""

    name: str
    about: str
    part: str
    columns: tuple[Column, ...]
    rows: Rows
    key: tuple[str, ...] = ()

    def within(self, content: Content) -> bool:
        """Whether an export with this content has it."""
        return content.has(self.part)

    def told(self, told: Told) -> Iterator[Row]:
        """The rows of a match, without what the export does not hold."""
        hidden = [place for place, column in enumerate(self.columns) if not told.content.has(column.part)]
        for row in self.rows(told):
            for place in hidden:
                row[place] = None
            yield row


COLLECTIONS: dict[str, Collection] = {}
"""All of them by name, in the order of the files."""


def collection(name: str, about: str, *columns: Column, part: str = "", key: str = "") -> Callable[[Rows], Rows]:
    """What declares a collection whose rows are given by a function, a match at a time."""

    def declared(rows: Rows) -> Rows:
        COLLECTIONS[name] = Collection(name, about, part, columns, rows, tuple(key.split()))
        return rows

    return declared
