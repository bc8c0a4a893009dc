"""Retention: what is let go of once it is so many days old. By default all is kept for ever.

The sweeper does it, a little at a time. Each rule says what is lost by it; none takes away what numbers are counted
from. Days are whole ones (UTC).
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Max, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import audit
from games.audit import Audited
from games.match import store
from games.models import Match, Retention, RoomMessage
from magic_site import clock, rights

EVERY = 60.0
"""Seconds between two looks of the sweeper."""

BITE = 50
"""So much of each kind is let go of at a look."""

LONGEST = 36500


class Rule(NamedTuple):
    """What is let go of: what it is called, what is lost, the fewest days; old: the rows that are older than a moment;
    go: lets go of some of them."""

    title: str | Promise
    about: str | Promise
    fewest: int
    old: Callable[[datetime], QuerySet[Any]]
    go: Callable[[QuerySet[Any], int], int]


def _prompts(before: datetime) -> QuerySet[Match]:
    return Match.objects.filter(ended_at__lt=before, prompt_texts__isnull=False).distinct()


def _forget_prompts(matches: QuerySet[Match], days: int) -> int:
    keys = list(matches.values_list("pk", flat=True)[:BITE])
    for key in keys:
        store.forget_prompts(key)
    return len(keys)


def _tables(before: datetime) -> QuerySet[Match]:
    running = Match.objects.filter(status="running", room__isnull=False, room__study=False)
    return running.annotate(last=Max("events__at")).filter(last__lt=before)


def _end_tables(matches: QuerySet[Match], days: int) -> int:
    reason = _("Nothing had happened at this table for %(days)d days.") % {"days": days}
    return sum(bool(store.end(key, "abandoned", reason).events) for key in matches.values_list("pk", flat=True)[:BITE])


def _accounts(before: datetime) -> QuerySet[User]:
    idle = Q(last_login__lt=before) | Q(last_login=None, date_joined__lt=before)
    kept = Q(is_superuser=True) | Q(groups__name=rights.ADMIN)
    return User.objects.filter(idle, is_active=True).exclude(kept)


def _switch_off(users: QuerySet[User], days: int) -> int:
    found = list(users[:BITE])
    with audit.done_by(lambda: "retention"):
        for user in found:
            user.is_active = False
            user.save(update_fields=["is_active"])
    return len(found)


def _messages(before: datetime) -> QuerySet[RoomMessage]:
    return RoomMessage.objects.filter(at__lt=before)


def _forget_messages(messages: QuerySet[RoomMessage], days: int) -> int:
    keys = list(messages.values_list("pk", flat=True)[:BITE])
    RoomMessage.objects.filter(pk__in=keys).delete()
    return len(keys)


def _notes(before: datetime) -> QuerySet[Audited]:
    return Audited.objects.filter(at__lt=before)


def _forget_notes(notes: QuerySet[Audited], days: int) -> int:
    return audit.forget(_before(days))


RULES: dict[str, Rule] = {
    "prompts": Rule(
        gettext_lazy("Prompts of matches that are over"),
        gettext_lazy("What models were told is gone from replays, logs and exports. No number is counted from it."),
        1,
        _prompts,
        _forget_prompts,
    ),
    "tables": Rule(
        gettext_lazy("Tables at which nothing happens any more"),
        gettext_lazy("Their matches end as they stand, as ones that were not played to the end."),
        1,
        _tables,
        _end_tables,
    ),
    "talk": Rule(
        gettext_lazy("Talk around matches"),
        gettext_lazy("What was said in waiting rooms, after matches and among watchers is gone, with reports of it."),
        1,
        _messages,
        _forget_messages,
    ),
    "accounts": Rule(
        gettext_lazy("Accounts that nobody signs in to, but for admins'"),
        gettext_lazy("They are switched off. An admin can switch them on again, and nothing of theirs is lost."),
        30,
        _accounts,
        _switch_off,
    ),
    "audit": Rule(
        gettext_lazy("The audit"),
        gettext_lazy("Who looked, exported, erased or changed rights before is not known any more."),
        90,
        _notes,
        _forget_notes,
    ),
}


def _before(days: int) -> datetime:
    return clock.now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days)


def days() -> dict[str, int | None]:
    """After how many days what each rule is about goes; None: never."""
    kept = dict(Retention.objects.values_list("name", "days"))
    return {name: kept.get(name) for name in RULES}


def put(wanted: dict[str, int | None], by: Any) -> None:
    """Say so; it is noted."""
    for name, given in wanted.items():
        if given != days()[name]:
            Retention.objects.update_or_create(name=name, defaults={"days": given})
            audit.note("retention", by=by, about=name, days=given)


def would_go(wanted: dict[str, int | None]) -> dict[str, int]:
    """How much would go by now."""
    return {name: RULES[name].old(_before(given)).count() for name, given in wanted.items() if given}


def let_go() -> dict[str, int]:
    """Let go of a little of what is old; how much that was, by rule."""
    gone = {}
    for name, given in days().items():
        if given and (done := RULES[name].go(RULES[name].old(_before(given)), given)):
            gone[name] = done
            audit.note("retention", by="retention", about=name, gone=done, days=given)
    return gone


_looked = float("-inf")


def sweep() -> None:
    """The same now and then, for the sweeper."""
    global _looked
    if time.monotonic() - _looked > EVERY:
        _looked = time.monotonic()
        let_go()
