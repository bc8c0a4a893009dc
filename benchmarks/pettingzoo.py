"""Random matches through PettingZoo beside the same on the plain rules, in one run: seconds of processor time.

python -m benchmarks.pettingzoo [--matches 100]
"""

import argparse
import random
import time
from typing import Any

from games.pettingzoo import MagicTable, dealt
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.random_play import random_action

TABLES: list[tuple[str, dict[str, Any]]] = [*((game, {}) for game in RULES), ("avalon", {"discussion": "none"})]


def through_it(env: MagicTable, matches: int) -> int:
    """Play matches of random legal moves; returns how many moves that were."""
    moves = 0
    for seed in range(matches):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            _observation, _reward, terminated, _truncated, info = env.last()
            env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))
            moves += not terminated
    return moves


def plain(env: MagicTable, matches: int) -> int:
    """The same without it."""
    moves = 0
    for seed in range(matches):
        play, rng = dealt(env.rules, env.preset, env.seats, seed, env.options), random.Random(seed)
        while not play.over:
            request = next(request for request in play.state.open.values() if request.waits)
            play.act(request.seat, request.id, random_action(play, request, rng, WORDS), "agent")
            moves += 1
    return moves


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=100)
    matches = options.parse_args().matches
    for game, more in TABLES:
        env = MagicTable(game, **more)
        took = []
        for way in (plain, through_it):
            began = time.process_time()
            moves = way(env, matches)
            took.append(1e6 * (time.process_time() - began) / moves)
        print(
            f"{game} {more or ''}: {took[0]:.0f} µs a move by the rules, {took[1]:.0f} µs through PettingZoo, "
            f"{took[1] / took[0]:.1f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
