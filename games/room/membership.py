"""Accounts and their groups, as an admin keeps them who is no superuser: nobody gets here beyond what the groups of the
site may do, and the last admin stays."""

from collections.abc import Collection
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, Group, User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.functional import Promise
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import audit
from games.refused import Refused
from magic_site import rights


class Membership(NamedTuple):
    """A group of the site: what people call it and what it is for."""

    title: str | Promise
    about: str | Promise


GROUPS: dict[str, Membership] = {
    rights.RESEARCHER: Membership(
        gettext_lazy("Researcher"),
        gettext_lazy("Sees everything of all matches that they do not play in, and runs competitions."),
    ),
    rights.RATER: Membership(
        gettext_lazy("Rater"), gettext_lazy("Labels what tasks ask, and sees of a match what the task shows.")
    ),
    rights.ADMIN: Membership(
        gettext_lazy("Admin"),
        gettext_lazy("Does what researchers do, keeps order, accounts and agents, erases people, reads the audit."),
    ),
}


def make(name: str, groups: Collection[str], by: User | AnonymousUser) -> User:
    """An account without a password; `link` lets its owner choose one. Raises `Refused`."""
    name = name.strip()
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError as error:
        raise Refused(error.messages[0]) from error
    if len(name) > 60:
        raise Refused(_("A user name has 60 letters at most."))
    if User.objects.filter(username__iexact=name).exists():
        raise Refused(_("There is an account of that name already."))
    wanted = _may_be_given(groups, by)
    try:
        with transaction.atomic():
            user = User.objects.create_user(name)
            user.groups.set(wanted)
    except IntegrityError as error:
        raise Refused(_("There is an account of that name already.")) from error
    return user


def change(user: User, groups: Collection[str], active: bool, by: User | AnonymousUser) -> None:
    """Say which of the site's groups an account is in, and whether it can sign in. Raises `Refused`."""
    _refuse_beyond(user, by)
    with transaction.atomic():
        Group.objects.select_for_update().get(name=rights.ADMIN)  # of two who take the last admins away one waits
        known = set(user.groups.values_list("name", flat=True)) & GROUPS.keys()
        wanted = _may_be_given(set(groups) - known, by)
        if user == by and not active:
            raise Refused(_("You cannot switch your own account off. Ask another admin."))
        if not (active and rights.ADMIN in groups) and not _admins().exclude(pk=user.pk).exists():
            raise Refused(_("This is the last admin. Make another one first."))
        user.groups.remove(*Group.objects.filter(name__in=known - set(groups)))
        user.groups.add(*wanted)
        if user.is_active != active:
            user.is_active = active
            user.save(update_fields=["is_active"])


def link(user: User, by: User | AnonymousUser) -> str:
    """The path by which the owner of an account chooses a password, once, within days. Raises `Refused`."""
    _refuse_beyond(user, by)
    audit.note("rights", by=by, whom=user, about=f"account {user.pk}", given="a link to choose a password")
    key = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("choose_password", args=[key, default_token_generator.make_token(user)])


def erase(user: User, by: User | AnonymousUser) -> None:
    """Take an account's name, its way in and its groups; its number stays in the audit. Raises `Refused`."""
    change(user, (), False, by)
    user.username, user.first_name, user.last_name, user.email = f"erased-{user.pk}", "", "", ""
    user.set_unusable_password()
    user.save()
    user.person_keys.all().delete()
    user.api_keys.all().delete()


def may_change(user: User, by: User | AnonymousUser) -> bool:
    """Whether this admin may change an account: nobody's who is beyond the groups of the site."""
    return by.is_superuser or not (user.is_superuser or user.user_permissions.exists() or _extra(user.groups.all(), by))


def _refuse_beyond(user: User, by: User | AnonymousUser) -> None:
    if not may_change(user, by):
        raise Refused(_("This account may do more than an admin. Only a superuser changes it."))


def _may_be_given(names: Collection[str], by: User | AnonymousUser) -> QuerySet[Group]:
    if not set(names) <= GROUPS.keys():
        raise Refused(_("There is no such group."))
    groups = Group.objects.filter(name__in=names)
    if not by.is_superuser and _extra(groups, by):
        raise Refused(_("This group was given more than it usually may do. Only a superuser puts somebody into it."))
    return groups


def _extra(groups: QuerySet[Group], by: User | AnonymousUser) -> bool:
    """Whether groups may do what neither the site gives them nor this admin may do."""
    for group in groups.prefetch_related("permissions__content_type"):
        usual = rights.permissions(group.name) if group.name in GROUPS else set()
        for right in group.permissions.all():
            name = f"{right.content_type.app_label}.{right.codename}"
            if name not in usual and not by.has_perm(name):
                return True
    return False


def _admins() -> QuerySet[User]:
    """Who can keep accounts."""
    return User.objects.filter(Q(is_superuser=True) | Q(groups__name=rights.ADMIN), is_active=True).distinct()
