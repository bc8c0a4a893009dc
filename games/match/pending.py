"""Who is to answer what, and by when: a projection of the open requests of live matches, and the way to the workers."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, Max, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.expressions import Combinable, OrderBy
from django.db.models.functions import Coalesce, Now

from games.match import changes, sealing
from games.models import OUTSIDE, Match, Pending, Room
from games.registry import RULES
from games.rules import answering, values
from games.rules.play import Play
from magic_site import clock

log = logging.getLogger(__name__)

POLL_SECONDS = 20
FIRST_PAUSE = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=5)
"""How long a message to the workers is waited for before the next one: the pause doubles."""

MOST_DOUBLINGS = 10
"""After so many the pause is the longest anyhow; doubled for hours on end it would be no span of time any more."""

EARLY = timedelta(milliseconds=250)
"""How much before its time a request may be claimed: the clocks of message and database are not the same."""

ATTENDED = timedelta(seconds=60)
"""How long a table counts as attended after its last page was closed."""

# The agents app puts four functions here when it starts: the queue that an agent profile's decisions wait in, ...
queue_of: Callable[[str], str] | None = None
# ... how many seconds one may take whose queue is `OUTSIDE`, ...
patience: Callable[[str], float] | None = None
# ... how a worker of a queue is told that there is work, after a delay in seconds; raises Unsent, ...
dispatch: Callable[[str, float], None] | None = None
# ... and how many seconds an agent waits before it moves.
pace: Callable[[Match, Play, values.Request], float] | None = None
# Queues whose decisions may cost money, named by the agents app: they wait while nobody is at the table.
paid: set[str] = set()


Moment = datetime | Combinable
NOW = Now()


class Unsent(Exception):
    """The workers cannot be reached; the message says why."""


def nudge(queue: str, delay: float = 0.0) -> None:
    """Tell the workers of a queue that there is work, if any agents are installed. Raises `Unsent`."""
    if dispatch is not None:
        dispatch(queue, delay)


def nudge_for(match_id: UUID, asked: Iterable[tuple[str, float]]) -> None:
    """Tell the workers of what was just asked at a match: (queue, delay in seconds) each. What cannot be sent now is
    sent by the sweeper's next round."""
    for queue, delay in asked:
        try:
            nudge(queue, delay)
        except Unsent as reason:
            log.warning("Match %s: a message to the workers is sent later: %s", match_id, reason)
            unsent = Pending.objects.filter(match_id=match_id, queue=queue, lease_until=None)
            unsent.update(nudge_at=Now(), messages=0)


def project(match: Match, play: Play, fresh: Sequence[values.Event] = ()) -> list[tuple[str, float]]:
    """Make the pending rows of a match say what its log says; returns what the workers are to be told of: (queue, delay
    in seconds) of each new request to an agent. fresh: what has just been added to the log, which agents may be called
    to answer."""
    now = clock.now()
    wanted = {} if play.state.paused or play.over else {r.id: r for r in play.state.open.values() if r.waits}
    agents = {seat.seat: "" if seat.agent in (None, OUTSIDE) else seat.agent for seat in match.header.seats}
    agents |= play.state.stand_ins | match.unseen_stand_ins()
    queue = cache(queue_of) if queue_of else (lambda agent: "")
    called = [] if play.over else [call for call in answering.calls(play, fresh) if agents[call.seat]]
    wanted |= {call.id: call for call in called if queue(agents[call.seat]) != OUTSIDE}
    rows = {row.request: row for row in match.pending.all()}
    wanted |= {id: call for id in rows if answering.is_call(id) and (call := answering.call(play, id))}
    kept = sealing.keep(match, play, rows.values(), now)
    stale = [
        row.pk
        for row in rows.values()
        if row.request not in kept and (row.request not in wanted or row.agent != agents.get(row.seat, ""))
    ]
    if stale:
        match.pending.filter(pk__in=stale).delete()
    created, told = [], []
    for request in wanted.values():
        row = rows.get(request.id)
        if row is not None and row.pk not in stale:
            continue
        agent = agents.get(request.seat, "")
        before, row = row, Pending(match=match, request=request.id, seat=request.seat, agent=agent, opened_at=now)
        secret = match.room_id is not None and sealing.applies(play.rules, request.kind)
        if secret:
            row.deadline = before.deadline if before else sealing.deadline(match, request, now)
        row.queue = queue(agent) if agent else ""
        if row.queue == OUTSIDE:
            if not secret:
                row.deadline = _deadline_outside(match, request, agent, now)
            hint = partial(changes.send, changes.asked_group(agent), {"type": "hint"})
            transaction.on_commit(hint)
        elif agent:
            delay = pace(match, play, request) if pace and not secret else 0.0
            row.due_at = now + timedelta(seconds=delay)
            row.messages, row.nudge_at = 1, row.due_at + FIRST_PAUSE
            told.append((row.queue, delay))
        elif not secret:
            row.deadline = _deadline(match, request, now)
        created.append(row)
    Pending.objects.bulk_create(created)
    return told


def in_private(match: Match, kind: str) -> bool:
    """Whether only the asked seat may notice this kind of request: it is short, and replaces nobody."""
    return kind == "poll" or kind in RULES[match.game].secret


def _deadline(match: Match, request: values.Request, now: datetime) -> datetime | None:
    room = match.room
    if room is not None and room.study:
        return None  # a study's table: one person plays there, and what is asked is what it is for
    if in_private(match, request.kind):
        return now + timedelta(seconds=POLL_SECONDS)
    if room is None or not room.move_seconds or room.absence == Room.Absence.WAIT:
        return None
    return now + timedelta(seconds=room.move_seconds)


def from_outside(agent: str) -> bool:
    """Whether a program answers for this agent, and none of the workers."""
    return queue_of is not None and queue_of(agent) == OUTSIDE


def _deadline_outside(match: Match, request: values.Request, agent: str, now: datetime) -> datetime:
    """Until when a program may answer for an agent: as long as its profile says, at a table as long as people may."""
    own = now + timedelta(seconds=patience(agent) if patience else POLL_SECONDS)
    tables = _deadline(match, request, now) if match.room_id is not None else None
    return min(own, tables or own)


def asked_outside(agent: str) -> QuerySet[Pending]:
    """What a program is to answer for this agent, the longest ago first."""
    rows = Pending.objects.filter(queue=OUTSIDE, agent=agent, kept__isnull=True).order_by("opened_at", "pk")
    return rows.select_related("match__room")


def unheld(now: Moment = NOW) -> QuerySet[Pending]:
    """What agents are asked and no worker holds. Decisions that cost money wait while nobody is at their table; a
    competition has none."""
    nobody = Q(queue__in=paid) & ~attended("match__room__", now) & ~Q(match__origin=Match.Origin.COMPETITION)
    rows = Pending.objects.filter(kept__isnull=True).exclude(agent="").exclude(queue=OUTSIDE).exclude(nobody)
    return rows.filter(Q(lease_until=None) | Q(lease_until__lt=now))


def attended(room: str, now: Moment = NOW) -> Q:
    """Whether somebody has a room open, or had until a moment ago; `room` is the lookup that leads to it."""
    return Q(**{f"{room}seen_at__gt": now - ATTENDED})


def waited_alone(match: Match) -> bool:
    """Whether an agent is asked here that has not moved for as long as nobody was at the table."""
    return match.pending.filter(queue__in=paid, attempts=0, due_at__lt=clock.after(-ATTENDED)).exists()


def in_fair_order(rows: QuerySet[Pending]) -> QuerySet[Pending]:
    """The next one first: tables that somebody has open before the others; then by whose turn was the longest ago, of
    all that was opened from one address, of one host's tables, of one table; then by the time that it was due."""
    table = F("match__room__served_at")
    host = Coalesce(_last_served("host"), table)
    turns = (Coalesce(_last_served("origin"), host), host, table)
    rows = rows.annotate(alone=Case(When(attended("match__room__"), then=0), default=1))
    return rows.order_by("alone", *(OrderBy(turn, nulls_first=True) for turn in turns), "due_at", "pk")


def _last_served(name: str) -> Subquery:
    """When a table with the same value in a field of the room was last served; null where it is empty."""
    same = Room.objects.filter(**{name: OuterRef(f"match__room__{name}")}).exclude(**{name: ""})
    return Subquery(same.order_by().values(name).annotate(last=Max("served_at")).values("last"))


def claim(queue: str, seconds: float) -> Pending | None:
    """Take the request that it is fair to answer next, under a lease; None where nothing is due. Only one worker gets
    it."""
    with transaction.atomic():
        due = in_fair_order(unheld().filter(queue=queue, due_at__lte=clock.after(EARLY)))
        row = due.select_for_update(of=("self",), skip_locked=True).first()
        if row is None:
            return None
        Pending.objects.filter(pk=row.pk).update(
            attempts=row.attempts + 1, messages=0, lease_until=clock.after(seconds), nudge_at=Now()
        )
        Room.objects.filter(matches=row.match_id).update(served_at=Now())
    return row


def claimed(row: Pending) -> QuerySet[Pending]:
    """The row of a request that was claimed, as long as nobody has claimed it since."""
    return Pending.objects.filter(pk=row.pk, attempts=row.attempts + 1)


def hold(row: Pending, seconds: float) -> None:
    """Have a request that was claimed, and decided about, claimed again in so many seconds: its agent types until
    then."""
    if claimed(row).update(
        due_at=clock.after(seconds),
        lease_until=None,
        attempts=row.attempts,
        messages=1,
        nudge_at=clock.after(seconds + FIRST_PAUSE.total_seconds()),
    ):
        nudge_for(row.match_id, [(row.queue, seconds)])


def send_again(row: Pending, now: Moment) -> bool:
    """Tell the workers once more of a request that none of them has claimed, each time after a longer pause; returns
    whether it was this call that did."""
    pause = min(FIRST_PAUSE * 2 ** min(row.messages, MOST_DOUBLINGS), LONGEST_PAUSE)
    unchanged = Pending.objects.filter(pk=row.pk, attempts=row.attempts, messages=row.messages)
    if unchanged.update(nudge_at=now + pause, messages=row.messages + 1) != 1:
        return False
    try:
        nudge(row.queue)
    except Unsent:
        Pending.objects.filter(pk=row.pk, attempts=row.attempts).update(nudge_at=now, messages=row.messages)
        raise
    return True
