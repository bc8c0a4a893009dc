"""Logs as JSON Lines: read for who is withdrawn, and written without them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from evaluation.withdrawals.withdrawn import Withdrawn
from games.rules import logfile
from games.rules.values import Event, Header, SeatInfo


def logs_in(file: Any) -> Iterator[logfile.LogFile[Event]]:
    """The headers and events of the logs of a file, whatever they leave out."""
    log: logfile.LogFile[Event] | None = None
    with file:
        for line in file:
            kind = _kind(line)
            if kind == "match":
                if log is not None:
                    yield log
                log = logfile.LogFile(_header(json.loads(line)), [])
            elif kind == "event" and log is not None:
                record = json.loads(line)
                log.events.append(_event(record, record.get("data")))
                log.times[record["seq"]] = record.get("at")
    if log is not None:
        yield log


def _kind(line: bytes) -> str:
    found = re.match(rb'\s*\{\s*"type"\s*:\s*"(\w+)"', line)
    return found[1].decode() if found else ""


def _header(record: dict[str, Any]) -> Header:
    seats = tuple(SeatInfo(one["seat"], one["name"], one.get("kind", ""), one.get("agent")) for one in record["seats"])
    rest = (record["preset"], record["options"], record["setting"], record["seed"], seats, record["rules_version"])
    return Header(record["game"], *rest, record.get("id", ""), record.get("forked_from"))


def _event(record: dict[str, Any], data: Any) -> Event:
    audience = record.get("audience")
    seen = None if audience is None else tuple(audience)
    return Event(record["seq"], record["kind"], record["seat"], seen, data, record["by"], record["request"])


def find(logs: Iterable[logfile.LogFile[Event]], withdrawn: Withdrawn) -> None:
    """Find who is withdrawn of these logs."""
    for log in logs:
        withdrawn.look(log)


def lines(file: Any, withdrawn: Withdrawn) -> Iterator[bytes]:
    """The lines of a file of logs without them; what tells of nobody who is withdrawn stays byte for byte."""
    scrub = None
    for line in file:
        kind = _kind(line)
        if kind == "match":
            scrub = withdrawn.of(json.loads(line).get("id", ""))
        if scrub is None or not kind:
            yield line
            continue
        record = json.loads(line)
        changed = scrub.record(kind, record)
        yield line if changed == record else f"{logfile.line_of(changed)}\n".encode()
