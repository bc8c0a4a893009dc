"""Who plays how well: ratings out of wins and losses, by game and role, people and agents alike.

Weng and Lin (2011), "A Bayesian approximation method for online ranking", the Plackett-Luce form for teams, with the
constants that OpenSkill uses by default. A rating belongs to a player in a role of a game, since a good spy need be no
good citizen: what is learned is how a player does in a role against those who were met in theirs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluation import metrics
from evaluation.records import Record

MU, SIGMA = 25.0, 25 / 3
BETA = SIGMA / 2
"""How much chance there is in one match."""
TAU = SIGMA / 100
"""How much a player may change from one match to the next."""
KAPPA = 1e-4
"""No variance shrinks below this share of itself by one match."""

SURE = 3
"""A rating is listed by its mean less so many standard deviations: what can be relied on."""

ALONE = frozenset(("prisoners_dilemma", "public_good"))
"""Games in which each seat plays for itself; who has more points is ranked above."""

UNRATED = frozenset(("cost_sharing",))
"""Agreement is won or missed by all together: nobody beats anybody."""

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
    """Ratings after the matches that were added, in their order. who: the player at a seat."""

    def __init__(self, who: Callable[[Record, int], Hashable] = metrics.agent):
        self.who = who
        self.found: dict[Key, Rating] = {}

    def add(self, record: Record) -> None:
        """Take in a match.

        Rated is a finished one that more than one player sat in: one against itself tells nothing. A player with
        several seats of one role is rated once by it, by the mean of what they bring.
        """
        players = {seat: str(self.who(record, seat)) for seat in record.numbers}
        if not record.finished or record.game in UNRATED or len(set(players.values())) < 2:
            return
        keys = {seat: (players[seat], record.game, record.roles[seat]) for seat in record.numbers}
        teams, ranks = _teams(record)
        before = [[self.found.get(keys[seat], Rating()) for seat in team] for team in teams]
        brought: dict[Key, list[tuple[float, float]]] = {}
        for team, after in zip(teams, updated(before, ranks), strict=True):
            for seat, new in zip(team, after, strict=True):
                brought.setdefault(keys[seat], []).append(new)
        for key, news in brought.items():
            mu, sigma = (sum(column) / len(news) for column in zip(*news, strict=True))
            self.found[key] = Rating(mu, sigma, self.found.get(key, Rating()).matches + 1)

    def listed(self) -> list[tuple[Key, Rating]]:
        """By game and role, the strongest that is sure first."""
        return sorted(self.found.items(), key=lambda item: (item[0][1], item[0][2], -item[1].sure, item[0][0]))


def _teams(record: Record) -> tuple[list[list[int]], list[int]]:
    """The seats of each team, and its rank: 1 is best, equal ones are tied. Where nobody wins all are."""
    if record.game in ALONE:
        points = record.outcome.returns
        return [[seat] for seat in record.numbers], [
            1 + sum(points[other] > points[seat] for other in record.numbers) for seat in record.numbers
        ]
    by_side = sorted(record.numbers, key=lambda seat: record.sides[seat])
    teams = [list(seats) for _, seats in groupby(by_side, key=lambda seat: record.sides[seat])]
    won = [any(record.won(seat) for seat in team) for team in teams]
    return teams, [1 + (any(won) and not own) for own in won]


def updated(teams: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[tuple[float, float]]]:
    """(mu, sigma) of each player of each team after a match with these ranks (Weng and Lin, algorithm 4)."""
    spread = [[math.hypot(player.sigma, TAU) for player in team] for team in teams]
    variances = [sum(sigma**2 for sigma in team) for team in spread]
    c = math.sqrt(sum(variance + BETA**2 for variance in variances))
    strengths = [math.exp(sum(player.mu for player in team) / c) for team in teams]
    sums = [sum(s for s, r in zip(strengths, ranks, strict=True) if r >= rank) for rank in ranks]
    after = []
    for i, team in enumerate(teams):
        omega = delta = 0.0
        for q, rank in enumerate(ranks):
            if rank <= ranks[i]:
                share, tied = strengths[i] / sums[q], ranks.count(rank)
                omega += ((i == q) - share) / tied
                delta += share * (1 - share) / tied
        omega *= variances[i] / c
        delta *= math.sqrt(variances[i]) / c * variances[i] / c**2
        parts = [sigma**2 / variances[i] for sigma in spread[i]]
        after.append(
            [
                (player.mu + part * omega, sigma * math.sqrt(max(1 - part * delta, KAPPA)))
                for player, sigma, part in zip(team, spread[i], parts, strict=True)
            ]
        )
    return after
