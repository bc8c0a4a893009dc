"""By what a log is known again, whatever its file calls it."""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from games.match.models import ErasedSeat, Match
from games.match.view import log_of
from games.registry import RULES
from games.rules import logfile, values

Log = logfile.LogFile[values.Event]


def marks(log: Log) -> list[str]:
    """The digests by which a log is known again, its own first; one without its times may have come before."""
    rules = RULES[log.header.game]
    timed = all(log.times.get(event.seq) for event in log.events)
    untimed = logfile.digest(rules, log, timed=False)
    return [logfile.digest(rules, log), untimed] if timed else [untimed]


def mark_of(match: Match) -> str:
    """The digest of a stored match; of one that is over it is kept."""
    if not match.digest:
        match.digest = logfile.digest(RULES[match.game], log_of(match))
        if match.status != "running":
            match.save(update_fields=["digest"])
    return match.digest


def same_as(log: Log, known: list[str], among: QuerySet[Match]) -> Iterator[Match]:
    """The matches among some that have this log, by its `marks`; also one that is still running and was exported."""
    header = log.header
    same_deal = Q(game=header.game, seed=header.seed)
    untimed = len(known) == 1 and header.seed  # scripts have no seed, and are known by their marks
    for match in among.filter(Q(digest__in=known) | (same_deal if untimed else same_deal & Q(digest=""))):
        running = match.status == "running" and str(match.pk) == header.id
        if running or mark_of(match) in known or (untimed and known[0] in marks(log_of(match))):
            yield match


def copies_of(match: Match) -> Iterator[Match]:
    """The matches that hold the words of this one: those with its log, and those that begin with it; also what an
    import has only staged."""
    log, every = log_of(match), Match.staged_too.all()
    yield from same_as(log, marks(log), every)
    yield from every.filter(Q(parent=match) | Q(forked_from__match=str(match.pk)))


def remember(match: Match, seat: int) -> ErasedSeat:
    """Know from now on that the words of whoever played this seat are erased."""
    log = log_of(match)
    dealt = logfile.beginning(logfile.LogFile(log.header, log.events))
    known = {"begun": logfile.beginning(log), "digest": mark_of(match), "match": match.pk, "seat": seat}
    return ErasedSeat.objects.get_or_create(**known, defaults={"dealt": dealt})[0]


def erased_seats(log: Log) -> list[int]:
    """The seats of a log whose persons were erased here."""
    timed = log.times.get(log.events[0].seq)
    known = {"begun" if timed else "dealt": logfile.beginning(log)}
    return sorted(set(ErasedSeat.objects.filter(**known).values_list("seat", flat=True)))
