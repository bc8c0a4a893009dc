"""How many tables there may be at once: of one person, from one address, and at all.

A table counts while it waits for people or is played, until nothing has happened there for a while: what everybody has
left and no agent moves takes up nothing.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.models import Match, Room
from magic_site import clock

QUIET = timedelta(minutes=10)


OF_A_PERSON = gettext_noop("You have %(most)d tables open, and no more are allowed. End or leave one first.")
OF_AN_ADDRESS = gettext_noop(
    "%(most)d tables are open from your network, and no more are allowed. Try again when one of them is over."
)
AT_ALL = gettext_noop("All %(most)d tables here are taken just now. Try again in a few minutes.")


def trouble(room: Room) -> str:
    """Why no more can be played than is now, so that this table must wait, in a sentence; empty if it need not."""
    others = in_use().exclude(pk=room.pk)
    capped = (
        (settings.MOST_TABLES_OF_A_PERSON, others.filter(host=room.host, closed_at=None), OF_A_PERSON),
        (settings.MOST_TABLES_OF_AN_ADDRESS, others.filter(origin=room.origin).exclude(origin=""), OF_AN_ADDRESS),
        (settings.MOST_TABLES, others, AT_ALL),
    )
    for most, tables, sentence in capped:
        if most and tables.count() >= most:
            return _(sentence) % {"most": most}
    return ""


def in_use() -> QuerySet[Room]:
    """The tables that count."""
    matches = Match.objects.filter(room=OuterRef("pk"))
    playing, waiting = Exists(matches.filter(status="running")), Q(closed_at=None) & ~Exists(matches)
    since = clock.after(-QUIET)
    lately = Q(created_at__gt=since) | Q(seen_at__gt=since) | Q(served_at__gt=since)
    return Room.objects.filter(lately).filter(playing | waiting)
