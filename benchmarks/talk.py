"""How house agents talk at Avalon: in how many shapes, whether a seat says anything twice, whether what they say is so.

Usage: ``python -m benchmarks.talk [--speeches 10000] [--preset recon]``. Every sentence that tells of the match is read
back to what it claims and compared with the log by `benchmarks.told`, which shares no code with the agents. Printed are
the figures, and sentences that are false or that tell of the match and were not read.
"""

import argparse
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks import with_django  # noqa: F401 (profiles are models: Django first)

# isort: split
from agents import headless
from benchmarks.common import house_agent
from benchmarks.told import FALSE, UNREAD, judged
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header

SPOKEN = ("speech", "say", "ready")
SEATS = 6


class Figures(NamedTuple):
    """Of these speeches: the shapes of their sentences, sentences that a seat had said before, false and unread ones.
    read: how many claims of each kind there were."""

    speeches: int
    matches: int
    shapes: Counter[str]
    twice: list[str]
    false: list[str]
    unread: list[str]
    read: Counter[str]


def sentences(text: str) -> list[str]:
    return [part.strip() for part in re.findall(r"[^.!?]+[.!?]+", text)]


def shape(sentence: str) -> str:
    """A sentence without names, lists of names and numbers."""
    names = re.sub(r"Player \d+(?:(?:,| and|, and) Player \d+)*", "N", sentence)
    return re.sub(r"\d+", "#", names).casefold()


def matches(preset: str, seats: int = SEATS) -> Iterator[Play]:
    """Matches of house agents, one seed after the other."""
    rules = RULES["avalon"]
    for seed in itertools.count(1):
        play = Play(rules, new_header(rules, preset, seats=agents_and_people(0, seats), seed=seed))
        headless.play_out(play, dict.fromkeys(play.header.names, house_agent()))
        yield play


def measured(preset: str, speeches: int, seats: int = SEATS) -> Figures:
    """The figures of at least so many speeches, in whole matches."""
    found = Figures(0, 0, Counter(), [], [], [], Counter())
    for play in matches(preset, seats):
        said: set[tuple[int, str]] = set()
        for event in play.log:
            if event.kind not in SPOKEN or not event.data["text"]:
                continue
            found = found._replace(speeches=found.speeches + 1)
            for sentence in sentences(event.data["text"]):
                found.shapes[shape(sentence)] += 1
                if (event.seat, sentence) in said:
                    found.twice.append(sentence)
                said.add((event.seat, sentence))
                verdict = judged(play.log, event, sentence)
                found.read[verdict.kind] += 1
                wrong = {FALSE: found.false, UNREAD: found.unread}.get(verdict.result)
                if wrong is not None:
                    wrong.append(f"{verdict.kind}: {sentence}")
        found = found._replace(matches=found.matches + 1)
        if found.speeches >= speeches:
            return found
    raise AssertionError


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--speeches", type=int, default=10_000)
    options.add_argument("--preset", default="recon")
    options.add_argument("--seats", type=int, default=SEATS)
    chosen = options.parse_args()
    found = measured(chosen.preset, chosen.speeches, chosen.seats)
    print(f"avalon {chosen.preset}, {chosen.seats} seats: {found.speeches} speeches in {found.matches} matches")
    print(f"  shapes of sentences: {len(found.shapes)}")
    print(f"  sentences said twice by a seat in a match: {len(found.twice)}")
    told = sum(times for kind, times in found.read.items() if kind)
    print(f"  sentences that tell of the match: {told}, false: {len(found.false)}, not read: {len(found.unread)}")
    for kind, times in found.read.most_common():
        print(f"    {kind or 'nothing that could be false'}: {times}")
    for name, some in (("said twice", found.twice), ("false", found.false), ("not read", found.unread)):
        for sentence in list(dict.fromkeys(map(shape, some)))[:10]:
            print(f"  {name}: {sentence}")


if __name__ == "__main__":
    main()
