"""Fits how hard house agents of Avalon expect others to act: half as people do, half as normal house agents do.

Usage: ``python -m benchmarks.fit_house_behaviour [--matches 60] [--write]``. So many matches are played of each of
`TABLES`. The table of people (`games/avalon/posterior/behaviour.json`), which metrics go by, stays as it is.
"""

import argparse
import json
from dataclasses import replace

import numpy as np

from benchmarks.strength import Table, dealt, mind

# isort: split
from agents import headless
from agents.house.strength import NORMAL
from benchmarks.fit_avalon_behaviour import RecordedGame, fit, on_one_line
from games.avalon.house.position import PLAYERS_FILE
from games.avalon.posterior.behaviour import Behaviour, fitted
from games.avalon.posterior.seen import Seen

TABLES = (("classic", 6), ("recon", 6), ("official", 5), ("official", 6), ("official", 7), ("official", 8))
FIRST_SEED = 100_001
TOLD = ("opened", "proposing", "team", "voted", "quested")
TEMPER = 0.5
"""What is seen of house agents is a little less entangled than what people do (0.4)."""
SURE = 0.02
"""No frequency is taken to be nearer to 0 or 1."""


def game(table: Table, seed: int) -> RecordedGame:
    """A match of normal house agents, as the table of behaviour is fitted on."""
    play = dealt(table, seed)
    headless.play_out(play, dict.fromkeys(play.header.names, mind(NORMAL)))
    seen = Seen(0).fold(event for event in play.log if event.kind in TOLD)
    return RecordedGame(tuple(play.rules.deal(play.state)["roles"]), tuple(seen.proposals))


def halved(people: Behaviour, house: Behaviour) -> Behaviour:
    """Half the one, half the other."""

    def mean(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return (one + other) / 2

    return replace(
        people,
        approve=mean(people.approve, house.approve),
        takes_itself=np.clip(mean(people.takes_itself, house.takes_itself), SURE, 1 - SURE),
        team_weight=np.sqrt(people.team_weight * np.maximum(house.team_weight, SURE)),
        fails=mean(people.fails, house.fails),
        vote_temper=TEMPER,
        proposal_temper=TEMPER,
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=60)
    options.add_argument("--write", action="store_true", help="keep the table")
    chosen = options.parse_args()
    games = [
        game(Table("avalon", preset, seats), FIRST_SEED + number)
        for preset, seats in TABLES
        for number in range(chosen.matches)
    ]
    told = on_one_line(json.dumps(halved(fitted(), fit(games)).to_json(), indent=2))
    if chosen.write:
        PLAYERS_FILE.write_text(told + "\n", encoding="utf-8")
    print(told)


if __name__ == "__main__":
    main()
