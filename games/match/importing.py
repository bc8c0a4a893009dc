"""Matches that were not played here: taken in from log files and scripts, each once.

A match alone is stored at once. Many at once are staged, each in a transaction of its own and seen by nobody, and
published in one short transaction; whatever ends an import before that leaves nothing that counts.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet
from django.db.models.expressions import Exists

from games.files import log_files
from games.match import beginning, erasing
from games.match.identity import Log, erased_seats, marks, same_as
from games.models import ErasedSeat, Match
from games.registry import RULES
from games.room import names
from games.rules import replay, values
from games.rules.erasing import called
from games.rules.play import Play
from magic_site.writing import written

AT_ONCE = 50
"""So many staged matches are deleted in one transaction."""


def not_kept(match: Match, annotations: list[dict[str, Any]]) -> None:
    """Where nobody keeps labels."""


# Who keeps labels takes in those of a log here; it puts that here when it starts.
annotated: Callable[[Match, list[dict[str, Any]]], None] = not_kept


def import_log(lines: Iterable[str], *, unfinished: bool = False) -> Match:
    """Store a match from a log file, replayed and compared first; one that ends before its match does only as
    `unfinished`. Raises `values.LogError`, also for a match that is here already, or `values.Impossible`."""
    return take_in(log_files.read_log(lines, unfinished=unfinished))


def take_in(log: Log) -> Match:
    """Store a match that was not played here, if it is not here already; raises `values.LogError`."""
    known = marks(log)
    if found := next(same_as(log, known, Match.objects.all()), None):
        raise values.LogError(f"This match is here already: {found.pk}.")
    try:
        return _put(log, beginning.came(log, _played(log)), digest=known[0])
    except IntegrityError as error:
        raise values.LogError("This match is being imported already.") from error


def _played(log: Log) -> Play | None:
    """The match of a log that was read, in play; None where these rules do not play it as it stands, so that it does
    not count."""
    rules, header = RULES[log.header.game], log.header
    try:
        replay.must_stand(rules, header, log.events)
    except values.LogError:
        return None
    return Play(rules, header, log.events)


def _put(log: Log, came: beginning.Came, **known: Any) -> Match:
    """Store a match with what was found of it, and without the words of who was erased here."""
    log = replace(log, header=_told_apart(log.header))
    with transaction.atomic():
        match = beginning.put(log, came, origin=Match.Origin.IMPORT, played_as=log.origin, labels=log.labels, **known)
        annotated(match, log.annotations)
        for seat in erased_seats(log):
            erasing.erase_from(match, seat)
    return match


def remarks(log: Log) -> Iterator[str]:
    """A sentence each on what of a log is not taken in as usual."""
    rules, header = RULES[log.header.game], log.header
    if not rules.plays(header.rules_version):
        yield f"Not re-derived: {rules.not_played(header.rules_version)}"
        if _played(log) is not None:
            yield "These rules come to the same log, so that it counts."
        else:
            yield "These rules do not come to the same log: it is kept and can be exported, and counts in no number."


def _told_apart(header: values.Header) -> values.Header:
    """A header in which no name can be taken for another one."""
    apart = names.told_apart([seat.name for seat in header.seats])
    return replace(
        header, seats=tuple(replace(seat, name=name) for seat, name in zip(header.seats, apart, strict=True))
    )


# Many at once -------------------------------------------------------------------------------------------------------


def stage(log: Log, came: beginning.Came, known: list[str], key: UUID) -> bool:
    """Store a match that was read and replayed, seen by nobody until all of the import `key` is published; False where
    it is here already. known: its marks. What an earlier try of the same import has staged stays as it is."""
    if next(same_as(log, known, Match.objects.all()), None):
        return False
    if not _staged(key).filter(digest__in=known).exists():
        with written():
            _put(log, came, digest=known[0], brought=key, staged=True)
    return True


def publish(key: UUID, then: Callable[[int], None]) -> None:
    """Let everybody see what was staged, all in one transaction. What has come here meanwhile stays out: it is here.
    then: told how many matches are new, in the same transaction; what it raises ends it."""
    while True:
        try:
            with written():
                new = _published(key)
                then(new)
            return
        except IntegrityError:  # another import has published one of them at this moment: look again
            continue


def _published(key: UUID) -> int:
    staged = _staged(key)
    erased = ErasedSeat.objects.exclude(digest="").filter(digest__in=staged.values("digest"))
    for digest, seat in erased.values_list("digest", "seat"):  # while this was staged
        for match in staged.filter(digest=digest, sitters__seat=seat).exclude(
            sitters__seat=seat, sitters__name=called(seat)
        ):
            erasing.erase_from(match, seat)
    here = Match.objects.exclude(digest="").filter(digest=OuterRef("digest"))
    return staged.exclude(Exists(here)).update(staged=False)


def without_words(key: UUID) -> int:
    """How many of the staged matches came in without the words of somebody who was erased here."""
    return _staged(key).filter(erasures__gt=0).count()


def discard(key: UUID) -> None:
    """Delete what is still staged of an import, some at a time."""
    while discard_some(key):
        pass


def discard_some(key: UUID) -> bool:
    """Delete a part of what is still staged of an import; says whether there was something."""
    some = list(_staged(key).order_by().values_list("pk", flat=True)[:AT_ONCE])
    if some:
        with written():
            _staged(key).filter(pk__in=some).delete()
    return bool(some)


def staged() -> set[UUID]:
    """The imports of which something is staged."""
    keys = Match.staged_too.filter(staged=True).order_by().values_list("brought", flat=True).distinct()
    return {key for key in keys if key is not None}


def _staged(key: UUID) -> QuerySet[Match]:
    return Match.staged_too.filter(brought=key, staged=True)
