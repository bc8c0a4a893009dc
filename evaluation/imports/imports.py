"""Imports: a file is received in pieces, read by a worker, its matches staged one by one and published all at once.

Whatever ends an import before that, and whenever, leaves nothing that anybody sees: what is staged is taken up by the
next try, or deleted (`sweep`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.imports import checking, pieces, reading
from evaluation.imports.models import Import, ImportPiece
from evaluation.models import Scheme, Task
from games import audit
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.match import importing
from games.match.words import Change, change_words
from games.models import Job, Match
from games.refused import Refused, Unfit
from games.rules.logfile import Fault
from magic_site import clock
from magic_site.writing import written

KIND = "import"
"""The kind of job that reads one."""

MOST_BYTES = 20 * 10**9

SHOWN = 100
"""So much of what is wrong with a file is told one by one."""

FORGOTTEN = timedelta(days=1)
"""After so long nobody sends the rest of a file any more."""

AT_ONCE = 8
"""So many pieces are deleted in one transaction."""


# Receiving ----------------------------------------------------------------------------------------------------------


def announce(name: str, size: int, by: Any = None, *, unfinished: bool = False) -> Import:
    """A file of which the pieces are about to come. Raises `Refused`."""
    if not size:
        raise Unfit(_("This file is empty."))
    if size > MOST_BYTES:
        raise Unfit(_("A file has at most %(most)d GB. Bring it in parts.") % {"most": MOST_BYTES // 10**9})
    return Import.objects.create(name=reading.shown(name), size=size, unfinished=unfinished, created_by=by)


def receive(found: Import, number: int, data: bytes) -> None:
    """Keep a piece, from 0; one that comes twice is kept once. Raises `Refused`."""
    whole, rest = divmod(found.size, pieces.PIECE)
    expected = pieces.PIECE if number < whole else rest
    if found.received or number > whole or len(data) != expected:
        raise Refused(_("This is no piece of that file. Choose the file again."))
    ImportPiece.objects.get_or_create(brought=found, number=number, defaults={"data": data})


def begin(found: Import, *, send: bool = True) -> Job | None:
    """Have a file read, once all of it is here. Raises `Refused`."""
    if found.pieces.count() * pieces.PIECE < found.size:
        raise Refused(_("A part of this file is missing. Choose it again."))
    with written():  # both at once: what is received and has no job, `sweep` takes for a leftover
        Import.objects.filter(pk=found.pk).update(received=True)
        return jobs.ask(KIND, str(found.pk), about=found.pk, by=found.created_by, send=send, brought=str(found.pk))


def bring(name: str, size: int, file: Any, by: Any = None, *, unfinished: bool = False) -> Import:
    """Receive a whole file. Raises `Refused`."""
    found = announce(name, size, by, unfinished=unfinished)
    for number, data in enumerate(iter(lambda: file.read(pieces.PIECE), b"")):
        receive(found, number, data)
    return found


def bring_path(path: Path, *, unfinished: bool = False) -> Import:
    """Receive a file of this machine."""
    with path.open("rb") as file:
        return bring(path.name, path.stat().st_size, file, unfinished=unfinished)


# Reading ------------------------------------------------------------------------------------------------------------


def work(run: Run, brought: str) -> dict[str, int] | None:
    """Read a file, stage its matches, and publish them if nothing is wrong. Raises `Failed`."""
    found = Import.objects.filter(pk=brought).first()
    if found is None:
        return None
    if found.published_at is None:
        try:
            _take_in(run, found)
        except OperationalError as error:
            if "full" not in str(error).lower() and "no space" not in str(error).lower():
                raise
            importing.discard(found.pk)
            raise Failed(_("The disk is full. Nothing was taken in; make room and bring the file again.")) from error
    return {"new": found.new, "here": found.here}


def _take_in(run: Run, found: Import) -> None:
    found.sha256 = _sha256(found)
    found.matches = found.here = found.erased = found.wrong = 0
    found.aside, found.faults = [], []
    remarks: Counter[str] = Counter()
    seen: set[bytes] = set()
    for what, file, place in checking.checked(found):
        run.tell(place >> 10, max(found.size >> 10, 1), _read_so_far(found.matches))
        if what is None:
            found.aside += [file] if len(found.aside) < SHOWN else []
            continue
        if isinstance(what, Fault):
            _note(found, file, what)
            continue
        found.matches += 1
        if found.wrong:
            continue  # nothing will come of it: only what else is wrong is of interest
        mark = bytes.fromhex(what.known[0])
        if mark in seen or not importing.stage(what.log, what.came, what.known, found.pk):
            found.here += 1
        remarks.update(importing.remarks(what.log))
        seen.add(mark)
    found.remarks, found.erased = dict(remarks), importing.without_words(found.pk)
    if found.wrong:
        found.save()
        raise Failed(_wrong(found.wrong))

    def then(new: int) -> None:
        run.confirm()
        found.new, found.here, found.published_at = new, found.matches - new, clock.now()
        found.save()
        by = found.created_by or "manage.py import"
        audit.note("imported", by=by, about="logs", file=found.name, new=found.new, here=found.here)

    importing.publish(found.pk, then)


def _read_so_far(matches: int) -> str:
    return ngettext("%(n)d match is read.", "%(n)d matches are read.", matches) % {"n": matches}


def _wrong(many: int) -> str:
    return ngettext(
        "Nothing was taken in: %(n)d thing in this file is wrong.",
        "Nothing was taken in: %(n)d things in this file are wrong.",
        many,
    ) % {"n": many}


def _note(found: Import, file: str, fault: Fault) -> None:
    found.wrong += 1
    if len(found.faults) < SHOWN:
        found.faults.append({"file": file, "line": fault.line, "sentence": fault.sentence})


def _sha256(found: Import) -> str:
    file, digest = pieces.Pieces(found), hashlib.sha256()
    while data := file.read(pieces.PIECE):
        digest.update(data)
    return digest.hexdigest()


# Cleaning -----------------------------------------------------------------------------------------------------------


def clean(found: Import) -> None:
    """Delete what is not needed any more of an import that has ended: its pieces, and what is still staged."""
    importing.discard(found.pk)
    while some := list(found.pieces.values_list("pk", flat=True)[:AT_ONCE]):
        ImportPiece.objects.filter(pk__in=some).delete()
    with transaction.atomic():  # made for labels that did not come to be
        Task.objects.filter(imported=True, rounds__items=None).delete()
        Scheme.objects.filter(imported=True, tasks=None, rounds=None).delete()


def ended(job: Job) -> None:
    """Clean up after a job, however it has ended."""
    for found in Import.objects.filter(pk=job.key):
        clean(found)


def sweep() -> None:
    """Clean up after imports that nobody works on any more: those that were stopped, or not sent to their end."""
    staged = importing.staged()
    here = Import.objects.filter(Exists(ImportPiece.objects.filter(brought=OuterRef("pk"))))
    left = list(here.filter(Q(received=True) | Q(created_at__lt=clock.after(-FORGOTTEN))))
    open_jobs = Job.objects.filter(kind=KIND, state__in=Job.OPEN)  # looked for last, so that a new one is found
    at_work = {UUID(key) for key in open_jobs.values_list("key", flat=True)}
    for key in staged - at_work:
        importing.discard_some(key)
    for found in [one for one in left if one.pk not in at_work][:1]:
        clean(found)


def erase(match: Match, without: Change) -> None:
    """Take a person's words and name out of what was found wrong with files."""
    change_words(Import.objects.exclude(faults=[]), ("faults",), without)
