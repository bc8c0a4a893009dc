"""The small real model of `make local-model` plays every game to its end: how often do its replies count?

Usage: ``python -m benchmarks.local_model [--each 6] [--methods direct,cot] [--games ...]``. It starts the server itself
(`requirements-local-model.txt` must be installed) and plays a match of each game to its end, on a deal of the test kit.
With `--each` the model answers that many requests of each kind, and the further ones are answered by random legal
moves. Two ways to ask: held to the request's schema by the server ("schema"), and told the form in words alone
("words"), which shows what the model makes of the prompt. A reply counts if it can be read, the rules take it and the
guard lets it through. The model is weak: who wins says nothing, and is not printed.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless, local_model, player, turns
from agents.calls import Model
from agents.methods import METHODS
from agents.providers import load
from benchmarks.common import dealt
from games.registry import RULES
from games.rules.kit import WORDS
from magic_site.parts import end

PATIENCE = 1800
"""Seconds for a decision: how fast the machine is says nothing here."""
SETTINGS = {"max_tokens": 60, "timeout": PATIENCE, "silence": PATIENCE, "temperature": 0.7, "seed": 1}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.local_model", description=__doc__)
    parser.add_argument("--each", type=int, default=0, help="so many requests of each kind at most; 0: all")
    parser.add_argument("--methods", default="direct", help="separated by commas")
    parser.add_argument("--games", default="", help="separated by commas; all of them by default")
    parser.add_argument("--ways", default="schema,words", help="how the form is asked for: words, schema")
    parser.add_argument("--port", type=int, default=8095)
    parser.add_argument("--threads", type=int, default=1, help="of the model's server")
    chosen = parser.parse_args()
    player.PATIENCE = PATIENCE
    games = chosen.games.split(",") if chosen.games else list(RULES)
    with served(chosen.port, chosen.threads) as address:
        for method in chosen.methods.split(","):
            for way in chosen.ways.split(","):
                print(f"{method}, the form asked for by {way}", flush=True)
                report(address, method, way, games, chosen.each)


def report(address: str, method: str, way: str, games: Sequence[str], each: int) -> None:
    """A line for each game: the shares of legal replies, and how many requests they are of."""
    print(f"  {'game':<20} {'requests':>8} {'legal at first':>15} {'after 2nd try':>14} {'seconds':>8}")
    every: Counter[str] = Counter()
    for game in games:
        began = time.monotonic()
        counts = play(game, method, way, address, each)
        every += counts
        print(f"  {game:<20} {shares(counts)} {time.monotonic() - began:>8.0f}", flush=True)
    print(f"  {'all':<20} {shares(every)}", flush=True)


def shares(counts: Counter[str]) -> str:
    asked = counts.total()
    return f"{asked:>8} {counts['first'] / asked:>15.1%} {1 - counts['never'] / asked:>14.1%}"


def play(game: str, method: str, way: str, address: str, each: int) -> Counter[str]:
    """One match of the model against itself: its requests by the try that counted."""
    provider = load("openai")(address, "")
    if way == "words":
        vars(provider)["structures"] = {"chat": ()}
    model = Model(provider, local_model.NAME, SETTINGS)
    table = dealt(game)
    names = table.header.names
    counts: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    at_random = headless.legal_at_random(list(WORDS))

    def mind(match, request, thoughts):
        asked[request.kind] += 1
        if each and asked[request.kind] > each:
            return at_random(match, request, thoughts)
        at = turns.situation(match, request, names, thoughts)
        decision = player.think(at, method=METHODS[method], model=model, by="agent:local")
        if decision.unanswered:
            raise RuntimeError(f"{game}: {decision.unanswered.sentence}")
        if any(thought.attempts for thought in decision.thoughts):
            counts["never" if decision.action is None else "second" if decision.attempts else "first"] += 1
        return decision

    headless.play_out(table, dict.fromkeys(names, mind))
    return counts


@contextmanager
def served(port: int, threads: int) -> Iterator[str]:
    """The model's server, until the block ends; gives its base URL."""
    with tempfile.TemporaryDirectory() as place:
        part = local_model.server(port, Path(place) / "log", threads)
        part.start()
        try:
            local_model.load(part, port)
            yield local_model.address(port)
        finally:
            end([part], within=3)


if __name__ == "__main__":
    main()
