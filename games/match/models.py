"""What is stored of matches: headers and logs, and what is kept beside a log.

A match's state is never stored; it is the fold of its events (`games.match.store.load`). `Pending` is a projection of
the open requests and can be rebuilt from the log at any time.
"""

from __future__ import annotations

import secrets
import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.match.changes import SEATS, Kept
from games.registry import RULES
from games.rules import values
from games.rules.own_words import OWN

if TYPE_CHECKING:
    from games.match.rows import MatchSeat

_seats: Kept[list[MatchSeat]] = Kept(2000, SEATS)


def new_seed() -> int:
    """63 random bits."""
    return secrets.randbits(63)


class Matches(models.QuerySet):
    """Matches to choose from."""

    def originals(self) -> Matches:
        """Those that count: with a deal of their own, for the beginning of a fork is another match's and counts there;
        no examples, none that was declared void, and none that was dealt from a table's own words."""
        nowhere = models.Q(origin=Match.Origin.EXAMPLE) | models.Q(status="void") | models.Q(setting__has_key=OWN)
        return self.filter(forked_from__isnull=True).exclude(nowhere)


class There(models.Manager.from_queryset(Matches)):  # type: ignore[misc]  # a class that is made here
    """The matches that are there for everybody: those of an import only once all of it is."""

    def get_queryset(self) -> Matches:
        return super().get_queryset().filter(staged=False)


class Match(models.Model):
    """A match's header, frozen when it starts. `status`, `result` and `ended_at` are read off the log for lists.

    parent: the match that a fork begins with. digest: by which the same log is known again (`logfile.digest`), once it
    is over. brought: the import that it came with; staged: that one is not published yet, and `objects` leaves it out.
    away: its rows are put away (`games.match.archive`).
    erasures, seating: other numbers after something was erased from it, and after somebody else has got a seat or plays
    it, by which what a process keeps of it is known to be old (`games.match.changes`).
    """

    class Origin(models.TextChoices):
        PLAYED = "played", _("played here")
        FORK = "fork", _("begun from another match")
        IMPORT = "import", _("imported")
        STUDY = "study", _("of a study with people")
        COMPETITION = "competition", _("of a competition")
        EXAMPLE = "example", _("an example, recorded with a scripted model")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey("games.Room", null=True, blank=True, on_delete=models.SET_NULL, related_name="matches")
    number = models.PositiveIntegerField(default=0, help_text=_("Which match of its room, from 1; 0 without a room."))
    game = models.CharField(max_length=40)
    preset = models.CharField(max_length=40)
    rules_version = models.PositiveIntegerField()
    options = models.JSONField()
    setting = models.JSONField(blank=True)
    seed = models.BigIntegerField(default=new_seed)
    kinds_named = models.BooleanField(default=True)
    forked_from = models.JSONField(null=True, blank=True)
    origin = models.CharField(max_length=12, choices=Origin, default=Origin.PLAYED)
    played_as = models.CharField(max_length=20, blank=True, help_text=_("As what an imported match was played."))
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks")
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    labels = models.JSONField(
        default=dict, blank=True, help_text=_("What an imported match was planned as where it was played.")
    )
    erasures = models.PositiveIntegerField(default=0)
    seating = models.BigIntegerField(default=new_seed, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    status = models.CharField(max_length=12, default="running", db_index=True)
    result = models.CharField(max_length=40, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    brought = models.UUIDField(null=True, blank=True, editable=False)
    staged = models.BooleanField(default=False, db_default=False, editable=False)
    away = models.BooleanField(default=False, db_default=False, editable=False)

    objects = There()
    staged_too = Matches.as_manager()
    _seated: tuple[int | None, list[MatchSeat]] = (None, [])  # as of which number

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["room"], condition=models.Q(status="running"), name="one_match_at_a_time"),
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(origin="import", staged=False) & ~models.Q(digest=""),
                name="match_imported_once",
            ),
            models.UniqueConstraint(
                fields=["brought", "digest"], condition=models.Q(staged=True), name="match_staged_once"
            ),
            models.UniqueConstraint(fields=["room", "number"], name="match_number_once"),
        ]
        indexes = [
            models.Index(fields=["created_at", "id"], name="match_newest"),
            models.Index(fields=["seed"], name="match_of_a_deal"),
            models.Index(fields=["brought"], condition=~models.Q(brought=None), name="match_brought"),
            *(
                models.Index(fields=[name, "created_at", "id"], name=f"match_by_{name}")
                for name in ("game", "preset", "status", "result", "origin")
            ),
        ]
        permissions = [
            ("see_thoughts", _("Researcher: sees everything of every match that they do not sit in")),
            ("keep_order", _("Admin: pauses, moves on, ends and voids any running match")),
            ("erase_people", _("Admin: erases people, and lets go of what is old")),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.preset} {str(self.id)[:8]}"

    @property
    def header(self) -> values.Header:
        """The header as the core reads it; whole, so for the omniscient only."""
        return values.Header(
            self.game,
            self.preset,
            self.options,
            self.setting,
            self.seed,
            tuple(sitter.info for sitter in self.seated),
            self.rules_version,
            str(self.id),
            self.forked_from,
        )

    @property
    def rederived(self) -> bool:
        """Whether the rules that it was played under are here, so that its log can be derived again."""
        return self.game in RULES and RULES[self.game].plays(self.rules_version)

    @property
    def seated(self) -> list[MatchSeat]:
        """Its seats in their order. They are read once, and kept by the process: nobody may change them."""
        if self._seated[0] != self.seating:

            def read() -> list[MatchSeat]:
                return list(self.sitters.all())

            prefetched = "sitters" in getattr(self, "_prefetched_objects_cache", ())
            self._seated = self.seating, read() if prefetched else _seats.of(self.pk, self.seating, read)
        return self._seated[1]

    def names(self) -> dict[int, str]:
        """How each seat is called."""
        return {sitter.seat: sitter.name for sitter in self.seated}

    def unseen_stand_ins(self) -> dict[int, str]:
        """Who plays for whom at a match that names no agents. Kept beside its log: an event there, even one that nobody
        sees, would leave a gap in the numbers of those that are seen."""
        return {sitter.seat: sitter.stand_in for sitter in self.seated if sitter.stand_in}

    def freed(self) -> set[int]:
        """The seats of people that an admin freed for others, and that nobody has taken since."""
        return {sitter.seat for sitter in self.seated if sitter.former and not sitter.person}

    def seat_of(self, person: str) -> int | None:
        """The seat that this person plays or played in this match."""
        return next((sitter.seat for sitter in self.seated if person and sitter.person == person), None)


class ErasedSeat(models.Model):
    """A seat whose person was erased, known again in files that still hold their words: `begun` as by
    `logfile.beginning`, `dealt` where the file has no times, `match` where it has no logs, `digest` as of its match."""

    begun = models.CharField(max_length=64, db_index=True)
    dealt = models.CharField(max_length=64, db_index=True)
    digest = models.CharField(max_length=64, blank=True, db_index=True)
    match = models.UUIDField(null=True)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["begun", "digest", "match", "seat"], name="erased_seat_once")]

    def __str__(self) -> str:
        return f"{self.begun[:8]}:{self.seat}"


class Archive(models.Model):
    """A file beside the database into which logs were put away (`games.match.archive`). before: bytes of what is in it
    before it was packed; size: of the file."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60)
    before = models.PositiveBigIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.name


class Away(models.Model):
    """Where in an archive the log of a match is. back_at: when its rows were in the database last."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="put_away")
    archive = models.ForeignKey(Archive, on_delete=models.CASCADE, related_name="matches")
    start = models.PositiveBigIntegerField()
    length = models.PositiveBigIntegerField()
    back_at = models.DateTimeField()

    class Meta:
        ordering = ["archive", "start"]

    def __str__(self) -> str:
        return f"{self.match_id} in {self.archive_id}"


class Detection(models.Model):
    """Whom a person took for an agent, asked after a match at a table where agents were not named."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="detections")
    seat = models.PositiveSmallIntegerField(help_text=_("Who was asked."))
    agents = models.JSONField(null=True, help_text=_("The seats taken for agents, of all others; null: skipped."))
    at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["match_id", "seat"]
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
        ordering = ["match_id", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="notebook_once")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat}"


class Notes(models.Model):
    """What a person keeps in the notebook of a match that they play. Nobody else sees it, and it goes with the person.

    marks: as in `Notebook`. struck: which of the words that lie open at the table, such as places, are crossed out.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="notes")
    person = models.CharField(max_length=40)
    text = models.TextField(blank=True)
    marks = models.JSONField(default=list)
    struck = models.JSONField(default=list)

    class Meta:
        ordering = ["match_id", "person"]
        verbose_name_plural = "notes"
        constraints = [models.UniqueConstraint(fields=["match", "person"], name="notes_once")]

    def __str__(self) -> str:
        return f"{self.match_id}"

    @property
    def steps(self) -> dict[int, str]:
        """What each seat is marked as now."""
        return {seat: step for _seq, seat, step in self.marks}


class Pending(models.Model):
    """An open waiting request and who is to answer it: an agent's worker under a lease, or a person until a deadline.

    A projection: `games.match.pending.project` rebuilds it from the log. An agent's row waits in `queue` from `due_at`
    on for a worker to claim it; `attempts` counts the claims. Workers hear of it by messages, which may be lost:
    `messages` counts those since the last claim, and the next one is sent at `nudge_at` if no worker holds the row by
    then.
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
