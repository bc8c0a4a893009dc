"""Files that hold logs: JSON Lines, plain or gzip, and zips of them. Read as a stream, whatever their size, and within
limits: nothing is written to a disk, and nothing is believed that a zip says of itself.
"""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from django.utils.translation import gettext as _

from games.rules.lines import LONGEST_LINE
from games.rules.logfile import Fault, Found, read_each
from games.rules.values import LogError

MOST_FILES = 200_000
LEAST_UNPACKED = 200_000_000
MOST_TIMES = 200
"""A file may unpack to so many bytes in any case, and to so many times its size: logs come to 40 times."""

LONGEST_NAME = 200
PLACE = "matches"
"""Where an export's zip has its logs; elsewhere a file is taken for one if it begins as one."""

BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
)
"""What reading a packed file raises that is not as it should be."""


class InFile(NamedTuple):
    """Something of a file in the zip, or of the whole file: a log, or what is wrong."""

    file: str
    found: Found | Fault


def logs_in(file: BinaryIO, name: str, size: int, aside: Callable[[str], None] = lambda name: None) -> Iterator[InFile]:
    """The logs of a file, and what is wrong with it, in order. aside: told of files in a zip that hold no logs."""
    begin = file.read(4)
    file.seek(0)
    allowed = _Allowed(max(LEAST_UNPACKED, MOST_TIMES * size))
    if begin[:2] == b"PK":
        yield from _in_zip(file, name, allowed, aside)
    elif begin[:2] == b"\x1f\x8b":
        yield from _in_lines(gzip.GzipFile(fileobj=file), name, allowed)
    else:
        yield from _in_lines(file, name, allowed)


class _Allowed:
    """How many bytes may still come out of a file."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, many: int) -> None:
        self.left -= many
        if self.left < 0:
            raise LogError(
                _("It unpacks to more than %(most)d MB, which no logs of its size do.") % {"most": self.most // 10**6}
            )


def _in_lines(file: Any, name: str, allowed: _Allowed) -> Iterator[InFile]:
    empty = True
    for found in _each(_Lines(file, allowed)):
        empty = False
        yield InFile(name, found)
    if empty:
        yield InFile(name, Fault(0, _("There is no match in this file.")))


class _Lines:
    """The lines of a file. number: the last one that was read. Raises `LogError` with a sentence."""

    def __init__(self, file: Any, allowed: _Allowed) -> None:
        self.file, self.allowed, self.number = file, allowed, 0

    def __iter__(self) -> Iterator[str]:
        while line := self._next():
            self.number += 1
            yield line

    def _next(self) -> str:
        try:
            line = self.file.readline(4 * LONGEST_LINE + 2)
        except BROKEN as error:
            raise LogError(
                _("It cannot be unpacked from here on: it is broken, or a part of it is missing.")
            ) from error
        self.allowed.take(len(line))
        if not self.number and line[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise LogError(_("This is a text in UTF-16. Save it as UTF-8."))
        try:
            return line.decode("utf-8" if self.number else "utf-8-sig") or ("\n" if line else "")
        except UnicodeDecodeError as error:
            raise LogError(_("This is not a text in UTF-8.")) from error


def _each(lines: _Lines, begin: Iterable[str] = ()) -> Iterator[Found | Fault]:
    """The logs of lines, after those that were read of them already; what keeps a line from being read ends them."""
    try:
        yield from read_each(chain(begin, lines))
    except LogError as error:
        yield Fault(lines.number + 1, str(error))


# Zips ---------------------------------------------------------------------------------------------------------------


def _in_zip(file: BinaryIO, name: str, allowed: _Allowed, aside: Callable[[str], None]) -> Iterator[InFile]:
    try:
        if _files_of(file) > MOST_FILES:
            sentence = _("This zip has more than %(most)d files. Put the matches of many into one.")
            yield InFile(name, Fault(0, sentence % {"most": MOST_FILES}))
            return
        packed = zipfile.ZipFile(file)
    except BROKEN:
        yield InFile(name, Fault(0, _("This zip cannot be opened: it is broken, or a part of it is missing.")))
        return
    empty = True
    with packed:
        for info in packed.infolist():
            for found in _of_zip(packed, info, allowed, aside):
                empty = False
                yield InFile(shown(info.filename), found)
    if empty:
        sentence = _("There is no log of a match in this zip. An export has them if it holds the JSON Lines.")
        yield InFile(name, Fault(0, sentence))


def _of_zip(
    packed: zipfile.ZipFile, info: zipfile.ZipInfo, allowed: _Allowed, aside: Callable[[str], None]
) -> Iterator[Found | Fault]:
    """What one file of a zip holds; nothing where it is none of logs."""
    if info.is_dir():
        return
    if not info.filename.lower().endswith((".jsonl", ".jsonl.gz")):
        aside(shown(info.filename))
        return
    if info.filename.startswith(("/", "\\")) or ".." in info.filename.replace("\\", "/").split("/"):
        yield Fault(0, _("Its name leads out of the zip."))
        return
    if info.flag_bits & 1:
        yield Fault(0, _("It is locked with a password. Make a zip without one."))
        return
    try:
        opened = packed.open(info)
    except BROKEN:
        yield Fault(0, _("It cannot be unpacked: it is broken, or packed in a way that is not known here."))
        return
    with opened:
        stream: Any = gzip.GzipFile(fileobj=opened) if info.filename.lower().endswith(".gz") else opened
        lines = _Lines(io.BufferedReader(stream, 1 << 16), allowed)
        yield from _if_logs(lines, info.filename, aside)


def _if_logs(lines: _Lines, name: str, aside: Callable[[str], None]) -> Iterator[Found | Fault]:
    if name.partition("/")[0].partition(".")[0] == PLACE:
        yield from _each(lines)
        return
    try:
        first = next(iter(lines), "")
    except LogError as error:
        yield Fault(1, str(error))
        return
    if '"match"' in first[:60]:
        yield from _each(lines, [first])
    else:
        aside(shown(name))


def _files_of(file: BinaryIO) -> int:
    """How many files a zip says that it has, read from its end alone: of a list of millions nothing is opened."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 22 - 20))
    tail = file.read()
    file.seek(0)
    end = tail.rfind(b"PK\5\6")
    if end < 0:
        raise zipfile.BadZipFile
    (count,) = struct.unpack_from("<H", tail, end + 10)
    locator = tail.rfind(b"PK\6\7", 0, end)
    if count < 0xFFFF or locator < 0:
        return count
    (place,) = struct.unpack_from("<Q", tail, locator + 8)
    file.seek(place + 32)
    (count,) = struct.unpack("<Q", file.read(8))
    file.seek(0)
    return count


def shown(name: str) -> str:
    """The name of a file as a sentence may hold it."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return plain if len(plain) <= LONGEST_NAME else f"{plain[:LONGEST_NAME]}…"
