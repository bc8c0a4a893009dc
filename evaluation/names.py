"""What pages call those who play and what they play, by the names that stand in logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping

from django.utils.translation import gettext as _

from agents.models import AgentProfile
from evaluation.ratings import ALONE, UNRATED
from games.rules import RULES


def players() -> dict[str, str]:
    """By name the titles of all profiles; where several have the same one, with the name beside it."""
    titles = dict(AgentProfile.objects.values_list("name", "title"))
    times = Counter(titles.values())
    found = {name: title if times[title] == 1 else f"{title} ({name})" for name, title in titles.items()}
    return found | {"person": _("people")}


def role(name: str) -> str:
    """A role or side in words; in games without roles it is called as the game."""
    return RULES[name].title if name in ALONE | UNRATED else name.replace("_", " ")


def group(key: Hashable, titles: Mapping[str, str]) -> str:
    """A group of a table in words: titles as `players` gives them."""
    parts = key if isinstance(key, (tuple, list)) else (key,)
    return " · ".join(titles.get(str(part)) or role(str(part)) for part in parts)
