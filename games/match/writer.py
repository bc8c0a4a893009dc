"""The only writer of a match's log and of what stands beside it in the database, but for what an erasure leaves.

After the commit viewers are told that something moved on, and agents whose turn it is are dispatched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from games.match import archive, lookup, pending
from games.match.changes import ATTEMPTS, LOG, SEATS, THOUGHTS, changed
from games.match.rows import (
    ATTEMPT_FIELDS,
    THOUGHT_FIELDS,
    Attempt,
    Event,
    MatchSeat,
    PromptText,
    Thought,
    given,
    insert,
    moment,
    pool_of,
    stamp,
)
from games.models import Match, new_seed
from games.rules import logfile, values
from games.rules.play import Play
from games.rules.pool import Pool
from games.rules.schema import defaults, numbered
from magic_site import clock

# What is done once a match is over; other apps put it here when they start.
at_the_end: list[Callable[[Match], None]] = []

_THOUGHT_COLUMNS = tuple(name for name in THOUGHT_FIELDS if name != "prompt")
_SEAT_COLUMNS = tuple(field.attname for field in MatchSeat._meta.concrete_fields if not field.primary_key)
_UNTRIED = defaults(values.Attempt)


def held(keys: Iterable[UUID]) -> list[Match]:
    """These matches as they are now, with their rows; until the transaction ends nobody else changes them. Always in
    the same order, so that of two who want several neither waits for the other."""
    every = Match.staged_too.select_for_update(of=("self",)).select_related("room")
    return [archive.here(match) for match in every.filter(pk__in=keys).order_by("pk")]


def create(header: values.Header, seats: list[dict[str, Any]] | None, **known: Any) -> Match:
    """A new match with its seats and no events yet. seats: as `MatchSeat` has them, or those of the header; known:
    further fields of the match."""
    match = Match.objects.create(
        game=header.game,
        preset=header.preset,
        rules_version=header.rules_version,
        options=header.options,
        setting=header.setting,
        seed=header.seed,
        forked_from=header.forked_from,
        **known,
    )
    seats = seats or [asdict(seat) | {"agent": seat.agent or ""} for seat in header.seats]
    sitters = [MatchSeat(match=match, **seat) for seat in seats]
    insert(MatchSeat, _SEAT_COLUMNS, ([getattr(one, name) for name in _SEAT_COLUMNS] for one in sitters))
    return match


def append(
    match: Match,
    play: Play,
    known: int,
    thoughts: Iterable[Any],
    attempts: Iterable[Any],
    times: dict[int, str | None],
) -> None:
    """Write what a match in play has more than the `known` first events, and all that follows from it: how the match
    ended, what is asked now, and who is told. times: by seq, of what happened at another time than now."""
    now = clock.now()
    thoughts, attempts = [given(row, THOUGHT_FIELDS) for row in thoughts], list(attempts)
    write(match, play.log[known:], thoughts, attempts, times, now)
    if play.over:
        outcome = play.state.outcome
        match.status, match.result, match.ended_at = outcome.status, outcome.result or "", now
        if known or not match.digest:
            stamps: dict[int, str | None] = {event.seq: stamp(at) for event, at in match.events.timed()}
            match.digest = logfile.digest(play.rules, logfile.LogFile(match.header, play.log, stamps))
        match.save(update_fields=["status", "result", "ended_at", "digest"])
        derive_seats(match, play)
        for do in at_the_end:
            transaction.on_commit(partial(do, match), robust=True)
    changed(match, LOG, len(play.log))
    if thoughts:
        changed(match, THOUGHTS, len(play.log))
    if attempts:  # the host's page may have to say why agents do not play as they were asked to
        changed(match, ATTEMPTS)
    alone = match.origin in (Match.Origin.FORK, Match.Origin.COMPETITION) and (known or not play.over)
    if match.room_id or alone:
        ask(match, play, play.log[known:] if known else ())


def write(
    match: Match,
    log: list[values.Event],
    thoughts: list[dict[str, Any]],
    attempts: Iterable[Any],
    times: dict[int, str | None],
    now: datetime,
    pool: Pool | None = None,
) -> None:
    """Write what was added to a match. pool: the texts of its prompts, where they are known."""
    insert(
        Event,
        ("match", "at", *values.Event._fields),
        ((match.pk, moment(times.get(event.seq)) or now, *event) for event in log),
    )
    found = _think(match, thoughts, now, pool)
    tried = [_UNTRIED | given(row, ATTEMPT_FIELDS) for row in attempts]
    insert(Attempt, ("match", "at", *ATTEMPT_FIELDS), ((match.pk, now, *map(row.get, ATTEMPT_FIELDS)) for row in tried))
    lookup.write(match, log, found)


def _think(match: Match, thoughts: list[dict[str, Any]], now: datetime, pool: Pool | None) -> list[values.Thought]:
    """Store thoughts, and of their prompts what no earlier prompt of the match has."""
    if pool is None:
        pool = pool_of(match) if any(thought.get("prompt") for thought in thoughts) else Pool()
    known = len(pool.texts)
    found = [values.Thought(**thought) for thought in numbered(thoughts)]
    rows = [(match.pk, now, pool.put(one.prompt), *(getattr(one, name) for name in _THOUGHT_COLUMNS)) for one in found]
    fresh = enumerate(pool.texts[known:], known)
    insert(PromptText, ("match", "n", "text"), ((match.pk, n, "\n".join(lines)) for n, lines in fresh))
    insert(Thought, ("match", "at", "pieces", *_THOUGHT_COLUMNS), rows)
    return found


def ask(match: Match, play: Play, fresh: Sequence[values.Event] = ()) -> None:
    """Keep what is asked now, and once that is committed tell the workers."""
    asked = pending.project(match, play, fresh)
    transaction.on_commit(lambda: pending.nudge_for(match.pk, asked))


def reseat(match: Match, seat: int, **columns: str) -> None:
    """Write who has a seat, or plays it (`MatchSeat`)."""
    match.sitters.filter(seat=seat).update(**columns)
    match.seating = new_seed()
    match.save(update_fields=["seating"])
    changed(match, SEATS)


def derive_seats(match: Match, play: Play) -> None:
    """Write down what came of each seat of a match that is over."""
    cast, outcome = play.rules.cast(play.state), play.state.outcome
    seated = list(match.sitters.all())  # not those that the process keeps
    for sitter in seated:
        sitter.side, sitter.role = cast[sitter.seat].side, cast[sitter.seat].role
        sitter.won = sitter.seat in outcome.winners if outcome.status == "finished" else None
    MatchSeat.objects.bulk_update(seated, ["side", "role", "won"])


def derive_lookup(match: Match) -> None:
    """Write down anew by what a match is found: its words, and the methods and models of its seats."""
    match.texts.all().delete()
    match.methods.all().delete()
    lookup.write(match, match.events.plain(), match.thoughts.order_by("pk"))
