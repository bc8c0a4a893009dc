"""What one viewer may see of a match: the one place between what is stored and whatever leaves the house.

Pages, frames, prompts, downloads and records are made from a `View`, and `make lint` keeps it so. What is hidden is
hidden here: events that others do not see (`games.rules.sight`), what is still to come for who looks on a round behind,
who is an agent where that is not told, other seats' attempts, and what agents thought.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from games.match import archive
from games.match.models import Match
from games.match.rows import (
    ATTEMPT_FIELDS,
    THOUGHT_FIELDS,
    Attempt,
    Event,
    MatchSeat,
    Thought,
    fields,
    prompts_in,
    stamp,
    thoughts_in,
)
from games.registry import RULES
from games.room.models import OUTSIDE, Room
from games.rules import logfile, replay, values
from games.rules.core import last_round
from games.rules.play import Play
from games.rules.sight import requests_for, seen_by, visible_header
from games.rules.values import OMNISCIENT, PUBLIC, Viewer


def nothing_planned(keys: Collection[UUID]) -> dict[UUID, dict[str, Any]]:
    """The labels of matches that nobody planned."""
    return {}


# What plans matches says here what it planned these as, by match; it puts that here when it starts.
planned: Callable[[Collection[UUID]], dict[UUID, dict[str, Any]]] = nothing_planned


def nothing_annotated(keys: Collection[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """The labels of matches that no rater saw."""
    return {}


# What raters said of these, as lines of their log files, by match; who keeps labels puts that here when it starts.
annotated: Callable[[Collection[UUID]], dict[UUID, list[dict[str, Any]]]] = nothing_annotated


def names_agents(place: Match | Room, viewer: Viewer = PUBLIC) -> bool:
    """Whether this viewer is told who is an agent there."""
    named = place.agents_named if isinstance(place, Room) else place.kinds_named
    return named or viewer == OMNISCIENT


class View:
    """A match as `viewer` sees it, in plain data; carried on as its log grows.

    header: without what this viewer may not know of it. names: how each seat is called. events: those that it sees, up
    to `until`, or, `delayed`, to the end of the last round. state: the fold of them. private: how many of the events
    not everybody sees in full.

    Of a log of other rules, which these do not come to, there is no `state`: it raises `LogError`.
    """

    def __init__(
        self,
        header: values.Header,
        viewer: Viewer,
        *,
        kinds_named: bool = False,
        delayed: bool = False,
        until: int | None = None,
    ):
        self.viewer, self.delayed, self.until = viewer, delayed, until
        self.rules = RULES[header.game]
        self._whole_header = header
        self.header = visible_header(header, viewer, kinds_named=kinds_named)
        self.names = header.names
        self.events: list[values.Seen] = []
        self.private = 0
        self._read = 0
        self._unread: values.LogError | None = None

    @cached_property
    def options(self) -> Any:
        """The resolved options."""
        return self.rules.options_of(self._whole_header)

    @property
    def state(self) -> Any:
        self.check()
        return self._state

    @cached_property
    def _state(self) -> Any:
        return self.start()

    def start(self) -> Any:
        """The state before the first event, for who folds the events one by one."""
        return self.rules.start(self.options)

    def check(self) -> None:
        """Raise `LogError` if the log is one of other rules, and these do not come to it."""
        if self._unread is not None:
            raise self.rules.not_played(self.header.rules_version) from self._unread

    def carry_on(self, log: Sequence[values.Event]) -> View:
        """Take in what was added to the whole log since."""
        end = last_round(self.rules, log) if self.delayed else len(log)
        end = end if self.until is None else min(end, self.until)
        if end > self._read:
            try:
                replay.must_stand(self.rules, self._whole_header, log)
            except values.LogError as error:
                self._unread = error
        for event in log[self._read : end]:
            self._take(event)
        self._read = max(self._read, end)
        return self

    def _take(self, event: values.Event) -> None:
        seen = seen_by(self.rules, event, self.viewer)
        if seen is not None:
            self.events.append(seen)
            self.private += seen.audience is not None and isinstance(seen, values.Event)
            if self._unread is None:
                self.rules.apply(self._state, seen)

    @property
    def told(self) -> list[values.Event]:
        """The events that it sees in full."""
        return [event for event in self.events if isinstance(event, values.Event)]

    @property
    def seq(self) -> int:
        """The seq of the last event that this viewer sees; 0 before the first."""
        return self.events[-1].seq if self.events else 0

    @property
    def over(self) -> bool:
        return self.state.outcome.status != "running"

    @property
    def requests(self) -> list[values.Request]:
        """The open requests that this viewer may know of, oldest first."""
        return self.open_in(self.state)

    def open_in(self, state: Any) -> list[values.Request]:
        """Those of a moment: of a fold of some of the events."""
        return requests_for(state, self.viewer)

    @property
    def kinds(self) -> dict[int, str]:
        """Who is a person and who an agent, by seat; empty where this viewer is not told."""
        return {seat.seat: seat.kind for seat in self.header.seats if seat.kind}

    @property
    def outside(self) -> set[int]:
        """The seats of agents from outside; none where this viewer is not told who is an agent."""
        return {seat.seat for seat in self._whole_header.seats if seat.agent == OUTSIDE} if self.kinds else set()

    @property
    def stand_ins(self) -> set[int]:
        """The seats that an agent plays in a person's place; none where this viewer is not told."""
        return set(self.state.stand_ins) if self.kinds else set()


def of_play(play: Play, viewer: Viewer, until: int | None = None) -> View:
    """A match in memory as this viewer sees it; without who is an agent."""
    return View(play.header, viewer, until=until).carry_on(play.log)


def outside(match: Match, viewer: Viewer = PUBLIC, *, delayed: bool = False) -> View:
    """A view of a match before any of its events are read: names and, where this viewer is told, kinds."""
    return View(match.header, viewer, kinds_named=names_agents(match, viewer), delayed=delayed)


class Became(NamedTuple):
    """What a seat was and whether it won, as far as that is known; won is None where nobody wins."""

    role: str
    won: bool | None


def outcomes(match: Match, viewer: Viewer) -> dict[int, Became]:
    """What came of each seat, by its row; for the omniscient alone."""
    return {one.seat: Became(one.role, one.won) for one in match.sitters.all()} if viewer == OMNISCIENT else {}


class MatchView(View):
    """A stored match; what stands beside its log is read when it is asked for. labelled: a file of it tells what raters
    said, if the viewer is the omniscient."""

    def __init__(
        self,
        match: Match,
        viewer: Viewer,
        *,
        delayed: bool = False,
        until: int | None = None,
        labelled: bool = True,
    ):
        told = names_agents(match, viewer)
        super().__init__(match.header, viewer, kinds_named=told, delayed=delayed, until=until)
        self.match, self.labelled = match, labelled
        timed = archive.timed(match)
        self.carry_on([event for event, _at in timed])
        seen = {event.seq for event in self.events}
        self.times: dict[int, datetime] = {event.seq: at for event, at in timed if event.seq in seen}

    @property
    def thought_rows(self) -> QuerySet[Thought]:
        """What agents thought, oldest first; for the omniscient alone."""
        return self.match.thoughts.order_by("pk") if self.viewer == OMNISCIENT else Thought.objects.none()

    @property
    def attempt_rows(self) -> QuerySet[Attempt]:
        """What did not count, oldest first: a seat knows its own."""
        rows = self.match.attempts.order_by("pk")
        return rows if self.viewer == OMNISCIENT else rows.filter(seat=self.viewer)

    @cached_property
    def thoughts(self) -> list[dict[str, Any]]:
        return thoughts_in(self.match, self.thought_rows)

    def thought(self, key: int) -> dict[str, Any] | None:
        """One thought by its key, as a log file holds it."""
        return next(iter(thoughts_in(self.match, self.thought_rows.filter(pk=key))), None)

    @cached_property
    def prompts(self) -> dict[int, str]:
        """The prompt of each thought, by its key."""
        return prompts_in(self.match, self.thought_rows)

    @cached_property
    def attempts(self) -> list[dict[str, Any]]:
        by = {} if self.viewer == OMNISCIENT else {"by": "seat"}
        return [fields(row, ATTEMPT_FIELDS) | by for row in self.attempt_rows]

    @property
    def _outcome(self) -> values.Outcome:
        if self._unread is None:
            return self.state.outcome
        return outcome_of(self.match.status, self.match.result, self.events)

    def file(self) -> logfile.LogFile[values.Seen]:
        """All of it as a log file holds it. Only the omniscient's holds all that an import needs."""
        return self._file(self.events)

    def _file(self, events: list[logfile.E]) -> logfile.LogFile[logfile.E]:
        seen = logfile.LogFile(
            header=self.header,
            events=events,
            times={seq: stamp(at) for seq, at in self.times.items()},
            thoughts=self.thoughts,
            attempts=self.attempts,
            outcome=self._outcome,
            rederived=self.match.rederived,
        )
        if self.viewer == OMNISCIENT:
            match = self.match
            seen.origin = match.played_as or match.origin
            imported = match.origin == Match.Origin.IMPORT
            seen.labels = match.labels if imported else planned([match.pk]).get(match.pk, {})
            seen.annotations = annotated([match.pk]).get(match.pk, []) if self.labelled else []
        return seen


def outcome_of(status: str, result: str, log: Sequence[values.Seen]) -> values.Outcome:
    """How a match stands by its row and the end of its log, without its rules."""
    last = next((event for event in reversed(log) if event.kind == "finished"), None)
    return values.Outcome(status, result or None) if last is None else replay.ending([last])


def whole(match: Match) -> MatchView:
    """Everything of a match."""
    return MatchView(match, OMNISCIENT)


def log_of(match: Match) -> logfile.LogFile[values.Event]:
    """Everything of a match, as its log file holds it."""
    seen = whole(match)
    return seen._file(seen.told)


def own_thoughts(match: Match, seat: int | None = None) -> list[dict[str, Any]]:
    """What the agents of this seat have thought so far, or those of all seats, oldest first: their memory, without what
    they were told."""
    rows = archive.here(match).thoughts.order_by("pk")
    plain = [name for name in THOUGHT_FIELDS if name != "prompt"]
    return [fields(row, plain) for row in (rows if seat is None else rows.filter(seat=seat))]


def thinkers(match: Match, viewer: Viewer) -> list[int]:
    """The seats whose agents left thoughts that this viewer may read."""
    if viewer != OMNISCIENT:
        return []
    return sorted(archive.here(match).thoughts.order_by().values_list("seat", flat=True).distinct())


def first_thought(match: Match) -> int:
    """The seq of the first move that was thought about; 0 where none was."""
    requests = archive.here(match).thoughts.order_by("pk").values("request")
    moves = match.events.filter(request__in=requests).order_by("seq")
    return moves.values_list("seq", flat=True).first() or 0


class Everything(NamedTuple):
    """All of a match but its thoughts, for the omniscient."""

    seats: list[values.SeatInfo]
    events: list[values.Event]
    attempts: list[values.Attempt]


def everything(keys: Collection[UUID]) -> dict[UUID, Everything]:
    """All of many matches, in three queries."""
    archive.bring(keys)
    found = {key: Everything([], [], []) for key in keys}
    for sitter in MatchSeat.objects.filter(match__in=keys):
        found[sitter.match_id].seats.append(sitter.info)
    for key, event, _at in Event.objects.filter(match__in=keys).each():
        found[key].events.append(event)
    rows = Attempt.objects.filter(match__in=keys).order_by("match_id", "pk")
    for key, *attempt in rows.values_list("match_id", *ATTEMPT_FIELDS):
        found[key].attempts.append(values.Attempt(*attempt))
    return found


def thoughts_of(keys: Collection[UUID]) -> QuerySet[Thought]:
    """What agents thought in many matches, oldest first, for the omniscient."""
    archive.bring(keys)
    return Thought.objects.filter(match__in=keys).order_by("match_id", "pk")


class Move(NamedTuple):
    """An event of one of many matches: where it is, whose it is, and which request it answers."""

    match: UUID
    seq: int
    seat: int | None
    request: str | None


def moved(keys: Collection[UUID], seqs: Collection[int], requests: Collection[str]) -> Iterator[Move]:
    """Of many matches the events with these numbers, and those that answer these requests; for the omniscient."""
    archive.bring(keys)
    wanted = Event.objects.filter(match__in=keys).filter(Q(seq__in=seqs) | Q(request__in=requests))
    for row in wanted.values_list("match_id", "seq", "seat", "request"):
        yield Move(*row)


NO_MOVES = ("moderator", "default", "opening")
"""Who makes events that no player chose."""


def moves_of(keys: Collection[UUID], kinds: Collection[str]) -> Iterator[tuple[UUID, int, int, bool]]:
    """The moves of these kinds that players made in many matches, for the omniscient: match, seq, seat, and whether
    everybody saw it."""
    archive.bring(keys)
    rows = Event.objects.filter(match__in=keys, kind__in=kinds, seat__isnull=False).exclude(by__in=NO_MOVES).order_by()
    for key, seq, seat, audience in rows.values_list("match_id", "seq", "seat", "audience").iterator():
        yield key, seq, seat or 0, audience is None


def event_of(key: UUID, seq: int) -> values.Event | None:
    """One event of a match, for the omniscient."""
    archive.bring([key])
    return next(iter(Event.objects.filter(match=key, seq=seq).plain()), None)


def members_of(keys: Collection[UUID]) -> dict[tuple[UUID, int], tuple[str, str]]:
    """Role and side of each seat of many matches that are over, for the omniscient: {(match, seat): (role, side)}."""
    rows = MatchSeat.objects.filter(match__in=keys).values_list("match_id", "seat", "role", "side")
    return {(key, seat): (role, side) for key, seat, role, side in rows}


NOTICED = ("spending",)
"""Codes of attempts whose sentence is for who runs the table."""


def trouble_of_agents(match: Match, viewer: Viewer) -> str:
    """The last sentence why agents do not play as they were asked to; empty where it is not told who is one."""
    if not names_agents(match, viewer):
        return ""
    rows = match.attempts.filter(code__in=NOTICED).order_by("-pk")
    return rows.values_list("sentence", flat=True).first() or ""
