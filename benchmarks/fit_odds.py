"""Fits the quick curve of a match (`agents/reviews/odds.py`) on matches of house agents.

Usage: ``python -m benchmarks.fit_odds [--game avalon] [--matches 2000] [--write]``. Matches go round the game's presets
and numbers of seats. A fifth of them is held out and says how well the rest fits; ``--write`` fits all and keeps it.
"""

import argparse
import random
from collections.abc import Iterator

import numpy as np

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
import json

from agents import headless
from agents.reviews import odds
from benchmarks.common import GAMES, house_agent, rows_of
from benchmarks.fit_avalon_behaviour import on_one_line
from games.registry import RULES
from games.rules import values
from games.rules.core import Rules
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import PUBLIC

RIDGE = 10.0
BINS = 10
MOST_SEATS = 8
"""Larger tables take long, and are seldom."""

Row = tuple[tuple[float, ...], bool, int]
"""The numbers, whether the side won, and which match it was."""


def tables(rules: Rules) -> list[tuple[str, int]]:
    """The presets and numbers of seats that are played."""
    return [
        (name, seats)
        for name, preset in rules.presets.items()
        for seats in range(preset.low, min(preset.high, MOST_SEATS) + 1)
    ]


def dealt(rules: Rules, preset: str, seats: int, seed: int) -> Play:
    """A table of house agents, on a setting drawn by the seed."""
    rows = rows_of(rules.family) if (GAMES / rules.family / "settings.json").exists() else [{}]
    chance = random.Random(f"{rules.name}:{preset}:{seats}:{seed}")
    while True:
        setting = rules.drawn(chance.choice(rows), rows)
        try:
            header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, setting=setting)
        except values.Impossible:
            continue
        return Play(rules, header)


def played(rules: Rules, preset: str, seats: int, seed: int) -> Play:
    """A match of house agents, played to its end."""
    play = dealt(rules, preset, seats, seed)
    headless.play_out(play, dict.fromkeys(range(1, seats + 1), house_agent()))
    return play


def rows(rules: Rules, plays: Iterator[Play]) -> Iterator[Row]:
    """What the curve of each match is made of, and how that match ended."""
    for number, play in enumerate(plays):
        seen = play.visible(PUBLIC)
        end = play.log[-1]
        for _seq, numbers in odds.standings(rules, play.options, end.data["deal"], seen):
            yield numbers, odds.won(rules, end), number


def fit(features: tuple[str, ...], found: list[Row], passes: int = 30) -> odds.Odds:
    """The regression, by Newton's method; each match weighs the same however many rows it has."""
    numbers = np.array([row[0] for row in found], dtype=float)
    wins = np.array([row[1] for row in found], dtype=float)
    match = np.array([row[2] for row in found])
    counts = np.bincount(match)
    weight = counts[counts > 0].mean() / np.maximum(counts, 1)[match]
    middle, spread = numbers.mean(axis=0), numbers.std(axis=0)
    spread[spread == 0] = 1
    design = odds.expanded((numbers - middle) / spread)
    weights = np.zeros(design.shape[1])
    ridge = np.full(len(weights), RIDGE)
    ridge[0] = 0
    for _ in range(passes):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (weight * (wins - chance)) - ridge * weights
        curve = (design * (weight * chance * (1 - chance))[:, None]).T @ design + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return odds.Odds(features, middle, spread, weights, int(match.max()) + 1)


def scores(shares: np.ndarray, wins: np.ndarray) -> tuple[float, float, float]:
    """Brier score, that of the base rate, and the expected calibration error in tenths."""
    brier, base = float(((shares - wins) ** 2).mean()), float(wins.mean() * (1 - wins.mean()))
    tenth = np.minimum((shares * BINS).astype(int), BINS - 1)
    gaps = [abs(shares[tenth == n].mean() - wins[tenth == n].mean()) * (tenth == n).mean() for n in set(tenth.tolist())]
    return brier, base, float(sum(gaps))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--game", choices=[rules.name for rules in RULES.values() if rules.sought])
    options.add_argument("--matches", type=int, default=2000)
    options.add_argument("--write", action="store_true", help="keep the fit")
    chosen = options.parse_args()
    for rules in RULES.values():
        if not rules.sought or chosen.game not in (None, rules.name):
            continue
        at = tables(rules)
        plays = (played(rules, *at[seed % len(at)], seed) for seed in range(chosen.matches))
        found = list(rows(rules, plays))
        features = rules.part("house.review").FEATURES
        held = [row for row in found if row[2] % 5 == 0]
        tried = fit(features, [(row[0], row[1], row[2]) for row in found if row[2] % 5])
        wins = np.array([row[1] for row in held], dtype=float)
        brier, base, error = scores(tried.shares(np.array([row[0] for row in held], dtype=float)), wins)
        print(
            f"{rules.name}: Brier {brier:.3f} (base rate {base:.3f}), ECE {error:.3f}, n = {len(held)} moments of "
            f"{len({row[2] for row in held})} matches held out of {chosen.matches}",
            flush=True,
        )
        if chosen.write:
            text = json.dumps(fit(features, found).to_json(), indent=1)
            odds.file_of(rules).write_text(on_one_line(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
