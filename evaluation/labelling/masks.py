"""Texts in which players are called by their seats, and where a part of such a text stands in the one that was said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from django.utils.translation import gettext as _


class Piece(NamedTuple):
    """A stretch of the text: as it was said, and as it is shown."""

    said: str
    shown: str


@dataclass(frozen=True)
class Masked:
    """A text, piece by piece."""

    pieces: tuple[Piece, ...]

    @property
    def shown(self) -> str:
        return "".join(piece.shown for piece in self.pieces)

    def said(self, span: list[int]) -> list[int]:
        """Where a part of what is shown stands in what was said; a name that it cuts is taken whole."""
        return self._moved(span, 1, 0)

    def seen(self, span: list[int]) -> list[int]:
        """Where a part of what was said stands in what is shown."""
        return self._moved(span, 0, 1)

    def _moved(self, span: list[int], source: int, target: int) -> list[int]:
        ends = [list(accumulate((len(piece[side]) for piece in self.pieces), initial=0)) for side in (source, target)]

        def place(at: int, end: bool) -> int:
            for n, piece in enumerate(self.pieces):
                start, stop = ends[0][n], ends[0][n + 1]
                if start <= at < stop or (end and start < at <= stop):
                    same = piece.said == piece.shown
                    return ends[1][n] + at - start if same else ends[1][n + 1] if end else ends[1][n]
            return ends[1][-1]

        return [place(span[0], False), place(span[1], True)]


class Mask:
    """Calls players by their seats; `Mask({})` leaves all as it was said. seats: by the names that a text may have."""

    def __init__(self, seats: Mapping[str, int]):
        self._seats = {name.casefold(): seat for name, seat in seats.items()}
        longest = sorted((name for name in seats if name.strip()), key=len, reverse=True)
        self._pattern = re.compile(
            "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest) or r"(?!)", re.IGNORECASE
        )

    def of(self, text: str) -> Masked:
        """A text without names."""
        pieces, done = [], 0
        for found in self._pattern.finditer(text):
            if found.start() > done:
                pieces.append(Piece(*(text[done : found.start()],) * 2))
            seat = self._seats.get(found[0].casefold())
            pieces.append(Piece(found[0], found[0] if seat is None else seat_name(seat)))
            done = found.end()
        return Masked((*pieces, *([Piece(*(text[done:],) * 2)] if text[done:] else [])))


def seat_name(seat: int) -> str:
    """How a player is called where names are hidden."""
    return _("Player %d") % seat
