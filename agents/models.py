"""Agent profiles: who can sit at a table without being a person; and the books of model calls: each reply, what it
cost, what may be spent and how many may be asked at once."""

import os
from typing import Any

from django.conf import settings as site
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models.fields import NOT_PROVIDED
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from agents.providers import addresses
from games.registry import RULES
from games.templatetags.money import dollars
from games.translation import ToldField

ANSWER_SECONDS = 3600
"""How long a program from outside may take over one answer, where the profile's settings do not say."""


class AgentProfile(models.Model):
    """A provider, a model with its settings, a method with its switches. Keys are never stored: `key_env` names the
    environment variable that holds one."""

    class SeatedBy(models.TextChoices):
        RESEARCHERS = "researchers", _("Researchers")
        EVERYONE = "everyone", _("Everyone")

    name = models.SlugField(max_length=80, unique=True)
    title = ToldField(max_length=120)
    about = ToldField(max_length=300, blank=True)
    provider = models.CharField(max_length=40, default="house", help_text=_("house, openai, anthropic or remote"))
    base_url = models.URLField(blank=True, help_text=_("For any OpenAI-compatible server; empty for the usual one."))
    key_env = models.CharField(max_length=80, blank=True, help_text=_("The environment variable that holds the key."))
    model = models.CharField(max_length=100, blank=True)
    method = models.CharField(max_length=40, default="house")
    settings = models.JSONField(default=dict, blank=True, help_text=_("temperature, max_tokens, seed, effort ..."))
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
    owner = models.ForeignKey(
        site.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text=_("The researcher who made it, and on whose budget it plays; empty for one that admins keep."),
    )
    seated_by = models.CharField(
        max_length=12,
        choices=SeatedBy,
        default=SeatedBy.RESEARCHERS,
        verbose_name=_("Who may ask it to a table"),
        help_text=_("Everyone only if the price of its model is known. House agents cost nothing and are open to all."),
    )

    class Meta:
        ordering = ["provider", "name"]
        permissions = [("make_own_profiles", _("Researcher: makes agents of their own, within a budget"))]

    def __str__(self) -> str:
        return self.title

    @property
    def lacks_key(self) -> bool:
        """Whether the profile names a key that is not there."""
        return bool(self.key_env) and not os.environ.get(self.key_env)

    @property
    def answer_seconds(self) -> float:
        """How long a program from outside may take over one answer for this profile."""
        return self.settings.get("answer_seconds", ANSWER_SECONDS)

    @property
    def address_trouble(self) -> str:
        """What forbids a call at this profile's address with its key, as a sentence; empty if nothing does."""
        address = self.base_url or addresses.USUAL.get(self.provider)
        found = addresses.trouble(address, self.key_env) if address else None
        return found[1] if found else ""

    def suits(self, game: str) -> bool:
        """Whether the profile is for this game, by its switch ``games`` and by its method."""
        from agents.methods import METHODS  # the methods load the rules' prompts, which a list of profiles rarely needs

        method = METHODS.get(self.method)
        return game in self.switches.get("games", (game,)) and (method is None or method.plays(RULES[game]))


class Call(models.Model):
    """One reply of a model, stored once, when it came: no call that was paid for is made again.

    The purpose says what it was for; `key` is the hash of all that was asked, at which model and settings
    (`agents.calls.Ask.key`). match is no foreign key: a match in memory is stored when it is over. error: the sentence
    of a call that gave no reply and cost something all the same.
    """

    match = models.UUIDField(null=True, help_text=_("Empty for what was asked outside of any match."))
    request = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=60)
    nth = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=64, db_index=True)
    provider = models.CharField(max_length=40)
    base_url = models.CharField(max_length=200, blank=True)
    model = models.CharField(max_length=100)
    settings = models.JSONField(default=dict)
    reply = models.TextField(blank=True)
    thought = models.TextField(blank=True, help_text=_("Reasoning that the API gave apart from the reply."))
    answered_by = models.CharField(max_length=100, blank=True, help_text=_("The name that the API gave its model."))
    finish = models.CharField(max_length=40, blank=True)
    structured = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cached = models.PositiveIntegerField(default=0, help_text=_("How many of the tokens read came from a cache."))
    stored = models.PositiveIntegerField(default=0, help_text=_("How many of the tokens read went into a cache."))
    cost = models.FloatField(default=0)
    ms = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=1)
    error = models.TextField(blank=True)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "request", "seat", "stage", "nth", "key"],
                condition=models.Q(error=""),
                name="call_stored_once",
            )
        ]
        indexes = [
            models.Index(fields=["match", "id"], name="call_of_match"),
            models.Index(fields=["model", "id"], name="call_by_model"),
            models.Index(fields=["answered_by", "id"], name="call_by_answerer"),
        ]

    def __str__(self) -> str:
        return f"{self.match}:{self.request} {self.stage} {self.nth}"


def _dollars(title: Any, about: Any, *, optional: bool = False, usual: Any = NOT_PROVIDED) -> models.FloatField:
    """An amount, which may be left empty if it is optional."""
    checks = [MinValueValidator(0)]
    return models.FloatField(title, null=optional, blank=optional, default=usual, validators=checks, help_text=about)


class ModelPrice(models.Model):
    """What a model costs; the longest beginning of its name that stands here counts. A model that has no price is
    taken as free, so that no spending limit stops it."""

    model = models.CharField(max_length=100, unique=True, help_text=_("A model's name, or how several names begin."))
    tokens_in = _dollars(_("tokens read"), _("US dollars for a million."))
    tokens_out = _dollars(_("tokens written"), _("US dollars for a million."))
    cached = _dollars(
        _("tokens read from its cache"), _("US dollars for a million; empty if they cost the same."), optional=True
    )
    stored = _dollars(
        _("tokens put into its cache"), _("US dollars for a million; empty if they cost the same."), optional=True
    )

    class Meta:
        ordering = ["model"]

    def __str__(self) -> str:
        return self.model


class Endpoint(models.Model):
    """How much an address of models is asked at once, by all workers together."""

    provider = models.CharField(max_length=40, help_text=_("openai or anthropic"))
    base_url = models.URLField(blank=True, help_text=_("As in the profiles; empty for the provider's own."))
    at_once = models.PositiveIntegerField(
        default=32, validators=[MinValueValidator(1)], help_text=_("Calls under way at the same time.")
    )
    a_minute = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Calls in any minute; empty for no limit."),
    )

    class Meta:
        ordering = ["provider", "base_url"]
        constraints = [models.UniqueConstraint(fields=["provider", "base_url"], name="endpoint_once")]

    def __str__(self) -> str:
        return f"{self.provider} {self.base_url}".strip()


class SpendingLimit(models.Model):
    """The one row that says how much may be spent on models."""

    per_match = _dollars(None, _("US dollars; empty for no limit."), optional=True)
    per_day = _dollars(None, _("US dollars, by UTC; empty for MOST_DOLLARS_A_DAY of the settings."), optional=True)
    per_owner_day = _dollars(
        _("per researcher and day"),
        _("US dollars, by UTC, for all agents that one researcher made; empty for no limit."),
        optional=True,
        usual=1.0,
    )
    per_owner = _dollars(_("per researcher"), _("US dollars in all, for the same; empty for no limit."), optional=True)

    def __str__(self) -> str:
        return str(_("What may be spent on models"))


class Spent(models.Model):
    """A running sum, so that no limit needs a look through the calls: of a match ("match:<id>"), of a day
    ("day:2026-01-31"), of an account's own agents in all and on a day ("owner:<id>", "owner:<id>:2026-01-31")."""

    what = models.CharField(max_length=60, unique=True)
    dollars = models.FloatField(default=0)

    class Meta:
        verbose_name_plural = "spent"

    def __str__(self) -> str:
        return f"{self.what}: {dollars(self.dollars)}"


class Review(models.Model):
    """What the moments of a match were to one seat (`agents/reviews`). version: of the code that made it; erasures: how
    often words of the match had been erased then. It counts while both are as they were."""

    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="reviews")
    seat = models.PositiveSmallIntegerField()
    version = models.CharField(max_length=40)
    erasures = models.PositiveIntegerField(default=0)
    moments = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="one_review_a_seat")]

    def __str__(self) -> str:
        return f"{self.match_id} seat {self.seat}"
