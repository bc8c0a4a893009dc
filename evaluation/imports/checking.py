"""The logs of a file, read and checked: each played again, with what it came to. Of a large file another process does
so (`second`) while this one stores them: both take as long."""

from __future__ import annotations

import io
import os
import pickle
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from evaluation.imports import pieces, reading
from evaluation.imports.models import Import
from games.files import log_files
from games.match import beginning, identity
from games.rules.logfile import Fault, Found
from games.rules.values import Impossible, LogError
from magic_site.parts import running

LARGE = 1 << 20
"""A file of fewer bytes is read before another process has begun."""

SECOND = "evaluation.imports.second"

EVENT = re.compile(r"Event (\d+)\b")


class Checked(NamedTuple):
    """A log that can have happened, what it came to, and its marks (`identity.marks`)."""

    log: identity.Log
    came: beginning.Came
    known: list[str]


class Told(NamedTuple):
    """Something of a file: a log, what is wrong, or None for a file in the zip that holds no logs. file: which one in
    the zip; place: how many bytes were read by then."""

    what: Checked | Fault | None
    file: str
    place: int


def checked(found: Import) -> Iterator[Told]:
    """All that is in a file that was received, in order."""
    alone = found.size < LARGE or len(os.sched_getaffinity(0)) < 2
    return checked_here(found) if alone else _checked_beside(found)


def checked_here(found: Import) -> Iterator[Told]:
    """The same, by this process."""
    raw = pieces.Pieces(found)
    aside: list[str] = []
    for one in reading.logs_in(io.BufferedReader(raw, pieces.PIECE), found.name, found.size, aside.append):
        what = one.found if isinstance(one.found, Fault) else _checked(one.found, found.unfinished)
        yield Told(what, one.file, raw.place)
    yield from (Told(None, name, raw.place) for name in aside)


def _checked_beside(found: Import) -> Iterator[Told]:
    with running(SECOND, str(found.pk)) as process:
        out: Any = process.stdout
        while True:
            try:
                yield pickle.load(out)  # noqa: S301 (our own process wrote it)
            except EOFError:
                break
        if code := process.wait():
            raise RuntimeError(f"The second process of an import ended with {code}.")


def _checked(found: Found, unfinished: bool) -> Checked | Fault:
    try:
        play = log_files.checked(found.log, unfinished=unfinished)
    except (LogError, Impossible) as error:
        return _fault(found, str(error))
    return Checked(found.log, beginning.came(found.log, play), identity.marks(found.log))


def _fault(found: Found, sentence: str) -> Fault:
    """What is wrong with a log that was read, in the line of the event that it names."""
    event = EVENT.match(sentence)
    seq = int(event[1]) if event else 0
    line = found.events[seq - 1] if 0 < seq <= len(found.events) else found.line
    return Fault(line, sentence if sentence.endswith(".") else f"{sentence}.")
