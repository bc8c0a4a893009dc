"""Agent profiles: who can sit at a table without being a person."""

from __future__ import annotations

import os

from django.db import models
from django.utils.translation import gettext_lazy as _


class AgentProfile(models.Model):
    """A provider, a model with its settings, a method with its switches. Keys are never stored: `key_env` names the
    environment variable that holds one."""

    name = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=120)
    about = models.CharField(max_length=300, blank=True)
    provider = models.CharField(max_length=40, default="house", help_text=_("house, openai or anthropic"))
    base_url = models.URLField(blank=True, help_text=_("For any OpenAI-compatible server; empty for the usual one."))
    key_env = models.CharField(max_length=80, blank=True, help_text=_("The environment variable that holds the key."))
    model = models.CharField(max_length=100, blank=True)
    method = models.CharField(max_length=40, default="house")
    settings = models.JSONField(default=dict, blank=True, help_text=_("temperature, max_tokens, seed, timeout ..."))
    second = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The profile whose model answers the method's later half; empty for the same model."),
    )
    switches = models.JSONField(default=dict, blank=True, help_text=_("What the method can turn on and off."))
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ["provider", "name"]

    def __str__(self) -> str:
        return self.title


def seatable(game: str) -> list[tuple[str, str]]:
    """Who can be asked to sit down at a game, house agents first: those that are active and whose key is at hand.

    The switch ``games`` of a profile lists the games that it is for; without it a profile is for all, and named before.
    """
    return [(p.name, p.title) for p in _at_hand() if game in p.switches.get("games", (game,))]


def seatable_anywhere() -> list[tuple[str, str]]:
    """Who can be asked to sit down at any game at all, in the same order."""
    return [(profile.name, profile.title) for profile in _at_hand()]


def _at_hand() -> list[AgentProfile]:
    profiles = sorted(
        AgentProfile.objects.filter(active=True), key=lambda p: (p.provider != "house", "games" in p.switches)
    )
    return [profile for profile in profiles if not profile.key_env or os.environ.get(profile.key_env)]
