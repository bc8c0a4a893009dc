"""What people call things here: agents by their titles, competitions so that no two are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime

from agents.models import AgentProfile
from evaluation.models import Competition


def titles() -> dict[str, str]:
    """The titles of agent profiles, by name."""
    return dict(AgentProfile.objects.values_list("name", "title"))


def named(competitions: Iterable[Competition]) -> list[tuple[UUID, str]]:
    """The key and name of each; of those that are called alike, also when it was made."""
    found = list(competitions)
    often = Counter(one.name for one in found)
    return [(one.pk, one.name if often[one.name] == 1 else f"{one.name}, {_made(one)}") for one in found]


def _made(competition: Competition) -> str:
    when = localtime(competition.created_at)
    return f"{date_format(when, 'SHORT_DATE_FORMAT')} {date_format(when, 'H:i:s')}"
