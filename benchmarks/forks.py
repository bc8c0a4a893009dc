"""Does a fork at any event of any match end, and does its log give its state?

Usage: ``python -m benchmarks.forks [--matches 50] [--seed 1] [game ...]``. Of each game so many matches are played at
random, of all presets and sizes that the test kit has; at each of their events a fork begins that is played to its end
at random with a seed of its own. Whatever does not hold is printed, and ends the run with status 1.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from games.registry import RULES
from games.rules import kit
from games.rules.core import fold
from games.rules.play import Play
from games.rules.values import OMNISCIENT


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.forks", description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    failures = 0
    for game in chosen.games or RULES:
        began, forks = time.monotonic(), 0
        for number in range(chosen.seed, chosen.seed + chosen.matches):
            play = played(game, number)
            for seq, trouble in forked(play):
                forks += 1
                if trouble:
                    failures += 1
                    print(f"{game} {play.header.preset}, match {number}, event {seq}: {trouble}", flush=True)
        print(f"{game:18} {chosen.matches} matches, {forks} forks   ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{failures} failures")
    sys.exit(failures > 0)


def played(game: str, number: int) -> Play:
    """A match of the game, of any of its presets and sizes, played at random; the same for the same number."""
    cases = list(kit.kit_cases(RULES[game]))
    return kit.play_through(replace(random.Random(f"forks:{number}").choice(cases), seed=number))


def forked(play: Play) -> Iterator[tuple[int, str]]:
    """Of each event of a match: its seq, and what is wrong with the fork that begins there ("" for nothing)."""
    for seq in range(1, len(play.log) + 1):
        yield seq, _trouble(play, seq)


def _trouble(play: Play, seq: int) -> str:
    fork = play.fork(seq, seed=seq)
    if fork.log[:seq] != play.log[:seq]:
        return "it does not begin with the log that it was made of"
    try:
        kit.finish(fork, random.Random(seq))
    except (AssertionError, RuntimeError) as error:
        return str(error)
    refolded = fold(fork.rules, fork.options, fork.visible(OMNISCIENT))
    return "" if vars(refolded) == vars(fork.state) else "its log does not give its state"


if __name__ == "__main__":
    main()
