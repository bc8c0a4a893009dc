"""Settings of a word game in which neither side is ahead: MAgIC's protocol (section 3.2, "Topic Settings").

The paper plays 200 games with settings drawn at random, all seats with one model, and keeps 20 that make the rates of
the two roles more equal. How it picks them is not said; ours: a setting's lead is the odd one's rate of credits less
the others'. Settings with the smallest lead are kept; of those with an equal one, what brings the sum of all leads
nearest to zero.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.metrics.magic import FULL
from evaluation.records.record import Record
from games.registry import RULES

SEATS = 3
ORIGIN = "chosen by MAgIC's protocol, played by {}"

Setting = dict[str, Any]


@dataclass(frozen=True)
class Tried:
    """A setting that was played. lead: the odd one's rate of credits less the others', from -1 to 1."""

    name: str
    data: Setting
    lead: float


def games() -> list[str]:
    """The word games whose settings can be tried."""
    return sorted(name for name, rules in RULES.items() if rules.family in FULL)


def candidates(game: str, found: Sequence[tuple[str, Setting]], seed: int) -> Iterator[tuple[str, Setting]]:
    """Settings without openings, in an order drawn by the seed, each with the odd one at a seat that is drawn; when all
    were had, again from the first one with another seat. At most each setting with each seat."""
    rng = random.Random(f"{seed}:{game}:balance")
    rules = RULES[game]
    (fixing,) = rules.with_sought({}, 1)
    bare = [(name, data) for name, data in found if "openings" not in data and fixing not in data]
    rng.shuffle(bare)
    first = {name: rng.randrange(SEATS) for name, _ in bare}
    for turn in range(SEATS):
        for name, data in bare:
            odd = (first[name] + turn) % SEATS + 1
            yield f"{name}, odd one at seat {odd}", rules.with_sought(data, odd)


def lead(record: Record) -> float:
    """The odd one's rate of credits in a match less the others'."""
    rates = {seat: record.outcome.returns[seat] / FULL[record.family] for seat in record.numbers}
    (odd,) = record.odd
    others = record.others(odd)
    return rates[odd] - sum(rates[seat] for seat in others) / len(others)


def with_openings(data: Setting, record: Record) -> Setting:
    """The setting with what each seat said first in a match, as its candidate opening."""
    said: dict[str, list[dict[str, Any]]] = {}
    for clue in record.of("clue"):
        if clue.data["text"] is not None:
            said.setdefault(str(clue.seat), []).append({"text": clue.data["text"]})
    return data | {"openings": said}


def balanced(tried: Sequence[Tried], keep: int) -> list[Tried]:
    """So many of them, the most even first."""
    left, total = list(tried), 0.0
    kept: list[Tried] = []
    while left and len(kept) < keep:
        smallest = min(abs(one.lead) for one in left)
        best = min((one for one in left if abs(one.lead) == smallest), key=lambda one: abs(total + one.lead))
        left.remove(best)
        kept.append(best)
        total += best.lead
    return kept


def rows(game: str, kept: Sequence[Tried], player: str) -> list[dict[str, Any]]:
    """Them as rows of a settings file, kept for suites."""
    return [
        {
            "game": game,
            "name": f"balanced {game} {number:02}: {one.name}"[:120],
            "data": one.data,
            "origin": ORIGIN.format(player),
            "active": False,
        }
        for number, one in enumerate(kept, 1)
    ]
