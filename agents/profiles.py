"""Who may make and change which agent profiles, and by which form: the same for pages and programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import ProtectedError
from django.forms import ModelChoiceField
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from agents import asking
from agents.forms import OwnProfileForm, OwnProfilePageForm, ProfileForm, ProfilePageForm
from agents.models import AgentProfile
from games.refused import Refused

CHANGES = "agents.change_agentprofile"
OWN = "agents.make_own_profiles"
DELETES = "agents.delete_agentprofile"


def may_make(user: User | AnonymousUser) -> bool:
    """Whether this account may make profiles at all."""
    return user.has_perm(CHANGES) or user.has_perm(OWN)


def may_change(user: User | AnonymousUser, profile: AgentProfile) -> bool:
    """Admins may change all, researchers their own."""
    if user.has_perm(CHANGES):
        return True
    return profile.owner_id is not None and profile.owner_id == user.pk and user.has_perm(OWN)


def changeable(user: User | AnonymousUser, name: str) -> AgentProfile:
    """The profile of this name. Raises `Http404`, or `PermissionDenied` where it is not this account's to change."""
    profile = get_object_or_404(AgentProfile, name=name)
    if not may_change(user, profile):
        raise PermissionDenied(_("This agent is not yours. Copy it, and change the copy."))
    return profile


def delete(user: User | AnonymousUser, name: str) -> None:
    """Delete the profile of this name. Raises `Http404`, `PermissionDenied`, or `Refused` where it is needed."""
    profile = changeable(user, name)
    if not (user.has_perm(DELETES) or user.has_perm(OWN)):
        raise PermissionDenied
    try:
        with transaction.atomic():
            if trouble := asking.trouble(profile):
                raise Refused(trouble)
            profile.delete()
    except ProtectedError as error:
        raise Refused(_("Another profile uses this one's model. Change that one first.")) from error


def form(user: User | AnonymousUser, given: Mapping[str, Any] | None, profile: AgentProfile) -> ProfilePageForm:
    """The page's form for who may change all; for who makes their own, one that keeps within a budget."""
    if user.has_perm(CHANGES):
        return ProfilePageForm(given, instance=profile)
    return OwnProfilePageForm(given, instance=profile, owner=cast(User, user))


def plain_form(user: User | AnonymousUser, given: Mapping[str, Any], profile: AgentProfile) -> ProfileForm:
    """The same for programs, which name the second profile and give settings and switches as JSON."""
    if user.has_perm(CHANGES):
        found = ProfileForm(given, instance=profile)
    else:
        found = OwnProfileForm(given, instance=profile, owner=cast(User, user))
    cast(ModelChoiceField, found.fields["second"]).to_field_name = "name"
    return found
