"""Logs that are put away: out of the database, into one compressed file beside it, and back.

The file is a row of .xz streams, each of the rows of some matches as JSON Lines; `xz -dc` reads it as a whole. What a
match is found and counted by stays in the database. Whoever reads the log of a match that is away (`bring`) has its
rows brought back; after a while they are let go of again, since the file still has them. Nothing is deleted before the
file is on the disk, was read back, and compared.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from games.match.models import Archive, Away, Match
from games.match.rows import Attempt, Event, PromptText, Thought, insert
from games.rules import values
from magic_site import clock
from magic_site.writing import written

KEPT = (Event, PromptText, Thought, Attempt)
"""What is put away of a match."""

TOGETHER = 25
"""So many matches are in one stream: more are smaller, and fewer are quicker to read one of."""

BACK_FOR = timedelta(hours=1)
"""So long the rows of a match stay in the database after somebody has read them."""

AT_ONCE = 50
"""So many matches are let go of in a round of the sweeper."""


class Changed(Exception):
    """A match is another one than in the file."""


# Putting away -------------------------------------------------------------------------------------------------------


def put_away(keys: Sequence[UUID], look: Callable[[int, int], None] = lambda done, of: None) -> Archive | None:
    """Write the logs of these matches, of those that are over and in no file, into one; `let_go` deletes their rows.
    What breaks off has done nothing. look: told how far it is; what it raises ends it."""
    over = Match.objects.exclude(status="running").filter(pk__in=keys, put_away=None)
    wanted = list(over.order_by("created_at", "pk").values_list("pk", flat=True))
    if not wanted:
        return None
    archive, places = Archive(name=_new_name()), []
    with _path(archive.name).open("wb") as file:
        for first in range(0, len(wanted), TOGETHER):
            look(first, len(wanted))
            some = wanted[first : first + TOGETHER]
            lines = [_line(key) for key in some]
            packed = _packed(lines)
            places += [(key, file.tell(), len(packed)) for key in some]
            archive.before += sum(map(len, lines))
            file.write(packed)
        archive.size = file.tell()
        file.flush()
        os.fsync(file.fileno())
    with written():
        archive.save(force_insert=True)
        now = clock.now()
        Away.objects.bulk_create(
            Away(match_id=key, archive=archive, start=start, length=length, back_at=now)
            for key, start, length in places
        )
    return archive


def let_go(matches: QuerySet[Match], look: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Delete the rows of those of these matches that a file has."""
    keys = list(matches.exclude(put_away=None).filter(away=False).order_by("put_away").values_list("pk", flat=True))
    read: Stream = ("", -1), {}
    for number, key in enumerate(keys):
        look(number, len(keys))
        read = _let_go(key, read)


Stream = tuple[tuple[str, int], dict[str, str]]
"""The file and the place of a stream, and its lines by match."""


def _let_go(key: UUID, read: Stream = (("", -1), {})) -> Stream:
    """Delete the rows of a match that its file has, read back from the disk, if they are the same. read: the stream
    that was read last; gives the one that was read now."""
    with written():
        match = Match.objects.select_for_update(of=("self",)).filter(pk=key, away=False).first()
        place = Away.objects.select_related("archive").filter(match=key).first()
        if match is None or place is None:
            return read
        where = place.archive.name, place.start
        if where != read[0]:
            read = where, _stream(place)
        if read[1].get(str(key)) != _line(key):
            forget(match)  # somebody has changed it meanwhile: it stays here
            return read
        for model in KEPT:
            model.objects.filter(match=key)._raw_delete("default")
        Match.objects.filter(pk=key).update(away=True)
    return read


# Bringing back ------------------------------------------------------------------------------------------------------


def bring(keys: Collection[UUID]) -> bool:
    """Have the rows of those of these matches in the database that are away; says whether any was."""
    found = list(Match.staged_too.filter(pk__in=keys, away=True).values_list("pk", flat=True))
    for key in found:
        with written():
            match = Match.objects.select_for_update(of=("self",)).filter(pk=key, away=True).first()
            if match is None:
                continue  # somebody else was quicker
            place = Away.objects.select_related("archive").get(match=key)
            _insert(key, json.loads(_stream(place)[str(key)]))
            Match.objects.filter(pk=key).update(away=False)
            Away.objects.filter(pk=place.pk).update(back_at=clock.now())
    return bool(found)


def here(match: Match) -> Match:
    """A match with its rows in the database."""
    if match.away:
        bring([match.pk])
        match.away = False
    return match


def timed(match: Match) -> list[tuple[values.Event, datetime]]:
    """The events of a match and when each was, wherever they are."""
    found = here(match).events.timed()
    if not found and bring([match.pk]):  # it was put away after this row was read
        found = match.events.timed()
    return found


def bring_back(archive: Archive, look: Callable[[int, int], None] = lambda done, of: None) -> None:
    """Take all matches of an archive back for good, and delete its file."""
    keys = list(archive.matches.values_list("match", flat=True))
    for number, key in enumerate(keys):
        look(number, len(keys))
        bring([key])
    with transaction.atomic():
        if archive.matches.filter(match__away=True).exists():
            raise Changed
        Archive.objects.filter(pk=archive.pk).delete()
        transaction.on_commit(lambda: _path(archive.name).unlink(missing_ok=True))


def forget(match: Match) -> None:
    """Take a match out of the file that has it, in which words of it are that are erased: inside of a transaction, at
    whose end the new file takes the place of the old one. Its rows are here, and stay."""
    place = Away.objects.select_related("archive").filter(match=match).first()
    if place is None:
        return
    archive = place.archive
    old, new = archive.name, _new_name()
    left = [line for key, line in _stream(place).items() if key != str(match.pk)]
    packed = _packed(left) if left else b""
    with _path(old).open("rb") as source, _path(new).open("wb") as target:
        _copy(source, target, place.start)
        target.write(packed)
        source.seek(place.start + place.length)
        _copy(source, target, archive.size)
        target.flush()
        os.fsync(target.fileno())
    shift = len(packed) - place.length
    archive.matches.filter(start=place.start).exclude(pk=place.pk).update(length=len(packed))
    archive.matches.filter(start__gt=place.start).update(start=F("start") + shift)
    place.delete()
    Archive.objects.filter(pk=archive.pk).update(name=new, size=F("size") + shift)
    transaction.on_commit(lambda: _path(old).unlink(missing_ok=True))


def sweep() -> None:
    """Let go of rows that were brought back a while ago, and of files that no archive has any more."""
    late = Away.objects.filter(match__away=False, back_at__lt=clock.after(-BACK_FOR))
    for key in list(late.values_list("match", flat=True)[:AT_ONCE]):
        _let_go(key)
    known = set(Archive.objects.values_list("name", flat=True))
    for path in _folder().glob("*.xz") if _folder().exists() else ():
        old = path.stat().st_mtime < (clock.now() - BACK_FOR).timestamp()
        if path.name not in known and old:
            path.unlink(missing_ok=True)


# Files --------------------------------------------------------------------------------------------------------------


def _folder() -> Path:
    return Path(settings.ARCHIVES)


def _path(name: str) -> Path:
    return _folder() / name


def _new_name() -> str:
    _folder().mkdir(parents=True, exist_ok=True)
    return f"{uuid4()}.xz"


def _packed(lines: list[str]) -> bytes:
    return lzma.compress("".join(lines).encode(), preset=6)


def _stream(place: Away) -> dict[str, str]:
    """The lines of the stream in which a match is, by match."""
    try:
        return _read(place.archive.name, place.start, place.length)
    except FileNotFoundError:  # it was written anew at this moment
        place = Away.objects.select_related("archive").get(pk=place.pk)
        return _read(place.archive.name, place.start, place.length)


def _read(name: str, start: int, length: int) -> dict[str, str]:
    with _path(name).open("rb") as file:
        file.seek(start)
        text = lzma.decompress(file.read(length)).decode()
    return {line[10:46]: f"{line}\n" for line in text.split("\n") if line}


def _copy(source: Any, target: Any, until: int) -> None:
    while (left := until - source.tell()) > 0 and (piece := source.read(min(left, 1 << 20))):
        target.write(piece)


# Rows ---------------------------------------------------------------------------------------------------------------


def _names(model: Any) -> list[str]:
    return [column.name for column in model._meta.concrete_fields]


def _line(key: UUID) -> str:
    """All rows of a match, as a line."""
    rows = {model.__name__: [list(row) for row in _rows(model, key)] for model in KEPT}
    return json.dumps({"match": str(key)} | rows, ensure_ascii=False, separators=(",", ":"), default=_plain) + "\n"


def _rows(model: Any, key: UUID) -> Iterator[Sequence[Any]]:
    names = [name for name in _names(model) if name != "match"]
    yield from model.objects.filter(match=key).order_by("pk").values_list(*names)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _insert(key: UUID, kept: dict[str, Any]) -> None:
    for model in KEPT:
        names = [name for name in _names(model) if name != "match"]
        at = names.index("at") if "at" in names else None
        rows = kept[model.__name__]
        for row in rows if at is not None else ():
            row[at] = datetime.fromisoformat(row[at])
        insert(model, ("match", *names), ((key, *row) for row in rows))
