"""What each line of a log file holds. A line from elsewhere is checked against this before anything reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from json import JSONDecodeError
from typing import Any, NamedTuple

from .strict_json import loads
from .values import LogError

LARGEST = 2**31 - 1
LARGEST_SEED = 2**63 - 1
LONGEST_LINE = 4_000_000
MOST_LABELS = 40
YEARS = (1970, 9000)
"""Between these a time can be turned into any zone."""


class Shape(NamedTuple):
    """What a value must be, in words and as a check; `needed`: the line must have it."""

    words: str
    fits: Callable[[Any], bool]
    needed: bool = True


def _text(limit: int | None = None) -> Shape:
    words = "a text" if limit is None else f"a text of at most {limit} characters"
    return Shape(words, lambda value: isinstance(value, str) and (limit is None or len(value) <= limit))


def _whole(low: int = 0, high: int = LARGEST) -> Shape:
    return Shape(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def _list(of: Shape) -> Shape:
    return Shape(f"a list, each {of.words}", lambda value: isinstance(value, list) and all(map(of.fits, value)))


def _or_null(shape: Shape) -> Shape:
    return Shape(f"{shape.words}, or null", lambda value: value is None or shape.fits(value))


def _left_out(shape: Shape) -> Shape:
    return shape._replace(needed=False)


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


SEAT_NAMES = frozenset(map(str, range(1, 100)))
OBJECT = Shape("an object", lambda value: isinstance(value, dict))
POINTS = Shape(
    "points by seat",
    lambda value: (
        isinstance(value, dict)
        and all(seat in SEAT_NAMES and type(points) in (int, float) for seat, points in value.items())
    ),
)
NUMBER = Shape("a number", lambda value: type(value) in (int, float) and value >= 0)
SEAT = _whole(1, 99)


def _are_beliefs(value: Any) -> bool:
    """Whether this is a matrix of beliefs: by viewer and subject a share for each label."""
    if not isinstance(value, dict) or not value.keys() >= {"owner", "labels", "suspects", "rows", "shared"}:
        return False
    labels, suspects, rows = value["labels"], value["suspects"], value["rows"]
    return (
        SEAT.fits(value["owner"])
        and isinstance(value["shared"], str)
        and _are_names(labels)
        and _are_names(suspects)
        and set(suspects) <= set(labels)
        and isinstance(rows, dict)
        and str(value["owner"]) in rows
        and all(viewer in SEAT_NAMES and _are_shares(row, len(labels)) for viewer, row in rows.items())
    )


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _are_shares(row: Any, many: int) -> bool:
    return isinstance(row, dict) and all(
        subject in SEAT_NAMES and isinstance(shares, list) and len(shares) == many and all(map(SHARE.fits, shares))
        for subject, shares in row.items()
    )


SHARE = Shape("a share", lambda value: type(value) in (int, float) and 0 <= value <= 1)
THOUGHT = Shape(
    "an object, its beliefs a matrix",
    lambda value: isinstance(value, dict) and (value.get("beliefs") is None or _are_beliefs(value["beliefs"])),
)
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
        "format": _text(40),
        "id": _left_out(_text(100)),
        "game": _text(40),
        "preset": _text(40),
        "rules_version": _whole(),
        "options": OBJECT,
        "setting": OBJECT,
        "seed": _whole(0, LARGEST_SEED),
        "seats": Shape("the seats in their order, each with seat, name and kind", _are_seats),
        "forked_from": _left_out(_or_null(Shape("{match, seq}", _is_origin))),
        "labels": _left_out(Shape("names with texts or whole numbers", _are_labels)),
    },
    "seat": {
        "seat": SEAT,
        "name": _text(80),
        "kind": Shape("person or agent", lambda value: value in ("person", "agent")),
        "agent": _left_out(_text(80)),
    },
    "event": {
        "seq": _whole(1),
        "at": _left_out(_or_null(Shape("a time with its zone", _is_time))),
        "kind": _text(40),
        "seat": _or_null(SEAT),
        "audience": _or_null(_list(SEAT)),
        "by": BY,
        "request": _or_null(_text(80)),
        "data": OBJECT,
    },
    "thought": {
        "request": _text(80),
        "seat": SEAT,
        "method": _text(60),
        "stage": _text(60),
        "prompt": _left_out(_text()),
        "reply": _left_out(_text()),
        "data": _left_out(THOUGHT),
        "model": _left_out(_text(100)),
        "tokens_in": _left_out(_whole()),
        "tokens_out": _left_out(_whole()),
        "cached": _left_out(_whole()),
        "stored": _left_out(_whole()),
        "cost": _left_out(NUMBER),
        "ms": _left_out(_whole()),
        "attempts": _left_out(_whole()),
    },
    "attempt": {
        "request": _text(80),
        "seat": SEAT,
        "by": _text(100),
        "code": _text(40),
        "sentence": _text(),
        "action": Shape("any value", lambda value: True),
        "instead": _text(40),
    },
    "outcome": {
        "status": _text(12),
        "result": _or_null(_text(40)),
        "winners": _list(SEAT),
        "returns": POINTS,
    },
}


SCRIPT: Mapping[str, Mapping[str, Shape]] = {
    "script": {
        "header": OBJECT,
        "actions": _list(Shape("an object", lambda value: isinstance(value, dict))),
        "expected": _left_out(OBJECT),
    },
    "header": {
        "type": _left_out(_text(40)),
        "format": _left_out(_text(40)),
        "id": _left_out(_text(100)),
        "game": _text(40),
        "preset": _text(40),
        "rules_version": _left_out(_whole()),
        "options": _left_out(OBJECT),
        "setting": _left_out(OBJECT),
        "seed": _left_out(_whole(0, LARGEST_SEED)),
        "seats": Shape("the seats in their order, each with seat and name", lambda value: _are_seats(value, "sitting")),
    },
    "sitting": {
        "seat": SEAT,
        "name": _text(80),
        "kind": _left_out(_text(40)),
        "agent": _left_out(_text(80)),
    },
    "action": {"type": _left_out(_text(40)), "seat": SEAT, "action": OBJECT},
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
