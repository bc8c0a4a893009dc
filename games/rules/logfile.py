"""The log file: writing, reading, and the digest by which a log is known again.

A file is JSON Lines: one `match` line, `event` lines with the `thought` and `attempt` lines of their request directly
before them, `label` lines, one `outcome` line (docs/log.md). `replay` plays what was read again.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Any, Generic, NamedTuple, TypeVar

from .core import Rules
from .lines import parse
from .pool import Pool
from .schema import numbered
from .values import FORMAT, READ, Event, Header, LogError, Outcome, SeatInfo, Seen

MOST_CHARACTERS = 60_000_000
MOST_EVENTS = 20_000
DIGESTED = "magic-match/1"
"""What a digest begins with, whatever the format of the file: it is of the log, which is the same in each."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode
_text = json.encoder.encode_basestring


E = TypeVar("E", bound=Seen)


@dataclass
class LogFile(Generic[E]):
    """A log file's content; of `Seen` events it is what one viewer may have. `times[seq]` is when an event happened;
    thoughts and attempts are their JSON lines, prompts whole; labels: what the match was planned as; origin: where it
    comes from, "" if that is not known; annotations: the lines of raters' labels; rederived: False where the rules of
    its version were not there to play it again."""

    header: Header
    events: list[E]
    times: dict[int, str | None] = field(default_factory=dict)
    thoughts: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    outcome: Outcome | None = None
    labels: dict[str, Any] = field(default_factory=dict)
    origin: str = ""
    annotations: list[dict[str, Any]] = field(default_factory=list)
    rederived: bool = True


def write(log: LogFile[Any]) -> Iterator[str]:
    """The lines of a log file, without their line ends."""
    header = log.header
    yield line_of(
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
        | ({} if log.rederived else {"rederived": False})
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
        yield line_of(
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
    for label in log.annotations:
        yield line_of({"type": "label"} | label)
    outcome = log.outcome or Outcome()
    yield line_of(
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
            yield line_of({"type": "text", "n": number, "text": "\n".join(lines)})
        yield line_of(record)


def read(lines: Iterable[str]) -> LogFile[Event]:
    """Read a file of one log; raises `LogError` that names the line."""
    reading: _Reading | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            kind, record = parse(line)
            if reading is None:
                reading = _Reading(kind, record)
            elif kind == "match":
                raise LogError("a second match begins here; one file holds one match")
            reading.take(kind, record, number, len(line))
        except LogError as error:
            raise LogError(f"Line {number}: {error}.") from error
    if reading is None:
        raise LogError("The file is empty.")
    return reading.read()


class Fault(NamedTuple):
    """What is wrong with a file, and in which line, counted from 1."""

    line: int
    sentence: str


class Found(NamedTuple):
    """A log in a file of several: in which line it begins, and in which its events stand."""

    log: LogFile[Event]
    line: int
    events: list[int]


def read_each(lines: Iterable[str]) -> Iterator[Found | Fault]:
    """The logs of a file, one after the other: a match line begins the next one. After a fault the rest of its log is
    passed over."""
    reading: _Reading | None = None
    passing = False
    for number, line in enumerate(lines, 1):
        if not line.strip() or (passing and not _BEGINS.match(line)):
            continue
        try:
            kind, record = parse(line)
            if kind == "match":
                if reading is not None:
                    yield Found(reading.read(), reading.line, reading.lines)
                reading, passing = None, False
            if reading is None:
                reading = _Reading(kind, record)
                reading.line = number
            reading.take(kind, record, number, len(line))
        except LogError as error:
            if reading is not None and _BEGINS.match(line):
                yield Found(reading.read(), reading.line, reading.lines)
            reading, passing = None, True
            yield Fault(number, f"{str(error)[:1].upper()}{str(error)[1:]}.")
    if reading is not None:
        yield Found(reading.read(), reading.line, reading.lines)


_BEGINS = re.compile(r'\s*\{.{0,40}"match"')


class _Reading:
    """A log that is read line by line. line: where it begins; lines: where its events stand."""

    def __init__(self, kind: str, record: dict[str, Any]) -> None:
        if kind != "match":
            raise LogError("the first line must be the match line")
        labels, origin = record.get("labels", {}), record.get("origin", "")
        self.log: LogFile[Event] = LogFile(_header(record), [], labels=labels, origin=origin)
        self.log.rederived = record.get("rederived", True)
        self.line, self.lines = 0, list[int]()
        self._pool, self._characters = Pool(), 0

    def take(self, kind: str, record: dict[str, Any], line: int, characters: int) -> None:
        """Take in a line."""
        if kind != "match":
            _take(self.log, self._pool, kind, record)
        if kind == "event":
            self.lines.append(line)
        self._characters += characters + (len(record.get("prompt", "")) if kind == "thought" else 0)
        if self._characters > MOST_CHARACTERS:
            raise LogError(f"a log has at most {MOST_CHARACTERS:,} characters")

    def read(self) -> LogFile[Event]:
        """The log as far as it was read."""
        self.log.thoughts = numbered(self.log.thoughts)
        return self.log


def _take(log: LogFile[Event], pool: Pool, kind: str, record: dict[str, Any]) -> None:
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
    elif kind == "label":
        log.annotations.append(record)
    else:
        log.outcome = outcome_in(record)


def outcome_in(record: dict[str, Any]) -> Outcome:
    """What an outcome line says."""
    returns = {int(seat): points for seat, points in record["returns"].items()}
    return Outcome(record["status"], record["result"], tuple(record["winners"]), returns)


def digest(rules: Rules, log: LogFile[Event], *, timed: bool = True) -> str:
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
                {
                    name: value
                    for name, value in event.data.items()
                    if name not in rules.words_of(event.kind, event.data)
                },
                _moment(log.times.get(event.seq)) if timed else None,
            ]
            for event in log.events
        ],
    ]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def beginning(log: LogFile[Event]) -> str:
    """A mark by which a match is known again from its first moment on: in a copy, a fork, or a log that ends before it
    does. Of a log without times it is of the deal alone."""
    header, first = log.header, log.events[0]
    at = _moment(log.times.get(first.seq))
    content = [header.game, header.seed] if at is None else [header.game, first.kind, at]
    return hashlib.sha256(json.dumps([DIGESTED, *content]).encode()).hexdigest()


def _moment(stamp: str | None) -> float | None:
    return None if stamp is None else datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp()


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


def line_of(record: dict[str, Any]) -> str:
    """A record as one line. Inside of its values names stand in order: databases keep no order of their own, and a
    match must give the same bytes from each of them."""
    return "{" + ",".join([f'"{name}":{as_json(value)}' for name, value in record.items()]) + "}"


class Encoded(str):
    """A value that is JSON text already, as `as_json` makes it."""


def as_json(value: Any) -> str:
    """A value as it stands in a line."""
    return _SIMPLE.get(value.__class__, _encode)(value)


_SIMPLE: dict[type, Callable[[Any], str]] = {
    str: _text,
    int: repr,
    float: lambda value: repr(value) if isfinite(value) else _encode(value),
    list: lambda value: _encode(value) if value else "[]",
    type(None): lambda value: "null",
    Encoded: str,
}
"""Values that are written without an encoder, each by its type."""
