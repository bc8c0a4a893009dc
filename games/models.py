"""All that the database holds, where Django looks for it: places, matches, and what is of neither."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

import games.match.rows  # rows of their own that nothing but games.match reads
from games.audit import Audited
from games.jobs.models import Job, Piece
from games.match.models import Archive, Away, Detection, ErasedSeat, Match, Notebook, Notes, Pending, new_seed
from games.registry import RULES
from games.room.models import (
    OUTSIDE,
    AccountKey,
    ApiKey,
    FirstAnswer,
    Mute,
    Report,
    Room,
    RoomMessage,
    Seat,
    ShutOut,
    new_code,
)
from games.rules import values
from games.rules.core import Rules
from games.translation import translated


class Heartbeat(models.Model):
    """When a part of the site was last known to be there (`games.match.heartbeat`)."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class Retention(models.Model):
    """After how many days what a rule is about is let go of (`games.retention`); never, where that is empty."""

    name = models.CharField(max_length=20, primary_key=True)
    days = models.PositiveIntegerField(null=True)

    def __str__(self) -> str:
        return f"{self.name}: {self.days}"


class GameSetting(models.Model):
    """What a match of a game may be dealt from, such as a pair of words; edited in the admin, drawn by the seed."""

    game = models.CharField(max_length=40, db_index=True)
    name = models.CharField(max_length=120)
    data = models.JSONField()
    origin = models.CharField(max_length=200, blank=True)
    active = models.BooleanField(default=True)

    class Meta:
        ordering = ["game", "name"]
        constraints = [models.UniqueConstraint(fields=["game", "name"], name="setting_name_once")]

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"

    def clean(self) -> None:
        if self.game not in RULES:
            raise ValidationError({"game": _("There is no game of that name.")})
        if not isinstance(self.data, dict):
            raise ValidationError({"data": _("A deal is a set of named values in braces.")})
        if reasons := self._refusals(RULES[self.game]):
            raise ValidationError({"data": reasons})

    def _refusals(self, rules: Rules) -> list[str]:
        """Why no preset can be dealt from this, at any number of seats; empty if one can."""
        reasons: dict[str, None] = {}
        for name, preset in rules.presets.items():
            for seats in range(preset.low, preset.high + 1):
                try:
                    rules.check_setting(rules.options(name, {}, seats), self.data)
                except values.Impossible as reason:
                    reasons[translated(reason.sentence)] = None
                else:
                    return []
        return list(reasons)
