"""Matches that were not played here: taken in from log files and scripts, each once."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from games.files import log_files
from games.match import store
from games.match.view import log_of
from games.models import Match
from games.registry import RULES
from games.room import names
from games.rules import logfile, replay, values
from games.rules.play import Play


def not_kept(match: Match, annotations: list[dict[str, Any]]) -> None:
    """Where nobody keeps labels."""


# Who keeps labels takes in those of a log here; it puts that here when it starts.
annotated: Callable[[Match, list[dict[str, Any]]], None] = not_kept


def import_log(lines: Iterable[str], *, unfinished: bool = False) -> Match:
    """Store a match from a log file, replayed and compared first; one that ends before its match does only as
    `unfinished`. Raises `values.LogError`, also for a match that is here already, or `values.Impossible`."""
    return take_in(log_files.read_log(lines, unfinished=unfinished))


def take_in(log: logfile.LogFile[values.Event]) -> Match:
    """Store a match that was not played here, if it is not here already; raises `values.LogError`."""
    mark, *_untimed = _marks(log)
    if found := next(same_as(log), None):
        raise values.LogError(f"This match is here already: {found.pk}.")
    header = _told_apart(log.header)
    known: dict[str, Any] = {"thoughts": log.thoughts, "attempts": log.attempts, "times": log.times}
    known |= {"origin": Match.Origin.IMPORT, "played_as": log.origin, "labels": log.labels, "digest": mark}
    try:
        with transaction.atomic():
            if stands(log):
                match = store.store(Play(RULES[header.game], header, log.events), **known)
            else:
                match = store.keep(header, log.events, **known)
            annotated(match, log.annotations)
            return match
    except IntegrityError as error:
        raise values.LogError("This match is being imported already.") from error


def stands(log: logfile.LogFile[values.Event]) -> bool:
    """Whether these rules play a log as it stands, so that it counts."""
    try:
        replay.must_stand(RULES[log.header.game], log.header, log.events)
    except values.LogError:
        return False
    return True


def remarks(log: logfile.LogFile[values.Event]) -> Iterator[str]:
    """A sentence each on what of a log is not taken in as usual."""
    rules, header = RULES[log.header.game], log.header
    if not rules.plays(header.rules_version):
        yield f"Not re-derived: {rules.not_played(header.rules_version)}"
        if stands(log):
            yield "These rules come to the same log, so that it counts."
        else:
            yield "These rules do not come to the same log: it is kept and can be exported, and counts in no number."


def _told_apart(header: values.Header) -> values.Header:
    """A header in which no name can be taken for another one."""
    apart = names.told_apart([seat.name for seat in header.seats])
    return replace(
        header, seats=tuple(replace(seat, name=name) for seat, name in zip(header.seats, apart, strict=True))
    )


def same_as(log: logfile.LogFile[values.Event]) -> Iterator[Match]:
    """The matches here that have this log, by their digests; also one that is still running and was exported."""
    header, marks = log.header, _marks(log)
    same_deal = Q(game=header.game, seed=header.seed)
    untimed = len(marks) == 1 and header.seed  # scripts have no seed, and are known by their marks
    for match in Match.objects.filter(Q(digest__in=marks) | (same_deal if untimed else same_deal & Q(digest=""))):
        running = match.status == "running" and str(match.pk) == header.id
        if running or _mark(match) in marks or (untimed and marks[0] in _marks(log_of(match))):
            yield match


def _marks(log: logfile.LogFile[values.Event]) -> list[str]:
    """The digests by which a log is known again, its own first; one without its times may have come before."""
    rules = RULES[log.header.game]
    timed = all(log.times.get(event.seq) for event in log.events)
    untimed = logfile.digest(rules, log, timed=False)
    return [logfile.digest(rules, log), untimed] if timed else [untimed]


def _mark(match: Match) -> str:
    """The digest of a stored match; of one that is over it is kept."""
    if not match.digest:
        match.digest = logfile.digest(RULES[match.game], log_of(match))
        if match.status != "running":
            match.save(update_fields=["digest"])
    return match.digest
