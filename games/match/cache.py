"""Matches as this process last read them: each log and each viewer's fold of it, carried on by new events alone.

Pages and sockets of one process share a mirror, so an event is read, folded and rendered once however many look on.
A mirror is only ever read from the database; it is a cache that may be thrown away at any time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q
from django.utils.translation import get_language

from games.models import Match
from games.rules import RULES, values
from games.rules.core import last_round, seen_by
from games.rules.values import OMNISCIENT, PUBLIC

EVENT = ("seq", "kind", "seat", "audience", "data", "by", "request")
KEPT_MATCHES = 400
KEPT_RENDERINGS = 40
Rendered = TypeVar("Rendered")


@dataclass
class Share:
    """What one viewer sees of a match: the events, and what they amount to."""

    viewer: values.Viewer
    state: Any
    events: list[values.Event] = field(default_factory=list)
    read: int = 0
    private: int = 0  # how many of the events only this viewer and some others see in full

    @property
    def seq(self) -> int:
        """The seq of the last event that this viewer sees; 0 before the first."""
        return self.events[-1].seq if self.events else 0


class Mirror:
    """One match. Every method may be called from any thread.

    lock: whoever holds it sees the log as of one moment. It is held while something is folded or rendered, and never
    while the database is asked: the event loop takes it too.
    """

    def __init__(self, match: Match):
        self.match = match
        self.rules = RULES[match.game]
        self.options = self.rules.options_of(match.header)
        self.names = match.names()
        self.log: list[values.Event] = []
        self.times: dict[int, datetime] = {}
        self.deadlines: dict[str, datetime | None] = {}
        self.away: dict[str, float] = {}  # seconds that the site was away since each request was opened
        self.answered: set[str] = set()  # sealed requests that are answered
        self.lock = threading.RLock()
        self._shares: dict[tuple[values.Viewer, bool], Share] = {}
        self._rendered: OrderedDict[tuple, Any] = OrderedDict()
        self._lines: dict[tuple, str] = {}

    def catch_up(self, seq: int | None = None) -> Mirror:
        """Read what was added to the log, up to `seq` at least; nothing is asked if that is known already. While the
        database answers no lock is held, so whoever shows what is known need not wait for it."""
        if seq is not None and self.knows(seq):
            return self
        known = len(self.log)
        rows = list(self.match.events.filter(seq__gt=known).order_by("seq").values_list(*EVENT, "at"))
        pending = self.match.pending.annotate(is_kept=Q(kept__isnull=False))
        asked = list(pending.values_list("request", "deadline", "away_seconds", "is_kept"))
        with self.lock:
            for seq_, kind, seat, audience, data, by, request, at in rows:
                if seq_ == len(self.log) + 1:  # another thread may have read it meanwhile
                    audience = None if audience is None else tuple(audience)
                    self.log.append(values.Event(seq_, kind, seat, audience, data, by, request))
                    self.times[seq_] = at
            if known + len(rows) == len(self.log):
                self.deadlines = {request: deadline for request, deadline, _, _ in asked}
                self.away = {request: away for request, _, away, _ in asked}
                self.answered = {request for request, _, _, is_kept in asked if is_kept}
        return self

    def knows(self, seq: int) -> bool:
        """Whether the log has been read so far."""
        return len(self.log) >= seq

    @property
    def stood(self) -> float:
        """Seconds that the clocks of what is asked have stood still, as the site was away."""
        return max(self.away.values(), default=0.0)

    @property
    def over(self) -> bool:
        """Whether the match has ended by what has been read."""
        return self.share(PUBLIC).state.outcome.status != "running"

    def share(self, viewer: values.Viewer, delayed: bool = False) -> Share:
        """What `viewer` sees; `delayed`: up to the last finished round only."""
        with self.lock:
            share = self._shares.get((viewer, delayed))
            if share is None:
                share = self._shares[viewer, delayed] = Share(viewer, self.rules.start(self.options))
            end = last_round(self.rules, self.log) if delayed else len(self.log)
            for event in self.log[share.read : end]:
                seen = event if viewer == OMNISCIENT else seen_by(self.rules, event, viewer)
                if seen is not None:
                    share.events.append(seen)
                    share.private += seen.audience is not None and seen.data is not None
                    self.rules.apply(share.state, seen)
            share.read = max(share.read, end)
            return share

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

    def line(self, event: values.Event, viewer: values.Viewer, render: Callable[..., str]) -> str:
        """The line of the feed for an event that `viewer` sees, made once for all whom it is the same for."""
        whose = PUBLIC if event.audience is None else viewer
        key = (event.seq, whose, event.data is None, get_language())
        with self.lock:
            if key not in self._lines:
                self._lines[key] = render(self.match.game, event, self.names, whose)
            return self._lines[key]


_mirrors: OrderedDict[UUID, Mirror] = OrderedDict()
_guard = threading.Lock()


def mirror(match: Match) -> Mirror:
    """This process's mirror of a match, as it last was; see `Mirror.catch_up`."""
    with _guard:
        known = _mirrors.get(match.pk)
        if known is None or known.match.erasures < match.erasures:  # an older one holds words that are erased
            known = _mirrors[match.pk] = Mirror(match)
            while len(_mirrors) > KEPT_MATCHES:
                _mirrors.popitem(last=False)
        _mirrors.move_to_end(match.pk)
        return known
