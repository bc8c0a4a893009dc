"""The log file, and logs from elsewhere: writing, reading, and replaying them through the rules.

A file is JSON Lines: one `match` line, `event` lines with the `thought` and `attempt` lines of their request directly
before them, one `outcome` line (docs/log.md). A replay re-runs the recorded actions, takes chance from the record, and
compares everything that follows from them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from . import table_talk
from .chance import Chance, Recorded
from .core import Rules
from .fields import Text
from .lines import parse
from .play import NOTES, Play
from .pool import Pool
from .schema import numbered
from .values import ERASED, FORMAT, READ, Event, Header, LogError, Outcome, Refusal, Request, SeatInfo

MOST_CHARACTERS = 60_000_000
MOST_EVENTS = 20_000
SHOWN = 300
DIGESTED = "magic-match/1"
"""What a digest begins with, whatever the format of the file: it is of the log, which is the same in each."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass
class LogFile:
    """A log file's content. `times[seq]` is when an event happened; thoughts and attempts are their JSON lines, prompts
    whole; labels: what the match was planned as; origin: where it comes from, "" if that is not known."""

    header: Header
    events: list[Event]
    times: dict[int, str | None] = field(default_factory=dict)
    thoughts: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    outcome: Outcome | None = None
    labels: dict[str, Any] = field(default_factory=dict)
    origin: str = ""


def write(log: LogFile) -> Iterator[str]:
    """The lines of a log file, without their line ends."""
    header = log.header
    yield _line(
        {
            "type": "match",
            "format": FORMAT,
            "id": header.id,
            "game": header.game,
            "preset": header.preset,
            "rules_version": header.rules_version,
            "options": header.options,
            "setting": header.setting,
            "seed": header.seed,
            "seats": [_seat_line(seat) for seat in header.seats],
            "forked_from": header.forked_from,
        }
        | ({"origin": log.origin} if log.origin else {})
        | ({"labels": log.labels} if log.labels else {})
    )
    pool = Pool()
    beside: dict[str, list[dict[str, Any]]] = {}
    for record in numbered(log.thoughts):
        beside.setdefault(record["request"], []).append({"type": "thought"} | record)
    for record in log.attempts:
        beside.setdefault(record["request"], []).append({"type": "attempt"} | record)
    for event in log.events:
        if event.request is not None:
            yield from _beside(pool, beside.pop(event.request, []))
        yield _line(
            {
                "type": "event",
                "seq": event.seq,
                "at": log.times.get(event.seq),
                "kind": event.kind,
                "seat": event.seat,
                "audience": None if event.audience is None else list(event.audience),
                "by": event.by,
                "request": event.request,
                "data": event.data,
            }
        )
    for records in beside.values():
        yield from _beside(pool, records)
    outcome = log.outcome or Outcome()
    yield _line(
        {
            "type": "outcome",
            "status": outcome.status,
            "result": outcome.result,
            "winners": list(outcome.winners),
            "returns": {str(seat): points for seat, points in outcome.returns.items()},
        }
    )


def _beside(pool: Pool, records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The lines of thoughts and attempts, each with the text before it that its prompt has for the first time."""
    for record in records:
        known = len(pool.texts)
        if record["type"] == "thought":
            record = record | {"prompt": pool.put(record.get("prompt", ""))}
        for number, lines in enumerate(pool.texts[known:], known):
            yield _line({"type": "text", "n": number, "text": "\n".join(lines)})
        yield _line(record)


def read(lines: Iterable[str]) -> LogFile:
    """Read a log file; raises `LogError` that names the line."""
    log: LogFile | None = None
    pool = Pool()
    characters = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            characters += len(line)
            if characters > MOST_CHARACTERS:
                raise LogError(f"a log has at most {MOST_CHARACTERS:,} characters")
            kind, record = parse(line)
            if kind == "match":
                if log is not None:
                    raise LogError("a second match begins here; one file holds one match")
                log = LogFile(_header(record), [], labels=record.get("labels", {}), origin=record.get("origin", ""))
            elif log is None:
                raise LogError("the first line must be the match line")
            else:
                _take(log, pool, kind, record)
                characters += len(record.get("prompt", "")) if kind == "thought" else 0
        except LogError as error:
            raise LogError(f"Line {number}: {error}.") from error
    if log is None:
        raise LogError("The file is empty.")
    log.thoughts = numbered(log.thoughts)
    return log


def _take(log: LogFile, pool: Pool, kind: str, record: dict[str, Any]) -> None:
    if log.outcome is not None:
        raise LogError("the match has ended before this line")
    if kind == "event":
        event = _event(record)
        if event.seq > MOST_EVENTS:
            raise LogError(f"a log has at most {MOST_EVENTS:,} events")
        if event.seq != len(log.events) + 1:
            raise LogError(f"event {event.seq} stands where {len(log.events) + 1} is due")
        log.events.append(event)
        log.times[event.seq] = record.get("at")
    elif kind == "text":
        if record["n"] != len(pool.texts):
            raise LogError(f"text {record['n']} stands where {len(pool.texts)} is due")
        pool.add(record["text"])
    elif kind == "thought":
        if isinstance(record.get("prompt"), list):
            try:
                record["prompt"] = pool.get(record["prompt"])
            except LookupError as error:
                raise LogError(str(error)) from error
        log.thoughts.append(record)
    elif kind == "attempt":
        log.attempts.append(record)
    else:
        returns = {int(seat): points for seat, points in record["returns"].items()}
        log.outcome = Outcome(record["status"], record["result"], tuple(record["winners"]), returns)


def whole(rules: Rules, log: LogFile, *, unfinished: bool = False) -> Play:
    """The match of a log file, played again, with all that stands beside its events checked too. Raises `LogError`.

    unfinished: the log may end before its match does, or without its last line.
    """
    header = log.header
    play = replay(rules, header, log.events)
    if log.outcome is not None and log.outcome != play.state.outcome:
        raise LogError(f"The log says {log.outcome.result!r}; its events give {play.state.outcome.result!r}.")
    if not unfinished and (log.outcome is None or not play.over):
        raise LogError("This log ends before its match does. It is taken only if it is asked for as unfinished.")
    for seat in header.seats:
        if (seat.kind == "agent") != bool(seat.agent):
            raise LogError(f"Seat {seat.seat} is a person with an agent's profile, or an agent without one.")
    origin = header.forked_from
    if origin is not None and origin["seq"] > len(log.events):
        raise LogError(f"The log says that it was forked at event {origin['seq']}, and has no such event.")
    for record in (*log.thoughts, *log.attempts):
        if play.asked.get(record["request"]) != record["seat"]:
            raise LogError(f"Seat {record['seat']} thought or tried something at what it was never asked.")
    thinking = {seat.seat for seat in header.seats if seat.kind == "agent"} | play.played_for
    if origin is not None:
        thinking |= {event.seat for event in log.events[: origin["seq"]]}
    if mindless := {thought["seat"] for thought in log.thoughts} - thinking:
        raise LogError(f"Seat {min(mindless)} has the thoughts of an agent, and no agent played it.")
    if twice := [key for key, many in Counter((t["request"], t["n"]) for t in log.thoughts).items() if many > 1]:
        raise LogError(f"Two thoughts about {twice[0][0]} have the number {twice[0][1]}.")
    for thought in log.thoughts:
        beliefs = thought.get("data", {}).get("beliefs")
        if beliefs and (beliefs["owner"] != thought["seat"] or _seats_of(beliefs) > len(header.seats)):
            raise LogError(f"Seat {thought['seat']} has the beliefs of another seat, or about one that is not there.")
    return play


def _seats_of(beliefs: dict[str, Any]) -> int:
    """The highest seat in a matrix of beliefs."""
    return max(int(seat) for viewer, row in beliefs["rows"].items() for seat in (viewer, *row))


def replay(rules: Rules, header: Header, events: Iterable[Event]) -> Replay:
    """Play a recorded log again: its actions through the rules, its chance from the record. Raises `LogError` where
    the record and the rules disagree."""
    recorded = list(events)
    if not rules.plays(header.rules_version):
        raise rules.not_played(header.rules_version)
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
    if erased and event.by == "person":
        result = play.redo_erased(request, event, erased)
    else:
        result = play.act(event.seat, event.request, event.data, event.by)
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
    if event.data.keys() != names:
        raise LogError(f"Event {event.seq} ('{event.kind}') says too much")
    about_a_seat = event.kind in ("taken_over", "returned")
    possible = {
        "taken_over": event.seat not in play.state.stand_ins,
        "returned": event.seat in play.state.stand_ins,
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


def digest(rules: Rules, log: LogFile, *, timed: bool = True) -> str:
    """A mark by which the same log is known again: SHA-256 of all that an erasure leaves as it is, so without names and
    words, and without the id, which each site gives anew. timed: with the times of its events."""
    header = log.header
    content = [
        DIGESTED,
        [header.game, header.preset, header.rules_version, header.options, header.setting, header.seed],
        [[seat.kind, seat.agent] for seat in header.seats],
        [
            [
                event.kind,
                event.seat,
                event.audience,
                event.by,
                event.request,
                {name: value for name, value in event.data.items() if name not in rules.words_of(event)},
                _moment(log.times.get(event.seq)) if timed else None,
            ]
            for event in log.events
        ],
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _moment(stamp: str | None) -> float | None:
    return None if stamp is None else datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def _seat_line(seat: SeatInfo) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": seat.seat, "name": seat.name, "kind": seat.kind}
    return line | {"agent": seat.agent} if seat.agent else line


def _header(record: dict[str, Any]) -> Header:
    if record["format"] not in READ:
        raise LogError(f"the format is '{record['format']}', not one of {', '.join(READ)}")
    seats = tuple(SeatInfo(s["seat"], s["name"], s["kind"], s.get("agent")) for s in record["seats"])
    return Header(
        record["game"],
        record["preset"],
        record["options"],
        record["setting"],
        record["seed"],
        seats,
        record["rules_version"],
        record.get("id", ""),
        record.get("forked_from"),
    )


def _event(record: dict[str, Any]) -> Event:
    audience = record["audience"]
    return Event(
        record["seq"],
        record["kind"],
        record["seat"],
        None if audience is None else tuple(audience),
        record["data"],
        record["by"],
        record["request"],
    )


def _line(record: dict[str, Any]) -> str:
    """A record as one line. Inside of its values names stand in order: databases keep no order of their own, and a
    match must give the same bytes from each of them."""
    return _encode({name: _ordered(value) for name, value in record.items()})


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, (list, tuple)) else value
