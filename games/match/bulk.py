"""Log files of many matches, read in a few queries for dozens of them: what exports are made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from games.match import archive, view
from games.match.forks import line
from games.match.models import Match
from games.match.quick_json import read, tidy
from games.match.rows import ATTEMPT_FIELDS, THOUGHT_FIELDS, Attempt, Event, MatchSeat, PromptText, as_text, stamp
from games.registry import RULES
from games.rules import logfile, values
from games.rules.pool import Pool
from games.rules.replay import ENDS
from games.rules.sight import seen_by, visible_header
from games.rules.values import PUBLIC

TOLD_AT_THE_END = ("deal", "winners", "returns")
"""What the end of a match tells of who was what."""

Timed = list[tuple[values.Event, str]]


class Bulk(NamedTuple):
    """A match with its log file. people: the key of the person at each seat that is known to be a person's; "" where
    they have none here. before: the same for those who played the matches that this one begins with, by their names
    there, which its texts and its seats go on with."""

    match: Match
    log: logfile.LogFile[Any]
    people: dict[int, str]
    before: dict[str, str]


def logs(keys: Collection[UUID], *, hidden: bool = True, thoughts: bool = True, prompts: bool = True) -> Iterator[Bulk]:
    """The log files of these matches, in the order of their keys; of those that are there.

    hidden: all of it, as `view.log_of` has it; else what everybody at the table could know before the end. thoughts:
    also what agents thought, with its data as text (`Encoded`), and what did not count. prompts: also what they were
    told.
    """
    archive.bring(keys)
    found = Match.objects.prefetch_related("sitters").in_bulk(list(keys))
    events: dict[UUID, Timed] = defaultdict(list)
    for key, event, at in Event.objects.filter(match__in=keys).each():
        events[key].append((event, stamp(at)))
    beside = _Beside(keys, prompts) if hidden and thoughts else None
    _read_parents(found.values())
    planned, annotated = (view.planned(keys), view.annotated(keys)) if hidden else ({}, {})
    for key in keys:
        if (match := found.get(key)) is None:
            continue
        timed = events.pop(key, [])
        log = logfile.LogFile(
            header=match.header,
            events=[event for event, _at in timed],
            times={event.seq: at for event, at in timed},
            outcome=view.outcome_of(match.status, match.result, [event for event, _at in timed]),
            rederived=match.rederived,
        )
        people = {sitter.seat: sitter.person for sitter in _people(match)}
        before = {sitter.name: sitter.person for one in line(match) for sitter in _people(one)}
        if not hidden:
            _hide(match, log)
            yield Bulk(match, log, people, before) if match.kinds_named else Bulk(match, log, {}, {})
            continue
        if beside is not None:
            log.thoughts, log.attempts = beside.of(key)
        log.origin = match.played_as or match.origin
        log.labels = match.labels if match.origin == Match.Origin.IMPORT else planned.get(key, {})
        log.annotations = annotated.get(key, [])
        yield Bulk(match, log, people, before)


def _people(match: Match) -> list[MatchSeat]:
    return [sitter for sitter in match.seated if sitter.kind == "person"]


def _read_parents(matches: Iterable[Match]) -> None:
    """Read what these matches begin with, near and far, in as many queries as there are steps to the farthest."""
    fresh = list(matches)
    while wanted := {one.parent_id for one in fresh if one.parent_id is not None}:
        found = Match.objects.prefetch_related("sitters").in_bulk(list(wanted))
        for one in fresh:
            one.parent = found.get(one.parent_id) if one.parent_id is not None else None
        fresh = list(found.values())


def _hide(match: Match, log: logfile.LogFile[Any]) -> None:
    """Leave out of a log what not everybody at the table could know before the end."""
    rules = RULES[match.game]
    log.header = visible_header(log.header, PUBLIC, kinds_named=match.kinds_named)
    seen = [event for event in (seen_by(rules, event, PUBLIC) for event in log.events) if event is not None]
    log.events = [_untold(event) if event.kind in ENDS else event for event in seen]
    log.times = {event.seq: log.times[event.seq] for event in seen}
    log.outcome = values.Outcome(match.status, match.result or None)


def _untold(event: values.Seen) -> values.Seen:
    if isinstance(event, values.Shell):
        return event
    return event._replace(data={name: told for name, told in event.data.items() if name not in TOLD_AT_THE_END})


class _Beside:
    """What stands beside the logs of some matches, as the database has it; it is read match by match: beliefs and
    prompts are long."""

    def __init__(self, keys: Collection[UUID], prompts: bool):
        self.prompts = prompts
        thoughts = view.thoughts_of(keys)
        self.thoughts = _by_match(thoughts.values_list(as_text("match_id"), *map(_column, THOUGHT_FIELDS)))
        texts = PromptText.objects.filter(match__in=keys if prompts else []).order_by("match_id", "n")
        self.texts = _by_match(texts.values_list(as_text("match_id"), "text"))
        attempts = Attempt.objects.filter(match__in=keys).order_by("match_id", "pk")
        self.attempts = _by_match(attempts.values_list(as_text("match_id"), *ATTEMPT_FIELDS))

    def of(self, key: UUID) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The thoughts and the attempts of a match, as its log file holds them; the data of a thought as its text."""
        pool = Pool(text for (text,) in self.texts.pop(key, ()))
        thoughts = [dict(zip(THOUGHT_FIELDS, row, strict=True)) for row in self.thoughts.pop(key, ())]
        for thought in thoughts:
            thought["data"] = tidy(thought["data"])
            if self.prompts:
                thought["prompt"] = pool.get(read(thought["prompt"]))
            else:
                del thought["prompt"]
        return thoughts, [dict(zip(ATTEMPT_FIELDS, row, strict=True)) for row in self.attempts.pop(key, ())]


def _column(name: str) -> Any:
    """The column from which a field of a thought is read."""
    return as_text({"prompt": "pieces"}.get(name, name)) if name in ("prompt", "data") else name


def _by_match(rows: Iterable[tuple[Any, ...]]) -> dict[UUID, list[list[Any]]]:
    """Rows by their match, which each begins with."""
    return {UUID(key): [row for _key, *row in found] for key, found in groupby(rows, itemgetter(0))}
