"""What is stored of labels: schemes, tasks with their rounds and items, what raters gave, and what holds in the end."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from evaluation.asked import Asked
from games.models import Match, new_seed
from games.translation import ToldField, ToldTextField

NONE = "none"
"""The label by which a rater says that no other one fits, where a scheme has it."""

PSEUDONYM = 80
"""Characters of a pseudonym, as in log files."""

MODEL = "model:"
"""How the pseudonym of a model begins; the name of its profile follows."""


class Scheme(models.Model):
    """The labels that raters choose from: one version of a scheme. From its first use on it is frozen.

    labels: [{name, title, definition, example, counter, key}]; key is the digit that gives it. applies: what an item
    is, {"what": "events" | "thoughts" | "seats" | "matches", "kinds", "stages", "games": [...]}, each list empty where
    all are meant. rule: which rule marks items beforehand (`labelling.premarks`). renames: what becomes of each label
    of the version before: {old: new name, or None where it is dropped}.
    """

    class Kind(models.TextChoices):
        SINGLE = "single", _("One label an item")
        SEVERAL = "several", _("Several labels an item")
        ORDINAL = "ordinal", _("One step of a scale")
        SPAN = "span", _("Labels on parts of the text")

    name = models.SlugField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    title = ToldField(max_length=120)
    about = ToldTextField(blank=True)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.SINGLE)
    labels = models.JSONField(default=list)
    applies = models.JSONField(default=dict)
    rule = models.CharField(max_length=40, blank=True)
    renames = models.JSONField(default=dict, blank=True)
    imported = models.BooleanField(default=False, help_text=_("It came with a log, and is known by its labels alone."))
    frozen_at = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["name", "-version"]
        constraints = [models.UniqueConstraint(fields=["name", "version"], name="scheme_version_once")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def names(self) -> list[str]:
        """The names of its labels, in order; of a scale, from its lowest step up."""
        return [label["name"] for label in self.labels]

    @property
    def what(self) -> str:
        """What an item is: events, thoughts, seats or matches."""
        return self.applies.get("what", "events")

    @property
    def one(self) -> bool:
        """Whether an item has one label, and no more."""
        return self.kind in (self.Kind.SINGLE, self.Kind.ORDINAL)


class Task(Asked):
    """A scheme, what is labelled by it, and who labels: items drawn from the matches of a selection, by rounds.

    scheme: of the newest round. selection: the parameters of `evaluation.desk.selection.Selection`. items: which of
    their moments, {"kinds", "stages", "roles", "sides": [...], "many": n}. per_item: raters an item; shared: so many
    items of the first round are for all of them. sees: what raters may see, {"thoughts", "roles", "names", "models",
    "outcome": bool}; what is not there is hidden.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    name = models.CharField(max_length=120)
    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="tasks")
    selection = models.JSONField(default=dict)
    items = models.JSONField(default=dict)
    per_item = models.PositiveSmallIntegerField(default=3)
    shared = models.PositiveIntegerField(default=0)
    seed = models.BigIntegerField(default=new_seed)
    sees = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    imported = models.BooleanField(default=False, help_text=_("Its labels came with logs."))
    raters = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+", blank=True)

    class Meta(Asked.Meta):
        permissions = [("label", _("Rater: labels what tasks ask"))]
        constraints = [
            models.UniqueConstraint(fields=["scheme"], condition=models.Q(imported=True), name="imported_task_once")
        ]

    def __str__(self) -> str:
        return self.name

    def pseudonym(self, rater: Any) -> str:
        """How a rater is called in files: the same within this task, another one in each other."""
        return "r" + salted_hmac("evaluation.labels", f"{self.pk}:{rater.pk}").hexdigest()[:10]

    @property
    def last(self) -> Round | None:
        """The newest round."""
        return self.rounds.order_by("-number").first()


class Round(models.Model):
    """Items that are labelled by one version of the scheme, with nobody seeing what others gave until it is closed."""

    Status = Task.Status

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    scheme = models.ForeignKey(Scheme, on_delete=models.PROTECT, related_name="rounds")
    calibration = models.BooleanField(default=False, help_text=_("Every rater labels every item."))
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["task", "number"]
        constraints = [models.UniqueConstraint(fields=["task", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return f"{self.task_id}:{self.number}"

    @property
    def closed(self) -> bool:
        return self.status == self.Status.CLOSED


class Item(models.Model):
    """One thing to be labelled in a round: a match, or something in it. anchor: as `games.rules.schema.Label.on`;
    marked: the labels that the scheme's rule gave it beforehand; digest: of its words, which labelled parts count in
    (`digest_of`)."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="items")
    number = models.PositiveIntegerField(null=True, help_text=_("Empty where its labels came with a log."))
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="items")
    anchor = models.JSONField()
    marked = models.JSONField(default=list)
    digest = models.CharField(max_length=16, blank=True)

    class Meta:
        ordering = ["round", "number"]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="item_number_once")]

    def __str__(self) -> str:
        return f"{self.round_id}:{self.number}"


class Assigned(models.Model):
    """An item that waits for a rater, or was labelled by them."""

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="assigned")
    rater = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["item", "pk"]
        constraints = [models.UniqueConstraint(fields=["item", "rater"], name="assigned_once")]

    def __str__(self) -> str:
        return f"{self.item_id} to {self.rater_id}"


class Given(models.Model):
    """What one rater gave one item: a person (rater, while the account is here), a model (profile), or somebody in a
    log that was imported. pseudonym: who it is in files, and never a name.

    labels: names of the scheme's labels. spans: for each of them [from, to], which characters it is on, or null for
    all of the words; empty where none was marked. seconds: from when the item was shown.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="given")
    rater = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    profile = models.CharField(max_length=80, blank=True)
    pseudonym = models.CharField(max_length=PSEUDONYM)
    labels = models.JSONField()
    spans = models.JSONField(default=list)
    note = models.TextField(blank=True)
    seconds = models.FloatField(default=0)
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["item", "pseudonym"]
        constraints = [models.UniqueConstraint(fields=["item", "pseudonym"], name="given_once")]

    def __str__(self) -> str:
        return f"{self.item_id} by {self.pseudonym}"


class ModelRater(Asked):
    """A model that labels the items of a round (`labelling.model_rater`). What it gives is a `Given` of its profile."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="models")
    profile = models.CharField(max_length=80)

    class Meta(Asked.Meta):
        constraints = [models.UniqueConstraint(fields=["round", "profile"], name="model_rater_once")]

    def __str__(self) -> str:
        return f"{self.round_id} by {self.profile}"


class Rated(models.Model):
    """An item that a model was asked about. error: why it gave nothing that counts; tries: how often it was begun;
    cost: US dollars, of all of them."""

    by = models.ForeignKey(ModelRater, on_delete=models.CASCADE, related_name="rated")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+")
    error = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=1)
    cost = models.FloatField(default=0)

    class Meta:
        ordering = ["by", "item"]
        constraints = [models.UniqueConstraint(fields=["by", "item"], name="rated_once")]

    def __str__(self) -> str:
        return f"{self.item_id} by {self.by_id}"


class Final(models.Model):
    """What holds of an item. how: all raters agreed, an adjudicator decided, or the scheme's rule alone spoke."""

    class How(models.TextChoices):
        AGREED = "agreed", _("all raters agreed")
        ADJUDICATED = "adjudicated", _("an adjudicator decided")
        RULE = "rule", _("by rule")

    item = models.OneToOneField(Item, on_delete=models.CASCADE, related_name="final")
    labels = models.JSONField()
    spans = models.JSONField(default=list)
    how = models.CharField(max_length=12, choices=How)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["item"]

    def __str__(self) -> str:
        return f"{self.item_id} {self.how}"


def digest_of(words: str) -> str:
    """By which the words of an item are known again, without holding them: a mark that this site alone can make."""
    return salted_hmac("evaluation.items", words).hexdigest()[:16]
