"""The log file, and logs from elsewhere: writing, reading, and replaying them through the rules.

A file is JSON Lines: one `match` line, `event` lines with the `thought` and `attempt` lines of their request directly
before them, one `outcome` line (docs/log.md). A replay re-runs the recorded actions, takes chance from the record, and
compares everything that follows from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .chance import Chance, Recorded
from .core import Rules
from .lines import parse
from .play import NOTES, Play, new_header
from .values import FORMAT, Event, Header, LogError, Outcome, Refusal, Request, SeatInfo

ERASED = "[erased]"


@dataclass
class LogFile:
    """A log file's content. `times[seq]` is when an event happened; thoughts and attempts are their JSON lines."""

    header: Header
    events: list[Event]
    times: dict[int, str | None] = field(default_factory=dict)
    thoughts: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    outcome: Outcome | None = None


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
    )
    beside: dict[str, list[dict[str, Any]]] = {}
    for record in log.thoughts:
        beside.setdefault(record["request"], []).append({"type": "thought"} | record)
    for record in log.attempts:
        beside.setdefault(record["request"], []).append({"type": "attempt"} | record)
    for event in log.events:
        if event.request is not None:
            yield from map(_line, beside.pop(event.request, []))
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
        yield from map(_line, records)
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


def read(lines: Iterable[str]) -> LogFile:
    """Read a log file; raises `LogError` that names the line."""
    log: LogFile | None = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            kind, record = parse(line)
            if kind == "match":
                if log is not None:
                    raise LogError("a second match begins here; one file holds one match")
                log = LogFile(_header(record), [])
            elif log is None:
                raise LogError("the first line must be the match line")
            else:
                _take(log, kind, record)
        except LogError as error:
            raise LogError(f"Line {number}: {error}.") from error
    if log is None:
        raise LogError("The file is empty.")
    return log


def _take(log: LogFile, kind: str, record: dict[str, Any]) -> None:
    if kind == "event":
        event = _event(record)
        if event.seq != len(log.events) + 1:
            raise LogError(f"event {event.seq} stands where {len(log.events) + 1} is due")
        log.events.append(event)
        log.times[event.seq] = record.get("at")
    elif kind == "thought":
        log.thoughts.append(record)
    elif kind == "attempt":
        log.attempts.append(record)
    else:
        returns = {int(seat): points for seat, points in record["returns"].items()}
        log.outcome = Outcome(record["status"], record["result"], tuple(record["winners"]), returns)


def replay(rules: Rules, header: Header, events: Iterable[Event]) -> Play:
    """Play a recorded log again: its actions through the rules, its chance from the record. Raises `LogError` where
    the record and the rules disagree."""
    recorded = list(events)
    if not rules.plays(header.rules_version):
        raise LogError(
            f"This log was played under version {header.rules_version} of {rules.title}; "
            f"these rules are version {rules.version}"
        )
    if not recorded:
        raise LogError("The log has no events")
    rules.check_setting(rules.options_of(header), header.setting)
    play = _Replay(rules, header, recorded)
    compared = 0
    while True:
        for event in play.log[compared : len(recorded)]:
            _compare(recorded[event.seq - 1], event)
        if len(play.log) > len(recorded):
            raise LogError(f"The log stops before event {len(recorded) + 1}, '{play.log[len(recorded)].kind}'")
        compared = len(play.log)
        if compared == len(recorded):
            return play
        event = recorded[compared]
        try:
            _redo(play, event)
        except LogError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise LogError(f"Event {event.seq} ('{event.kind}') is not as the rules write it ({error})") from error


class _Replay(Play):
    """A match whose chance comes from the record."""

    def __init__(self, rules: Rules, header: Header, recorded: list[Event]):
        self._record = recorded
        super().__init__(rules, header)

    def _chance(self) -> Chance:
        following = self._record[len(self.log) :]
        stop = next((n for n, event in enumerate(following) if event.request is not None), len(following))
        return Recorded(following[:stop])

    def redo(self, request: Request, event: Event) -> None:
        """Add a recorded answer as it stands."""
        self._accept(request, event.data, event.by)

    def default(self, request: Request, event: Event) -> dict[str, Any]:
        """The default of a request, with the record's own draws."""
        return self.rules.default(self.state, request, Recorded([event]))


def _redo(play: _Replay, event: Event) -> None:
    if event.kind in NOTES and not all(isinstance(event.data.get(name), str) for name in NOTES[event.kind]):
        raise LogError(f"Event {event.seq} ('{event.kind}') says too little")
    if event.kind == "ended":
        play.end(event.data["status"], event.data["reason"])
        return
    if event.kind in NOTES:
        play.note(event.kind, event.seat, event.data, event.audience)
        return
    request = play.state.open.get(event.request) if event.request else None
    if request is None or request.seat != event.seat or request.kind != event.kind:
        raise LogError(f"Event {event.seq} ('{event.kind}') answers nothing that was asked")
    skipped = event.kind == "poll" and event.data == {"skipped": True}
    if event.by == "default" and not skipped and event.data != play.default(request, event):
        raise LogError(f"Event {event.seq} ('{event.kind}') is not what is done by default")
    if skipped or event.by == "default" or ERASED in _strings(event.data):
        play.redo(request, event)
        return
    result = play.act(event.seat, event.request, event.data, event.by)
    if type(result) is Refusal:
        raise LogError(f"Event {event.seq} ('{event.kind}') is not legal: {result.sentence}")


def _compare(recorded: Event, played: Event) -> None:
    for name in ("kind", "seat", "audience", "request", "data", "by"):
        if name == "data" and ERASED in _strings(recorded.data):
            continue
        if getattr(recorded, name) != getattr(played, name):
            raise LogError(
                f"Event {recorded.seq}: the log has {name} {getattr(recorded, name)!r}, "
                f"the rules give {getattr(played, name)!r}"
            )


def play_script(rules: Rules, script: dict[str, Any]) -> tuple[Play, list[str]]:
    """Play a script (a header, actions, what is expected). Returns the match and, one sentence each, where it
    disagrees: an illegal action, an action left over, an expected fact that is another."""
    lines: list[str] = []
    header = script["header"]
    seats = tuple(
        SeatInfo(s["seat"], s["name"], "agent" if s.get("kind") == "agent" else "person", s.get("agent"))
        for s in header["seats"]
    )
    play = Play(
        rules,
        new_header(
            rules,
            header["preset"],
            seats=seats,
            seed=header.get("seed", 0),
            options=header.get("options"),
            setting=header.get("setting"),
            id=header.get("id", ""),
        ),
    )
    for number, entry in enumerate(script["actions"], 1):
        seat, action = entry["seat"], entry["action"]
        request = next((r for r in play.state.open.values() if r.seat == seat and _fits(r, action)), None)
        if request is None:
            return play, [f"action {number}: nothing of that kind is asked of seat {seat}"]
        result = play.act(seat, request.id, action)
        if type(result) is Refusal:
            return play, [f"action {number} of seat {seat}: {result.sentence}"]
    facts = rules.summary(play.state.outcome, play.state)
    for name, value in script.get("expected", {}).items():
        if name in facts and facts[name] != value:
            lines.append(f"{name}: expected {value!r}, played {facts[name]!r}")
    if not play.over and script.get("expected"):
        lines.append("the actions end before the match does")
    return play, lines


def _fits(request: Request, action: dict[str, Any]) -> bool:
    names = {item.name for item in request.fields}
    return action.keys() <= names and all(item.optional or item.name in action for item in request.fields)


def _strings(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        value = list(value.values())
    return set().union(*map(_strings, value)) if isinstance(value, list) else set()


def _seat_line(seat: SeatInfo) -> dict[str, Any]:
    line: dict[str, Any] = {"seat": seat.seat, "name": seat.name, "kind": seat.kind}
    return line | {"agent": seat.agent} if seat.agent else line


def _header(record: dict[str, Any]) -> Header:
    if record["format"] != FORMAT:
        raise LogError(f"the format is '{record['format']}', not '{FORMAT}'")
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
    return json.dumps(
        {name: _ordered(value) for name, value in record.items()}, ensure_ascii=False, separators=(",", ":")
    )


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(value[name]) for name in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, (list, tuple)) else value
