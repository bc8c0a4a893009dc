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


def misfit(value: Any) -> str | None:
    """Where a value is no matrix of beliefs, which has by viewer and subject a share for each label: a JSON pointer to
    the first thing that is wrong, "" for all of it; None where it is one."""
    if not isinstance(value, dict):
        return ""
    labels: Any = value.get("labels")
    suspects: Any = value.get("suspects")
    rows: Any = value.get("rows")
    fits = {
        "owner": SEAT.fits(value.get("owner")),
        "labels": _are_names(labels),
        "suspects": _are_names(labels) and _are_names(suspects) and set(suspects) <= set(labels),
        "shared": isinstance(value.get("shared"), str),
        "rows": isinstance(rows, dict) and str(value.get("owner")) in rows,
    }
    for name, right in fits.items():
        if not right:
            return pointer(name)
    for viewer, row in rows.items():
        if viewer not in SEAT_NAMES or not isinstance(row, dict):
            return pointer("rows", viewer)
        for subject, shares in row.items():
            if subject not in SEAT_NAMES or not _are_shares(shares, len(labels)):
                return pointer("rows", viewer, subject)
    return None


def pointer(*names: str) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _are_shares(value: Any, many: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == many
        and all(type(share) in (int, float) and 0 <= share <= 1 for share in value)
    )


BELIEFS = Shape(
    "an object, its beliefs a matrix",
    lambda value: isinstance(value, dict) and (value.get("beliefs") is None or misfit(value["beliefs"]) is None),
)
