"""All of a competition as one zip file, made by a worker and kept for some days: the manifest, the plan, and the log of
each match that is over, also those with people at a human study's tables."""

import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, BinaryIO

from django.db import transaction
from django.db.models import Q
from django.utils.text import slugify

from evaluation.models import Bout, Competition
from evaluation.tables.people import STUDY
from games.jobs import jobs
from games.jobs.jobs import Run
from games.jobs.kinds import Expected
from games.match.view import whole
from games.models import Job, Match, Piece
from games.web import downloads
from magic_site import clock
from magic_site.writing import written

KIND = "archive"
"""The kind of job that makes one."""

PIECE = 1 << 20
"""Bytes of a piece of the file in the database."""

OLD = timedelta(hours=1)
"""So long after its end nobody is still taking a file away of which there is a newer one."""


def ask(competition: Competition, by: Any) -> None:
    """Have the zip file of a competition made, as its matches are now."""
    jobs.ask(KIND, str(competition.pk), about=competition.pk, by=by, competition=str(competition.pk))


def made(competition: Competition) -> Job | None:
    """The job that made the last file that is there."""
    return Job.objects.filter(kind=KIND, key=str(competition.pk), state=Job.State.DONE).order_by("asked_at").last()


def content(job: Job) -> Iterator[bytes]:
    """The file that a job made, piece by piece."""
    for key in job.pieces.order_by("number").values_list("pk", flat=True):
        yield bytes(Piece.objects.values_list("data", flat=True).get(pk=key))


def expected(competition: str) -> Expected:
    """How long it will take, by the last ones."""
    each = jobs.seconds_a_unit(KIND)
    return Expected() if each is None else Expected(each * Bout.objects.filter(competition__pk=competition).count())


def make(run: Run, competition: str) -> dict[str, Any] | None:
    """Write the file; returns {"name", "bytes", "matches"}."""
    found = Competition.objects.filter(pk=competition).first()
    if found is None:
        return None
    with tempfile.TemporaryFile() as file:
        matches = _write(run, found, file)
        size = file.tell()
        file.seek(0)
        with written():
            run.confirm()
            run.job.pieces.all().delete()
            for number, data in enumerate(iter(lambda: file.read(PIECE), b"")):
                Piece.objects.create(job=run.job, number=number, data=data)
    Job.objects.filter(kind=KIND, key=run.job.key, ended_at__lt=clock.after(-OLD)).delete()
    return {"name": f"{file_name(found)}.zip", "bytes": size, "matches": matches}


def forget(match: Match) -> None:
    """Let go of the files that hold a match, now and once this transaction is over: words in it are erased."""
    keys = [str(key) for key in Competition.objects.filter(_holds(match)).values_list("pk", flat=True)]
    _drop(keys)
    transaction.on_commit(lambda: _drop(keys))


def deleted(instance: Match, **signal: Any) -> None:
    """Let go of the files that hold a match that is being deleted."""
    forget(instance)


def _holds(match: Match) -> Q:
    return Q(bouts__match=match) | Q(bouts__tables__room__matches=match)


def _drop(keys: list[str]) -> None:
    """Delete the files of competitions; those that are being made come to nothing, and may be asked for again."""
    Job.objects.filter(kind=KIND, key__in=keys).delete()


def file_name(found: Competition) -> str:
    """The name of files of a competition, without an ending."""
    return f"{slugify(found.name) or 'competition'}-{str(found.pk)[:8]}"


def _write(run: Run, found: Competition, file: BinaryIO) -> int:
    """Write all of it; returns how many matches are in it."""
    count, matches = found.bouts.count(), 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(found.manifest, indent=2, ensure_ascii=False))
        plan = []
        for done, bout in enumerate(found.bouts.select_related("match").iterator()):
            run.tell(done, count)
            name = f"{bout.number:05}.jsonl"
            over = Match.objects.exclude(status="running")
            played = list(over.filter(room__study_table__bout=bout)) if found.suite == STUDY else []
            logs = {f"{bout.number:05}-person-{n}.jsonl": match for n, match in enumerate(played, 1)}
            plan.append(_planned(bout, name) | ({"people": list(logs)} if logs else {}))
            if bout.match is not None:
                logs[name] = bout.match
            for name, match in logs.items():
                archive.writestr(f"matches/{name}", downloads.text(whole(match)))
                matches += 1
        archive.writestr("plan.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in plan))
    return matches


def _planned(bout: Bout, name: str) -> dict[str, Any]:
    fields = ("number", "game", "preset", "options", "setting", "agents", "seed", "labels", "status", "error")
    row = {field: getattr(bout, field) for field in fields}
    return row | {"log": name if bout.match_id else None, "seconds": bout.seconds, "cost": bout.cost}
