"""Logs from elsewhere, read back: what must hold of one whichever rules it is of, and its match played again.

A replay re-runs the recorded actions, takes chance from the record, and compares everything that follows from them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from . import answering, table_talk
from .chance import Chance, Recorded
from .core import Rules
from .fields import Text
from .lines import fault
from .logfile import LogFile, outcome_in
from .play import NOTES, Play
from .values import ERASED, Event, Header, Impossible, LogError, Outcome, Refusal, Request

SHOWN = 300
ENDS = ("finished", "ended")
OVER = ("finished", "void", "abandoned")


def check(log: LogFile[Event], *, unfinished: bool = False) -> None:
    """What must hold of a log whichever rules it is of. Raises `LogError`.

    unfinished: the log may end before its match does, or without its last line.
    """
    header, seats = log.header, {seat.seat for seat in log.header.seats}
    answered: set[str | None] = set()
    for event in log.events:
        if not {event.seat, *(event.audience or ())} <= {None, *seats}:
            raise LogError(f"Event {event.seq} names a seat that is not at the table.")
        if event.request in answered:
            raise LogError(f"Event {event.seq} answers {event.request}, which is answered already.")
        answered |= {event.request} - {None}
    ended = ending(log.events)
    if not {*ended.winners, *ended.returns} <= seats:
        raise LogError("The end of the log names a seat that is not at the table.")
    if log.outcome is not None and log.outcome != ended:
        pairs = zip(ended._fields, log.outcome, ended, strict=True)
        name, said, given = next(pair for pair in pairs if pair[1] != pair[2])
        raise LogError(f"The end of the log says {said!r} as {name}; its events give {given!r}.")
    if not unfinished and (log.outcome is None or ended.status == "running"):
        raise LogError("This log ends before its match does. It is taken only if it is asked for as unfinished.")
    for seat in header.seats:
        if (seat.kind == "agent") != bool(seat.agent):
            raise LogError(f"Seat {seat.seat} is a person with an agent's profile, or an agent without one.")
    origin = header.forked_from
    if origin is not None and origin["seq"] > len(log.events):
        raise LogError(f"The log says that it was forked at event {origin['seq']}, and has no such event.")
    _check_beside(log, seats)


def _check_beside(log: LogFile[Event], seats: set[int]) -> None:
    """What must hold of thoughts, attempts and labels."""
    if away := {record["seat"] for record in (*log.thoughts, *log.attempts)} - seats:
        raise LogError(f"Seat {min(away)} thought or tried something at what it was never asked.")
    thoughts = Counter((thought["request"], thought["n"]) for thought in log.thoughts)
    if twice := [key for key, many in thoughts.items() if many > 1]:
        raise LogError(f"Two thoughts about {twice[0][0]} have the number {twice[0][1]}.")
    for thought in log.thoughts:
        beliefs = thought.get("data", {}).get("beliefs")
        if beliefs and (beliefs["owner"] != thought["seat"] or _seats_of(beliefs) > len(seats)):
            raise LogError(f"Seat {thought['seat']} has the beliefs of another seat, or about one that is not there.")
    for label in log.annotations:
        on = label["on"]
        there = (
            on.get("seat", 1) in seats
            and on.get("event", 1) <= len(log.events)
            and ("thought" not in on or (on["request"], on["thought"]) in thoughts)
        )
        if not there:
            raise LogError(f"A label of {label['scheme']} is on what is not in the log: {_shown(on)}.")


def ending(events: Sequence[Event]) -> Outcome:
    """How a match stands by its events alone. Raises `LogError`."""
    if not events:
        raise LogError("The log has no events.")
    last = events[-1]
    early = next((event for event in events[:-1] if event.kind in ENDS), None)
    if early is not None:
        raise LogError(f"Event {early.seq} ('{early.kind}') ends the match, and events come after it.")
    if last.kind not in ENDS:
        return Outcome()
    data = {"status": "finished", "result": None, "winners": [], "returns": {}} | last.data
    end = {name: data[name] for name in ("status", "result", "winners", "returns")}
    if wrong := fault("outcome", end):
        raise LogError(f"Event {last.seq} ('{last.kind}') is no end: {wrong}.")
    if (end["status"] == "finished") != (last.kind == "finished") or end["status"] not in OVER:
        raise LogError(f"Event {last.seq} ('{last.kind}') is no end: the match is '{end['status']}'.")
    return outcome_in(end)


def whole(rules: Rules, log: LogFile[Event], *, unfinished: bool = False) -> Play | None:
    """The match of a log file, played again, with all that stands beside its events checked too; None where it is of a
    version that these rules do not play, and they do not come to the same log. Raises `LogError`."""
    check(log, unfinished=unfinished)
    header = log.header
    try:
        play = replay(rules, header, log.events)
    except (LogError, Impossible):
        if rules.plays(header.rules_version):
            raise
        return None
    for record in (*log.thoughts, *log.attempts):
        asked = play.asked.get(record["request"]) or answering.asked_of(log.events, record["request"])
        if asked != record["seat"]:
            raise LogError(f"Seat {record['seat']} thought or tried something at what it was never asked.")
    thinking = {seat.seat for seat in header.seats if seat.kind == "agent"} | play.played_for
    if header.forked_from is not None:
        thinking |= {event.seat for event in log.events[: header.forked_from["seq"]]}
    if mindless := {thought["seat"] for thought in log.thoughts} - thinking:
        raise LogError(f"Seat {min(mindless)} has the thoughts of an agent, and no agent played it.")
    return play


def must_stand(rules: Rules, header: Header, events: Sequence[Event]) -> None:
    """Raise `LogError` for a log of a version that these rules do not play, unless they come to the same log."""
    if rules.plays(header.rules_version):
        return
    try:
        replay(rules, header, events)
    except (LogError, Impossible) as error:
        raise rules.not_played(header.rules_version) from error


def _seats_of(beliefs: dict[str, Any]) -> int:
    """The highest seat in a matrix of beliefs."""
    return max(int(seat) for viewer, row in beliefs["rows"].items() for seat in (viewer, *row))


def replay(rules: Rules, header: Header, events: Iterable[Event]) -> Replay:
    """Play a recorded log again: its actions through the rules, its chance from the record. Raises `LogError` where
    the record and the rules disagree."""
    recorded = list(events)
    if not recorded:
        raise LogError("The log has no events")
    rules.check_setting(rules.options_of(header), header.setting)
    play = Replay(rules, header, recorded)
    compared = 0
    while True:
        for event in play.log[compared : len(recorded)]:
            _compare(recorded[event.seq - 1], event)
        if len(play.log) > len(recorded):
            raise LogError(f"The log stops before event {len(recorded) + 1}, '{play.log[len(recorded)].kind}'")
        compared = len(play.log)
        play.asked |= {request.id: request.seat for request in play.state.open.values()}
        if compared == len(recorded):
            return play
        event = recorded[compared]
        try:
            _redo(play, event)
        except LogError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise LogError(f"Event {event.seq} ('{event.kind}') is not as the rules write it ({error})") from error
        if len(play.log) == compared:
            raise LogError(f"Event {event.seq} ('{event.kind}') changes nothing where it stands")


class Replay(Play):
    """A match whose chance comes from the record. `asked`: by request the seat that was asked; `played_for`: the seats
    that an agent played in a person's place."""

    def __init__(self, rules: Rules, header: Header, recorded: list[Event]):
        self.asked: dict[str, int] = {}
        self.played_for: set[int] = set()
        self._record = recorded
        super().__init__(rules, header)

    def _chance(self) -> Chance:
        following = self._record[len(self.log) :]
        stop = next((n for n, event in enumerate(following) if event.request is not None), len(following))
        return Recorded(following[:stop])

    def redo(self, request: Request, event: Event) -> None:
        """Add a recorded answer as it stands."""
        self._accept(request, event.data, event.by)

    def redo_erased(self, request: Request, event: Event, erased: set[str]) -> Refusal | None:
        """Add a recorded answer whose words are erased, if all else of it is legal: it is tried with words that nobody
        has said."""
        words = dict.fromkeys(erased, _unsaid(event.seq))
        read = self._read(request, event.data | words)
        if type(read) is Refusal:
            return read
        if read != event.data | words:
            return Refusal("malformed", "It is not as the rules write it.")
        self.redo(request, event)
        return None

    def default(self, request: Request, event: Event) -> dict[str, Any]:
        """The default of a request, with the record's own draws."""
        return self.rules.default(self.state, request, Recorded([event]))


def _redo(play: Replay, event: Event) -> None:
    if event.kind in NOTES:
        _note(play, event)
        return
    if event.kind in table_talk.KINDS:
        _talk(play, event)
        return
    request = play.state.open.get(event.request) if event.request else None
    if request is None or request.seat != event.seat or request.kind != event.kind:
        raise LogError(f"Event {event.seq} ('{event.kind}') answers nothing that was asked")
    if not _can_be_by(play, event):
        raise LogError(f"Event {event.seq} ('{event.kind}') cannot be by '{event.by}'")
    skipped = event.kind == "poll" and event.data == {"skipped": True}
    if event.by == "default" and not skipped and event.data != play.default(request, event):
        raise LogError(f"Event {event.seq} ('{event.kind}') is not what is done by default")
    if skipped or event.by == "default":
        play.redo(request, event)
        return
    words = play.rules.all_kinds[event.kind].words
    texts = [item.name for item in request.fields if isinstance(item, Text) and item.name in words]
    erased = {name for name in texts if event.data.get(name) == ERASED}
    result: list[Event] | Refusal | None
    if erased and event.by == "person":
        result = play.redo_erased(request, event, erased)
    else:
        result = play.act(event.seat, request.id, event.data, event.by)
    if type(result) is Refusal:
        raise LogError(f"Event {event.seq} ('{event.kind}') is not legal: {result.sentence}")


def _note(play: Replay, event: Event) -> None:
    """Add an event of the table, if it can have been at this point."""
    names = set(NOTES[event.kind])
    if not all(isinstance(event.data.get(name), str) for name in names):
        raise LogError(f"Event {event.seq} ('{event.kind}') says too little")
    if event.kind == "ended":
        play.end(event.data["status"], event.data["reason"])
        return
    why = set(play.rules.all_kinds[event.kind].words)
    if not names <= event.data.keys() <= names | why or not isinstance(event.data.get("reason", ""), str):
        raise LogError(f"Event {event.seq} ('{event.kind}') says too much")
    about_a_seat = event.kind in ("taken_over", "returned", "handed_over", "moved_on")
    stood_in = event.seat in play.state.stand_ins
    possible = {
        "taken_over": not stood_in or "reason" in event.data,
        "returned": stood_in,
        "handed_over": stood_in,
        "moved_on": not play.state.paused,
        "paused": not play.state.paused,
        "resumed": play.state.paused,
    }
    if not possible[event.kind] or about_a_seat != (event.seat is not None):
        raise LogError(f"Event {event.seq} ('{event.kind}') cannot have been then")
    if event.audience is not None and not (about_a_seat and event.audience == (event.seat,)):
        raise LogError(f"Event {event.seq} ('{event.kind}') is for everybody, or for the seat that it is about")
    if event.kind == "taken_over":
        play.played_for.add(event.seat)
    play.note(event.kind, event.seat, event.data, event.audience)


def _talk(play: Replay, event: Event) -> None:
    """Add what a seat said beside the game, or how it took an event."""
    if event.by == "default" or not _can_be_by(play, event):
        raise LogError(f"Event {event.seq} ('{event.kind}') cannot be by '{event.by}'")
    result = play.talk(event.seat, event.kind, event.data, event.by)
    if type(result) is Refusal:
        raise LogError(f"Event {event.seq} ('{event.kind}') cannot have been then: {result.sentence}")


def _can_be_by(play: Replay, event: Event) -> bool:
    """Whether the one who answered can play that seat. Of a fork's beginning it is not known who sat there."""
    origin = play.header.forked_from
    if event.by == "default" or (origin is not None and event.seq <= origin["seq"]):
        return event.by not in ("moderator", "opening")
    kind = play.header.seats[event.seat - 1].kind
    if event.by == "person":
        return kind == "person"
    return event.by.startswith("agent:") and (kind == "agent" or event.seat in play.played_for)


def _unsaid(seq: int) -> str:
    """A word that nobody says, another one for each event."""
    return "".join("ghjkmnpqrtvwxyzb"[int(digit, 16)] for digit in hashlib.sha256(str(seq).encode()).hexdigest()[:12])


def _compare(recorded: Event, played: Event) -> None:
    for name in ("kind", "seat", "audience", "request", "data", "by"):
        if getattr(recorded, name) != getattr(played, name):
            raise LogError(
                f"Event {recorded.seq}: the log has {name} {_shown(getattr(recorded, name))}, "
                f"the rules give {_shown(getattr(played, name))}"
            )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."
