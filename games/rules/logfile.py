"""The log file: writing, reading, and the digest by which a log is known again.

A file is JSON Lines: one `match` line, `event` lines with the `thought` and `attempt` lines of their request directly
before them, `label` lines, one `outcome` line (docs/log.md). `replay` plays what was read again.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from .core import Rules
from .lines import parse
from .pool import Pool
from .schema import numbered
from .values import FORMAT, READ, Event, Header, LogError, Outcome, SeatInfo, Seen

MOST_CHARACTERS = 60_000_000
MOST_EVENTS = 20_000
DIGESTED = "magic-match/1"
"""What a digest begins with, whatever the format of the file: it is of the log, which is the same in each."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


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
    for label in log.annotations:
        yield _line({"type": "label"} | label)
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


def read(lines: Iterable[str]) -> LogFile[Event]:
    """Read a log file; raises `LogError` that names the line."""
    log: LogFile[Event] | None = None
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
                log.rederived = record.get("rederived", True)
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


def _without_words(rules: Rules, event: Event) -> dict[str, Any]:
    words = rules.words_of(event.kind, event.data)
    return {name: value for name, value in event.data.items() if name not in words}


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


def _line(record: dict[str, Any]) -> str:
    """A record as one line. Inside of its values names stand in order: databases keep no order of their own, and a
    match must give the same bytes from each of them."""
    return _encode({name: _ordered(value) for name, value in record.items()})


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, (list, tuple)) else value
