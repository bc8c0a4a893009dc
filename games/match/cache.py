"""Matches as this process last read them: each log and each viewer's fold of it, carried on by new events alone.

Pages and sockets of one process share it, so an event is read, folded and rendered once however many look on.
It is only ever read from the database; and may be thrown away at any time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery
from django.utils.translation import get_language

from games.match import archive
from games.match.changes import WORDS, Kept
from games.match.rows import Event
from games.match.view import View, outside
from games.models import Match, Room
from games.registry import RULES
from games.rules import values
from games.rules.values import PUBLIC
from magic_site import clock

KEPT_RENDERINGS = 40
Rendered = TypeVar("Rendered")


class CachedMatch:
    """One match. Every method may be called from any thread.

    lock: whoever holds it sees the log as of one moment. It is held while something is folded or rendered, and never
    while the database is asked: the event loop takes it too.
    """

    def __init__(self, match: Match):
        self.match = match
        self.rules = RULES[match.game]
        self.names = match.names()
        self._log: list[values.Event] = []
        self._whole = False  # whether the match was over before it was read
        self.times: dict[int, datetime] = {}
        self.deadlines: dict[str, datetime | None] = {}
        self.away: dict[str, float] = {}  # seconds that the site was away since each request was opened
        self.answered: set[str] = set()  # sealed requests that are answered
        self.lock = threading.RLock()
        self._views: dict[tuple[values.Viewer, bool], View] = {}
        self._rendered: OrderedDict[tuple, Any] = OrderedDict()
        self._lines: dict[tuple, str] = {}

    def catch_up(self, seq: int | None = None) -> CachedMatch:
        """Read what was added to the log, up to `seq` at least; nothing is asked if that is known already. While the
        database answers no lock is held, so whoever shows what is known need not wait for it."""
        if self._whole or (seq is not None and self.knows(seq)):
            return self
        known, over = len(self._log), self.match.status != "running"
        fresh = self.match.events.filter(seq__gt=known).timed() if known else archive.timed(self.match)
        pending = self.match.pending.annotate(is_kept=Q(kept__isnull=False))
        asked = list(pending.values_list("request", "deadline", "away_seconds", "is_kept"))
        with self.lock:
            for event, at in fresh:
                if event.seq == len(self._log) + 1:  # another thread may have read it meanwhile
                    self._log.append(event)
                    self.times[event.seq] = at
            if known + len(fresh) == len(self._log):
                self.deadlines = {request: deadline for request, deadline, _, _ in asked}
                self.away = {request: away for request, _, away, _ in asked}
                self.answered = {request for request, _, _, is_kept in asked if is_kept}
                self._whole = over
        return self

    def knows(self, seq: int) -> bool:
        """Whether the log has been read so far."""
        return len(self._log) >= seq

    def waits_since(self, seq: int) -> datetime:
        """Since when people can answer what event `seq` asks. The events that a fork has from its parent are older."""
        return max(self.times[seq], self.match.created_at)

    @property
    def length(self) -> int:
        """How long the log is, as far as it has been read."""
        return len(self._log)

    @property
    def stood(self) -> float:
        """Seconds that the clocks of what is asked have stood still, as the site was away."""
        return max(self.away.values(), default=0.0)

    @property
    def over(self) -> bool:
        """Whether the match has ended by what has been read."""
        return self.view(PUBLIC).over

    def view(self, viewer: values.Viewer, delayed: bool = False) -> View:
        """What `viewer` sees; `delayed`: up to the last finished round only."""
        with self.lock:
            known = self._views.get((viewer, delayed))
            if known is None:
                known = self._views[viewer, delayed] = outside(self.match, viewer, delayed=delayed)
            return known.carry_on(self._log)

    def once(self, key: tuple, render: Callable[[], Rendered]) -> Rendered:
        """What `render` gives, made once for each key and kept for a while."""
        with self.lock:
            if key not in self._rendered:
                self._rendered[key] = render()
                while len(self._rendered) > KEPT_RENDERINGS:
                    self._rendered.popitem(last=False)
            return self._rendered[key]

    def kept(self, key: tuple) -> Any:
        """What was rendered for this key, if it is still there."""
        return self._rendered.get(key)

    def line(self, event: values.Seen, viewer: values.Viewer, render: Callable[..., str]) -> str:
        """The line of the feed for an event that `viewer` sees, made once for all whom it is the same for."""
        whose = PUBLIC if event.audience is None else viewer
        key = (event.seq, whose, isinstance(event, values.Shell), get_language())
        with self.lock:
            if key not in self._lines:
                self._lines[key] = render(self.match.game, event, self.names, whose)
            return self._lines[key]


_mirrors: Kept[CachedMatch] = Kept(400, WORDS)


def cached_match(match: Match) -> CachedMatch:
    """This process's cache of a match, as it last was; see `CachedMatch.catch_up`."""
    found = _mirrors.of(match.pk, match.erasures, lambda: CachedMatch(match))
    found.match = match
    return found


class State(NamedTuple):
    """How far a room is: its newest match, the seq of the last event there and how often words were erased from it, the
    room's revision, and the number of the last message."""

    code: str
    match: UUID | None
    seq: int | None
    erasures: int | None
    revision: int
    said: int


def states(codes: Collection[str]) -> list[State]:
    """How far each of these rooms is, in one query; the process's reading of the clock is kept fresh beside it."""
    clock.now()
    newest = Match.objects.filter(room=OuterRef("pk")).order_by("-number")
    last = Event.objects.filter(match=OuterRef("newest")).order_by("-seq")
    rooms = Room.objects.filter(code__in=codes).annotate(newest=Subquery(newest.values("pk")[:1]))
    rooms = rooms.annotate(last=Subquery(last.values("seq")[:1]), erased=Subquery(newest.values("erasures")[:1]))
    return [State(*row) for row in rooms.values_list("code", "newest", "last", "erased", "revision", "said")]
