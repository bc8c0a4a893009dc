"""What pages call those who play, what they play and what it was for, by the names that stand in logs."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from agents.models import AgentProfile
from evaluation.models import Competition
from games.registry import RULES
from games.translation import translated
from games.web.wording import in_words


def players() -> dict[str, str]:
    """By name the titles of all profiles; where several have the same one, with the name beside it."""
    titles = dict(AgentProfile.objects.values_list("name", "title"))
    times = Counter(titles.values())
    found = {name: title if times[title] == 1 else f"{translated(title)} ({name})" for name, title in titles.items()}
    return found | {"person": _("people")}


def role(name: str) -> str:
    """A role or side in words; in games without roles it is called as the game."""
    games = {rules.family: rules.title for rules in reversed(RULES.values()) if not rules.sought}
    return translated(games.get(name) or in_words(name))


def group(key: Hashable, titles: Mapping[str, str]) -> str:
    """A group of a table in words: titles as `players` gives them."""
    parts = key if isinstance(key, (tuple, list)) else (key,)
    return " · ".join(titles.get(str(part)) or _with_model(str(part), titles) or role(str(part)) for part in parts)


def _with_model(name: str, titles: Mapping[str, str]) -> str | None:
    """An agent that is told apart by its model, as `metrics.agent` names it."""
    agent, bracket, model = name.partition(" (")
    return f"{titles[agent]}{bracket}{model}" if bracket and agent in titles else None


def competitions(found: Iterable[Competition]) -> list[tuple[UUID, str]]:
    """The key and name of each; of those that are called alike, also when it was made."""
    found = list(found)
    times = Counter(one.name for one in found)
    return [(one.pk, one.name if times[one.name] == 1 else f"{one.name}, {_made(one)}") for one in found]


def _made(competition: Competition) -> str:
    when = localtime(competition.created_at)
    return date_format(when, "j M Y, H:i:s")
