"""How house agents fare: whole matches in memory, each side's wins, against house agents and against random moves.

Usage: ``python -m benchmarks.house [--matches 100] [--game avalon] [--preset recon]``. For each preset and table size:
all house; then each side house against random moves on the other; then random moves on all sides. A random clue is any
word of the fixtures.
"""

import argparse
from collections import Counter
from collections.abc import Collection
from time import process_time

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from benchmarks.common import house_agent, rows_of
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

SIZES = {"party": (4, 7, 12)}
"""Table sizes of presets that are too many to try each."""


class Arm:
    """Matches in which the sides of ``house`` are played by house agents and the others at random."""

    def __init__(self, house: Collection[str]):
        self.house = house
        self.won: Counter[str] = Counter()
        self.matches = self.refused = 0

    def play(self, play: Play, at_random: headless.Mind) -> None:
        sides = play.rules.sides(play.state)
        played = headless.play_out(
            play, {seat: house_agent() if side in self.house else at_random for seat, side in sides.items()}
        )
        self.matches += 1
        self.refused += len(played.refusals) + len(played.attempts)
        self.won.update({sides[seat] for seat in play.state.outcome.winners})


def measure(game: str, preset: str, seats: int, matches: int) -> None:
    """Print one line for each arm of one table."""
    rules = RULES[game]
    pairs = rows_of("undercover") if game == "undercover" else [{}]
    at_random = headless.legal_at_random(sorted({word for pair in pairs for word in pair.values()}) or ["So be it."])

    def table(seed: int) -> Play:
        setting = pairs[seed % len(pairs)]
        header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting)
        return Play(rules, header)

    sides = sorted(set(rules.sides(table(0).state).values()))
    for house in (sides, *([side] for side in sides), []):
        arm, began = Arm(house), process_time()
        for seed in range(matches):
            arm.play(table(seed), at_random)
        wins = ", ".join(f"{side} {arm.won[side] / matches:6.1%}" for side in sides)
        label = "all house" if house == sides else f"house {house[0]}" if house else "all random"
        milliseconds = 1000 * (process_time() - began) / matches
        print(
            f"{game} {preset} {seats:2}  {label:17} {wins}  n = {arm.matches}, "
            f"refused {arm.refused}, {milliseconds:.0f} ms a match",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=100)
    options.add_argument("--game", choices=("avalon", "undercover"))
    options.add_argument("--preset")
    chosen = options.parse_args()
    for game in (chosen.game,) if chosen.game else ("undercover", "avalon"):
        for name, preset in RULES[game].presets.items():
            if chosen.preset in (None, name):
                for seats in SIZES.get(name, range(preset.low, preset.high + 1)):
                    measure(game, name, seats, chosen.matches)


if __name__ == "__main__":
    main()
