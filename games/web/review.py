"""The review of a match that is over: how likely a side was to win, move by move, and the moments that mattered.

Who can tell that puts it here when it starts (`agents/reviews`); this is what pages show of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.match.cache import CachedMatch
from games.match.changes import WORDS, Kept
from games.match.view import View
from games.models import Match
from games.rules.values import PUBLIC
from games.translation import translated

EVEN = 0.5


class Point(NamedTuple):
    """From event `seq` on the chance was `share`."""

    seq: int
    share: float

    @property
    def percent(self) -> int:
        return round(100 * self.share)


@dataclass(frozen=True)
class Curve:
    """How likely a side was to win after each event that everybody saw. about: whose chance it is, in words; above,
    below: what it means to be at the top and at the bottom. The last point is how it ended."""

    points: Sequence[Point]
    about: str
    above: str
    below: str

    def at(self, seq: int) -> float:
        """The chance after an event."""
        return next((point.share for point in reversed(self.points) if point.seq <= seq), self.points[0].share)

    @property
    def won(self) -> bool:
        """Whether the side whose chance it is won."""
        return self.points[-1].share > EVEN

    @property
    def lost_at(self) -> int:
        """The event with which the side that lost fell below even for good; if it never stood there, its deepest
        fall."""
        end = self.points[-1].share
        losers = [(seq, abs(share - end)) for seq, share in self.points]
        steps = [(seq, before, after) for (_seq, before), (seq, after) in pairwise(losers)]
        falls = [seq for seq, before, after in steps if before > EVEN >= after]
        return falls[-1] if falls else max(steps, key=lambda step: step[1] - step[2])[0]

    @property
    def sentence(self) -> str:
        """The curve in words."""
        before = self.points[:-1]
        low, high = min(before, key=lambda point: point.share), max(before, key=lambda point: point.share)
        return gettext(
            "{about}, move by move: at first {first} of 100, at the most {high} at event {high_at}, at the least {low} "
            "at event {low_at}, before the end {last}. The table has every figure."
        ).format(
            about=translated(self.about),
            first=before[0].percent,
            high=high.percent,
            high_at=high.seq,
            low=low.percent,
            low_at=low.seq,
            last=before[-1].percent,
        )


class Told(NamedTuple):
    """A moment of a seat in words. known: what the seat could have known; instead: the best other way to move; points:
    by how many in a hundred matches the two differ if house agents play on, from least to most; lost: the move was the
    worse one; sure: the interval leaves zero; runs: how often each was played on."""

    seq: int
    title: str
    known: str
    instead: str
    points: int
    least: int
    most: int
    lost: bool
    sure: bool
    runs: int


class Worked(NamedTuple):
    """How far the moments of a seat are worked out, and what is kept of them. open: they still are; late: no worker has
    taken that up; error: why there are none."""

    moments: tuple[dict[str, Any], ...] = ()
    open: bool = False
    late: bool = False
    error: str = ""


@dataclass(frozen=True)
class Review:
    """What a page shows of a match that is over to who looks at it as one seat, or as nobody."""

    curve: Curve | None
    worked: Worked | None = None
    told: tuple[Told, ...] = ()

    @property
    def marks(self) -> list[int]:
        """The events of the moments."""
        return [moment.seq for moment in self.told]

    @property
    def runs(self) -> int:
        """How often each moment was played on at least."""
        return min((moment.runs for moment in self.told), default=0)

    @property
    def stage(self) -> int:
        """0: nobody asked for the moments, 1: they are being worked out, 2: they are there, or why not."""
        return 0 if self.worked is None else 1 if self.worked.open else 2


def no_curve(seen: View) -> Curve | None:
    """Where nobody can tell."""
    return None


curve_of: Callable[[View], Curve | None] = no_curve
"""The curve of a match that was played to its end, from what everybody saw of it."""


def not_worked(match: Match, seat: int, own: bool) -> Worked | None:
    """Where nobody works them out."""
    return None


worked_of: Callable[[Match, int, bool], Worked | None] = not_worked
"""The moments of a seat as far as they are worked out; own: whoever looks sits there."""


def not_asked(match: Match, seat: int) -> None:
    """Where nobody works them out."""


ask: Callable[[Match, int], None] = not_asked
"""Has the moments of a seat worked out."""


def untold(moment: Mapping[str, Any], seen: View) -> Told | None:
    """Where nobody can tell."""
    return None


told_of: Callable[[Mapping[str, Any], View], Told | None] = untold
"""A moment in words."""

_curves: Kept[Curve | None] = Kept(200, WORDS)
_reckoning = threading.Lock()


def curve(source: CachedMatch) -> Curve | None:
    """The curve of a match; None while it runs, or where there is none. Takes a while the first time, and then once for
    all who look."""
    match = source.match
    if match.status != "finished":
        return None
    seen = source.view(PUBLIC)
    seen.check()
    if not seen.over:
        return None
    with _reckoning:
        return _curves.of(match.pk, match.erasures, lambda: curve_of(seen))


def review(source: CachedMatch, seat: int | None, own: bool = False) -> Review | None:
    """The review of a match: its curve, and the moments of a seat, if one is given; of a fork the curve alone, since
    others made the first moves. None while it runs. Asks the database."""
    found = curve(source)
    if found is None:
        return None
    worked = worked_of(source.match, seat, own) if seat and source.match.forked_from is None else None
    if seat is None or worked is None:
        return Review(found)
    seen = source.view(seat)
    told = (told_of(moment, seen) for moment in worked.moments)
    return Review(found, worked, tuple(moment for moment in told if moment is not None))
