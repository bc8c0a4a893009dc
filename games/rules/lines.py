"""What each line of a log file holds. A line from elsewhere is checked against this before anything reads it."""

from collections.abc import Mapping
from datetime import datetime
from json import JSONDecodeError
from typing import Any

from . import schema
from .shapes import LARGEST, OBJECT, POINTS, SEAT, Shape, left_out, list_of, or_null, text, whole
from .strict_json import loads
from .values import LogError

LARGEST_SEED = 2**63 - 1
LONGEST_LINE = 4_000_000
MOST_LABELS = 40
YEARS = (1970, 9000)
"""Between these a time can be turned into any zone."""


def _is_time(value: Any) -> bool:
    try:
        at = datetime.fromisoformat(value.replace("Z", "+00:00")) if isinstance(value, str) else None
    except ValueError:
        return False
    return at is not None and at.tzinfo is not None and YEARS[0] <= at.year <= YEARS[1]


def _are_seats(value: Any, kind: str = "seat") -> bool:
    if not isinstance(value, list):
        return False
    return [s.get("seat") if fault(kind, s) is None else None for s in value] == list(range(1, len(value) + 1))


def _is_origin(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"match", "seq"}
        and isinstance(value["match"], str)
        and type(value["seq"]) is int
        and 0 < value["seq"] <= LARGEST
    )


def _are_labels(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MOST_LABELS
        and all(len(name) <= 40 and _is_label(label) for name, label in value.items())
    )


def _is_label(value: Any) -> bool:
    return len(value) <= 200 if isinstance(value, str) else type(value) is int


BY = Shape(
    "person, agent:<profile>, default, opening or moderator",
    lambda value: (
        isinstance(value, str)
        and (
            value in ("person", "default", "opening", "moderator") or (value.startswith("agent:") and len(value) <= 100)
        )
    ),
)

LINES: Mapping[str, Mapping[str, Shape]] = {
    "match": {
        "format": text(40),
        "id": left_out(text(100)),
        "game": text(40),
        "preset": text(40),
        "rules_version": whole(),
        "options": OBJECT,
        "setting": OBJECT,
        "seed": whole(0, LARGEST_SEED),
        "seats": Shape("the seats in their order, each with seat, name and kind", _are_seats),
        "forked_from": left_out(or_null(Shape("{match, seq}", _is_origin))),
        "origin": left_out(text(20)),
        "labels": left_out(Shape("names with texts or whole numbers", _are_labels)),
        "rederived": left_out(Shape("true or false", lambda value: isinstance(value, bool))),
    },
    "seat": {
        "seat": SEAT,
        "name": text(80),
        "kind": Shape("person or agent", lambda value: value in ("person", "agent")),
        "agent": left_out(text(80)),
    },
    "event": {
        "seq": whole(1),
        "at": left_out(or_null(Shape("a time with its zone", _is_time))),
        "kind": text(40),
        "seat": or_null(SEAT),
        "audience": or_null(list_of(SEAT)),
        "by": BY,
        "request": or_null(text(80)),
        "data": OBJECT,
    },
    "text": {"n": whole(), "text": text()},
    "thought": schema.shapes(schema.Thought),
    "attempt": schema.shapes(schema.Attempt),
    "label": schema.shapes(schema.Label),
    "outcome": {
        "status": text(12),
        "result": or_null(text(40)),
        "winners": list_of(SEAT),
        "returns": POINTS,
    },
}


SCRIPT: Mapping[str, Mapping[str, Shape]] = {
    "script": {
        "header": OBJECT,
        "actions": list_of(Shape("an object", lambda value: isinstance(value, dict))),
        "expected": left_out(OBJECT),
    },
    "header": {
        "type": left_out(text(40)),
        "format": left_out(text(40)),
        "id": left_out(text(100)),
        "game": text(40),
        "preset": text(40),
        "rules_version": left_out(whole()),
        "options": left_out(OBJECT),
        "setting": left_out(OBJECT),
        "seed": left_out(whole(0, LARGEST_SEED)),
        "seats": Shape("the seats in their order, each with seat and name", lambda value: _are_seats(value, "sitting")),
    },
    "sitting": {
        "seat": SEAT,
        "name": text(80),
        "kind": left_out(text(40)),
        "agent": left_out(text(80)),
    },
    "action": {"type": left_out(text(40)), "seat": SEAT, "action": OBJECT},
}
"""What a script holds: a header, actions and what is expected of them. Whoever is no agent is a person, by any name."""


def fault(kind: str, record: Any) -> str | None:
    """What is wrong with a line of this kind, as the end of a sentence; None if nothing is."""
    if not isinstance(record, dict):
        return f"a {kind} is an object"
    shapes = LINES[kind] if kind in LINES else SCRIPT[kind]
    for name, shape in shapes.items():
        if name not in record:
            if shape.needed:
                return f"'{name}' is missing in the {kind}"
        elif not shape.fits(record[name]):
            return f"'{name}' in the {kind} must be {shape.words}"
    unknown = sorted(record.keys() - shapes.keys())
    return f"the {kind} has an unknown '{unknown[0]}'" if unknown else None


def parse(line: str) -> tuple[str, dict[str, Any]]:
    """The kind of a line and its fields; raises `LogError` where they do not fit."""
    record = parsed(line)
    if not isinstance(record, dict):
        raise LogError("this is not a line of a match log")
    kind = record.pop("type", None)
    if not isinstance(kind, str) or kind not in LINES or kind == "seat":
        raise LogError(f"{kind!r} is no kind of line")
    if wrong := fault(kind, record):
        raise LogError(wrong)
    return kind, record


def parsed(line: str) -> Any:
    """What a line of JSON says; raises `LogError`."""
    if len(line) > LONGEST_LINE:
        raise LogError(f"a line has at most {LONGEST_LINE:,} characters")
    try:
        return loads(line)
    except JSONDecodeError as error:
        raise LogError(f"this is not a line of a match log: {error.msg}") from error
