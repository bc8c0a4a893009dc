"""Whether what house agents say is to the point: of whole matches of the word games, how often it is not.

Usage: ``python -m benchmarks.words [--matches 40] [--game spygame]``. Counted are, at Undercover, clues from the second
round on that hold an earlier clue; at Chameleon, clues that hold the topic.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from agents.house.words import content_stems
from benchmarks.common import house_agent
from benchmarks.public_talk import settings
from games.registry import RULES
from games.rules.clues import holds
from games.rules.play import Play, agents_and_people, new_header


class Count(NamedTuple):
    """How many of how many, with one of them to look at."""

    what: str
    found: Sequence[str]
    of: int

    def __str__(self) -> str:
        example = f", as: {self.found[0]}" if self.found else ""
        return f"{self.what}: {len(self.found)} of {self.of}{example}"


def played(game: str, preset: str, seats: int, seed: int, **options: object) -> Play:
    """A whole match of house agents."""
    rules, rows = RULES[game], settings(game)
    setting = rules.drawn(dict(random.Random(seed).choice(rows)), rows)
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed, options=options, setting=setting)
    play = Play(rules, header)
    headless.play_out(play, dict.fromkeys(header.names, house_agent()))
    return play


def undercover(matches: int) -> Iterator[Count]:
    """Clues from the second round on that hold an earlier one."""
    for preset, seats, rounds in (("wiu", 5, 1), ("party", 8, 3)):
        glued, later = [], 0
        for seed in range(matches):
            state = played("undercover", preset, seats, seed, clue_rounds=rounds).state
            clues = [clue for clue in state.clues if clue["text"]]
            for number, clue in enumerate(clues):
                if clue["round"] > 1:
                    later += 1
                    glued += [clue["text"]] * any(holds(clue["text"], earlier["text"]) for earlier in clues[:number])
        table = f"undercover {preset} {seats} ({rounds} before a vote)"
        yield Count(f"{table}, clues from round 2 on that hold an earlier one", glued, later)


def chameleon(matches: int) -> Iterator[Count]:
    """Clues that hold a word of the topic."""
    for preset, seats in (("magic", 3), ("party", 5)):
        repeated, given = [], 0
        for seed in range(matches):
            state = played("chameleon", preset, seats, seed).state
            topic = content_stems(state.topic)
            texts = [clue["text"] for clue in state.clues if clue["text"]]
            given += len(texts)
            repeated += [f"{text} ({state.topic})" for text in texts if not topic.isdisjoint(content_stems(text))]
        yield Count(f"chameleon {preset} {seats}, clues that hold the topic", repeated, given)


GAMES = {"undercover": undercover, "chameleon": chameleon}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=40)
    options.add_argument("--game", choices=GAMES)
    chosen = options.parse_args()
    for game in (chosen.game,) if chosen.game else GAMES:
        for count in GAMES[game](chosen.matches):
            print(count, flush=True)


if __name__ == "__main__":
    main()
