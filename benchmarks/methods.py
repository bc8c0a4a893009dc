"""What each reasoning method costs in each game, from a scripted model: nothing here says how well a real one plays.

Usage: ``python -m benchmarks.methods [--matches 3] [--malformed 0.2]``. One profile sits in all seats of the quick
preset. Two tables, the second with a share of the replies spoiled:

- compliance: replies that were legal at the first try, of all replies
- calls, depth: model calls of a decision, and how many of them wait for one another
- tokens: of a match, read and written
- defaults: moves that the table had to play, of all
"""

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless, player
from agents.calls import Model
from agents.methods import METHODS, Method
from agents.providers import connect
from agents.situation import Decision
from agents.turns import situation
from benchmarks.common import dealt
from games.registry import RULES
from games.rules.play import Play
from games.rules.schema import Cost
from tests.model_server import Call, ModelServer, good, malformed


@dataclass
class Counted:
    """What a method did in the matches of one game."""

    replies: int = 0
    legal_at_once: int = 0
    decisions: int = 0
    calls: int = 0
    depth: int = 0
    tokens: float = 0
    defaults: int = 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--malformed", type=float, default=0.2)
    given = parser.parse_args()
    for share in (0.0, given.malformed):
        print(f"\nscripted model, {share:.0%} of its replies malformed, {given.matches} matches each")
        heads = ("method", "game", "compliance", "calls", "depth", "tokens", "defaults")
        print("{:<10}{:<20}{:>12}{:>8}{:>8}{:>10}{:>10}".format(*heads))
        with ModelServer(lambda call, share=share: spoiled(call, share)) as server:
            for method in METHODS.values():
                for game in RULES:
                    row(method, game, given.matches, server)


def spoiled(call: Call, share: float):
    """A reply; a share of them, the same for the same prompt, cannot be read."""
    lot = int(hashlib.sha256(call.prompt.encode()).hexdigest()[:8], 16) / 16**8
    return malformed() if lot < share else good()


def row(method: Method, game: str, matches: int, server: ModelServer) -> None:
    if not method.plays(RULES[game]):
        return
    counted = Counted()
    for number in range(matches):
        play_match(method, game, number, server, counted)
    print(
        f"{method.name:<10}{game:<20}{counted.legal_at_once / counted.replies:>12.1%}"
        f"{counted.calls / counted.decisions:>8.2f}{counted.depth / counted.decisions:>8.2f}"
        f"{counted.tokens / matches:>10,.0f}{counted.defaults / counted.decisions:>10.1%}"
    )


def play_match(method: Method, game: str, seed: int, server: ModelServer, counted: Counted) -> None:
    match = dealt(game, *RULES[game].quick, seed)
    model = Model(connect("openai", server.openai_url, ""), "m", {"backoff": 0})
    ask_all = player.ask_all

    def counting(asks: Sequence, *args, **kwargs):
        counted.calls += len(asks)
        counted.depth += 1
        return ask_all(asks, *args, **kwargs)

    def mind(play: Play, request, thoughts) -> Decision:
        where = situation(play, request, play.header.names, thoughts)
        decision = player.think(where, method=method, model=model, by="agent:m")
        if request.fields:
            counted.decisions += 1
            counted.replies += len(decision.thoughts)
            counted.legal_at_once += len(decision.thoughts) - 2 * problems(decision)
            counted.tokens += Cost.of(*decision.thoughts).tokens
            counted.defaults += decision.action is None
        return decision

    player.ask_all = counting
    try:
        headless.play_out(match, dict.fromkeys(match.header.names, mind))
    finally:
        player.ask_all = ask_all


def problems(decision: Decision) -> int:
    """Stages whose first reply did not count; each was asked once more."""
    return len({thought.stage for thought in decision.thoughts if "problem" in thought.data})


if __name__ == "__main__":
    main()
