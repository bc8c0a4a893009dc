"""What a format of exports is: it takes matches one by one and leaves files in a folder, so that memory does not grow
with them; `exports.writing` packs the files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext as _gettext

from evaluation.exports.collections import COLLECTIONS, Collection
from evaluation.exports.content import Content
from evaluation.exports.told import Told

BUFFER = 1 << 18


@dataclass
class File:
    """A file that a format has written. rows: how many records it has, of logs how many matches. bytes, sha256: known
    once it is packed. more: files that go on with it."""

    name: str
    path: Path
    media: str
    rows: int
    collection: Collection | None = None
    bytes: int = 0
    sha256: str = ""
    more: list[Path] = field(default_factory=list)


class Format:
    """A way to write matches. title: for people. needs: a package that it takes, and that may not be there. joined:
    whether files of two parts make one, end to end; the `first` has what stands at the beginning."""

    name = ""
    title: Any = ""
    needs = ""
    joined = False

    def __init__(self, folder: Path, content: Content, excel: bool = False, first: bool = True) -> None:
        self.folder, self.content, self.excel, self.first = folder, content, excel, first
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
