"""A job is one piece of slow work: what is to be done, who does it now, how far it is, and what came of it."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """One piece of slow work of a declared kind (`games.jobs.kinds`).

    key: what it is about; of one kind and key one job is open at a time. about: the pages that wait for it.
    begun_at: when it was begun, or given out again. lease_until: who runs it answers for it until then. nudge_at: when
    the workers are told once more, while it waits. tries: how often it was begun. wanted: somebody asked for it while
    it ran, so it runs once more. done, of: how far it is, in units of the kind. error: a sentence for people.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped")

    OPEN = (State.WAITING, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=120)
    given = models.JSONField(default=dict)
    about = models.UUIDField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    nudge_at = models.DateTimeField(db_default=Now())
    tries = models.PositiveSmallIntegerField(default=0)
    wanted = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    message = models.CharField(max_length=300, blank=True)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    expected_seconds = models.FloatField(null=True, blank=True)
    expected_dollars = models.FloatField(null=True, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["asked_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"], condition=models.Q(state__in=("waiting", "running")), name="one_open_job"
            )
        ]
        indexes = [
            models.Index(fields=["state", "kind"]),
            models.Index(fields=["kind", "key", "asked_at"]),
            models.Index(fields=["about", "kind"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Piece(models.Model):
    """A part of the file that a job made, in the database, so that any web process can give it away."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        ordering = ["job", "number"]
        constraints = [models.UniqueConstraint(fields=["job", "number"], name="piece_once")]

    def __str__(self) -> str:
        return f"{self.job_id} piece {self.number}"
