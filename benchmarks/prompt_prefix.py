"""How much of a prompt an API's cache can find again, from a scripted model.

Usage: ``python -m benchmarks.prompt_prefix [--matches 1]``. One profile sits in all seats of the quick preset. Moves
are made by chance, so that a match does not depend on what prompts say. A call's prompt is compared, from its beginning
on, with the earlier ones of its match.

- seat: letters in common with the call before at the same seat, of all letters
- best: letters in common with whichever earlier call of the match has most, of all letters
- letters: of all prompts of a match
"""

import argparse
import random
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless, player
from agents.calls import Model
from agents.methods import METHODS, Method
from agents.turns import situation
from benchmarks.common import dealt
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.random_play import random_action
from tests.agents.method_scenes import ByStage


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=1)
    matches = parser.parse_args().matches
    print("{:<10}{:<20}{:>8}{:>8}{:>12}".format("method", "game", "seat", "best", "letters"))
    whole = [0, 0, 0]
    for method in METHODS.values():
        for game in RULES:
            if method.plays(RULES[game]):
                counted = [count(asked(method, game, number)) for number in range(matches)]
                sums = [sum(column) for column in zip(*counted, strict=True)]
                whole = [one + other for one, other in zip(whole, sums, strict=True)]
                show(method.name, game, sums, matches)
    show("all", "", whole, matches)


def show(method: str, game: str, counts: Sequence[int], matches: int) -> None:
    seat, best, letters = counts
    print(f"{method:<10}{game:<20}{seat / letters:>8.1%}{best / letters:>8.1%}{letters / matches:>12,.0f}", flush=True)


def count(calls: list[tuple[int, str]]) -> tuple[int, int, int]:
    """Letters in common with the call before at the same seat and with the best one, and all letters."""
    of_seat = best = 0
    for n, (seat, prompt) in enumerate(calls):
        same = [(other, common(prompt, earlier)) for other, earlier in calls[:n]]
        of_seat += next((letters for other, letters in reversed(same) if other == seat), 0)
        best += max((letters for _, letters in same), default=0)
    return of_seat, best, sum(len(prompt) for _, prompt in calls)


def common(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return bisect_left(range(min(len(one), len(other))), True, key=lambda n: one[: n + 1] != other[: n + 1])


def asked(method: Method, game: str, number: int) -> list[tuple[int, str]]:
    """The seat and the prompt of each call in a match with this method in all seats."""
    play, model = dealt(game, *RULES[game].quick, number + 1), Model(ByStage(), "scripted")
    names = play.header.names

    def decide(play, request, thoughts):
        where = situation(play, request, names, thoughts)
        decision = player.think(where, method=method, model=model, by="agent:x")
        rng = random.Random(f"{number}:{request.id}")
        return replace(decision, action=random_action(play, request, rng, WORDS))

    played = headless.play_out(play, dict.fromkeys(names, decide))
    return [(thought.seat, thought.prompt) for thought in played.thoughts if thought.prompt]


if __name__ == "__main__":
    main()
