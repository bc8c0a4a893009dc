"""Writing an export: matches one by one into the files of its formats, and these into one zip file."""

from __future__ import annotations

import gc
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from evaluation.exports import card, second
from evaluation.exports.content import Content, Pseudonyms
from evaluation.exports.formats import FORMATS, File
from evaluation.exports.packing import Place
from evaluation.exports.told import chunks, told

HERE = 2
"""Of so many chunks one is written by the process that packs them all, and the others by the second one."""

Progress = Callable[[int, int], None]
"""Is told how many matches are written, of how many."""


@dataclass
class Written:
    """What an export came to hold. files: with their sizes and digests; running: how many of its matches still run;
    games: by name."""

    matches: list[UUID] = field(default_factory=list)
    games: set[str] = field(default_factory=set)
    running: int = 0
    files: list[File] = field(default_factory=list)

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each collection has."""
        return {file.collection.name: file.rows for file in self.files if file.collection is not None}

    def told(self) -> dict[str, Any]:
        """The same for another process; of the files how many rows each has, in order."""
        ids, rows = [key.hex for key in self.matches], [file.rows for file in self.files]
        return {"matches": ids, "games": sorted(self.games), "running": self.running, "rows": rows}

    def add(self, told: dict[str, Any]) -> None:
        """Count in what another process has `told`."""
        self.matches += map(UUID, told["matches"])
        self.games |= set(told["games"])
        self.running += told["running"]
        for file, rows in zip(self.files, told["rows"], strict=True):
            file.rows += rows


def write(
    keys: Sequence[UUID],
    content: Content,
    formats: Iterable[str],
    key: bytes,
    out: BinaryIO,
    *,
    about: card.About,
    excel: bool = False,
    beside: Iterable[tuple[str, str]] = (),
    progress: Progress = lambda done, of: None,
) -> Written:
    """Write these matches as a zip file. key: pseudonyms are made by it. beside: further files, by name what they hold.

    What is not there any more is left out. Raises `OSError` where there is no room.
    """
    formats = list(dict.fromkeys(formats))
    with tempfile.TemporaryDirectory() as folder, Place(Path(folder)) as place:
        written = _fill(place, keys, content, formats, key, excel, progress)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in written.files:
                packed = place.packed(file.name)
                packed.put(archive)
                file.bytes, file.sha256 = packed.size, packed.digest.hexdigest()
            for name, text in (*beside, *card.files(about, content, written)):
                archive.writestr(name, text)
    return written


def _fill(
    place: Place,
    keys: Sequence[UUID],
    content: Content,
    formats: Sequence[str],
    key: bytes,
    excel: bool,
    progress: Progress,
) -> Written:
    """Write these matches into files; some chunks of many by another process."""
    every, done = list(chunks(keys)), 0
    with ExitStack() as stack, Writers(place, content, formats, key, excel) as writers:
        other = None
        if second.worth(len(keys)) and all(FORMATS[name].joined for name in formats):
            theirs = [chunk for number, chunk in enumerate(every) if number % HERE]
            order = place.folder / "order.json"
            other = stack.enter_context(second.begun(order, theirs, content.chosen, formats, key))
        for number, chunk in enumerate(every):
            progress(done, len(keys))
            if other is not None and number % HERE:
                other.chunk(place)
            else:
                writers.take(chunk)
            done += len(chunk)
        more = other.result() if other is not None else None
    written = writers.written()
    if more is not None:
        written.add(more)
    return written


class Writers:
    """The writers of some formats. first: whether files begin here, or go on what another process has begun."""

    def __init__(
        self,
        place: Place,
        content: Content,
        formats: Iterable[str],
        key: bytes,
        excel: bool = False,
        *,
        first: bool = True,
    ) -> None:
        self.content, self.pseudonyms = content, Pseudonyms(key)
        self._written, self._stack = Written(), ExitStack()
        self._writers = [FORMATS[name](place, content, excel, first) for name in formats]
        self._stack.enter_context(uncollected())
        for writer in self._writers:
            self._stack.callback(writer.close)

    def __enter__(self) -> Writers:
        return self

    def __exit__(self, *why: object) -> None:
        self._stack.close()

    def take(self, keys: Sequence[UUID]) -> None:
        """Write these matches."""
        for one in told(keys, self.content, self.pseudonyms):
            for writer in self._writers:
                writer.take(one)
            self._written.matches.append(one.match.pk)
            self._written.games.add(one.match.game)
            self._written.running += one.match.status == "running"

    def written(self) -> Written:
        """What they came to, once all is written."""
        self._written.files = [file for writer in self._writers for file in writer.files()]
        return self._written


@contextmanager
def uncollected() -> Iterator[None]:
    """Meanwhile nobody looks for garbage in circles, and through all rows again and again: there is none but that of
    whole chunks of matches, which `told` lets go of. A third of the time is saved."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
