"""Writing an export: matches one by one into the files of its formats, and these into one zip file."""

from __future__ import annotations

import gc
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from evaluation.exports import card, half
from evaluation.exports.content import Content, Pseudonyms
from evaluation.exports.formats import FORMATS, File
from evaluation.exports.told import told

PIECE = 1 << 20

LARGE = 1_000_000_000
"""A file of so many bytes may take more when it is packed than the older form of zip files has room for."""

LEVEL = 4
"""Of compression: half the time of the usual one, and files larger by a fifth."""

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
    with tempfile.TemporaryDirectory() as place:
        if half.worth(len(keys)) and all(FORMATS[name].joined for name in formats):
            written = _in_halves(Path(place), keys, content, formats, key, excel, progress)
        else:
            written = fill(Path(place), keys, content, formats, key, excel, progress=progress)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
            for file in written.files:
                _pack(archive, file)
            for name, text in (*beside, *card.files(about, content, written)):
                archive.writestr(name, text)
    return written


def fill(
    folder: Path,
    keys: Sequence[UUID],
    content: Content,
    formats: Iterable[str],
    key: bytes,
    excel: bool,
    *,
    first: bool = True,
    progress: Progress = lambda done, of: None,
) -> Written:
    """Write these matches into files of a folder. first: whether these are the first of their files."""
    written = Written()
    with ExitStack() as stack, uncollected():
        writers = [FORMATS[name](folder, content, excel, first) for name in formats]
        for writer in writers:
            stack.callback(writer.close)
        for number, one in enumerate(told(keys, content, Pseudonyms(key))):
            progress(number, len(keys))
            for writer in writers:
                writer.take(one)
            written.matches.append(one.match.pk)
            written.games.add(one.match.game)
            written.running += one.match.status == "running"
    written.files = [file for writer in writers for file in writer.files()]
    return written


def _in_halves(
    folder: Path,
    keys: Sequence[UUID],
    content: Content,
    formats: Sequence[str],
    key: bytes,
    excel: bool,
    progress: Progress,
) -> Written:
    """The same by two processes, each with its part of every file."""
    middle = len(keys) // 2
    with half.begun(folder / "more", keys[middle:], content.chosen, formats, key, excel) as other:
        written = fill(
            folder, keys[:middle], content, formats, key, excel, progress=lambda done, of: progress(2 * done, len(keys))
        )
        more = other.result()
    written.matches += [UUID(match) for match in more["matches"]]
    written.games |= set(more["games"])
    written.running += more["running"]
    for file, rows in zip(written.files, more["rows"], strict=True):
        file.rows += rows
        file.more.append(folder / "more" / file.name)
    return written


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


def _pack(archive: zipfile.ZipFile, file: File) -> None:
    """Move a file into the zip file, and note its size and digest."""
    digest, paths = sha256(), [file.path, *file.more]
    file.bytes = sum(path.stat().st_size for path in paths)
    with archive.open(file.name, "w", force_zip64=file.bytes > LARGE) as target:
        for path in paths:
            with path.open("rb") as source:
                while piece := source.read(PIECE):
                    digest.update(piece)
                    target.write(piece)
            path.unlink()
    file.sha256 = digest.hexdigest()
