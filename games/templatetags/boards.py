"""What the boards of several games count in the same way."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import template

register = template.Library()


class Cell(NamedTuple):
    """What one seat did in one round of clues. said: its clue, None where it stayed silent; given: whether it was its
    turn already; targets: for whom it voted, in each vote of the round (None: for nobody)."""

    said: str | None
    given: bool
    targets: list[int | None]


@register.filter
def counted(values: Iterable[str]) -> list[tuple[str, int]]:
    """Each value once, in the order of the first of them, with how many there are."""
    return list(Counter(values).items())


@register.filter
def clue_rounds(public: Mapping[str, Any]) -> range:
    """The rounds of clues so far."""
    return range(1, public["round"] + 1)


@register.filter
def clues_of(public: Mapping[str, Any], seat: int) -> list[Cell]:
    """What a seat did, round by round."""
    clues = {clue["round"]: clue["text"] for clue in public["clues"] if clue["seat"] == seat}
    votes: dict[int, list[int | None]] = {}
    for tally in public["tallies"]:
        if str(seat) in tally["votes"]:
            votes.setdefault(tally["round"], []).append(tally["votes"][str(seat)])
    return [Cell(clues.get(n), n in clues, votes.get(n, [])) for n in clue_rounds(public)]
