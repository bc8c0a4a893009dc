"""Which moments of a match mattered to one seat, and what its moves there cost or won.

Of the seat's own moves the last ones are tried, and those after which the curve moved most. Each is taken back and
played on in each way that was open, a few times, and more often where it is open whether it is one of the three that
made the most difference. These are then measured with fresh runs against the best other way, so that what chose them
says nothing of how much they cost.

The budget (`REVIEW_MS` of the settings) is counted in decisions of house agents by the pace that the game's
`house/review.py` names, and not in seconds: a review comes out the same on any machine, however fast. Each of the three
gets the same share of what is left, so that late ones, from which little has to be played on, are measured more often.
One whose interval is narrow by then takes no more: where a seat could change little, its review is there sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

from django.conf import settings

from agents import turns
from agents.reviews import odds
from agents.reviews.rollouts import Action, Effect, Forked, effect, is_said
from games.match.view import of_play
from games.rules.play import Play
from games.rules.values import PUBLIC, Event
from games.web.review import Point

MOMENTS = 3
MOST_TRIED = 8
"""So many moves of a seat are tried at most."""
LAST_TRIED = 3
"""So many of them are its last: they take least to play on, and what they missed moved no curve."""
FOR_CHOOSING = 0.4
"""The share of the budget that may go into finding the moments."""
LEAST_TO_CHOOSE, MOST_TO_CHOOSE = 3, 30
"""So many runs a move has at least, and at most, before the moments are chosen."""
MOST_RUNS = 300
"""So many of a move are as good as any number."""
NARROW = 0.05
"""An interval that reaches no further to each side says all that a person needs."""
DOUBT = 2
"""What the curve says of a move counts like so many runs."""
SAID = 0.5
"""How much the curve's move counts for words, after which others still decide."""
FRESH = 1_000_000
"""Runs that measure are numbered from here."""


class Moment(NamedTuple):
    """A move that mattered. instead: the best other way to move, None for what a house agent does there; known: what
    the seat could have known then, as the game's `known` gives it; effect: what the move adds to the chance to win."""

    seq: int
    instead: Action
    known: dict[str, Any]
    effect: Effect


class Tried:
    """A move, the ways to move, and what came of them so far. swing: by how much the curve moved after it; pairs:
    whether the move won, and the best other way beside it, in the runs that measure."""

    def __init__(self, forked: Forked, swing: float) -> None:
        self.forked, self.swing = forked, swing
        self.others = forked.others()
        self.own: list[bool] = []
        self.won: list[list[bool]] = [[] for _ in self.others]
        self.pairs: list[tuple[bool, bool]] = []

    def run(self) -> None:
        """Play on once more in each way."""
        number = len(self.own)
        self.own.append(self.forked.wins(self.forked.own, number))
        for action, won in zip(self.others, self.won, strict=True):
            won.append(self.forked.wins(action, number))

    def measure(self) -> bool:
        """Play on once more, with fresh chance, by the move and by the best other way; says whether the interval is
        narrow enough."""
        number = FRESH + len(self.pairs)
        ways = self.forked.own, self.others[self.best]
        mine, other = (self.forked.wins(action, number) for action in ways)
        self.pairs.append((mine, other))
        found = effect(self.pairs)
        return found.high - found.low <= 2 * NARROW

    @property
    def best(self) -> int:
        """Which of the other ways won most; of equals the first."""
        return max(range(len(self.others)), key=lambda place: sum(self.won[place]))

    @property
    def difference(self) -> float:
        """By how much the move and the best other way differ, as a share of the runs; the fewer there are, the more the
        curve has a say."""
        return (abs(sum(self.own) - sum(self.won[self.best])) + DOUBT * self.swing) / (len(self.own) + DOUBT)


def review(play: Play, seat: int, look: Callable[[], None] = lambda: None) -> list[Moment]:
    """The moments of a seat in a match that is over, in the order in which they came. look: called between two runs."""
    share = max(sum(info.kind == "person" for info in play.header.seats), 1)
    budget = settings.REVIEW_MS / share / play.rules.part("house.review").pace(len(play.header.seats))
    tried = _first(play, seat)
    _choose(FOR_CHOOSING * budget, tried, look)
    budget -= sum(one.forked.decisions for one in tried)
    most = sorted((one for one in tried if one.own), key=lambda one: -one.difference)[:MOMENTS]
    tried = [one for one in tried if one in most]
    _measure(budget, tried, look)
    return [_moment(play, one) for one in reversed(tried) if one.pairs]


def _choose(budget: float, tried: Sequence[Tried], look: Callable[[], None]) -> None:
    """Run moves as long as so many decisions last: each a few times, and then always the one of which it is least clear
    on which side it lies of the border between the moments and the other moves."""
    spent = dearest = 0
    while (
        open := [one for one in tried if len(one.own) < min(MOST_TO_CHOOSE, MOST_RUNS)]
    ) and spent + dearest <= budget:
        most = sorted((*(one.difference for one in tried), *[0.0] * MOMENTS), reverse=True)
        border = (most[MOMENTS - 1] + most[MOMENTS]) / 2

        def clear(one: Tried, border: float = border) -> tuple[int, float]:
            runs = len(one.own)
            return min(runs, LEAST_TO_CHOOSE), abs(one.difference - border) * sqrt(runs)

        look()
        one = min(open, key=clear)
        before = one.forked.decisions
        one.run()
        took = one.forked.decisions - before
        spent, dearest = spent + took, max(dearest, took)


def _measure(budget: float, tried: Sequence[Tried], look: Callable[[], None]) -> None:
    """Measure moves until so many decisions are spent, each until it has had its share or is known well enough. What
    one leaves goes to those that come after it; the first is measured in any case."""
    for place, one in enumerate(tried):
        share = budget / (len(tried) - place)
        before = one.forked.decisions
        for _run in range(MOST_RUNS):
            look()
            if one.measure() or one.forked.decisions - before >= share:
                break
        budget -= one.forked.decisions - before
        if budget <= 0:
            return


def _moment(play: Play, one: Tried) -> Moment:
    forked = one.forked
    move, seen = forked.move, of_play(play, forked.move.seat, forked.move.seq - 1)
    at = turns.situation(play, forked.request, play.header.names, seen=seen)
    known = play.rules.part("house.review").known(at, move)
    instead = one.others[one.best]
    if instead is not None:
        instead = {name: value for name, value in instead.items() if name != "text"}
    return Moment(move.seq, instead, known, effect(one.pairs))


def _first(play: Play, seat: int) -> list[Tried]:
    """The moves to try, the last one first, of those that could have been others."""
    moves = list(own_moves(play, seat))
    points = odds.curve(play.rules, play.options, of_play(play, PUBLIC).events)
    ends = [*(move.seq for move in moves[1:]), len(play.log) + 1]
    rated = [
        ((SAID if is_said(play.rules, move) else 1.0) * _swing(points, move.seq, later), move)
        for move, later in zip(moves, ends, strict=False)
    ]
    last, before = rated[-LAST_TRIED:], rated[:-LAST_TRIED]
    most = sorted(before, key=lambda pair: (-pair[0], pair[1].seq))[: MOST_TRIED - LAST_TRIED]
    first = sorted(last + most, key=lambda pair: -pair[1].seq)
    return [one for one in (Tried(Forked(play, move), swing) for swing, move in first) if one.others]


def own_moves(play: Play, seat: int) -> Iterator[Event]:
    """What the seat's own player did where there was a choice."""
    kind = play.header.seats[seat - 1].kind
    for event in play.log:
        if event.seat != seat or event.request is None or event.kind == "poll" or not event.by.startswith(kind):
            continue
        if "text" in event.data and not event.data["text"] and not event.data.get("accuse"):
            continue  # silence
        yield event


def _swing(points: Sequence[Point], seq: int, later: int) -> float:
    """By how much the curve moved from before event `seq` until `later`, to its next point at least."""
    before = next((point.share for point in reversed(points) if point.seq < seq), points[0].share)
    after = [point for point in points if point.seq >= seq]
    following = [point.share for point in after if point.seq < later] or [point.share for point in after[:1]]
    return max((abs(share - before) for share in following), default=0.0)
