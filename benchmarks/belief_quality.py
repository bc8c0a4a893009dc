"""How good the exact posterior's beliefs are on recorded games of people: who is evil, as each loyal servant sees it.

Usage: ``MAGIC_DATA=<folder> python -m benchmarks.belief_quality``

Two-fold: the table of behaviour is fitted on every second game and judged on the others, then the other way round, so
no game is judged by a table that has seen it. Judged is P(evil) about each other seat after each quest, by log loss (in
nats, clipped as the metrics do) and Brier score; beside it a guess that knows only how many are evil, and the posterior
by logic alone, which knows the rules and no habits. Intervals draw whole games.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from benchmarks.fit_avalon_behaviour import RecordedGame, fit, recorded
from evaluation.metrics import Mean
from evaluation.metrics.beliefs import brier, log_loss
from games.avalon.posterior.behaviour import Behaviour
from games.avalon.posterior.exact import EVIL, Knowledge, Posterior, PublicRecord

QUESTS = 5
SCORES = {"log loss": log_loss, "Brier": brier}
Believer = Callable[[PublicRecord, Knowledge], np.ndarray]


def uniform(record: PublicRecord, knowledge: Knowledge) -> np.ndarray:
    """Every other seat is as likely evil as the next."""
    evil = sum(role in EVIL for role in record.roles)
    return np.full(record.seats, evil / (record.seats - 1))


def logic(record: PublicRecord, knowledge: Knowledge) -> np.ndarray:
    """What the rules alone allow to conclude."""
    return Posterior(record, knowledge).evil()


def judged(games: Sequence[RecordedGame], believes: Believer) -> Iterator[tuple[RecordedGame, int, float, bool]]:
    """(game, quest, P(evil), is evil) of each other seat, as each servant sees it after each quest."""
    for game in games:
        for end, proposal in enumerate(game.proposals, 1):
            if proposal.fails is None:
                continue
            record = PublicRecord(game.roles, game.proposals[:end])
            for seat, role in enumerate(game.roles, 1):
                if role == "servant":
                    evil = believes(record, Knowledge(seat, role))
                    for other, other_role in enumerate(game.roles, 1):
                        if other != seat:
                            yield game, proposal.quest, float(evil[other - 1]), other_role in EVIL


def _by_behaviour(behaviour: Behaviour, record: PublicRecord, knowledge: Knowledge) -> np.ndarray:
    return Posterior(record, knowledge, behaviour).evil()


def main() -> None:
    games = recorded()
    found: dict[tuple[str, str, int], Mean] = {}
    for half in range(2):
        behaviour = fit(games[half::2])
        believers: dict[str, Believer] = {
            "uniform": uniform,
            "logic only": logic,
            "behaviour": partial(_by_behaviour, behaviour),
        }
        for name, believes in believers.items():
            for game, quest, p, truth in judged(games[1 - half :: 2], believes):
                for score, of in SCORES.items():
                    for part in (0, quest):
                        found.setdefault((name, score, part), Mean()).count(id(game), of(p, truth), 1)
    print(f"{len(games)} games, fitted on one half and judged on the other, both ways")
    print(f"{'':24}{'all':>8} {'':16}" + "".join(f"{f'quest {quest}':>10}" for quest in range(1, QUESTS + 1)))
    for score in SCORES:
        for name in ("uniform", "logic only", "behaviour"):
            total = found[name, score, 0]
            low, high = total.interval() or (math.nan, math.nan)
            by_quest = "".join(f"{found[name, score, quest].value:10.3f}" for quest in range(1, QUESTS + 1))
            print(f"{score:10}{name:14}{total.value:8.3f} [{low:.3f}, {high:.3f}]{by_quest}")
        print(f"{'':10}n = {found['behaviour', score, 0].n}")


if __name__ == "__main__":
    main()
