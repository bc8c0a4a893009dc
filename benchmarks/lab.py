"""How true the lab is, and how quick.

    python -m benchmarks.lab planted [--positions 1000]    how often the 95% interval covers a known difference
    python -m benchmarks.lab seconds [--rollouts 64]       three arms of house Avalon, and what common numbers save

A planted position is a pair of chances to win whose difference is known: both matches of a pair are won or lost by the
same draw, or for a share of the pairs by draws of their own, as common random numbers do it. Points are planted in the
same way, as a common draw, one of each arm's own and a known difference.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents.reviews.rollouts import Action, Forked, Mind
from benchmarks.fit_odds import played
from evaluation.lab.counted import Difference, difference, ending, rows
from games.registry import RULES
from games.rules.play import Play

PAIRS = (64, 256)
POSITIONS = (
    ("avalon", "recon", 6, "team_vote"), ("avalon", "official", 5, "team"), ("undercover", "party", 5, "vote"),
    ("chameleon", "party", 5, "vote"), ("spygame", "party", 6, "lead"), ("cost_sharing", "magic", 3, "proposal"),
)  # fmt: skip
"""Where the factor of common random numbers is measured: the first such move of a match."""
SEED = 20_000_000


def planted(positions: int) -> None:
    """Coverage over positions, each with its own chances, and how far the pairs hang together."""
    for name, plant in (("matches won", won), ("points", points)):
        for pairs in PAIRS:
            rng = np.random.default_rng(pairs)
            covered, factors = 0, []
            for _position in range(positions):
                truth, found = plant(rng, pairs)
                low, high = found.interval or (0.0, 0.0)
                covered += low <= truth <= high
                factors += [found.factor] if found.factor else []
            share, middle = covered / positions, float(np.median(factors))
            print(
                f"{name}, {pairs} rollouts: the 95% interval covers the planted difference in {covered} of {positions} "
                f"positions ({share:.1%}); variance cut {middle:.1f} times in the middle",
                flush=True,
            )


def won(rng: np.random.Generator, pairs: int) -> tuple[float, Difference]:
    """A planted difference of shares of matches won, and what the lab makes of so many pairs."""
    chance, other = rng.uniform(0.1, 0.9, size=2)
    drawn = rng.random((2, pairs))
    common = np.where(rng.random(pairs) < rng.uniform(0, 1), drawn[0], drawn[1])
    return chance - other, difference(1.0 * (common < chance), 1.0 * (drawn[0] < other), shares=True)


def points(rng: np.random.Generator, pairs: int) -> tuple[float, Difference]:
    """The same of points."""
    common, own = rng.uniform(0, 10, size=2)
    by = rng.normal(0, 5)
    both, mine, base = rng.normal(size=(3, pairs))
    return by, difference(by + common * both + own * mine, common * both + own * base, shares=False)


def seconds(rollouts: int) -> None:
    """Three arms at one vote of Avalon, in this one process; then what common numbers save at one move of each game."""
    for talks in (False, True):
        forked = at("avalon", "recon", 6, "team_vote")
        arms = [forked.own, forked.others()[0], None]
        began = time.process_time()
        found = [[ending(run(forked, action, n, talks)) for action in arms] for n in range(rollouts)]
        took = time.process_time() - began
        how = "talk" if talks else "do not talk"
        print(f"avalon recon 6, {rollouts} rollouts x 3 arms, house agents {how}: {took:.1f} s of one core", flush=True)
    for game, preset, seats, kind in POSITIONS:
        forked = at(game, preset, seats, kind)
        others = [other for other in forked.others() if other is not None]
        if not others:
            continue
        shares = bool(RULES[game].sought)
        found = [[ending(run(forked, action, n)) for action in (forked.own, others[0])] for n in range(rollouts)]
        told = [row.difference for row in rows(found, shares)[1] if row.difference and row.difference.factor]
        factor = f"{np.mean([one.factor for one in told]):.2f}" if told else "the arms never differed"
        print(f"{game} {preset}, another {kind}: factor of the variance {factor}, n = {rollouts}", flush=True)


def at(game: str, preset: str, seats: int, kind: str) -> Forked:
    """A match of house agents before its first move of a kind."""
    play = played(RULES[game], preset, seats, SEED)
    return Forked(play, next(event for event in play.log if event.kind == kind and event.request))


def run(forked: Forked, action: Action, number: int, talks: bool = False) -> Play:
    """One match played on."""
    minds = dict.fromkeys(forked.play.header.names, Mind(forked.request.id, talks=talks))
    return forked.played_on(action, number, minds).play


PARTS: dict[str, tuple[Callable[[int], None], str]] = {
    "planted": (planted, "positions"),
    "seconds": (seconds, "rollouts"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("part", choices=PARTS, nargs="?")
    options.add_argument("--positions", type=int, default=1000)
    options.add_argument("--rollouts", type=int, default=64)
    chosen = options.parse_args()
    for name, (part, size) in PARTS.items():
        if chosen.part in (None, name):
            part(getattr(chosen, size))


if __name__ == "__main__":
    main()
