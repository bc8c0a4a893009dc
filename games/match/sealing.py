"""What a game asks one seat in secret: at a live table it takes a time of its own, whoever is asked and whatever they
do.

The answer, or that there is none, is kept beside the request until then (`Pending.kept`), and only then put into the
log; `games.match.store` does both. So nobody can tell a person from an agent, or one seat from another, by the pause.
"""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from games.models import Match, Pending
from games.rules import values
from games.rules.core import Rules
from games.rules.play import Play


def applies(rules: Rules, kind: str) -> bool:
    """Whether requests of this kind are sealed."""
    return bool(settings.SEALED_SECONDS) and kind in rules.secret


def deadline(match: Match, request: values.Request, now: datetime) -> datetime:
    """When a sealed request that is opened now is over: drawn from what everybody sees, the match and the event that
    opened it."""
    seconds = random.Random(f"{match.pk}:{request.opened_at}").uniform(*settings.SEALED_SECONDS)
    return now + timedelta(seconds=seconds)


def row_of(match_id: UUID, rules: Rules, request: str) -> Pending | None:
    """Where the answer to a request is kept until its time is up; None if it is not sealed, as none is without a
    table."""
    if not applies(rules, request.rpartition(":")[2]):
        return None
    return Pending.objects.filter(match_id=match_id, request=request, match__room__isnull=False).first()


def keep(match: Match, play: Play, rows: Iterable[Pending], now: datetime) -> set[str]:
    """The requests whose answers are kept. None is lost in a pause, and after it each takes its whole
    time."""
    kept = [row for row in rows if row.kept is not None and row.request in play.state.open]
    for row in kept:
        if play.state.paused:
            row.deadline = None
        elif row.deadline is None:
            row.deadline = deadline(match, play.state.open[row.request], now)
    Pending.objects.bulk_update(kept, ["deadline"])
    return {row.request for row in kept}
