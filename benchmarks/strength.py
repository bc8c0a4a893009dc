"""How much better a hard house agent plays than a normal one, and that than an easy one: whole matches in memory.

Usage: ``python -m benchmarks.strength [--matches 1000] [--game avalon] [--processes 2]``. Seeds are fixed: the deals
are the same for every pair.

Games of hidden roles are duels. Each deal is played twice: once the stronger agents have all seats of the one side and
the weaker ones those of the other, and once the other way round. Printed is how often the stronger side won (nobody
wins: a half), of all matches and of those on each side.

In games of points and in Cost Sharing one seat is played at each of the two strengths, the same seat of the same deal,
among normal agents. Printed are that seat's points at both, and how often it had the most points of all (for as many
seats as have them; in Cost Sharing: how often there was an agreement).

Intervals are of 95%, over deals, from the paired differences.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from multiprocessing import get_context
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from agents.house.strength import EASY, HARD, NORMAL
from agents.models import AgentProfile
from benchmarks.common import GAMES, rows_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Impossible

PAIRS = ((HARD, NORMAL), (NORMAL, EASY), (HARD, EASY))
MORE = {"avalon": (("recon", 6),)}
"""Tables that are played beside the usual one of a game."""


Deals = Sequence[tuple[float, float]]
"""Two numbers of each deal."""


class Table(NamedTuple):
    game: str
    preset: str
    seats: int

    def __str__(self) -> str:
        return f"{self.game} {self.preset}, {self.seats} seats"


class Figure(NamedTuple):
    """A mean over deals with half its interval of 95%."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Figure":
        mean = sum(values) / len(values)
        spread = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
        return cls(mean, 1.96 * math.sqrt(spread / len(values)))

    def percent(self) -> str:
        return f"{100 * self.mean:.1f}% ±{100 * self.half:.1f}"

    def points(self, factor: float = 1) -> str:
        return f"{factor * self.mean:+.2f} ±{factor * self.half:.2f}"


@cache
def mind(strength: str) -> headless.Mind:
    """A house agent of this strength that keeps no more than its move takes."""
    return headless.of_profile(
        AgentProfile(name="house", provider="house", method="house", switches={"hops": 1, "strength": strength})
    )


def dealt(table: Table, seed: int) -> Play:
    """The deal of this seed, drawn as at a table."""
    rules = RULES[table.game]
    options = rules.options(table.preset, {}, table.seats)
    rows = rows_of(table.game) if (GAMES / table.game / "settings.json").exists() else []
    random.Random(f"{seed}:setting").shuffle(rows)
    setting: dict[str, Any] = {}
    for row in rows:
        try:
            rules.check_setting(options, row)
        except Impossible:
            continue
        setting = rules.drawn(row, rows)
        break
    seats = agents_and_people(0, table.seats)
    return Play(rules, new_header(rules, table.preset, seats=seats, seed=seed, setting=setting))


def duel(table: Table, seed: int, stronger: str, weaker: str) -> tuple[float, float]:
    """How far the stronger agents won as the side that is sought, and as the others: 1, 0, or 0.5 where nobody won."""
    rules, shares = RULES[table.game], []
    for as_sought in (True, False):
        play = dealt(table, seed)
        sides = rules.sides(play.state)
        sought = {seat for seat, side in sides.items() if side != rules.seeking}
        mine = sought if as_sought else set(sides) - sought
        minds = {seat: mind(stronger if seat in mine else weaker) for seat in sides}
        winners = set(headless.play_out(play, minds).play.state.outcome.winners)
        shares.append(0.5 if not winners else float(bool(winners & mine)))
    return shares[0], shares[1]


def alone(table: Table, seed: int, strength: str) -> tuple[float, float]:
    """A seat's points and whether nobody had more, for one that plays at this strength among normal agents."""
    seat = 1 + seed % table.seats
    play = dealt(table, seed)
    minds = {number: mind(strength if number == seat else NORMAL) for number in play.header.names}
    outcome = headless.play_out(play, minds).play.state.outcome
    return outcome.returns[seat], float(seat in outcome.winners)


def tables(game: str) -> Iterator[Table]:
    rules = RULES[game]
    for preset, seats in (rules.players, *MORE.get(game, ())):
        yield Table(game, preset, seats)


def report_duel(table: Table, pair: tuple[str, str], played: Deals) -> str:
    as_sought, as_others, both = ([*column] for column in zip(*((a, b, (a + b) / 2) for a, b in played), strict=True))
    won = Figure.of(both)
    rules = RULES[table.game]
    sides = f"as {rules.sought} {Figure.of(as_sought).percent()}, as {rules.seeking} {Figure.of(as_others).percent()}"
    ahead = f"ahead by {100 * (2 * won.mean - 1):+.1f} ±{200 * won.half:.1f} points"
    return f"{pair[0]} beats {pair[1]} in {won.percent()}, {ahead} ({sides}), n = {2 * len(played)} matches"


def report_alone(
    pair: tuple[str, str], one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]
) -> str:
    points = Figure.of([a[0] - b[0] for a, b in zip(one, other, strict=True)])
    wins = Figure.of([a[1] - b[1] for a, b in zip(one, other, strict=True)])
    means = [[Figure.of([deal[place] for deal in deals]).mean for place in (0, 1)] for deals in (one, other)]
    return (
        f"{pair[0]} {means[0][0]:.2f} points and {pair[1]} {means[1][0]:.2f}: {points.points()}; "
        f"won {means[0][1]:.1%} and {means[1][1]:.1%}: {wins.points(100)} points; n = {len(one)} matches each"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=1000)
    options.add_argument("--game", choices=tuple(RULES))
    options.add_argument("--processes", type=int, default=1)
    chosen = options.parse_args()
    with get_context("fork").Pool(chosen.processes) as pool:
        for game in (chosen.game,) if chosen.game else RULES:
            for table in tables(game):
                began = perf_counter()
                print(table, flush=True)
                if RULES[game].sought:
                    for pair in PAIRS:
                        deals = [(table, seed, *pair) for seed in range(1, chosen.matches // 2 + 1)]
                        print("  " + report_duel(table, pair, pool.starmap(duel, deals, 5)), flush=True)
                else:
                    at = {
                        strength: pool.starmap(alone, [(table, n, strength) for n in range(1, chosen.matches + 1)], 5)
                        for strength in (HARD, NORMAL, EASY)
                    }
                    for pair in PAIRS:
                        print("  " + report_alone(pair, at[pair[0]], at[pair[1]]), flush=True)
                print(f"  {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
