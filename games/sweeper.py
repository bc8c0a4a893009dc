"""What must happen without anybody's click: deadlines that pass, and answers that no worker is working on any more."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from games import pending, table
from games.models import Pending, Room
from games.rules import values

DISPATCHES = 5


def sweep(now: datetime | None = None) -> int:
    """Let deadlines expire and dispatch again what no worker holds any more. Safe to run twice; returns how many
    rows it moved."""
    now = now or timezone.now()
    moved = 0
    for row in Pending.objects.filter(agent="", deadline__lt=now).select_related("match__room"):
        moved += bool(_let_expire(row).events)
    for row in Pending.objects.exclude(agent="").filter(lease_until__lt=now):
        if row.attempts >= DISPATCHES:
            moved += bool(_give_up(row).events)
            continue
        again = Pending.objects.filter(pk=row.pk, attempts=row.attempts, lease_until=row.lease_until)
        if again.update(lease_until=now + pending.DISPATCH_GRACE) == 1:
            pending.send(row.match_id, row.request, row.agent, row.attempts)
            moved += 1
    return moved


def _let_expire(row: Pending) -> table.Moved:
    """What the table does about a person who has not answered in time."""
    room = row.match.room
    if room is None or room.absence != Room.Absence.AGENT or row.request.endswith(":poll"):
        return table.expire(row.match_id, row.request)
    return table.take_over(row.match_id, row.seat, unanswered=row.request)


def _give_up(row: Pending) -> table.Moved:
    """Play the default for an agent whose workers have died over one request again and again."""
    sentence = f"No answer after {row.attempts} tries."
    lost = values.Attempt(row.request, row.seat, f"agent:{row.agent}", "lost", sentence, None, "default")
    return table.expire(row.match_id, row.request, attempts=[lost])
