"""Who can be asked to sit down, and by whom: what costs money is for researchers, unless an admin says otherwise."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from agents import spending
from agents.house.strength import EASY, HARD, NORMAL
from agents.models import AgentProfile
from agents.turns import HOUSE, REMOTE


def seatable(game: str, researcher: bool = False) -> list[tuple[str, str]]:
    """Who can be asked to sit down at a game, as (name, title), house agents first: those that are active, whose key is
    at hand, and that are open to whoever asks.

    The switch ``games`` of a profile lists the games that it is for; without it a profile is for all, and named before.
    """
    return [(p.name, p.title) for p in at_hand() if p.suits(game) and (researcher or open_to_everyone(p))]


def seatable_at_all(games: Iterable[str]) -> list[tuple[str, str]]:
    """Who a researcher can ask to sit down at each of these games, in the same order."""
    games = tuple(games)
    return [(p.name, p.title) for p in at_hand() if all(map(p.suits, games))]


def by_strength() -> list[tuple[str, str, bool]]:
    """The house agents of each strength, the weakest first: name, what the strength is called, whether it is usual."""
    called = {EASY: _("Easy"), NORMAL: _("Normal"), HARD: _("Hard")}
    house = [profile for profile in at_hand() if profile.provider == HOUSE and set(profile.switches) <= {"strength"}]
    found = {profile.switches.get("strength", NORMAL): profile.name for profile in reversed(house)}
    return [(found[at], title, at == NORMAL) for at, title in called.items() if at in found]


def open_to_everyone(profile: AgentProfile) -> bool:
    """Whether anybody may ask this profile to a table."""
    if profile.provider == HOUSE:
        return True
    if profile.provider == REMOTE:
        return profile.seated_by == AgentProfile.SeatedBy.EVERYONE
    models = [profile.model, *([profile.second.model] if profile.second else [])]
    return profile.seated_by == AgentProfile.SeatedBy.EVERYONE and all(map(spending.price_is_known, models))


def at_hand() -> list[AgentProfile]:
    """Profiles that are active and can be asked, their key and address being in order; house agents come first."""
    profiles = AgentProfile.objects.filter(active=True).select_related("second")
    found = [profile for profile in profiles if not profile.lacks_key and not profile.address_trouble]
    return sorted(found, key=lambda p: (p.provider != HOUSE, "games" in p.switches))


def retire(instance: User, **signal: Any) -> None:
    """Switch off what an account made before it is deleted: nobody's budget would pay for it."""
    AgentProfile.objects.filter(owner=instance).update(active=False)
