"""Who plays how well: ratings out of wins and losses, by game and role, people and agents alike.

Weng and Lin (2011), "A Bayesian approximation method for online ranking", the Plackett-Luce form for teams, as
OpenSkill has it with its defaults. A rating belongs to a player in a role of a game, since a good spy need be no good
citizen: what is learned is how a player does in a role against those who were met in theirs.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import groupby

from openskill.models import PlackettLuce, PlackettLuceRating

from evaluation import metrics
from evaluation.records.record import Record

MODEL = PlackettLuce()
MU, SIGMA = MODEL.mu, MODEL.sigma

SURE = 3
"""A rating is listed by its mean less so many standard deviations: what can be relied on."""

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


class Ratings:
    """Ratings after the matches that were added, in their order. who: the player at a seat; left_out: in how many
    matches others moved for a seat."""

    def __init__(self, who: Callable[[Record, int], Hashable] = metrics.agent):
        self.who = who
        self.found: dict[Key, Rating] = {}
        self.left_out = 0

    def add(self, record: Record) -> None:
        """Take in a match.

        Rated is a finished one that more than one player sat in: one against itself tells nothing. Nor does one in
        which others moved for a seat: nobody beat its player. Nor does a game that all win or miss together. A player
        with several seats of one role is rated once by it, by the mean of what they bring.
        """
        players = {seat: str(self.who(record, seat)) for seat in record.numbers}
        if not record.finished or len(record.rules.teams) == 1 or len(set(players.values())) < 2:
            return
        if not all(map(record.counts, record.numbers)):
            self.left_out += 1
            return
        keys = {seat: (players[seat], record.game, record.roles[seat]) for seat in record.numbers}
        teams, ranks = _teams(record)
        before = [[self._of(keys[seat]) for seat in team] for team in teams]
        after = MODEL.rate(before, ranks=ranks)
        brought: dict[Key, list[tuple[float, float]]] = {}
        for team, moved in zip(teams, after, strict=True):
            for seat, new in zip(team, moved, strict=True):
                brought.setdefault(keys[seat], []).append((new.mu, new.sigma))
        for key, news in brought.items():
            mu, sigma = (sum(column) / len(news) for column in zip(*news, strict=True))
            self.found[key] = Rating(mu, sigma, self.found.get(key, Rating()).matches + 1)

    def _of(self, key: Key) -> PlackettLuceRating:
        known = self.found.get(key, Rating())
        return MODEL.rating(known.mu, known.sigma)

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
