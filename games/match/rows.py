"""The rows that a match is stored as, and how they are read as plain values. Nothing but `games.match` reads them, and
the admin's pages of rows.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db import connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.constants import OnConflict
from django.db.models.functions import Cast

from games.match import quick_json
from games.match.models import Match
from games.rules import values
from games.rules.pool import Pool
from games.rules.schema import names

THOUGHT_FIELDS, ATTEMPT_FIELDS = names(values.Thought), names(values.Attempt)


class MatchSeat(models.Model):
    """Who has a seat of a match, frozen when it starts. person: the key in their signed cookie, if they have it here.
    former: the keys of those who had it before it was freed for another person, with spaces between.

    stand_in: see `Match.unseen_stand_ins`. side, role, won: what came of it, read off the log when the match ends and
    by `manage.py rebuild_seats`; won is None where nobody wins. They are for looking up, and decide nothing: of matches
    that ended before they were kept they are empty until that command has run.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="sitters")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=10)
    agent = models.CharField(max_length=80, blank=True)
    person = models.CharField(max_length=40, blank=True, db_index=True)
    former = models.TextField(blank=True)
    stand_in = models.CharField(max_length=80, blank=True)
    side = models.TextField(blank=True)
    role = models.TextField(blank=True)
    won = models.BooleanField(null=True)

    class Meta:
        ordering = ["match_id", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="match_seat_once")]
        indexes = [
            models.Index(fields=["agent", "match"], name="seat_by_agent"),
            models.Index(fields=["role", "match"], name="seat_by_role"),
            models.Index(fields=["side", "match"], name="seat_by_side"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat}"

    @property
    def info(self) -> values.SeatInfo:
        """The seat as the core reads it."""
        return values.SeatInfo(self.seat, self.name, self.kind, self.agent or None)


class SeatMethod(models.Model):
    """By which method and which model a seat's agent thought in a match: each pair among its thoughts once, for looking
    up. Written with them, and by `manage.py rebuild_seats`."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="methods")
    seat = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=60)
    model = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["match_id", "seat"]
        constraints = [models.UniqueConstraint(fields=["match", "seat", "method", "model"], name="seat_method_once")]
        indexes = [models.Index(fields=["method", "match"]), models.Index(fields=["model", "match"])]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seat} {self.method} {self.model}".strip()


class Text(models.Model):
    """Words to be looked for (`games.match.lookup`): what an event says, or what an agent replied for a request.
    Written with them, and by `manage.py rebuild_seats`.

    seq: of the event; None for a thought. request: of the thought; empty for an event."""

    MOST = 100_000
    """Characters of a reply that are looked through; PostgreSQL indexes no longer ones."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="texts")
    seat = models.PositiveSmallIntegerField(null=True)
    seq = models.PositiveIntegerField(null=True)
    request = models.CharField(max_length=80, blank=True)
    text = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seq or self.request}"


class Events(models.QuerySet):
    """Events to read."""

    def each(self) -> Iterator[tuple[UUID, values.Event, datetime]]:
        """Of each event in order its match, itself as the core reads it, and when it was."""
        rows = self.order_by("match_id", "seq").values_list(as_text("match_id"), "at", *_EVENT)
        for key, found in groupby(rows, itemgetter(0)):
            match = UUID(key)
            for _key, at, *row in found:
                yield match, _event(*row), at

    def timed(self) -> list[tuple[values.Event, datetime]]:
        """The events of a match as the core reads them, in order, and when each was."""
        return [(_event(*row), at) for at, *row in self.order_by("seq").values_list("at", *_EVENT)]

    def plain(self) -> list[values.Event]:
        """The events of a match as the core reads them, in order."""
        return [_event(*row) for row in self.order_by("seq").values_list(*_EVENT)]


def as_text(column: str) -> Cast:
    """A column as the text that the database has of it: read here, JSON takes a fifth of the time."""
    return Cast(column, models.TextField())


_EVENT = tuple(as_text(name) if name in ("audience", "data") else name for name in values.Event._fields)


def _event(
    seq: int, kind: str, seat: int | None, audience: str | None, data: str, by: str, request: str | None
) -> values.Event:
    seen = None if audience is None else _audience(audience)
    return values.Event(seq, kind, seat, seen, quick_json.read(data), by, request)


@lru_cache(10_000)
def _audience(text: str) -> tuple[int, ...] | None:
    seats = quick_json.read(text)
    return None if seats is None else tuple(seats)


class Event(models.Model):
    """One line of a match's log; written by `games.match.writer` alone and never changed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=40)
    seat = models.PositiveSmallIntegerField(null=True)
    audience = models.JSONField(null=True)
    data = models.JSONField()
    by = models.CharField(max_length=100)
    request = models.CharField(max_length=80, null=True)  # noqa: DJ001 (null: unique together with the match)

    objects = Events.as_manager()

    class Meta:
        ordering = ["match_id", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="event_seq_once"),
            models.UniqueConstraint(fields=["match", "request"], name="request_answered_once"),
        ]
        indexes = [models.Index(fields=["kind", "id"], name="event_by_kind")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seq} {self.kind}"


class Thought(models.Model):
    """One step of an agent's reasoning about one request (`games.rules.schema.Thought`); for the omniscient only.

    pieces: what its prompt is made of, in the texts of its match (`PromptText`)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="thoughts")
    request = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField()
    at = models.DateTimeField()
    method = models.CharField(max_length=60)
    stage = models.CharField(max_length=60)
    pieces = models.JSONField(default=list, blank=True)
    reply = models.TextField(blank=True)
    data = quick_json.TidyJSON(default=dict)
    model = models.CharField(max_length=100, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cached = models.PositiveIntegerField(default=0)
    stored = models.PositiveIntegerField(default=0)
    cost = models.FloatField(default=0)
    ms = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=1)
    n = models.PositiveSmallIntegerField(help_text="Its number among the thoughts about its request, from 1.")

    class Meta:
        ordering = ["match_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["match", "request", "n"], name="thought_number_once")]
        indexes = [
            models.Index(fields=["method", "id"], name="thought_by_method"),
            models.Index(fields=["model", "id"], name="thought_by_model"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.request} {self.stage}"


class PromptText(models.Model):
    """Lines that prompts of a match have in common (`games.rules.pool`)."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="prompt_texts")
    n = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["match_id", "n"]
        constraints = [models.UniqueConstraint(fields=["match", "n"], name="prompt_text_once")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.n}"


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
        ordering = ["match_id", "pk"]
        indexes = [
            models.Index(fields=["match", "request"]),
            models.Index(fields=["code", "id"], name="attempt_by_code"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.request} {self.code}"


def insert(
    model: type[models.Model], names: Iterable[str], rows: Iterable[Iterable[Any]], *, once: bool = False
) -> None:
    """Insert rows in their order, each as its values of the named fields. What `bulk_create` does, without an object
    for each: a log of a thousand lines takes a third of the time. once: what is there already stays as it is."""
    columns: list[Any] = [model._meta.get_field(name) for name in names]
    here = connections[connection.alias]
    quoted = ", ".join(here.ops.quote_name(column.column) for column in columns)
    values = ", ".join(["%s"] * len(columns))
    kept = [_keeper(column, here) for column in columns]
    table = here.ops.quote_name(model._meta.db_table)
    stored = [[value if keep is None else keep(value) for keep, value in zip(kept, row, strict=True)] for row in rows]
    if stored:
        conflict = OnConflict.IGNORE if once else None
        into = here.ops.insert_statement(on_conflict=conflict)
        after = here.ops.on_conflict_suffix_sql((), conflict, (), ())
        with here.cursor() as cursor:
            cursor.executemany(f"{into} {table} ({quoted}) VALUES ({values}) {after}", stored)


def _keeper(column: Any, here: BaseDatabaseWrapper) -> Callable[[Any], Any] | None:
    """What makes a value of a field what the database keeps; None if it does."""
    if type(column) in PLAIN:
        return None
    if isinstance(column, models.JSONField):
        return lambda value: None if value is None else here.ops.adapt_json_value(value, column.encoder)
    if isinstance(column, models.DateTimeField):
        return here.ops.adapt_datetimefield_value
    return cache(partial(column.get_db_prep_save, connection=here))


PLAIN = (models.CharField, models.TextField, models.PositiveIntegerField, models.PositiveSmallIntegerField)
"""Fields whose values stand in the database as they are."""


def fields(row: Any, names: Iterable[str]) -> dict[str, Any]:
    """These columns of a row."""
    return {name: getattr(row, name) for name in names}


def pool_of(match: Match) -> Pool:
    """The texts of a match's prompts."""
    return Pool(match.prompt_texts.order_by("n").values_list("text", flat=True))


def given(record: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields of a dataclass or of a line of a log file."""
    record = record if isinstance(record, dict) else asdict(record)
    return {name: record[name] for name in names if name in record}


def stamp(at: datetime) -> str:
    """A time as log files write it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def moment(stamp: str | None) -> datetime | None:
    """The time that a log file wrote."""
    return datetime.fromisoformat(stamp.replace("Z", "+00:00")) if stamp else None


def thoughts_in(match: Match, rows: Iterable[Thought]) -> list[dict[str, Any]]:
    """Thoughts of a match as log files hold them, with their prompts."""
    pool = pool_of(match)
    return [
        {name: pool.get(row.pieces) if name == "prompt" else getattr(row, name) for name in THOUGHT_FIELDS}
        for row in rows
    ]


def prompts_in(match: Match, rows: Iterable[Thought]) -> dict[int, str]:
    """The prompts of thoughts of a match, by their keys."""
    pool = pool_of(match)
    return {row.pk: pool.get(row.pieces) for row in rows}
