"""API keys: by them programs act in a person's place, within scopes, until they end or are withdrawn.

A key is random, shown once, and kept as a digest. It gives nobody more than its person has: where a right is asked for
as well, such as that of researchers, its account needs it too.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import audit
from games.models import ApiKey, Room
from games.refused import Refused
from magic_site import clock

MOST = 20
"""So many keys of one person are good at a time."""

LIVES = (1, 30, 90, 365)
"""Days after which a key may end."""

CHAIR_LIFE = timedelta(days=30)
"""How long a key that came with a chair is good, if the chair is not freed before."""

SEEN_EVERY = timedelta(minutes=1)
"""How often at most it is written down that a key was used."""

BEGINNING = "magic_"


class Scope(NamedTuple):
    """What a key is good for, as people read it."""

    title: str | Promise
    about: str | Promise


PLAY, READ, HIDDEN, RUN, EXPORT, ADMIN = "play", "read", "read_hidden", "run", "export", "admin"
SCOPES: dict[str, Scope] = {
    PLAY: Scope(gettext_lazy("Play"), gettext_lazy("Opens tables, sits down, starts, and makes your moves.")),
    READ: Scope(gettext_lazy("Read"), gettext_lazy("Sees tables and matches as you see them while you play or watch.")),
    HIDDEN: Scope(
        gettext_lazy("Read what is hidden"),
        gettext_lazy("Sees roles, words and thoughts of matches of which you may see everything, and numbers of them."),
    ),
    RUN: Scope(
        gettext_lazy("Run"),
        gettext_lazy(
            "Makes and runs agents, competitions and labs, and answers for agents from outside, where you may."
        ),
    ),
    EXPORT: Scope(gettext_lazy("Export"), gettext_lazy("Takes away the logs of matches that you may see.")),
    ADMIN: Scope(
        gettext_lazy("Admin"),
        gettext_lazy("Labels what tasks ask, brings logs of other matches and reads the audit, where you may."),
    ),
}


def make(
    person: str, user: User | AnonymousUser, title: str, scopes: Collection[str], days: int | None
) -> tuple[ApiKey, str]:
    """A key for a program of this person, and the secret, which nobody can read again. days: until it ends. Raises
    `Refused`."""
    title = " ".join(title.replace("\0", "").split())
    if not title or len(title) > 60:
        raise Refused(_("Say what the key is for, in 60 letters at most."))
    if not scopes or not set(scopes) <= SCOPES.keys():
        raise Refused(_("Choose what the key is good for."))
    if days not in LIVES:
        raise Refused(_("Choose how long the key is good."))
    if valid().filter(person=person, room=None).count() >= MOST:
        raise Refused(_("You have %(most)d keys. Withdraw one before you make another.") % {"most": MOST})
    account = user if isinstance(user, User) else None
    ordered = [scope for scope in SCOPES if scope in scopes]
    key, secret = _store(
        title=title, person=person, user=account, scopes=ordered, ends_at=clock.after(timedelta(days=days))
    )
    audit.note("rights", by=user, about=str(key), made=ordered)
    return key, secret


def make_for_chair(person: str, room: Room) -> str:
    """The secret of a key that is good at one table, for whoever plays there as this person."""
    return _store(person=person, room=room, scopes=[PLAY, READ], ends_at=clock.after(CHAIR_LIFE))[1]


def find(secret: str) -> ApiKey | None:
    """The key that a program shows, if it is good now; that it was used is written down."""
    key = valid().filter(digest=_digest(secret)).select_related("user").first()
    if key is None or (key.user is not None and not key.user.is_active):
        return None
    now = clock.now()
    if key.used_at is None or key.used_at < now - SEEN_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(used_at=Now())
    return key


def still_good(keys: Iterable[ApiKey]) -> dict[int, ApiKey]:
    """Those of these keys that are good now, as they are now, by their numbers."""
    found = valid().filter(pk__in={key.pk for key in keys}).select_related("user")
    return {key.pk: key for key in found if key.user is None or key.user.is_active}


def valid() -> QuerySet[ApiKey]:
    """The keys that are neither withdrawn nor at their end."""
    return ApiKey.objects.filter(Q(ends_at=None) | Q(ends_at__gt=Now()), withdrawn_at=None)


def of(person: str) -> QuerySet[ApiKey]:
    """The keys that this person made, the newest first, the last ones of those that are good no more too."""
    return ApiKey.objects.filter(person=person, room=None)[: 3 * MOST]


def withdraw(person: str, pk: int, by: User | AnonymousUser) -> None:
    """End one of this person's keys now. Raises `Refused`."""
    key = valid().filter(person=person, pk=pk).first()
    if key is None:
        raise Refused(_("There is no such key, or it is good no more."))
    ApiKey.objects.filter(pk=pk).update(withdrawn_at=Now())
    audit.note("rights", by=by, about=str(key), withdrawn=key.scopes)


def forget(person: str) -> None:
    """Let go of all keys of a person."""
    ApiKey.objects.filter(person=person).delete()


def _store(**fields) -> tuple[ApiKey, str]:
    secret = BEGINNING + secrets.token_urlsafe(32)
    return ApiKey.objects.create(digest=_digest(secret), **fields), secret


def _digest(secret: str) -> str:
    """Of a random key of 256 bits nobody finds the key by its digest, so none is salted."""
    return hashlib.sha256(secret.encode()).hexdigest()
