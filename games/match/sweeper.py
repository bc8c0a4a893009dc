"""What must happen without anybody's click: deadlines that pass, and answers that no worker is working on any more."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from django.db.models.functions import Now

from games.match import heartbeat, pending, sealing, store
from games.models import OUTSIDE, Pending, Room
from games.registry import RULES
from games.rules import values
from magic_site import clock

log = logging.getLogger(__name__)

DISPATCHES = 5

# What other apps want done each round; they put it here when they start.
also: list[Callable[[], None]] = []


def sweep(now: datetime | None = None) -> int:
    """Let deadlines expire, while people can reach the site, and send again what no worker holds. Safe to run twice;
    returns how many rows it moved. now: another moment than the database's own. A match that cannot be moved on is
    logged and holds up no other; a broker that cannot be reached ends the round."""
    at = now or Now()
    late = Pending.objects.none()
    if heartbeat.look():
        late = Pending.objects.filter(deadline__lte=at).select_related("match__room")
    dropped = pending.unheld(at).filter(nudge_at__lte=at)
    moved = sum(_moved(row, _let_expire, at) for row in late)
    with suppress(pending.Unsent):
        for row in dropped:
            moved += _moved(row, _send_again, at)
    return moved


def _moved(row: Pending, move: Callable[[Pending, pending.Moment], bool], now: pending.Moment) -> bool:
    try:
        return move(row, now)
    except pending.Unsent:
        raise
    except Exception:
        log.exception("Request %s of match %s cannot be moved on", row.request, row.match_id)
        return False


def _let_expire(row: Pending, now: pending.Moment) -> bool:
    """What the table does at the deadline: open what was sealed, or go on without a person who has not answered."""
    room = row.match.room
    if room is not None and sealing.applies(RULES[row.match.game], row.request.rpartition(":")[2]):
        return bool(store.unseal(row.match_id, row.request).events)
    if row.queue == OUTSIDE:
        sentence = "No answer came from outside in time."
        late = values.Attempt(row.request, row.seat, f"agent:{row.agent}", "lost", sentence, None, "default")
        return bool(store.expire(row.match_id, row.request, attempts=[late]).events)
    if (
        room is None
        or room.absence != Room.Absence.AGENT
        or pending.in_private(row.match, row.request.rpartition(":")[2])
        or _is_here(row)
    ):
        return bool(store.expire(row.match_id, row.request).events)
    return bool(store.take_over(row.match_id, row.seat, unanswered=row.request).events)


def _is_here(row: Pending) -> bool:
    """Whether the asked person has said or done something since they were asked: they are only late."""
    opened_at = int(row.request.partition(":")[0])
    return row.match.events.filter(seat=row.seat, by="person", seq__gt=opened_at).exists()


def _send_again(row: Pending, now: pending.Moment) -> bool:
    """Give a decision to the workers anew; play the default once they have died over it again and again."""
    if row.attempts >= DISPATCHES:
        sentence = f"No answer after {row.attempts} tries."
        lost = values.Attempt(row.request, row.seat, f"agent:{row.agent}", "lost", sentence, None, "default")
        return bool(store.expire(row.match_id, row.request, attempts=[lost]).events)
    if not pending.send_again(row, now):
        return False
    why = "its worker is gone" if row.attempts else "no worker has taken it"
    waited = (clock.now() - row.opened_at).total_seconds()
    log.warning("Request %s of match %s waits for %d s: %s. It is sent again", row.request, row.match_id, waited, why)
    return True
