"""Marks of a person's notebook, given to research: after the match and by their own hand alone, and never the words.

Until then they are in the person's browser only. They are kept beside the log, under the seat and without a name.
"""

import json
from typing import Any

from django.utils.translation import gettext as _

from games.models import Match, Notebook
from games.room.rooms import Refused

STEPS = ("trust", "doubt", "unsure")
MOST = 400
"""So many changes of marks are taken."""


def give(match: Match, seat: int | None, text: str) -> None:
    """Keep the marks that a person gives; what was given first stays. Raises `Refused`."""
    if seat is None or match.status != "finished":
        raise Refused(_("You can give your marks after a match that you played."))
    try:
        marks = json.loads(text[:100_000])
    except (ValueError, RecursionError):
        marks = None
    others = {sitter.seat for sitter in match.seated} - {seat}
    if not isinstance(marks, list) or not 0 < len(marks) <= MOST or not all(_is_mark(mark, others) for mark in marks):
        raise Refused(_("These marks could not be read. Nothing was kept."))
    Notebook.objects.get_or_create(match=match, seat=seat, defaults={"marks": marks})


def _is_mark(mark: Any, others: set[int]) -> bool:
    return (
        isinstance(mark, list)
        and len(mark) == 3
        and type(mark[0]) is int
        and 0 <= mark[0] < 10**6
        and type(mark[1]) is int
        and mark[1] in others
        and mark[2] in STEPS
    )
