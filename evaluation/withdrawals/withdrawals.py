"""Withdrawals: of each erasure the exports that held the person, and a small file by which old copies are scrubbed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from evaluation.exports import exporting
from evaluation.exports.models import Export
from evaluation.withdrawals.models import Withdrawal
from games.models import ErasedSeat

FORMAT = "magic-withdrawal/1"


class Unreadable(ValueError):
    """A file that is no withdrawal; the text is a sentence."""


class Mark(NamedTuple):
    """A seat whose words are withdrawn, known again without any of them: by how its match began, by the deal where a
    file has no times, by the match's id."""

    begun: str
    dealt: str
    match: str
    seat: int


def keep(seats: list[ErasedSeat]) -> None:
    """Keep account of an erasure."""
    keys = {row.match for row in seats if row.match is not None}
    held = [str(export.pk) for export in exporting.holding(keys)]
    marks = [_mark(row)._asdict() for row in seats]
    Withdrawal.objects.create(seats=marks, exports=held)


def exports_of(withdrawal: Withdrawal) -> list[Export]:
    """The exports that held somebody who was erased, newest first: who took them away is to be told."""
    keys = [UUID(key) for key in withdrawal.exports]
    return list(Export.objects.filter(pk__in=keys).select_related("created_by"))


def text(marks: Iterable[Mark], about: str = "") -> str:
    """The file: it holds no word and no name."""
    return json.dumps({"format": FORMAT, "id": about, "seats": [mark._asdict() for mark in marks]}, indent=1) + "\n"


def of(withdrawal: Withdrawal) -> list[Mark]:
    """What is withdrawn by one."""
    return [Mark(**seat) for seat in withdrawal.seats]


def all_here() -> list[Mark]:
    """All that was ever erased here."""
    return [_mark(row) for row in ErasedSeat.objects.all()]


def read(content: str) -> list[Mark]:
    """The seats of a withdrawal file. Raises `Unreadable`."""
    try:
        found: Any = json.loads(content)
        if found["format"] != FORMAT:
            raise Unreadable(f"This is not a file of the format {FORMAT}.")
        marks = [Mark(**seat) for seat in found["seats"]]
    except Unreadable:
        raise
    except (ValueError, TypeError, KeyError) as error:
        raise Unreadable("This is no file of a withdrawal: a site that erases somebody writes one.") from error
    if not all(isinstance(mark.seat, int) and all(isinstance(text, str) for text in mark[:3]) for mark in marks):
        raise Unreadable("A seat in this file is not as a site writes it.")
    return marks


def _mark(row: ErasedSeat) -> Mark:
    return Mark(row.begun, row.dealt, str(row.match or ""), row.seat)
