"""Who looked at what was hidden, took logs away or brought some, erased, changed rights and gave orders at tables.

What is noted stays: there is no way to change or delete it but two, `erase` for words of people and `forget` for what
is older than an admin wants to keep. It holds no role, no word of a game and no thought. People stand in it by the
numbers of their accounts, and are named where it is shown: with the account its name goes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group, User
from django.db import models
from django.db.models.functions import Now
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.utils.translation import gettext_lazy as _

from games.match.words import Change, everywhere
from magic_site import clock

if TYPE_CHECKING:
    from games.match.models import Match

log = logging.getLogger(__name__)

SITTING = timedelta(minutes=30)
"""Who looks at the same again within this time is not noted anew."""


class Notes(models.QuerySet):
    """What was noted, to be read."""

    def update(self, **columns: Any) -> int:
        raise TypeError("What the audit holds cannot be changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("What the audit holds cannot be deleted.")


class Audited(models.Model):
    """One thing that somebody did. account: who, if signed in; by: else what did it, such as a command. whom: the
    account that it was done to. match: its id, which may be gone by now. about: what it was done to, in a few words of
    the program. details: more of it, as JSON."""

    class What(models.TextChoices):
        LOOKED = "looked", _("looked at what was hidden")
        EXPORTED = "exported", _("took data away")
        IMPORTED = "imported", _("took data in")
        ERASED = "erased", _("erased a person")
        SCRUBBED = "scrubbed", _("took a person out of a file")
        RIGHTS = "rights", _("changed rights")
        TABLE = "table", _("gave an order at a table")
        ARCHIVED = "archived", _("moved logs")
        RETENTION = "retention", _("let go of what was old")

    at = models.DateTimeField(db_default=Now(), editable=False)
    what = models.CharField(max_length=10, choices=What)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )
    by = models.CharField(max_length=80, blank=True)
    whom = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="+", db_index=False
    )
    match = models.UUIDField(null=True, db_index=True)
    about = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)

    objects = Notes.as_manager()

    class Meta:
        ordering = ["-pk"]
        default_permissions = ("view",)
        indexes = [models.Index(fields=["what", "-id"], name="audited_what")]

    def __str__(self) -> str:
        return f"{self.pk}: {self.what}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise TypeError("What the audit holds cannot be changed.")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("What the audit holds cannot be deleted.")


SAID = (
    Audited.What.TABLE,
    Audited.What.EXPORTED,
    Audited.What.IMPORTED,
    Audited.What.ERASED,
    Audited.What.SCRUBBED,
    Audited.What.ARCHIVED,
)
"""Of these the details may hold what somebody wrote, such as a reason or the words that a filter looks for."""


def note(
    what: str,
    *,
    by: User | AnonymousUser | str | None,
    about: str = "",
    match: Match | UUID | None = None,
    whom: User | None = None,
    **details: Any,
) -> Audited:
    """Note what was done. by: who is signed in, or the name of what did it, such as a command. about, details: never
    what is hidden in a game; words that people gave, such as a reason, stand in `details`."""
    account = by if isinstance(by, User) else None
    return Audited.objects.create(
        what=Audited.What(what),
        account=account,
        by=by if isinstance(by, str) else "",
        whom=whom,
        match=match if match is None or isinstance(match, UUID) else match.pk,
        about=about[:200],
        details=details,
    )


def looked(by: User | AnonymousUser, match: Match, viewer: str, page: str) -> None:
    """Note that somebody was shown what is hidden while a match runs, once a `SITTING`. viewer: as whom they see it."""
    running = match
    while running.status != "running" and running.parent is not None:  # a fork tells what its parent hides
        running = running.parent
    if running.status != "running" or not isinstance(by, User):
        return
    before = Audited.objects.filter(
        what=Audited.What.LOOKED, account=by, match=match.pk, about=viewer, at__gt=clock.after(-SITTING)
    )
    if not before.exists():
        note(Audited.What.LOOKED, by=by, match=match, about=viewer, page=page)


def erase(without: Change) -> None:
    """Take a person's words and name out of all that was noted; that it was done stays."""
    for row in Audited.objects.filter(what__in=SAID).only("details").iterator():
        details = everywhere(row.details, without)
        if details != row.details:
            models.QuerySet(Audited).filter(pk=row.pk).update(details=details)


def forget(before: datetime) -> int:
    """Delete what was noted before a moment; returns how much that was."""
    return models.QuerySet(Audited).filter(at__lt=before)._raw_delete("default")


# Rights -------------------------------------------------------------------------------------------------------------

Doer = Callable[[], "User | AnonymousUser | str | None"]

_doer: ContextVar[Doer] = ContextVar("doer", default=lambda: None)
_silent: ContextVar[bool] = ContextVar("silent", default=False)


@contextmanager
def done_by(doer: Doer) -> Iterator[None]:
    """Meanwhile changes of rights are this one's doing."""
    token = _doer.set(doer)
    try:
        yield
    finally:
        _doer.reset(token)


@contextmanager
def silent() -> Iterator[None]:
    """Meanwhile changes of rights are nobody's doing, such as those that come with a new version."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def watch(model: type[models.Model], *fields: str, about: Callable[[Any], str] = lambda row: "") -> None:
    """Note from now on who changes these fields of a model's rows, whatever way they take but for `QuerySet.update`.
    about: what a row is called, without naming a person."""

    def read(sender: Any, instance: Any, raw: bool = False, **_more: Any) -> None:
        known = None if raw or instance.pk is None else model._base_manager.filter(pk=instance.pk).values(*fields)
        instance._audited = (known and known.first()) or {}

    def compare(sender: Any, instance: Any, raw: bool = False, update_fields: Any = None, **_more: Any) -> None:
        before, named = instance._audited, fields if update_fields is None else update_fields
        changes = {
            name: [before.get(name), getattr(instance, name)]
            for name in fields
            if name in named and before.get(name) != getattr(instance, name)
        }
        if changes and not raw:
            _rights(instance, about(instance), changes)

    def gone(sender: Any, instance: Any, **_more: Any) -> None:
        _rights(instance, about(instance), {name: [getattr(instance, name), None] for name in fields})

    for signal, hear in ((pre_save, read), (post_save, compare), (post_delete, gone)):
        signal.connect(hear, sender=model, weak=False, dispatch_uid=f"audit {model._meta.label} {hear.__name__}")


def watch_accounts() -> None:
    """Note from now on who changes what accounts and groups may do."""
    watch(User, "is_superuser", "is_staff", "is_active", about=lambda user: f"account {user.pk}")
    watch(Group, "name", about=lambda group: f"group {group.name}")
    for relation in (User.groups, User.user_permissions, Group.permissions):
        m2m_changed.connect(_members, sender=relation.through, dispatch_uid=f"audit {relation.through.__name__}")


def _members(sender: Any, instance: Any, action: str, reverse: bool, model: Any, pk_set: Any, **_more: Any) -> None:
    """A change of who is in which group, or may do what, from either side of it."""
    if action not in ("post_add", "post_remove", "pre_clear"):
        return
    if pk_set is None:  # all of them
        mine, others = instance._meta.model_name, model._meta.model_name
        pk_set = set(sender._base_manager.filter(**{mine: instance}).values_list(others, flat=True))
    verb = "given" if action == "post_add" else "taken"
    for other in model._base_manager.filter(pk__in=pk_set):
        holder, right = (other, instance) if reverse else (instance, other)
        named = right.name if isinstance(right, Group) else f"{right.content_type.app_label}.{right.codename}"
        about = f"account {holder.pk}" if isinstance(holder, User) else f"group {holder.name}"
        _rights(holder, about, {verb: named})


def _rights(row: Any, about: str, details: dict[str, Any]) -> None:
    if not _silent.get():
        whom = row if isinstance(row, User) else None
        note(Audited.What.RIGHTS, by=_doer.get()(), about=about, whom=whom, **details)
