"""The formats of an export. Each takes matches one by one and leaves files in a folder, so that memory does not grow
with them; `writing` packs the files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext as _gettext
from django.utils.translation import gettext_lazy as _

from evaluation.exports.collections import COLLECTIONS, Collection
from evaluation.exports.content import Content
from evaluation.exports.told import Told

RISKY = frozenset("=+-@\t\r'")
"""Texts that begin so get an apostrophe before them in CSV files: a sheet would take them for formulas. No other text
begins with one there, so that who reads such a file takes one apostrophe away, and has the text as it was."""

BUFFER = 1 << 18


@dataclass
class File:
    """A file that a format has written. rows: how many records it has, of logs how many matches; bytes, sha256: known
    once it is packed."""

    name: str
    path: Path
    media: str
    rows: int
    collection: Collection | None = None
    bytes: int = 0
    sha256: str = ""


class Format:
    """A way to write matches. title: for people; needs: a package that it takes, and that may not be there."""

    name = ""
    title: Any = ""
    needs = ""

    def __init__(self, folder: Path, content: Content, excel: bool = False) -> None:
        self.folder, self.content, self.excel = folder, content, excel
        self.stack = ExitStack()
        self.collections = [one for one in COLLECTIONS.values() if one.within(content)]
        self.rows = dict.fromkeys((one.name for one in self.collections), 0)

    @classmethod
    def missing(cls) -> str:
        """Why it cannot be written here, in a sentence; "" where it can."""
        if not cls.needs or find_spec(cls.needs):
            return ""
        sentence = _gettext("“%(format)s” takes the package %(package)s, which is not installed here.")
        return sentence % {"format": cls.title, "package": cls.needs}

    def open(self, name: str, encoding: str = "utf-8") -> IO[str]:
        """A text file of that name in the folder, to be written."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return self.stack.enter_context(path.open("w", BUFFER, encoding, newline=""))

    def take(self, told: Told) -> None:
        """Write a match."""
        raise NotImplementedError

    def files(self) -> Iterator[File]:
        """What was written, once all is."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the files."""
        self.stack.close()


class Lines(Format):
    """Logs as this site writes and reads them, one after another."""

    name, title = "jsonl", _("JSON Lines: whole logs, as this site takes them in again")
    FILE = "matches.jsonl"

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.file, self.matches = self.open(self.FILE), 0

    def take(self, told: Told) -> None:
        self.file.writelines(f"{line}\n" for line in told.lines())
        self.matches += 1

    def files(self) -> Iterator[File]:
        yield File(self.FILE, self.folder / self.FILE, "application/jsonl", self.matches)


class Csv(Format):
    """Flat files as text."""

    name, title = "csv", _("CSV: flat files, one a collection")

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.writers = {}
        for one in self.collections:
            file = self.open(f"csv/{one.name}.csv", encoding="utf-8-sig" if self.excel else "utf-8")
            self.writers[one.name] = csv.writer(file)
            self.writers[one.name].writerow([column.name for column in one.columns])

    def take(self, told: Told) -> None:
        for one in self.collections:
            rows = [list(map(cell, row)) for row in one.told(told)]
            self.writers[one.name].writerows(rows)
            self.rows[one.name] += len(rows)

    def files(self) -> Iterator[File]:
        for one in self.collections:
            name = f"csv/{one.name}.csv"
            yield File(name, self.folder / name, "text/csv", self.rows[one.name], one)


def cell(value: Any) -> Any:
    """A value as a cell of a CSV file."""
    if value.__class__ is str:
        return f"'{value}" if value[:1] in RISKY else value
    if value is True:
        return "true"
    return "false" if value is False else value


def value_of(text: str) -> str:
    """The text that a cell stands for: the other way round."""
    return text[1:] if text[:1] == "'" else text


FORMATS: dict[str, type[Format]] = {kind.name: kind for kind in (Lines, Csv)}
"""All formats by name."""

USUAL = ("jsonl", "csv")
"""The formats of an export that names none."""
