"""Whether the site is there, and what its clocks do while it is not: an outage is not the players' time.

The web processes beat in the database, about once a second, as long as they can reach it. The sweeper looks at that:
while nothing beats no deadline passes, and when it beats again open deadlines move by the gap. The sweeper's own beat
tells it whether it was away itself, or the database; workers that live get the time to renew their leases then.
"""

import logging
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections
from django.db.models import F
from django.db.models.functions import Now

from games.jobs import leases
from games.models import Heartbeat, Job, Pending
from games.room import rooms
from magic_site import clock

log = logging.getLogger(__name__)

BEAT_EVERY = 1.0
GAP = timedelta(seconds=4)
"""How long nothing beats until that counts as an outage."""

WEB, SITE, SWEEPER = "web", "site", "sweeper"
"""Beats of the web processes; the last of them that the sweeper knows of; rounds of the sweeper."""


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
        except (DatabaseError, InterfaceError):
            log.exception("The heartbeat failed; the next one tries again")
        close_old_connections()
        pause.wait(BEAT_EVERY)


def look() -> bool:
    """For the sweeper, before anything else in a round: make good what an outage took. Returns whether people can reach
    the site, so that their time runs; where no web process ever beat, that is taken for granted."""
    beats = dict(Heartbeat.objects.values_list("name", "at"))
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
    """Let the clocks of what people are asked have stood between these moments. Row by row: a transaction that held
    several would wait for those that write a match, and they for it. What is broken off is done again, at nobody's
    cost."""
    rooms_asked = {}
    for row in Pending.objects.filter(opened_at__lt=until).select_related("match__room"):
        away = until - max(since, row.opened_at)
        moved = {"away_seconds": F("away_seconds") + away.total_seconds(), "deadline": F("deadline") + away}
        Pending.objects.filter(pk=row.pk).update(**moved)
        if row.match.room is not None:
            rooms_asked[row.match.room_id] = row.match.room
    for room in rooms_asked.values():
        rooms.changed(room)
    if rooms_asked:
        gap = (until - since).total_seconds()
        log.warning("The site was away for %d s; that time is given back at %d tables", gap, len(rooms_asked))


def _renew_leases() -> None:
    """Who is at work could not renew a lease; who is dead will not."""
    for model in (Pending, Job):
        leases.prolong(model.objects.all(), timedelta(seconds=settings.LEASE_SECONDS))
