"""Taking erased people out of files that were exported before: JSON Lines, and all files of an export's zip.

Everything else in the file stays byte for byte.
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.withdrawals.log_lines import find, lines, logs_in
from evaluation.withdrawals.withdrawals import Mark
from evaluation.withdrawals.withdrawn import Unreadable, Withdrawn
from evaluation.withdrawals.zips import scrub_zip


@dataclass
class Scrubbed:
    """What was taken out of a file. matches: of how many; words: how many texts of theirs."""

    matches: int = 0
    words: int = 0


def scrub(path: Path, marks: Iterable[Mark]) -> Scrubbed:
    """Scrub a file in its place: the new one takes it all at once. Raises `Unreadable`."""
    withdrawn, done = Withdrawn(list(marks)), Scrubbed()
    with path.open("rb") as file, tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as out:
        try:
            begin = file.read(2)
            file.seek(0)
            if begin == b"PK":
                scrub_zip(file, out, withdrawn)
            else:
                _file(path, out, gzip.open if begin == b"\x1f\x8b" else open, withdrawn)
            done.matches = len(withdrawn.erasures)
            done.words = sum(one.words for seats in withdrawn.erasures.values() for one in seats.values())
            out.flush()
            os.fsync(out.fileno())
            if done.matches:
                Path(out.name).replace(path)
        except (zipfile.BadZipFile, EOFError, UnicodeDecodeError, json.JSONDecodeError, gzip.BadGzipFile) as error:
            raise Unreadable("This file is broken, or no export and no log.") from error
        finally:
            Path(out.name).unlink(missing_ok=True)
    return done


def _file(path: Path, out: Any, opened: Any, withdrawn: Withdrawn) -> None:
    find(logs_in(opened(path, "rb")), withdrawn)
    with ExitStack() as stack:
        target = out if opened is open else stack.enter_context(gzip.open(out, "wb"))
        target.writelines(lines(stack.enter_context(opened(path, "rb")), withdrawn))
