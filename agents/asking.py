"""Whether something under way asks an agent from outside: then it keeps its name, by which its program answers."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from agents.models import AgentProfile
from agents.turns import REMOTE
from games.models import Match


def in_a_match(name: str) -> str:
    """That an agent plays in a running match, as a sentence; "" if it does not."""
    plays = Match.objects.filter(status="running", sitters__agent=name).exists()
    return _("This agent plays in a match that is not over. Wait for its end, or end it.") if plays else ""


may_ask: list[Callable[[str], str]] = [in_a_match]
"""Each tells in a sentence that it asks the agent of this name, or nothing; other apps add theirs when they start."""


def trouble(profile: AgentProfile) -> str:
    """Why a profile keeps its name and is not deleted now, as a sentence; "" if it may go. Who asks in a transaction
    holds it until that ends, so that nothing begins to ask it meanwhile."""
    if profile.provider != REMOTE:
        return ""
    with transaction.atomic():
        AgentProfile.objects.select_for_update().filter(pk=profile.pk).first()
        return next(filter(None, (told(profile.name) for told in may_ask)), "")
