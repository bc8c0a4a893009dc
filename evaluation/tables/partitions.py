"""SpyGame's partitions: what two metrics say together, each above or below its average (section IV).

The average is the row Total, as the paper's own classes have it; published rows are parted by the published one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evaluation.tables.papers import TOTAL

Where = tuple[str, str]
"""A table and a column of it."""


class Partition(NamedTuple):
    """Two metrics, and what it is called to be good at the first and at the second."""

    name: str
    first: Where
    second: Where


PARTITIONS = (
    Partition(
        "IC x ID",
        ("spygame.weak", "spygame.information_catching"),
        ("spygame.strong", "spygame.information_deduction"),
    ),
    *(
        Partition(f"{name}, {citizens}", (f"spygame.{citizens}", first), (f"spygame.{citizens}", second))
        for name, first, second in (
            ("GS x NR", "spygame.guess_success", "spygame.notice_rate"),
            ("VR x VE", "spygame.vote_rate", "spygame.vote_entropy"),
        )
        for citizens in ("strong", "weak")
    ),
)


def parted(tables: Mapping[str, Mapping[str, Any]]) -> dict[tuple[str, str], dict[str, tuple[bool, bool] | None]]:
    """By (who, the paper of a published row or "") and partition whether the first and the second metric are above
    their average; None where one of them has no data. tables: as plain values."""
    found: dict[tuple[str, str], dict[str, tuple[bool, bool] | None]] = {}
    for partition in PARTITIONS:
        sides = [_above(tables[table]["rows"], column) for table, column in (partition.first, partition.second)]
        for who in dict.fromkeys(key for side in sides for key in side):
            first, second = (side.get(who) for side in sides)
            both = None if first is None or second is None else (first, second)
            found.setdefault(who, {})[partition.name] = both
    return found


def _above(rows: Sequence[Mapping[str, Any]], column: str) -> dict[tuple[str, str], bool | None]:
    """By row whether its number is above the Total of its kind."""
    totals = {row["source"]: row["cells"][column]["value"] for row in rows if row["label"] == TOTAL}
    found: dict[tuple[str, str], bool | None] = {}
    for row in rows:
        if row["label"] != TOTAL:
            value, total = row["cells"][column]["value"], totals.get(row["source"])
            found[row["label"], row["source"]] = None if value is None or total is None else value > total
    return found
