"""Every game by random legal moves, beside games of chatarena and TextArena where those packages are installed.

Usage: ``python -m benchmarks.games``. The others are yardsticks, no dependencies: put them into an environment of their
own (`pip install textarena chatarena pettingzoo pygame`) and run this file with it; the rules need nothing but Python.
Counted are moves a second of processor time, each figure the best of several turns, taken in one run. What is played
differs between the packages (theirs keep messages, ours a log that can be replayed): read it as orders of magnitude.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from games.rules import RULES, values
from games.rules.kit import WORDS
from games.rules.kit_samples import SAMPLES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.random_play import random_action

SECONDS = 0.5
TURNS = 3
NAMES = ("Ann", "Ben", "Cleo")


def main() -> None:
    print("moves a CPU second by random legal moves, log in memory")
    for rules in RULES.values():
        for preset, chosen in rules.presets.items():
            header = header_of(rules.name, preset, chosen.low)
            print(f"  {rules.name} {preset}, {chosen.low} seats: {rate(lambda h=header: play(h)):,.0f}")
    for name, game in (("chatarena Chameleon, 3 seats", chatarena), ("TextArena ThreePlayerIPD", textarena_dilemma)):
        try:
            print(f"  {name}: {rate(game):,.0f}")
        except ImportError as error:
            print(f"  {name}: not measured, {error.name} is not installed")


def header_of(game: str, preset: str, seats: int) -> values.Header:
    """A header with the deal that the test kit tries the game with."""
    rules = RULES[game]
    setting = SAMPLES[game].setting(rules.options(preset, {}, seats), random.Random(1))
    return new_header(rules, preset, seats=agents_and_people(seats, 0), seed=1, setting=setting)


def rate(game: Callable[[], int]) -> float:
    """Moves a second of processor time; `game` plays one match and returns its moves."""
    game()
    best = 0.0
    for _ in range(TURNS):
        moves, began = 0, time.process_time()
        while (spent := time.process_time() - began) < SECONDS:
            moves += game()
        best = max(best, moves / spent)
    return best


def play(header: values.Header) -> int:
    """One match of ours."""
    rng = random.Random(header.seed)
    match = Play(RULES[header.game], header)
    moves = 0
    while not match.over:
        request = next(request for request in match.state.open.values() if request.waits)
        match.act(request.seat, request.id, random_action(match, request, rng, WORDS))
        moves += 1
    return moves


def chatarena() -> int:
    """One game of chatarena's Chameleon."""
    from chatarena.environments.chameleon import Chameleon

    table = Chameleon(player_names=list(NAMES))
    moves, over = 0, False
    while not over:
        player = table.get_next_player()
        over = table.step(player, random.choice([name for name in NAMES if name != player])).terminal
        moves += 1
    return moves


def textarena_dilemma() -> int:
    """One game of TextArena's iterated dilemma for three, without its turns of talk."""
    from textarena.envs.ThreePlayerIPD.env import ThreePlayerIPDEnv

    table = ThreePlayerIPDEnv(num_rounds=5, communication_turns=1)
    table.reset(num_players=3, seed=1)
    moves, over = 0, False
    while not over:
        seat = table.state.current_player_id
        words = (f"[{other} {random.choice(('cooperate', 'defect'))}]" for other in range(3) if other != seat)
        over, _ = table.step(" ".join(words))
        moves += 1
    return moves


if __name__ == "__main__":
    main()
