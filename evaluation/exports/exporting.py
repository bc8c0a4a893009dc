"""Exports as jobs: asked for, made by a worker, kept for some days, and let go of when a person in one is erased."""

from __future__ import annotations

import errno
import hashlib
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import OperationalError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from evaluation.desk.selection import Selection
from evaluation.exports import card, plans, writing
from evaluation.exports.content import Content
from evaluation.exports.formats import FORMATS, USUAL
from evaluation.exports.models import Export, Ids
from evaluation.exports.writing import Progress, Written
from evaluation.models import Competition
from games import audit
from games.jobs import jobs
from games.jobs.jobs import Failed, Run
from games.jobs.kinds import Expected
from games.match import access
from games.match.words import Change, change_words
from games.models import Job, Match, Piece
from magic_site import clock
from magic_site.writing import written

KIND = "export"
"""The kind of job that makes one."""

PIECE = 1 << 20
"""Bytes of a piece of a file in the database."""

NAMES = "evaluation.export_names"
"""The right to export people by the names that they gave."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Order:
    """What is to be exported, and how. reason: why people are named, where they are. Raises `ValidationError` for what
    cannot be."""

    selection: Selection = field(default_factory=Selection)
    content: Content = field(default_factory=Content)
    formats: tuple[str, ...] = USUAL
    excel: bool = False
    licence: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.formats or not set(self.formats) <= FORMATS.keys():
            raise ValidationError(_("Choose at least one format, of: %(known)s.") % {"known": ", ".join(FORMATS)})
        for missing in filter(None, (FORMATS[name].missing() for name in self.formats)):
            raise ValidationError(missing)
        if self.content.names and not self.reason.strip():
            raise ValidationError(_("Say why people are to be named: it is kept in the audit."))

    def may(self, user: User) -> bool:
        """Whether this user may have that."""
        return not self.content.names or user.has_perm(NAMES)

    def export(self, by: User | None) -> Export:
        """The row of it."""
        return Export(
            created_by=by,
            name=_name(self.selection),
            selection=self.selection.params(),
            content=self.content.chosen,
            formats=list(self.formats),
            excel=self.excel,
            licence=self.licence,
            reason=self.reason.strip() if self.content.names else "",
        )


def order_of(export: Export) -> Order:
    """What was asked for."""
    selection = Selection.of(export.selection, export.created_by)
    content = Content.of(export.content)
    return Order(selection, content, tuple(export.formats), export.excel, export.licence, export.reason)


def _name(selection: Selection) -> str:
    found = Competition.objects.filter(pk=selection.competition).first() if selection.competition else None
    return slugify(found.name if found else selection.game) or "matches"


# Asking -------------------------------------------------------------------------------------------------------------


def ask(order: Order, by: User) -> Export:
    """Have an export made for somebody who may have it."""
    export = order.export(by)
    with transaction.atomic():
        export.save(force_insert=True)
        details = {"selection": export.selection, "content": export.content, "formats": export.formats}
        audit.note("exported", by=by, about=f"export {export.pk}", reason=export.reason, **details)
        jobs.ask(KIND, str(export.pk), about=export.pk, by=by, export=str(export.pk))
    return export


def expected(export: str) -> Expected:
    """How long it will take, by the last ones."""
    each, found = jobs.seconds_a_unit(KIND), Export.objects.filter(pk=export).first()
    if each is None or found is None:
        return Expected()
    return Expected(each * order_of(found).selection.count())


def still_played(exports: Iterable[Export], person: str) -> set[UUID]:
    """Those of these exports that hold a match which this person still plays, or one that begins with it: how many rows
    and bytes there are of it would tell more than their seat knows."""
    playing = list(access.sat_at_while_running(person).values_list("pk", flat=True))
    if not playing:
        return set()
    held = Export.objects.filter(pk__in=[export.pk for export in exports]).only("holds")
    return {export.pk for export in held if any(map(export.held, playing))}


# Making -------------------------------------------------------------------------------------------------------------


def make(run: Run, export: str) -> dict[str, Any] | None:
    """Write the file of an export, and keep it in pieces."""
    found = Export.objects.select_related("created_by").filter(pk=export).first()
    if found is None:
        return None
    order, by = order_of(found), found.created_by
    if by is None or not order.may(by):
        raise Failed(_("Who asked for this may not have it any more."))
    try:
        with tempfile.TemporaryFile() as file:
            held = write(found, order, file, run.tell)
            _keep(run, file)
            _close(run, found, held)
    except (OSError, OperationalError) as error:
        if not _full(error):
            raise
        run.job.pieces.all().delete()
        raise Failed(_("There is no room for this file. Nothing was lost; ask again when there is.")) from error
    return {"name": found.file, "bytes": found.size, "matches": found.matches}


def write(export: Export, order: Order, file: Any, progress: Progress) -> Written:
    """Write an export into a file, and note in its row what that holds. Raises `Failed` where no match is chosen."""
    # By the seed rather than the id, which is another one where a match came in again.
    matches = order.selection.matches().order_by("created_at", "seed", "pk")
    keys = list(matches.values_list("pk", flat=True))
    if not keys:
        raise Failed(_("No match fits this choice."))
    about = card.About(str(export.pk), clock.now(), order.selection.sentence(), order.licence)
    beside = plans.files(order.selection.competition) if order.selection.competition and order.content.roles else []
    held = writing.write(
        keys, order.content, order.formats, bytes(export.key), file,
        about=about, excel=order.excel, beside=beside, progress=progress,
    )  # fmt: skip
    export.size = file.tell()
    file.seek(0)
    export.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    export.holds, export.matches, export.running = Ids.of(held.matches), len(held.matches), held.running
    export.rows, export.made_at, export.gone = held.rows, about.made_at, ""
    return held


def _keep(run: Run, file: Any) -> None:
    """Keep the file in pieces, one by one: while a piece is written, others wait."""
    with written():
        run.confirm()
        run.job.pieces.all().delete()
    file.seek(0)
    for number, data in enumerate(iter(lambda: file.read(PIECE), b"")):
        with written():
            run.confirm()
            Piece.objects.create(job=run.job, number=number, data=data)


def _close(run: Run, export: Export, held: Written) -> None:
    with written():
        run.confirm()
        export.save()


def _full(error: OSError | OperationalError) -> bool:
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    return "full" in str(error) or type(error.__cause__).__name__ == "DiskFull"


# The file -----------------------------------------------------------------------------------------------------------


def job_of(export: Export) -> Job | None:
    """The job that makes an export, or has its file; None where it is forgotten."""
    return Job.objects.filter(kind=KIND, key=str(export.pk)).order_by("asked_at").last()


def content_of(job: Job, start: int, end: int) -> Iterator[bytes]:
    """The bytes of its file from `start` up to before `end`, a piece of it in memory at a time. It breaks off when the
    file is let go of meanwhile."""
    for number in range(start // PIECE, -(-end // PIECE)):
        data = bytes(
            Piece.objects.values_list("data", flat=True).get(job=job, number=number, job__state=Job.State.DONE)
        )
        first = number * PIECE
        yield data[max(start - first, 0) : end - first]


def holding(matches: Collection[UUID]) -> list[Export]:
    """The exports that hold (or held) one of these matches, the newest first: who has one of those files is to be told
    when a person in them is erased."""
    return [export for export in Export.objects.exclude(sha256="") if any(map(export.held, matches))]


def forget(match: Match, why: Export.Gone = Export.Gone.ERASED) -> None:
    """Let go of the files that hold a match, now and once this transaction is over, and have what is being made made
    anew: words in it are erased."""
    _drop(match.pk, why)
    transaction.on_commit(lambda: _drop(match.pk, why))


def deleted(instance: Match, **signal: Any) -> None:
    """Let go of the files that hold a match that is being deleted."""
    forget(instance, Export.Gone.DELETED)


def erase(match: Match, without: Change) -> None:
    """Take a person's words and name out of what was asked for, and let go of files with them."""
    change_words(Export.objects.all(), ("selection", "reason", "licence"), without)
    forget(match)


def _drop(match: UUID, why: Export.Gone) -> None:
    Job.objects.filter(kind=KIND, state__in=Job.OPEN).update(wanted=True)
    there = Job.objects.filter(kind=KIND, state=Job.State.DONE).values_list("key", flat=True)
    for export in Export.objects.filter(pk__in=list(there), gone=""):
        if export.held(match):
            Job.objects.filter(kind=KIND, key=str(export.pk), state=Job.State.DONE).delete()
            Export.objects.filter(pk=export.pk).update(gone=why)
