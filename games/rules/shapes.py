"""What a value in a file must be, in words and as a check."""

from collections.abc import Callable
from typing import Any, NamedTuple

LARGEST = 2**31 - 1


class Shape(NamedTuple):
    """What a value must be, in words and as a check; `needed`: the line must have it."""

    words: str
    fits: Callable[[Any], bool]
    needed: bool = True


def text(limit: int | None = None) -> Shape:
    words = "a text" if limit is None else f"a text of at most {limit} characters"
    return Shape(words, lambda value: isinstance(value, str) and (limit is None or len(value) <= limit))


def whole(low: int = 0, high: int = LARGEST) -> Shape:
    return Shape(f"a whole number from {low} to {high}", lambda value: type(value) is int and low <= value <= high)


def list_of(of: Shape) -> Shape:
    return Shape(f"a list, each {of.words}", lambda value: isinstance(value, list) and all(map(of.fits, value)))


def anything() -> Shape:
    return Shape("any value", lambda value: True)


def or_null(shape: Shape) -> Shape:
    return Shape(f"{shape.words}, or null", lambda value: value is None or shape.fits(value))


def left_out(shape: Shape) -> Shape:
    return shape._replace(needed=False)


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
SEAT = whole(1, 99)


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
    if not (isinstance(row, dict) and row.keys() <= SEAT_NAMES):
        return False
    if not all(isinstance(shares, list) and len(shares) == many for shares in row.values()):
        return False
    every = [share for shares in row.values() for share in shares]
    return {int, float}.issuperset(map(type, every)) and all(0 <= share <= 1 for share in every)


BELIEFS = Shape(
    "an object, its beliefs a matrix",
    lambda value: isinstance(value, dict) and (value.get("beliefs") is None or _are_beliefs(value["beliefs"])),
)
