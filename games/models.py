"""What is stored: the place (rooms and seats), matches as headers and logs, and what is kept beside a log.

A match's state is never stored; it is the fold of its events (`games.table.load`). `Pending` is a projection of the
open requests and can be rebuilt from the log at any time.
"""

from __future__ import annotations

import secrets
import uuid
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.rules import RULES, Rules, values

CODE_WORDS = (
    "ACORN AMBER APPLE BIRCH BREAD BROOK CEDAR CHALK CLOUD CORAL CRANE DAISY EAGLE EMBER FERRY FINCH FLINT FROST GRAPE "
    "HAZEL HERON HONEY IVORY JOLLY KITE LEMON LILAC MAPLE MELON MERRY MINT OLIVE OTTER PEARL PLUM QUAIL QUARTZ RAVEN "
    "RIVER ROBIN SAGE SNOW SPRUCE STONE TULIP VIOLET WALNUT WILLOW WREN ZEBRA"
).split()


DRAWS = 20
"""How often a code is drawn before a room gives up."""


def new_code() -> str:
    """A short code that can be read out, such as KITE-4271."""
    return f"{secrets.choice(CODE_WORDS)}-{secrets.randbelow(9000) + 1000}"


def new_seed() -> int:
    """63 random bits."""
    return secrets.randbits(63)


class Room(models.Model):
    """A place to play at: a game with its options, who may watch, and what happens when somebody does not answer."""

    class Absence(models.TextChoices):
        WAIT = "wait", _("Wait for them")
        DEFAULT = "default", _("Play the usual default")
        AGENT = "agent", _("An agent takes the seat until they are back")

    class Watching(models.TextChoices):
        NOBODY = "nobody", _("Nobody")
        DELAYED = "delayed", _("Anyone, one round behind")
        LIVE = "live", _("Anyone, live")

    class Afterwards(models.TextChoices):
        RESEARCHERS = "researchers", _("Researchers only")
        TABLE = "table", _("Everyone who sat at the table")
        ANYONE = "anyone", _("Anyone with the link")

    code = models.CharField(max_length=20, unique=True, default=new_code)
    game = models.CharField(max_length=40)
    preset = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)
    host = models.CharField(max_length=40, help_text=_("The person who opened the table."))
    listed = models.BooleanField(default=True, help_text=_("Shown among the open tables."))
    move_seconds = models.PositiveIntegerField(default=90, help_text=_("Time for a move; 0 for as long as it takes."))
    absence = models.CharField(max_length=10, choices=Absence, default=Absence.AGENT)
    agents_named = models.BooleanField(default=True, help_text=_("Players see who is an agent."))
    pseudonyms = models.BooleanField(default=False, help_text=_("Players appear as Player 1, Player 2 ..."))
    pace = models.FloatField(default=1.0, help_text=_("How slowly agents speak; 0 for at once."))
    watching = models.CharField(max_length=10, choices=Watching, default=Watching.LIVE)
    afterwards = models.CharField(max_length=12, choices=Afterwards, default=Afterwards.ANYONE)
    deal = models.JSONField(
        null=True,
        blank=True,
        help_text=_(
            "What the one match of this table is dealt from: {setting, seed}; by lot, and any number, where empty."
        ),
    )
    kicked = models.JSONField(default=list, blank=True, help_text=_("People whom the host sent away."))
    origin = models.CharField(
        max_length=16, blank=True, help_text=_("A keyed hash of the address from which it was opened.")
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True, help_text=_("When somebody last had it open."))
    served_at = models.DateTimeField(null=True, blank=True, help_text=_("When an agent at it last had its turn."))
    revision = models.PositiveIntegerField(default=0, help_text=_("Counts what changed at the table but for its logs."))

    class Meta:
        indexes = [
            models.Index(fields=["host", "served_at"], name="room_host_served"),
            models.Index(fields=["origin", "served_at"], name="room_origin_served"),
        ]

    def __str__(self) -> str:
        return f"{self.code} ({self.game})"

    def save(self, *args: Any, **options: Any) -> None:
        """As usual; a new room whose code is another's draws again."""
        for left in reversed(range(DRAWS if self._state.adding else 1)):
            try:
                with transaction.atomic():
                    return super().save(*args, **options)
            except IntegrityError:
                if not left or not Room.objects.filter(code=self.code).exclude(pk=self.pk).exists():
                    raise
                self.code = self._meta.get_field("code").get_default()

    @property
    def key(self) -> str:
        """What the table's link carries beside the code, which is short enough to be guessed."""
        return salted_hmac("games.models.Room", f"{self.pk}:{self.code}", algorithm="sha256").hexdigest()[:20]

    @property
    def link(self) -> str:
        """The address of the table for whom it is given to."""
        return f"{reverse('games:table', args=[self.code])}?key={self.key}"

    @property
    def anonymous(self) -> bool:
        """Whether nobody may tell from a seat or a name at a match here who has it: both are drawn for everybody at
        the start, and before it nobody's are shown."""
        return self.pseudonyms or not self.agents_named

    @property
    def match(self) -> Match | None:
        """The match that is played here now, or the last one."""
        return self.matches.order_by("-number").first()


class Seat(models.Model):
    """A chair in a room: free, a person's (`person` is the key in their signed cookie) or an agent's."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40, blank=True)
    person = models.CharField(max_length=40, blank=True)
    agent = models.CharField(max_length=80, blank=True, help_text=_("The agent profile that plays it."))
    ready = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["room", "person"], condition=~models.Q(person=""), name="person_sits_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.name or _('free')}"

    @property
    def free(self) -> bool:
        return not self.person and not self.agent


class AccountKey(models.Model):
    """A key that is an account's: the first one is its person, wherever it signs in; the seats of further ones, of
    browsers in which it did, are its person's too (`games.accounts`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="person_keys")
    key = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.user_id}"


class Match(models.Model):
    """A match's header, frozen when it starts. `status`, `result` and `ended_at` are read off the log for lists.

    digest: by which the same log is known again (`logfile.digest`), once it is over. erasures: raised whenever
    something is erased from it, so that what a process keeps of it can be told from what is stored.
    """

    class Origin(models.TextChoices):
        PLAYED = "played", _("played here")
        IMPORTED = "imported", _("imported")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, null=True, blank=True, on_delete=models.SET_NULL, related_name="matches")
    number = models.PositiveIntegerField(default=0, help_text=_("Which match of its room, from 1; 0 without a room."))
    game = models.CharField(max_length=40)
    preset = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField()
    options = models.JSONField()
    setting = models.JSONField(blank=True)
    seed = models.BigIntegerField(default=new_seed)
    seats = models.JSONField(help_text=_("A list of {seat, name, kind, agent, person}."))
    kinds_named = models.BooleanField(default=True)
    forked_from = models.JSONField(null=True, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.PLAYED)
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    labels = models.JSONField(
        default=dict, blank=True, help_text=_("What an imported match was planned as where it was played.")
    )
    erasures = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    status = models.CharField(max_length=12, default="running", db_index=True)
    result = models.CharField(max_length=40, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["room"], condition=models.Q(status="running"), name="one_match_at_a_time"),
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(origin="imported") & ~models.Q(digest=""),
                name="match_imported_once",
            ),
            models.UniqueConstraint(fields=["room", "number"], name="match_number_once"),
        ]
        permissions = [("see_thoughts", _("Researcher: sees everything of every match that they do not sit in"))]

    def __str__(self) -> str:
        return f"{self.game} {self.preset} {str(self.id)[:8]}"

    @property
    def header(self) -> values.Header:
        """The header as the core reads it; whole, so for the omniscient only."""
        seats = tuple(values.SeatInfo(s["seat"], s["name"], s["kind"], s.get("agent")) for s in self.seats)
        return values.Header(
            self.game,
            self.preset,
            self.options,
            self.setting,
            self.seed,
            seats,
            self.rules_version,
            str(self.id),
            self.forked_from,
        )

    def names(self) -> dict[int, str]:
        """How each seat is called."""
        return {s["seat"]: s["name"] for s in self.seats}

    def unseen_stand_ins(self) -> dict[int, str]:
        """Who plays for whom at a match that names no agents. Kept beside its log: an event there, even one that nobody
        sees, would leave a gap in the numbers of those that are seen."""
        return {s["seat"]: s["stand_in"] for s in self.seats if s.get("stand_in")}

    def seat_of(self, person: str) -> int | None:
        """The seat that this person plays or played in this match."""
        return next((s["seat"] for s in self.seats if person and s.get("person") == person), None)


class Event(models.Model):
    """One line of a match's log; written by `games.table` alone and never changed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    audience = models.JSONField(null=True)
    data = models.JSONField()
    by = models.CharField(max_length=100)
    request = models.CharField(max_length=80, null=True)  # noqa: DJ001 (null: unique together with the match)

    class Meta:
        ordering = ["match", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="event_seq_once"),
            models.UniqueConstraint(fields=["match", "request"], name="request_answered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seq} {self.kind}"

    @property
    def value(self) -> values.Event:
        """The event as the core reads it."""
        audience = None if self.audience is None else tuple(self.audience)
        return values.Event(self.seq, self.kind, self.seat, audience, self.data, self.by, self.request)


class Thought(models.Model):
    """One step of an agent's reasoning about one request; for the omniscient only."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="thoughts")
    request = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    method = models.CharField(max_length=60)
    stage = models.CharField(max_length=60)
    prompt = models.TextField(blank=True)
    reply = models.TextField(blank=True)
    data = models.JSONField(default=dict)
    model = models.CharField(max_length=100, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cached = models.PositiveIntegerField(default=0)
    stored = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0)
    ms = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["match", "pk"]
        indexes = [models.Index(fields=["match", "request"])]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.request} {self.stage}"


class Attempt(models.Model):
    """A refused move worth keeping, or a reply that could not be read; seen by the own seat and the omniscient."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="attempts")
    request = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    by = models.CharField(max_length=100)
    code = models.CharField(max_length=40)
    sentence = models.TextField()
    action = models.JSONField(null=True)
    instead = models.CharField(max_length=40)

    class Meta:
        ordering = ["match", "pk"]
        indexes = [models.Index(fields=["match", "request"])]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.request} {self.code}"


class Detection(models.Model):
    """Whom a person took for an agent, asked after a match at a table where agents were not named."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="detections")
    seat = models.PositiveSmallIntegerField(help_text=_("Who was asked."))
    agents = models.JSONField(null=True, help_text=_("The seats taken for agents, of all others; null: skipped."))
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["match", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="detection_once")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat}"


class Notebook(models.Model):
    """What a person marked of the others during a match and gave to research after it; never their words.

    marks: [[seq of the last event that they saw, the other seat, "trust", "doubt" or "unsure"], ...], as they changed.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notebooks")
    seat = models.PositiveSmallIntegerField()
    marks = models.JSONField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["match", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="notebook_once")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat}"


class Pending(models.Model):
    """An open waiting request and who is to answer it: an agent's worker under a lease, or a person until a deadline.

    A projection: `games.pending.project` rebuilds it from the log. An agent's row waits in `queue` from `due_at` on for
    a worker to claim it; `attempts` counts the claims. Workers hear of it by messages, which may be lost: `messages`
    counts those since the last claim, and the next one is sent at `nudge_at` if no worker holds the row by then.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="pending")
    request = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    agent = models.CharField(max_length=80, blank=True)
    opened_at = models.DateTimeField()
    deadline = models.DateTimeField(null=True, blank=True, db_index=True)
    away_seconds = models.FloatField(default=0, help_text=_("How long the site was away since then."))
    queue = models.CharField(max_length=20, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    messages = models.PositiveIntegerField(default=0)
    nudge_at = models.DateTimeField(null=True, blank=True, db_index=True)
    kept = models.JSONField(
        null=True,
        editable=False,
        help_text=_(
            "The answer that is played at the deadline: {action, by, thoughts, attempts}; no action: the default."
        ),
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "request"], name="pending_once")]
        indexes = [models.Index(fields=["queue", "due_at"], name="pending_due")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.request}"


class Heartbeat(models.Model):
    """When a part of the site was last known to be there (`games.heartbeat`)."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


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
                    reasons[str(reason)] = None
                else:
                    return []
        return list(reasons)
