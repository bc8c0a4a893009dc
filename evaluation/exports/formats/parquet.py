"""Flat files as Parquet, by pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from evaluation.exports.collections import Collection
from evaluation.exports.declared import JSON, MOMENT, NUMBER, TEXT, WHOLE, YES_NO, Row
from evaluation.exports.formats.base import File, Format
from evaluation.exports.told import Told

MOST_ROWS, MOST_CHARACTERS = 20_000, 8_000_000
"""So much is in memory before it is written."""


class Parquet(Format):
    """Flat files with types, one a collection."""

    name, title, needs = "parquet", _("Parquet: flat files with types, one a collection"), "pyarrow"

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.written = [Rows(self, one) for one in self.collections]

    def take(self, told: Told) -> None:
        for one in self.written:
            one.take(told)

    def files(self) -> Iterator[File]:
        for one in self.written:
            yield File(one.file, "application/vnd.apache.parquet", one.count, one.collection)

    def close(self) -> None:
        for one in self.written:
            one.close()


class Rows:
    """The rows of a collection on their way into a file."""

    def __init__(self, within: Parquet, collection: Collection) -> None:
        import pyarrow
        from pyarrow import parquet

        types = {
            TEXT: pyarrow.string(),
            JSON: pyarrow.string(),
            WHOLE: pyarrow.int64(),
            NUMBER: pyarrow.float64(),
            YES_NO: pyarrow.bool_(),
            MOMENT: pyarrow.timestamp("us", tz="UTC"),
        }
        self.collection, self.file = collection, f"parquet/{collection.name}.parquet"
        self.schema = pyarrow.schema([(column.name, types[column.type]) for column in collection.columns])
        self.moments = [place for place, column in enumerate(collection.columns) if column.type == MOMENT]
        path = within.place.folder / self.file
        path.parent.mkdir(parents=True, exist_ok=True)
        self.writer = parquet.ParquetWriter(path, self.schema)
        self.batch = pyarrow.record_batch
        self.rows: list[Row] = []
        self.count = self.characters = 0

    def take(self, told: Told) -> None:
        """Add the rows of a match."""
        for row in self.collection.told(told):
            for place in self.moments:
                row[place] = row[place] and datetime.fromisoformat(row[place])
            self.rows.append(row)
            self.characters += sum(len(value) for value in row if isinstance(value, str))
            self.count += 1
        if len(self.rows) >= MOST_ROWS or self.characters >= MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Write what is in memory."""
        if self.rows:
            columns = [list(column) for column in zip(*self.rows, strict=True)]
            self.writer.write_batch(self.batch(columns, schema=self.schema))
        self.rows, self.characters = [], 0

    def close(self) -> None:
        """Write what is left, and the end of the file."""
        if self.writer.is_open:
            self.flush()
            self.writer.close()
