"""A match in play: its header, its log and the fold of it. `Play` is the only way to add to a log."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

from . import table_talk
from .chance import Chance
from .core import Rules, fold
from .fields import Malformed
from .sentences import sentence
from .sight import requests_for, visible
from .values import (
    Attempt,
    Draft,
    Event,
    Header,
    Impossible,
    Refusal,
    Request,
    SeatInfo,
    Seen,
    Viewer,
)

MODERATOR = "moderator"

# The events of the table, and what each must say in words.
NOTES = {
    "taken_over": ("by",),
    "returned": (),
    "handed_over": (),
    "moved_on": ("reason",),
    "paused": (),
    "resumed": (),
    "ended": ("status", "reason"),
}


def new_header(
    rules: Rules,
    preset: str,
    *,
    seats: Sequence[SeatInfo],
    seed: int,
    options: dict[str, Any] | None = None,
    setting: dict[str, Any] | None = None,
    id: str = "",
    forked_from: dict[str, Any] | None = None,
) -> Header:
    """A header with its options resolved and its setting checked; raises `Impossible` with a sentence."""
    resolved = rules.options(preset, options or {}, len(seats))
    setting = setting or {}
    rules.check_setting(resolved, setting)
    values = {key: list(v) if isinstance(v, tuple) else v for key, v in vars(resolved).items()}
    return Header(rules.name, preset, values, setting, seed, tuple(seats), rules.version, id, forked_from)


class Play:
    """One match. `log` is only ever appended to; `state` is the fold of all of it; `attempts` stand beside it."""

    def __init__(self, rules: Rules, header: Header, log: Iterable[Event] | None = None):
        """Deal a new match, or take up one where its log stands. A log cut within a batch is carried on from there.

        Raises `Impossible` if these seats cannot play, or not with these options.
        """
        if [seat.seat for seat in header.seats] != list(range(1, len(header.seats) + 1)):
            raise Impossible(sentence("Seats are numbered from 1, in order."))
        self.rules = rules
        self.header = header
        self.options = rules.options_of(header)
        self.log: list[Event] = []
        self.attempts: list[Attempt] = []
        self.state = rules.start(self.options)
        if log is None:
            self._begin()
        else:
            self.log += log
            for event in self.log:
                rules.apply(self.state, event)
            if self.log and not self.over:
                self._advance()

    # Reading -------------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended, in whatever way."""
        return self.state.outcome.status != "running"

    def visible(self, viewer: Viewer, until: int | None = None) -> list[Seen]:
        """What `viewer` sees of the log, up to and with seq `until`."""
        return visible(self.rules, self.log, viewer, until)

    def view(self, viewer: Viewer, until: int | None = None) -> Any:
        """The state as `viewer` knows it: the fold of what it sees."""
        return fold(self.rules, self.options, self.visible(viewer, until))

    def requests(self, viewer: Viewer) -> list[Request]:
        """The open requests that `viewer` may know of; none while the table is paused."""
        return [] if self.state.paused else requests_for(self.state, viewer)

    def earlier_requests(self, request: Request) -> int:
        """How many requests of the rules, polls not counted, the seat had answered when this one was opened: the key of
        its agent's chance, in which the order of workers cannot matter."""
        return sum(
            event.seat == request.seat and event.request is not None and event.kind != "poll"
            for event in self.log[: request.opened_at]
        )

    # Acting --------------------------------------------------------------------------------------------------------

    def act(self, seat: int, request_id: str, action: Any, by: str = "person") -> list[Event] | Refusal:
        """Answer a request. Returns the events that this adds, in order, the action's own first.

        The same action again on a request that is answered adds nothing and is no refusal.
        """
        request = self._asked(seat, request_id)
        if request is None:
            return self._not_open(seat, request_id, action)
        read = self._tried(request, action, by)
        return read if type(read) is Refusal else self._accept(request, read, by)

    def check(self, seat: int, request_id: str, action: Any, by: str = "person") -> dict[str, Any] | Refusal:
        """The action as `act` would put it into the log, or why it would not; adds nothing."""
        request = self._asked(seat, request_id)
        if request is not None:
            return self._tried(request, action, by)
        refused = self._not_open(seat, request_id, action)
        return refused if type(refused) is Refusal else action

    def expire(self, request_id: str, by: str = "default") -> list[Event]:
        """Answer a request by its default; nothing if it is not open any more or the table is paused."""
        request = self.state.open.get(request_id)
        if request is None or self.state.paused:
            return []
        if request.kind == "poll":
            action: dict[str, Any] = {"skipped": True}
        else:
            action = self.rules.default(self.state, request, self._chance())
        return self._accept(request, action, by)

    def skip(self, seat: int, request_id: str) -> list[Event] | Refusal:
        """Leave a poll unanswered, as a person may."""
        request = self.state.open.get(request_id)
        if request is None or request.seat != seat:
            return self._not_open(seat, request_id, {"skipped": True})
        if request.kind != "poll":
            return Refusal("malformed", sentence("Only a poll can be left unanswered, and this is none."))
        return self._accept(request, {"skipped": True}, "person")

    def note(
        self,
        kind: str,
        seat: int | None = None,
        data: dict[str, Any] | None = None,
        audience: tuple[int, ...] | None = None,
    ) -> list[Event]:
        """Add an event of the table (`NOTES`): takeover and return of a seat, pause, resume. Those that an admin
        ordered say why."""
        if kind not in NOTES:
            raise ValueError(f"'{kind}' is not an event of the table")
        if seat is not None and not 1 <= seat <= len(self.header.seats):
            raise ValueError(f"there is no seat {seat}")
        if self.over:
            return []
        return [self._add(kind, seat, audience, data or {}, MODERATOR, None)]

    def talk(self, seat: int, kind: str, data: Any, by: str = "person") -> list[Event] | Refusal:
        """Let a seat say something beside the game, or react to an event (`table_talk.FIELDS`), at any time."""
        if not 1 <= seat <= len(self.header.seats):
            raise ValueError(f"there is no seat {seat}")
        talk = table_talk.draft(self.rules, self.state, self.log, seat, kind, data)
        if talk is None or type(talk) is Refusal:
            return talk or []
        return [self._add(kind, seat, talk.audience, talk.data, by, None)]

    def end(self, status: str, reason: str) -> list[Event]:
        """End the match early: status 'void' or 'abandoned'. The deal is published as at every end."""
        if status not in ("void", "abandoned"):
            raise ValueError(f"a match cannot end as '{status}'")
        return self.note("ended", None, {"status": status, "reason": reason, "deal": self.rules.deal(self.state)})

    def fork(self, until: int, seed: int | None = None, seats: Sequence[SeatInfo] | None = None, id: str = "") -> Play:
        """A match of its own that shares this one's log up to and with seq `until`. The deal is always shared whole."""
        until = min(max(until, deal_ends(len(self.header.seats))), len(self.log))
        header = dataclasses.replace(
            self.header,
            id=id,
            seed=self.header.seed if seed is None else seed,
            seats=self.header.seats if seats is None else tuple(seats),
            forked_from={"match": self.header.id, "seq": until},
        )
        return Play(self.rules, header, [event for event in self.log if event.seq <= until])

    # Adding to the log ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        for draft in self.rules.setup(self.options, self.header.setting, self._chance()):
            self._draft(draft)
        self._advance()

    def _accept(self, request: Request, data: dict[str, Any], by: str) -> list[Event]:
        start = len(self.log)
        audience = (request.seat,) if request.kind in self.rules.sealed else None
        self._add(request.kind, request.seat, audience, data, by, request.id)
        if not self.state.waiting or self.options.scripted:
            self._advance()
        return self.log[start:]

    def _advance(self) -> None:
        """Let the moderator speak until a seat must act or the match is over."""
        state, rules = self.state, self.rules
        while not state.waiting and state.outcome.status == "running":
            if state.poll is not None:
                self._draft(Draft("polled", None, {"moment": state.poll}))
                continue
            if self.options.polls != "none":
                asked = rules.poll(state)
                if asked is not None and asked.moment not in state.polled:
                    self._draft(Draft("polling", None, {"moment": asked.moment}))
                    continue
            drafts = rules.proceed(state, self._chance())
            if not drafts:
                self._finish()
                return
            for draft in drafts:
                self._draft(draft)
        if self.options.scripted and not state.paused:
            self._play_opening()

    def _finish(self) -> None:
        outcome = self.rules.result(self.state)
        if outcome.status != "finished":
            raise RuntimeError(f"{self.rules.name}: nobody can act and the match is not over")
        returns = {str(seat): points for seat, points in outcome.returns.items()}
        data = {
            "result": outcome.result,
            "winners": list(outcome.winners),
            "returns": returns,
            "deal": self.rules.deal(self.state),
        }
        self._draft(Draft("finished", None, data))

    def _play_opening(self) -> None:
        """Let a scripted seat whose turn it is play its next opening. One that the table refuses leaves this and all
        later turns to the seat's own player."""
        for request in list(self.state.open.values()):
            if request.seat not in self.options.scripted or not request.waits or request.kind == "poll":
                continue
            moves = self.header.setting.get("openings", {}).get(str(request.seat), [])
            made = [
                event.by for event in self.log if event.seat == request.seat and event.request and event.kind != "poll"
            ]
            if len(made) < len(moves) and all(by == "opening" for by in made):
                move = self._read(request, moves[len(made)])
                if type(move) is not Refusal:
                    self._accept(request, move, "opening")
                    return

    def _draft(self, draft: Draft) -> None:
        self._add(draft.kind, draft.seat, draft.audience, draft.data, MODERATOR, None)

    def _add(
        self,
        kind: str,
        seat: int | None,
        audience: tuple[int, ...] | None,
        data: dict[str, Any],
        by: str,
        request: str | None,
    ) -> Event:
        # The bare constructor: the named tuple's own costs a third more, and every move comes through here.
        event = tuple.__new__(Event, (len(self.log) + 1, kind, seat, audience, data, by, request))
        self.log.append(event)
        self.rules.apply(self.state, event)
        return event

    def _chance(self) -> Chance:
        return Chance(self._stream)

    def _stream(self) -> str:
        """What the next draws depend on: the seed, and how many events of the rules came before."""
        return f"{self.header.seed}:{sum(event.kind in self.rules.kinds for event in self.log)}"

    # Refusing ------------------------------------------------------------------------------------------------------

    def _asked(self, seat: int, request_id: str) -> Request | None:
        """The request, if it can be answered by this seat now."""
        request = self.state.open.get(request_id)
        return request if request is not None and request.seat == seat and not self.state.paused else None

    def _tried(self, request: Request, action: Any, by: str) -> dict[str, Any] | Refusal:
        """As `_read`; a refusal that is worth keeping is kept."""
        read = self._read(request, action)
        if type(read) is Refusal and read.keep:
            self.attempts.append(Attempt(request.id, request.seat, by, read.code, read.sentence, action))
        return read

    def _read(self, request: Request, action: Any, state: Any = None) -> dict[str, Any] | Refusal:
        """The action as it would go into the log, or why it does not count. state: of another moment than now."""
        try:
            read = request.read(action)
        except Malformed as error:
            return Refusal("malformed", error.sentence)
        return read if request.kind == "poll" else self.rules.act(state or self.state, request, read)

    def _not_open(self, seat: int, request_id: str, action: Any) -> list[Event] | Refusal:
        """Why a request cannot be answered now; success if it was answered by this very action."""
        answer = next((event for event in self.log if event.request == request_id and event.seat == seat), None)
        if answer is not None:
            same = action == answer.data or self._as_read(answer, action) == answer.data
            return [] if same else Refusal("over", sentence("This move is already made."))
        if self.over:
            return Refusal("over", sentence("The match is over."))
        if request_id in self.state.open and self.state.open[request_id].seat == seat:
            return Refusal("paused", sentence("The table is paused. Nothing is lost; try again when it goes on."))
        return Refusal("over", sentence("That move is not asked of you any more."))

    def _as_read(self, answer: Event, action: Any) -> dict[str, Any] | Refusal:
        """An action as it would have gone into the log where `answer` stands."""
        before = fold(self.rules, self.options, self.log[: answer.seq - 1])
        return self._read(before.open[answer.request], action, before)


def deal_ends(seats: int) -> int:
    """The seq of the deal's last event: `opened`, one `dealt` for each seat, and the moderator's record."""
    return seats + 2


def agents_and_people(people: int, agents: int, profile: str = "house") -> tuple[SeatInfo, ...]:
    """Seats for a match without a room: `people` first, then `agents` of one profile."""
    seats = [SeatInfo(n, f"Player {n}") for n in range(1, people + 1)]
    seats += [SeatInfo(n, f"Player {n}", "agent", profile) for n in range(people + 1, people + agents + 1)]
    if not seats:
        raise Impossible(sentence("A table needs at least one seat."))
    return tuple(seats)
