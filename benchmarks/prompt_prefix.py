"""How much of a prompt an API's cache can find again, from a scripted model.

Usage: ``python -m benchmarks.prompt_prefix [--matches 2]``. One profile sits in all seats of the quick preset. Moves
are made by chance, so that a match does not depend on what prompts say. A prompt is compared, from its beginning on,
with the earlier ones of its seat; the first has nothing in common.

- last: letters in common with the call before, of all letters
- best: letters in common with whichever earlier call has most, of all letters
- letters: of all prompts of a match
"""

from __future__ import annotations

import argparse
import os
import random
from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magic_site.settings")
django.setup()

from agents import headless, player  # noqa: E402  profiles are models: Django first
from agents.calls import Model  # noqa: E402
from agents.methods import METHODS, Method  # noqa: E402
from agents.providers import Completion, Provider  # noqa: E402
from agents.turns import situation  # noqa: E402
from games.rules import RULES  # noqa: E402
from games.rules.kit import WORDS, Trial  # noqa: E402
from games.rules.kit_samples import SAMPLES  # noqa: E402
from games.rules.random_play import random_action  # noqa: E402
from tests.model_server import Call  # noqa: E402
from tests.model_server.player import answer  # noqa: E402


class Scripted(Provider):
    """Answers by the schema alone."""

    name, default_key_env = "Scripted", ""

    def complete(self, messages, *, model, settings=None, schema=None):
        call = Call("openai", model, [("user", "anything")], schema=schema)
        return Completion(answer(call), structured=schema is not None)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=2)
    matches = parser.parse_args().matches
    print("{:<10}{:<20}{:>8}{:>8}{:>12}".format("method", "game", "last", "best", "letters"))
    whole = [0, 0, 0]
    for method in METHODS.values():
        for game in RULES:
            if method.plays(RULES[game]):
                counted = [count(prompts) for number in range(matches) for prompts in by_seat(method, game, number)]
                sums = [sum(column) for column in zip(*counted, strict=True)]
                whole = [one + other for one, other in zip(whole, sums, strict=True)]
                show(method.name, game, *sums, matches)
    show("all", "", *whole, matches)


def show(method: str, game: str, last: int, best: int, letters: int, matches: int) -> None:
    print(f"{method:<10}{game:<20}{last / letters:>8.1%}{best / letters:>8.1%}{letters / matches:>12,.0f}", flush=True)


def count(prompts: list[str]) -> tuple[int, int, int]:
    """Letters in common with the call before and with the best one, and all letters."""
    last = best = 0
    for n, prompt in enumerate(prompts):
        same = [common(prompt, earlier) for earlier in prompts[:n]]
        last += same[-1] if same else 0
        best += max(same, default=0)
    return last, best, sum(map(len, prompts))


def common(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return bisect_left(range(min(len(one), len(other))), True, key=lambda n: one[: n + 1] != other[: n + 1])


def by_seat(method: Method, game: str, number: int) -> list[list[str]]:
    """The prompts of one match with this method in all seats, seat by seat."""
    rules = RULES[game]
    preset, seats = rules.quick
    play = Trial(rules, SAMPLES[game], preset, seats, number + 1).begin()
    names = {seat.seat: seat.name for seat in play.header.seats}
    model = Model(Scripted(), "scripted")

    def decide(play, request, thoughts):
        where = situation(play, request, names, thoughts)
        decision = player.think(where, method=method, model=model, by="agent:x")
        rng = random.Random(f"{number}:{request.id}")
        return replace(decision, action=random_action(play, request, rng, WORDS))

    prompts: dict[int, list[str]] = defaultdict(list)
    for thought in headless.play_out(play, dict.fromkeys(names, decide)).thoughts:
        if thought.prompt:
            prompts[thought.seat].append(thought.prompt)
    return list(prompts.values())


if __name__ == "__main__":
    main()
