"""What a format of exports is: it takes matches one by one and leaves files, so that memory does not grow with them
(`exports.packing`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext as _gettext

from evaluation.exports.collections import COLLECTIONS, Collection
from evaluation.exports.content import Content
from evaluation.exports.packing import Place
from evaluation.exports.told import Told


@dataclass
class File:
    """A file that a format has written. rows: how many records it has, of logs how many matches. bytes, sha256: known
    once it is packed."""

    name: str
    media: str
    rows: int
    collection: Collection | None = None
    bytes: int = 0
    sha256: str = ""


class Format:
    """A way to write matches. title: for people. needs: a package that it takes, and that may not be there. joined:
    whether its files are texts that another writer can go on with; the `first` writes what stands at the beginning."""

    name = ""
    title: Any = ""
    needs = ""
    joined = False

    def __init__(self, place: Place, content: Content, excel: bool = False, first: bool = True) -> None:
        self.place, self.content, self.excel, self.first = place, content, excel, first
        self.collections = [one for one in COLLECTIONS.values() if one.within(content)]
        self.rows = dict.fromkeys((one.name for one in self.collections), 0)

    @classmethod
    def missing(cls) -> str:
        """Why it cannot be written here, in a sentence; "" where it can."""
        if not cls.needs or find_spec(cls.needs):
            return ""
        sentence = _gettext("“%(format)s” takes the package %(package)s, which is not installed here.")
        return sentence % {"format": cls.title, "package": cls.needs}

    def take(self, told: Told) -> None:
        """Write a match."""
        raise NotImplementedError

    def files(self) -> Iterator[File]:
        """What was written, once all is."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is left, once all matches are written."""
