"""Who plays how well: ratings out of wins and losses, by game and role, people and agents alike.

Weng and Lin (2011), "A Bayesian approximation method for online ranking", the Plackett-Luce form for teams, as
OpenSkill has it with its defaults. A rating belongs to a player in a role of a game, since a good spy need be no good
citizen: what is learned is how a player does in a role against those who were met in theirs.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from evaluation import metrics
from evaluation.records.record import Record

MODEL = PlackettLuce()
MU, SIGMA = MODEL.mu, MODEL.sigma

SURE = 3
"""A rating is listed by its mean less so many standard deviations: what can be relied on."""

STRIDE = 256
"""Ratings are kept as they were before every so many matches."""

Key = tuple[str, str, str]
"""(player, game, role)."""


@dataclass(frozen=True)
class Rating:
    """What is known of a player's strength. mu: its mean; sigma: how unsure that is; matches: from how many."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0

    @property
    def sure(self) -> float:
        """What the strength most probably exceeds."""
        return self.mu - SURE * self.sigma


At = tuple[Any, ...]
"""When a match began, as something that can be compared."""


class Ratings:
    """Ratings after the matches that were taken in, in the order in which they began. who: the player at a seat;
    left_out: in how many matches others moved for a seat."""

    def __init__(self, who: Callable[[Record, int], Hashable] = metrics.agent):
        self.who = who
        self.left_out = 0
        self._matches: list[tuple[At, list[list[Key]], list[float]]] = []
        self._found: dict[Key, Rating] = {}
        self._rated = 0
        self._before: list[dict[Key, Rating]] = []
        self._keys: dict[Key, Key] = {}

    def of(self, record: Record) -> dict[str, Any] | None:
        """What a match gives: the teams, each a list of players with their roles, and the rank of each; None if it is
        not rated.

        Rated is a finished one that more than one player sat in: one against itself tells nothing. Nor does one in
        which others moved for a seat (left_out): nobody beat its player. Nor does a game that all win or miss together.
        """
        players = {seat: str(self.who(record, seat)) for seat in record.numbers}
        if not record.finished or len(record.rules.teams) == 1 or len(set(players.values())) < 2:
            return None
        if not all(map(record.counts, record.numbers)):
            return {"left_out": True}
        teams, ranks = _teams(record)
        named = [[(players[seat], record.game, record.roles[seat]) for seat in team] for team in teams]
        return {"left_out": False, "teams": named, "ranks": ranks}

    def merge(self, given: Mapping[str, Any], at: At | None = None) -> None:
        """Take in what a match gives. at: when it began; None: after all others. After one that began earlier than
        another, ratings go on from there."""
        if given["left_out"]:
            self.left_out += 1
            return
        teams = [[self._key((key[0], key[1], key[2])) for key in team] for team in given["teams"]]
        if at is None:
            at = self._matches[-1][0] if self._matches else ()
        place = bisect_right(self._matches, at, key=itemgetter(0))
        self._matches.insert(place, (at, teams, given["ranks"]))
        if place < self._rated:
            del self._before[place // STRIDE + 1 :]
            self._found = dict(self._before[-1])
            self._rated = (len(self._before) - 1) * STRIDE

    def add(self, record: Record) -> None:
        """Take in a match that began after all others."""
        if given := self.of(record):
            self.merge(given)

    def _key(self, key: Key) -> Key:
        return self._keys.setdefault(key, key)

    @property
    def found(self) -> dict[Key, Rating]:
        """The rating of each player in each role."""
        for _, teams, ranks in self._matches[self._rated :]:
            if self._rated % STRIDE == 0 and self._rated // STRIDE == len(self._before):
                self._before.append(dict(self._found))
            self._rate(teams, ranks)
            self._rated += 1
        return self._found

    def _rate(self, teams: list[list[Key]], ranks: list[float]) -> None:
        """A player with several seats of one role is rated once by a match, by the mean of what they bring."""
        after = MODEL.rate([[self._of(key) for key in team] for team in teams], ranks=ranks)
        brought: dict[Key, list[tuple[float, float]]] = {}
        for team, moved in zip(teams, after, strict=True):
            for key, new in zip(team, moved, strict=True):
                brought.setdefault(key, []).append((new.mu, new.sigma))
        for key, news in brought.items():
            mu, sigma = (sum(column) / len(news) for column in zip(*news, strict=True))
            self._found[key] = Rating(mu, sigma, self._found.get(key, Rating()).matches + 1)

    def _of(self, key: Key) -> PlackettLuceRating:
        known = self._found.get(key, Rating())
        return MODEL.rating(known.mu, known.sigma)

    def to_json(self) -> list[dict[str, Any]]:
        """The list as plain values, for a cache."""
        return [
            {"who": who, "game": game, "role": role, "sure": rating.sure, **asdict(rating)}
            for (who, game, role), rating in self.listed()
        ]

    def listed(self) -> list[tuple[Key, Rating]]:
        """By game and role, the strongest that is sure first."""
        return sorted(self.found.items(), key=lambda item: (item[0][1], item[0][2], -item[1].sure, item[0][0]))


def _teams(record: Record) -> tuple[list[list[int]], list[float]]:
    """The seats of each team, and its rank: 1 is best, equal ones are tied. Where nobody wins all are. Where each plays
    for itself, who has more points is ranked above."""
    if record.rules.solo:
        points = record.outcome.returns
        return [[seat] for seat in record.numbers], [
            1 + sum(points[other] > points[seat] for other in record.numbers) for seat in record.numbers
        ]
    by_side = sorted(record.numbers, key=lambda seat: record.sides[seat])
    teams = [list(seats) for _, seats in groupby(by_side, key=lambda seat: record.sides[seat])]
    won = [any(record.won(seat) for seat in team) for team in teams]
    return teams, [1 + (any(won) and not own) for own in won]
