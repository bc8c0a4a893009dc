"""Which moments of a match mattered to one seat, and what its moves there cost or won.

Of the seat's own moves those are tried first after which the curve moved most. Each is taken back and played on in each
way that was open, a few times; the three that made the most difference are then measured with fresh runs against the
best other way, so that what chose them says nothing of how much they cost. The budget (`REVIEW_MS` of the settings) is
counted in decisions of house agents by the pace that the game's `house/review.py` names, and not in seconds: a review
comes out the same on any machine, however fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
MOST_TRIED = 7
"""So many moves of a seat are tried at most."""
FOR_CHOOSING = 0.3
"""The share of it that goes into finding the moments."""
MOST_RUNS = 300
"""So many runs of each way are as good as any number."""
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
    """A move, the ways to move, and how often each won so far."""

    def __init__(self, forked: Forked) -> None:
        self.forked = forked
        self.others = forked.others()
        self.own: list[bool] = []
        self.won: list[list[bool]] = [[] for _ in self.others]

    def run(self, number: int) -> None:
        """Play on once more in each way."""
        self.own.append(self.forked.wins(self.forked.own, number))
        for action, won in zip(self.others, self.won, strict=True):
            won.append(self.forked.wins(action, number))

    @property
    def best(self) -> int:
        """Which of the other ways won most; of equals the first."""
        return max(range(len(self.others)), key=lambda place: sum(self.won[place]))

    @property
    def difference(self) -> float:
        """By how much the move and the best other way differ, as a share of the runs, drawn towards none."""
        return abs(sum(self.own) - sum(self.won[self.best])) / (len(self.own) + 2)


def review(play: Play, seat: int, look: Callable[[], None] = lambda: None) -> list[Moment]:
    """The moments of a seat in a match that is over, in the order in which they came. look: called between two runs."""
    rules = play.rules
    share = max(sum(info.kind == "person" for info in play.header.seats), 1)
    budget = settings.REVIEW_MS / share / rules.part("house.review").pace(len(play.header.seats))
    tried = [one for one in map(Tried, _first(play, seat)) if one.others]

    def spent() -> int:
        return sum(one.forked.decisions for one in tried)

    number = 0
    while tried and number < MOST_RUNS and spent() < FOR_CHOOSING * budget:
        for one in tried:
            look()
            one.run(number)
        number += 1
    chosen = sorted(tried, key=lambda one: -one.difference)[:MOMENTS]
    pairs: list[list[tuple[bool, bool]]] = [[] for _ in chosen]
    number = FRESH
    while chosen and number < FRESH + MOST_RUNS and spent() < budget:
        for one, found in zip(chosen, pairs, strict=True):
            look()
            own, other = one.forked.own, one.others[one.best]
            found.append((one.forked.wins(own, number), one.forked.wins(other, number)))
        number += 1
    moments = [_moment(play, one, found) for one, found in zip(chosen, pairs, strict=True) if found]
    return sorted(moments, key=lambda moment: moment.seq)


def _moment(play: Play, one: Tried, pairs: Sequence[tuple[bool, bool]]) -> Moment:
    forked = one.forked
    move, seen = forked.move, of_play(play, forked.move.seat, forked.move.seq - 1)
    at = turns.situation(play, forked.request, play.header.names, seen=seen)
    known = play.rules.part("house.review").known(at, move)
    instead = one.others[one.best]
    if instead is not None:
        instead = {name: value for name, value in instead.items() if name != "text"}
    return Moment(move.seq, instead, known, effect(pairs))


def _first(play: Play, seat: int) -> list[Forked]:
    """The moves to try: those after which the curve moved most."""
    moves = list(own_moves(play, seat))
    points = odds.curve(play.rules, play.options, of_play(play, PUBLIC).events)
    rated = []
    for place, move in enumerate(moves):
        weight = SAID if is_said(play.rules, move) else 1.0
        later = moves[place + 1].seq if place + 1 < len(moves) else len(play.log) + 1
        rated.append((weight * _swing(points, move.seq, later), move))
    rated.sort(key=lambda pair: (-pair[0], pair[1].seq))
    return [Forked(play, move) for _swing_after, move in rated[:MOST_TRIED]]


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
