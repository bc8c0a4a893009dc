"""Who is to answer what, and by when: a projection of the open requests of live matches, and the way to the workers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models.functions import Now

from games.models import Match, Pending, Room
from games.rules import RULES, values
from games.rules.play import Play
from magic_site import clock

log = logging.getLogger(__name__)

POLL_SECONDS = 20
SECRET_SECONDS = 20
DISPATCH_GRACE = timedelta(seconds=5)

# The agents app puts two functions here when it starts: how a request is sent to an agent's worker
# (match id, request id, agent profile, attempt, delay in seconds; raises Unsent), ...
dispatch: Callable[[UUID, str, str, int, float], None] | None = None
# ... and how many seconds an agent waits before it moves.
pace: Callable[[Match, Play, values.Request], float] | None = None


class Unsent(Exception):
    """The workers cannot be reached; the message says why."""


def send(match_id: UUID, request: str, agent: str, attempt: int, delay: float = 0.0) -> None:
    """Ask an agent's workers for an answer, if any agents are installed. Raises `Unsent`; the request is due then, so
    that the sweeper's next round tries again."""
    if dispatch is None:
        return
    try:
        dispatch(match_id, request, agent, attempt, delay)
    except Unsent as reason:
        log.warning("Request %s of match %s is sent later: %s", request, match_id, reason)
        rows = Pending.objects.filter(match_id=match_id, request=request, attempts=attempt)
        rows.update(lease_until=Now())
        raise


def project(match: Match, play: Play) -> list[tuple[str, str, int, float]]:
    """Make the pending rows of a match say what its log says; returns what is to be dispatched to agents:
    (request id, agent, attempt, delay in seconds)."""
    now = clock.now()
    wanted = {} if play.state.paused or play.over else {r.id: r for r in play.state.open.values() if r.waits}
    agents = {seat.seat: seat.agent or "" for seat in match.header.seats} | play.state.stand_ins
    rows = {row.request: row for row in match.pending.all()}
    stale = [row.pk for row in rows.values() if row.request not in wanted or row.agent != agents.get(row.seat, "")]
    if stale:
        match.pending.filter(pk__in=stale).delete()
    created, dispatched = [], []
    for request in wanted.values():
        row = rows.get(request.id)
        if row is not None and row.pk not in stale:
            continue
        agent = agents.get(request.seat, "")
        row = Pending(match=match, request=request.id, seat=request.seat, agent=agent, opened_at=now)
        if agent:
            delay = pace(match, play, request) if pace else 0.0
            row.lease_until = now + timedelta(seconds=delay) + DISPATCH_GRACE
            dispatched.append((request.id, agent, 0, delay))
        else:
            row.deadline = _deadline(match, request, now)
        created.append(row)
    Pending.objects.bulk_create(created)
    return dispatched


def in_private(match: Match, kind: str) -> bool:
    """Whether only the asked seat may notice this kind of request: it is short, and replaces nobody."""
    return kind == "poll" or kind in RULES[match.game].secret


def _deadline(match: Match, request: values.Request, now: datetime) -> datetime | None:
    room = match.room
    if room is not None and room.deal:
        return None  # a study's table: one person plays there, and what is asked is what it is for
    if in_private(match, request.kind):
        return now + timedelta(seconds=POLL_SECONDS if request.kind == "poll" else SECRET_SECONDS)
    if room is None or not room.move_seconds or room.absence == Room.Absence.WAIT:
        return None
    return now + timedelta(seconds=room.move_seconds)


def claim(match_id: UUID, request: str, attempt: int, seconds: float) -> int | None:
    """Take a dispatched request under a lease and give the key of its row; only one worker can, and only for the
    dispatch that it was given."""
    rows = Pending.objects.filter(match_id=match_id, request=request, attempts=attempt).exclude(agent="")
    key = rows.values_list("pk", flat=True).first()
    if key is None:
        return None
    claimed = rows.filter(pk=key).update(attempts=attempt + 1, lease_until=clock.after(seconds))
    return key if claimed else None
