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

from evaluation.exports import card
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
    written = Written()
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        writers = [FORMATS[name](folder, content, excel) for name in dict.fromkeys(formats)]
        for writer in writers:
            stack.callback(writer.close)
        with uncollected():
            for number, one in enumerate(told(keys, content, Pseudonyms(key))):
                progress(number, len(keys))
                for writer in writers:
                    writer.take(one)
                written.matches.append(one.match.pk)
                written.games.add(one.match.game)
                written.running += one.match.status == "running"
        stack.close()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
            for writer in writers:
                for file in writer.files():
                    _pack(archive, file)
                    written.files.append(file)
            for name, text in (*beside, *card.files(about, content, written)):
                archive.writestr(name, text)
    return written


@contextmanager
def uncollected() -> Iterator[None]:
    """Meanwhile nobody looks for garbage in circles: it would look through all rows again and again, and there is none.
    A third of the time is saved."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _pack(archive: zipfile.ZipFile, file: File) -> None:
    """Move a file into the zip file, and note its size and digest."""
    digest, large = sha256(), file.path.stat().st_size > LARGE
    with file.path.open("rb") as source, archive.open(file.name, "w", force_zip64=large) as target:
        while piece := source.read(PIECE):
            digest.update(piece)
            target.write(piece)
    file.bytes, file.sha256 = file.path.stat().st_size, digest.hexdigest()
    file.path.unlink()
