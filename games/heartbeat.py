"""Whether the site is there, and what its clocks do while it is not: an outage is not the players' time.

The web processes beat in the database, about once a second, as long as they can reach it. The sweeper looks at that:
while nothing beats no deadline passes, and when it beats again open deadlines move by the gap. The sweeper's own beat
tells it whether it was away itself, or the database; workers that live get the time to renew their leases then.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import DatabaseError, close_old_connections, transaction
from django.db.models.functions import Now

from games import rooms
from games.models import Heartbeat, Pending
from magic_site import clock

log = logging.getLogger(__name__)

BEAT_EVERY = 1.0
GAP = timedelta(seconds=4)
"""How long nothing beats until that counts as an outage."""

FRESH_LEASE = timedelta(seconds=10)
"""Longer than it takes a worker to renew its leases."""

WEB, SITE, SWEEPER = "web", "site", "sweeper"
"""Beats of the web processes; the last of them that the sweeper knows of; rounds of the sweeper."""

# What other apps want done with their leases when the sweeper or the database was away; they put it here.
renewed: list[Callable[[timedelta], None]] = []


def beat(name: str) -> None:
    """Keep that this part of the site is there now."""
    if not Heartbeat.objects.filter(name=name).update(at=Now()):
        Heartbeat.objects.bulk_create([Heartbeat(name=name, at=clock.now())], ignore_conflicts=True)


def begin() -> None:
    """Beat for this web process from now on."""
    threading.Thread(target=_beat_for_ever, name="heartbeat", daemon=True).start()


def _beat_for_ever() -> None:
    pause = threading.Event()
    while True:
        try:
            beat(WEB)
        except DatabaseError:
            log.exception("The heartbeat failed; the next one tries again")
        close_old_connections()
        pause.wait(BEAT_EVERY)


def look() -> bool:
    """For the sweeper, before anything else in a round: make good what an outage took. Returns whether people can reach
    the site, so that their time runs; where no web process ever beat, that is taken for granted."""
    with transaction.atomic():
        beats = dict(Heartbeat.objects.select_for_update().values_list("name", "at"))
        now = clock.now()
        if SWEEPER in beats and now - beats[SWEEPER] > GAP:
            _renew_leases()
        beat(SWEEPER)
        web = beats.get(WEB)
        if web is None:
            return True
        if SITE in beats and web - beats[SITE] > GAP:
            _stand_still(beats[SITE], web)
        Heartbeat.objects.update_or_create(name=SITE, defaults={"at": web})
        return now - web <= GAP


def _stand_still(since: datetime, until: datetime) -> None:
    """Let the clocks of what people are asked have stood between these moments."""
    rows = list(Pending.objects.filter(opened_at__lt=until).select_related("match__room"))
    for row in rows:
        away = until - max(since, row.opened_at)
        row.away_seconds += away.total_seconds()
        if row.deadline is not None:
            row.deadline += away
    Pending.objects.bulk_update(rows, ["away_seconds", "deadline"])
    waiting = {row.match.room_id: row.match.room for row in rows if row.match.room is not None}
    for room in waiting.values():
        rooms.changed(room)
    if waiting:
        gap = (until - since).total_seconds()
        log.warning("The site was away for %d s; that time is given back at %d tables", gap, len(waiting))


def _renew_leases() -> None:
    """Who is at work could not renew a lease; who is dead will not."""
    held = Pending.objects.filter(lease_until__lt=clock.after(FRESH_LEASE))
    held.update(lease_until=clock.after(FRESH_LEASE))
    for renew in renewed:
        renew(FRESH_LEASE)
