"""Pages of agent profiles: who can sit down without being a person. Researchers see them and make their own, within a
budget; admins make and change them all.

A key is never shown; a profile names the environment variable that holds it, and the page says whether it is set.
"""

import os
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents import profiles, spending
from agents.methods import METHODS
from agents.models import AgentProfile
from agents.profiles import CHANGES, DELETES, OWN, changeable, may_change, may_make
from agents.turns import REMOTE
from games.match import view
from games.match.access import RESEARCHER, sat_at_while_running
from games.models import Match
from games.refused import Refused
from games.registry import RULES
from games.room.people import person_of
from magic_site.rights import for_holders


@require_safe
@for_holders(RESEARCHER)
def listed(request: HttpRequest) -> HttpResponse:
    """All profiles: first those that can play now, of these the house agents after the models."""
    rows = [_row(profile) for profile in AgentProfile.objects.select_related("second", "owner")]
    rows.sort(key=_order)
    makes = may_make(request.user)
    # What one's agents spend tells when they think: of no match that one plays.
    watched = makes and not sat_at_while_running(person_of(request)).exists()
    context = {
        "rows": [row | {"changes": may_change(request.user, row["profile"])} for row in rows],
        "makes": makes,
        "budget": spending.budget(cast(User, request.user).pk) if watched else None,
    }
    return render(request, "agents/profiles.html", context)


@for_holders(CHANGES, OWN)
def edit(request: HttpRequest, name: str = "") -> HttpResponse:
    """Make a profile, or change one; with ?like= a new one begins as a copy."""
    profile = changeable(request.user, name) if name else _copy(request.GET.get("like", ""))
    form = profiles.form(request.user, request.POST or None, profile)
    with transaction.atomic():
        saved = form.save() if request.method == "POST" and form.is_valid() else None
    if saved is not None:
        return redirect("agents:profiles") if "stay" not in request.POST else redirect("agents:edit", saved.name)
    status = 422 if form.errors else 200
    if name and form.errors:
        profile = AgentProfile.objects.get(name=name)  # the form has put what was typed into the other one
    return render(request, "agents/profile.html", {"form": form, "profile": profile}, status=status)


@require_POST
@for_holders(CHANGES, OWN)
def switch(request: HttpRequest, name: str) -> HttpResponse:
    """Let a profile be seated, or not any more. Those who sit already play on."""
    profile = changeable(request.user, name)
    profile.active = not profile.active
    profile.save(update_fields=["active"])
    return redirect("agents:profiles")


@require_POST
@for_holders(DELETES, OWN)
def delete(request: HttpRequest, name: str) -> HttpResponse:
    """Delete a profile that nothing needs."""
    try:
        profiles.delete(request.user, name)
    except Refused as refusal:
        profile = changeable(request.user, name)
        context = {
            "form": profiles.form(request.user, None, profile),
            "profile": profile,
            "trouble": str(refusal),
        }
        return render(request, "agents/profile.html", context, status=409)
    return redirect("agents:profiles")


@require_safe
def examples(request: HttpRequest) -> HttpResponse:
    """The recorded example matches: each way of thinking, what it does, and a match in which its thoughts are open."""
    found = {match.labels.get("method"): match for match in Match.objects.filter(origin=Match.Origin.EXAMPLE)}
    rows = [
        {
            "method": method,
            "match": found[name],
            "title": RULES[found[name].game].title,
            "first": view.first_thought(found[name]),
        }
        for name, method in METHODS.items()
        if name in found
    ]
    return render(request, "agents/examples.html", {"rows": rows})


def _copy(name: str) -> AgentProfile:
    """A new profile, like another one where there is one of that name."""
    profile = AgentProfile.objects.filter(name=name).first()
    if profile is None:
        return AgentProfile(provider="openai", method="direct")
    profile.pk, profile.name, profile.owner = None, "", None
    profile.title = _("%s (copy)") % profile.title
    profile._state.adding = True
    return profile


def _order(row: dict[str, Any]) -> tuple[bool, bool, str]:
    profile = row["profile"]
    return not profile.active or row["key"] is False, profile.provider == "house", profile.name


def _row(profile: AgentProfile) -> dict[str, Any]:
    method = METHODS.get(profile.method)
    games = [rules.title for name, rules in RULES.items() if profile.suits(name)]
    return {
        "profile": profile,
        "method": method.title if method else _("From outside") if profile.provider == REMOTE else _("House agent"),
        "games": games if len(games) < len(RULES) else [],
        "switches": {name: value for name, value in profile.switches.items() if name != "games"},
        "key": bool(os.environ.get(profile.key_env)) if profile.key_env else None,
    }
