"""What is stored of the lab: what was asked, and how each of its matches ended."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from evaluation.asked import Asked
from games.models import Match


class Lab(Asked):
    """What would have followed at one move of a match, had something been otherwise (`evaluation.lab.labs`).

    seq: the move's event. arms: as `arms.Arm.plain` has them; the first one changes nothing. house: house agents play
    on at all seats, and not who sat there. talk: house agents talk as well. basis: what its results follow from besides
    (`labs.Prepared.basis`).
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="labs")
    seq = models.PositiveIntegerField()
    arms = models.JSONField()
    rollouts = models.PositiveIntegerField(help_text=_("How often the match is played on in each arm."))
    house = models.BooleanField(default=False)
    talk = models.BooleanField(default=False)
    basis = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seq}"


class Rollout(models.Model):
    """The matches with one number, one an arm: the same seed, so that they differ by the change alone.

    endings: by arm, as `counted.ending` has them; cost: in dollars, of all arms.
    """

    lab = models.ForeignKey(Lab, on_delete=models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()
    endings = models.JSONField()
    cost = models.FloatField(default=0)

    class Meta:
        ordering = ["lab", "number"]
        constraints = [models.UniqueConstraint(fields=["lab", "number"], name="rollout_once")]

    def __str__(self) -> str:
        return f"{self.lab_id}:{self.number}"
