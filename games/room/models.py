"""The place: tables, their chairs, what is said around their matches, and the keys of accounts."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from games.registry import RULES

if TYPE_CHECKING:
    from games.match.models import Match

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
    thoughts_live = models.BooleanField(
        default=False, help_text=_("Watchers see everything, with thoughts, while agents play among themselves.")
    )
    afterwards = models.CharField(max_length=12, choices=Afterwards, default=Afterwards.ANYONE)
    deal = models.JSONField(
        null=True,
        blank=True,
        help_text=_(
            "What the one match of this table is dealt from: {setting, seed}; by lot, and any number, where empty."
        ),
    )
    fork_of = models.ForeignKey(
        "games.Match",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="fork_tables",
        help_text=_("The match with which the first one of this table begins."),
    )
    fork_at = models.PositiveIntegerField(default=0, help_text=_("Up to and with which of its events."))
    own_words = models.JSONField(
        default=list, blank=True, help_text=_("Settings out of words that a person typed for this table.")
    )
    own_by = models.CharField(max_length=40, blank=True, help_text=_("The person who typed them."))
    study = models.BooleanField(
        default=False, help_text=_("Opened for a study: played once, by the agents that it was opened with.")
    )
    kicked = models.JSONField(default=list, blank=True, help_text=_("People whom the host sent away."))
    bystanders = models.JSONField(
        default=list,
        blank=True,
        help_text=_("People who take the next free chair, with the names they gave, in order."),
    )
    origin = models.CharField(
        max_length=16, blank=True, help_text=_("A keyed hash of the address from which it was opened.")
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True, help_text=_("When somebody last had it open."))
    served_at = models.DateTimeField(null=True, blank=True, help_text=_("When an agent at it last had its turn."))
    revision = models.PositiveIntegerField(default=0, help_text=_("Counts what changed at the table but for its logs."))
    said = models.PositiveIntegerField(default=0, help_text=_("The number of the last thing said around its matches."))
    unsaid = models.PositiveIntegerField(default=0, help_text=_("Counts how often words of that were taken away."))

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
                self.code = Room.usual("code")

    @classmethod
    def usual(cls, name: str) -> Any:
        """What a new table has in this field unless something else is said."""
        return getattr(cls(), name)

    @property
    def title(self) -> str:
        """The game that is played here."""
        return RULES[self.game].title

    @property
    def free_seats(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats.all())

    @property
    def host_name(self) -> str:
        """What the host is called; "" where chairs are not shown, or the host has none."""
        names = [seat.name for seat in self.seats.all() if seat.person == self.host]
        return names[0] if names and not self.anonymous else ""

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
    def talks(self) -> bool:
        """Whether people can talk here, beside the matches and around them: never where it is hidden who is who."""
        return bool(self.options.get("table_talk")) and not self.anonymous

    @property
    def match(self) -> Match | None:
        """The match that is played here now, or the last one."""
        return self.matches.order_by("-number").first()


OUTSIDE = "outside"
"""In place of a profile: an agent that is run elsewhere and comes by the API. No profile is called so."""


class Seat(models.Model):
    """A chair in a room: free, a person's (`person` is the key in their signed cookie) or an agent's. One of an agent
    from outside has both: the key of nobody else, and `OUTSIDE`."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40, blank=True)
    person = models.CharField(max_length=40, blank=True)
    agent = models.CharField(max_length=80, blank=True, help_text=_("The agent profile that plays it."))
    ready = models.BooleanField(default=False, help_text=_("Its person wants to play again."))

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

    @property
    def outside(self) -> bool:
        """Whether an agent from outside has it."""
        return self.agent == OUTSIDE


class RoomMessage(models.Model):
    """Something said at a room, but for the talk of seats in a match, which stands in its log. number: 1, 2, 3 ... in
    the room; after: how many matches had begun by then; person: the key of who said it, which no page shows, "" of an
    agent; mark: the same for all that one says here (`games.room.talk.mark_of`)."""

    class Channel(models.TextChoices):
        ROOM = "room", _("Everybody at the table")
        WATCHERS = "watchers", _("Those who watch")

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    after = models.PositiveIntegerField(default=0)
    channel = models.CharField(max_length=10, choices=Channel)
    person = models.CharField(max_length=40, blank=True, db_index=True)
    mark = models.CharField(max_length=12)
    name = models.CharField(max_length=40)
    text = models.TextField()
    at = models.DateTimeField(db_default=Now(), editable=False, db_index=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["room", "number"], name="message_number_once")]

    def __str__(self) -> str:
        return f"{self.room_id}:{self.number}"


class Mute(models.Model):
    """Whose talk a person does not want to hear at a room: of all that has this mark."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="mutes")
    person = models.CharField(max_length=40, db_index=True)
    mark = models.CharField(max_length=12)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["room", "person", "mark"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.room_id}:{self.mark}"


class Report(models.Model):
    """Words that a person reported, at an event of a match or in a message of the room; the words, and those around
    them, are read where they stand. by: the key of who reported, which nobody is shown; viewer: as whom they saw the
    match. settled_at: when an admin had decided."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="reports")
    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, null=True, related_name="reports")
    seq = models.PositiveIntegerField(null=True)
    message = models.ForeignKey(RoomMessage, on_delete=models.CASCADE, null=True, related_name="reports")
    by = models.CharField(max_length=40, db_index=True)
    viewer = models.SmallIntegerField(default=0)
    at = models.DateTimeField(db_default=Now(), editable=False)
    settled_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["by", "match", "seq"], name="event_reported_once"),
            models.UniqueConstraint(fields=["by", "message"], name="message_reported_once"),
        ]

    def __str__(self) -> str:
        return f"{self.room_id}: {self.message_id or self.seq}"


class ShutOut(models.Model):
    """A person who may not talk on this site any more, by the key of their browser and, if there is one, their
    account."""

    person = models.CharField(max_length=40, unique=True)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="shut_out")
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(self.pk)


class AccountKey(models.Model):
    """A key that is an account's: the first one is its person, wherever it signs in; the seats of further ones, of
    browsers in which it did, are its person's too (`games.room.accounts`)."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="person_keys")
    key = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["pk"]
        permissions = [("keep_accounts", _("Admin: makes accounts and says who is in which group"))]

    def __str__(self) -> str:
        return f"{self.user_id}"


class FirstAnswer(models.Model):
    """What a request was answered that makes something and came with a key of its own, so that it makes nothing when it
    comes again (`games.room.first_answers`).

    key, digest: hashes of its `Idempotency-Key`, and of all that was sent. answer: null while the request is under way.
    """

    person = models.CharField(max_length=40)
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    answer = models.JSONField(null=True)
    begun_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="first_answer_once")]

    def __str__(self) -> str:
        return f"answer {self.pk}"


class ApiKey(models.Model):
    """What a program shows to act in a person's place, within its scopes (`games.room.api_keys`). A digest of it is all
    that is kept.

    person: whose place that is. user: the account whose rights it has, if it was made by one that was signed in. room:
    the one table at which it is good, for a key that came with a chair.
    """

    digest = models.CharField(max_length=64, unique=True)
    title = models.CharField(max_length=60, blank=True)
    person = models.CharField(max_length=40, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="api_keys")
    room = models.ForeignKey(Room, on_delete=models.CASCADE, null=True, related_name="api_keys")
    scopes = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    ends_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"API key {self.pk}"
