"""What is stored of competitions: what was planned, and how far it has come. Results are read off the matches' logs."""

from __future__ import annotations

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from evaluation.asked import Asked
from evaluation.exports.models import Export  # noqa: F401 (Django looks for it here)
from evaluation.imports.models import Import, ImportPiece  # noqa: F401
from evaluation.lab.models import Lab, Rollout  # noqa: F401
from evaluation.labelling.models import (  # noqa: F401 (Django looks for them here)
    Assigned,
    Final,
    Given,
    Item,
    ModelRater,
    Rated,
    Round,
    Scheme,
    Task,
)
from evaluation.suites.base import KINDS
from evaluation.withdrawals.models import Withdrawal  # noqa: F401
from games.models import Job, Match, Room


def new_stamp() -> int:
    """40 random bits: a million of them add up to a number that databases hold."""
    return secrets.randbits(40)


class Competition(Asked):
    """A suite for some challengers. `manifest` is what was run, frozen when it was made (`competitions.manifest`)."""

    class Status(models.TextChoices):
        READY = "ready", _("not started")
        RUNNING = "running", _("running")
        PAUSED = "paused", _("paused")
        STOPPED = "stopped", _("stopped")
        FINISHED = "finished", _("finished")

    name = models.CharField(max_length=120)
    suite = models.CharField(max_length=40)
    entry = models.JSONField(help_text=_("Challengers, defenders, matches, seed: what the suite was asked for."))
    manifest = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status, default=Status.READY, db_index=True)
    at_once = models.PositiveSmallIntegerField(default=8, help_text=_("How many matches are played at the same time."))
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.TextField(blank=True, help_text=_("Why it was paused, where nobody asked for it."))

    class Meta(Asked.Meta):
        permissions = [("run_competitions", _("Researcher: makes, runs and stops competitions"))]

    def __str__(self) -> str:
        return self.name


class Bout(models.Model):
    """One planned match of a competition. It is played once, by its `job`: `match` is the stored one. With an agent
    from outside the job begins it, and it goes on as at a table."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("given out")
        PLAYING = "playing", _("being played")
        OUTSIDE = "outside", _("played with an agent from outside")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("not played")

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="bouts")
    number = models.PositiveIntegerField()
    game = models.CharField(max_length=40)
    preset = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    setting = models.JSONField(default=dict)
    agents = models.JSONField(help_text=_("The agent profile at each seat."))
    seed = models.BigIntegerField()
    labels = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    job = models.OneToOneField(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="bout")
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="bout")
    seconds = models.FloatField(null=True, blank=True)
    cost = models.FloatField(default=0)
    calls = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["competition", "number"]
        constraints = [models.UniqueConstraint(fields=["competition", "number"], name="bout_number_once")]
        indexes = [models.Index(fields=["competition", "status"])]

    def __str__(self) -> str:
        return f"{self.competition_id}:{self.number}"

    @property
    def earlier(self) -> Bout | None:
        """The one before it of its competition that was played."""
        return self._played(number__lt=self.number).last()

    @property
    def later(self) -> Bout | None:
        """The next one of its competition that was played."""
        return self._played(number__gt=self.number).first()

    def _played(self, **which: int) -> models.QuerySet[Bout]:
        found = Bout.objects.filter(competition=self.competition_id, match__isnull=False, **which)
        return found.exclude(match__status="running").order_by("number")

    @property
    def match_id_planned(self) -> uuid.UUID:
        """The id that its match will have: the same each time that it is begun, so that what a model answered in a
        broken-off try is found again."""
        return uuid.uuid5(self.competition_id, str(self.number))

    @property
    def role(self) -> str:
        """What the challenger is in this match, in the suite's own words."""
        return next((self.labels[name] for name in KINDS if self.labels.get(name)), "")


class MatchSums(models.Model):
    """What a match gives to what is counted (`evaluation.counting.sums`), kept with it until it is another match or is
    counted otherwise.

    what: for which counting, and how the match is read for it. version: of the code that counted it; empty while it is
    being counted. stamp: a number of its own, by whose sum a set of these is known again.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sums", db_index=False)
    what = models.CharField(max_length=40)
    version = models.CharField(max_length=24, blank=True)
    stamp = models.BigIntegerField(default=new_stamp)
    given = models.BinaryField(default=bytes)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "what"], name="match_sums_once")]
        indexes = [models.Index(fields=["match", "what", "version", "stamp"], name="match_sums_kept")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.what}"


class StudyTable(models.Model):
    """A table at which a bout's deal is played with a person (`evaluation.studies.human_tables`)."""

    bout = models.ForeignKey(Bout, on_delete=models.CASCADE, related_name="tables")
    room = models.OneToOneField(Room, on_delete=models.CASCADE, related_name="study_table")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.bout} at {self.room.code}"


class Trial(Asked):
    """A profile that was asked what it would do at a position. Nothing of it goes into a match.

    position: {"match": id or null, "game", "preset", "seq", "request"}. thoughts, attempts: as in a log file.
    """

    agent = models.CharField(max_length=80)
    position = models.JSONField()
    thoughts = models.JSONField(default=list)
    attempts = models.JSONField(default=list)
    action = models.JSONField(null=True)
    done = models.BooleanField(default=False)
    error = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.agent} at {self.position.get('request')}"


class Judging(Asked):
    """Which of several methods' replies to the same prompts does a judge prefer? (`judging.judge`)

    arms: the profiles whose replies are compared. prompts: the positions, {"match", "request"} each; what is stored of
    one names it by its place in this list, and an arm by its place in arms.
    """

    class Way(models.TextChoices):
        ONE_CALL = "one_call", _("One call for all six dimensions, ties allowed")
        SIX_CALLS = "six_calls", _("Six calls, one a dimension, no ties (as ReCon prints it)")

    name = models.CharField(max_length=120)
    judge = models.CharField(max_length=80, help_text=_("The agent profile whose model judges."))
    arms = models.JSONField()
    prompts = models.JSONField()
    way = models.CharField(max_length=10, choices=Way, default=Way.ONE_CALL)

    class Meta(Asked.Meta):
        permissions = [("rate_replies", _("Rater: checks a sample of what a judge said"))]

    def __str__(self) -> str:
        return self.name


class Answer(models.Model):
    """What one arm said at one prompt; error: why it said nothing that could be used."""

    judging = models.ForeignKey(Judging, on_delete=models.CASCADE, related_name="answers")
    prompt = models.PositiveIntegerField()
    arm = models.PositiveSmallIntegerField()
    words = models.TextField(blank=True, help_text=_("Empty where it chose to stay silent."))
    error = models.TextField(blank=True)
    cost = models.FloatField(default=0)

    class Meta:
        ordering = ["judging", "prompt", "arm"]
        constraints = [models.UniqueConstraint(fields=["judging", "prompt", "arm"], name="answer_once")]

    def __str__(self) -> str:
        return f"{self.judging_id}:{self.prompt} arm {self.arm}"


class Judgement(models.Model):
    """What the judge said of two arms' answers, shown in this order. preferred: {dimension: "first", "second" or
    "tie"}, empty where the judge gave no verdict; error then says why."""

    judging = models.ForeignKey(Judging, on_delete=models.CASCADE, related_name="judgements")
    prompt = models.PositiveIntegerField()
    first = models.PositiveSmallIntegerField()
    second = models.PositiveSmallIntegerField()
    preferred = models.JSONField(default=dict)
    why = models.TextField(blank=True)
    error = models.TextField(blank=True)
    cost = models.FloatField(default=0)

    class Meta:
        ordering = ["judging", "prompt", "first", "second"]
        constraints = [models.UniqueConstraint(fields=["judging", "prompt", "first", "second"], name="judgement_once")]

    def __str__(self) -> str:
        return f"{self.judging_id}:{self.prompt} {self.first} before {self.second}"


class Rating(models.Model):
    """What a person said of the same two answers, without knowing whose they are. first < second; preferred:
    {dimension: arm}."""

    judging = models.ForeignKey(Judging, on_delete=models.CASCADE, related_name="ratings")
    prompt = models.PositiveIntegerField()
    first = models.PositiveSmallIntegerField()
    second = models.PositiveSmallIntegerField()
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    preferred = models.JSONField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["at"]
        constraints = [
            models.UniqueConstraint(fields=["judging", "prompt", "first", "second", "rater"], name="rating_once")
        ]

    def __str__(self) -> str:
        return f"{self.judging_id}:{self.prompt} by {self.rater_id}"
