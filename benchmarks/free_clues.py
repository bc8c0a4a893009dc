"""How well a person's free clue is read: by its words alone, and by its meaning too where that extra is installed.

Usage: ``python -m benchmarks.free_clues``. The clues were written for this, 3 for each of 20 words, before any of them
was read by either way and without a look at the facts of the network. Printed is for how many the true word is likelier
than its partner in a pair, as likely, or less likely; the rank of the true word among all; the CPU time of one clue (no
clue is read twice) and the memory of the process.
"""

import json
import resource
import statistics
import time
from pathlib import Path

import numpy as np

from agents.house import embedding
from agents.house.words import FOLDER, Network, network, read

CLUES = Path(__file__).resolve().parents[1] / "tests" / "agents" / "free_clues.json"


def free_clues() -> list[tuple[str, str, str]]:
    """The clues, each with its word and the other word of the pair."""
    return [
        (clue, row["word"], row["partner"])
        for row in json.loads(CLUES.read_text(encoding="utf-8"))
        for clue in row["clues"]
    ]


def rank(likelihoods: np.ndarray, place: int) -> float:
    """1 for the likeliest word; words as likely share the mean of their ranks."""
    return 1 + int((likelihoods > likelihoods[place]).sum()) + (int((likelihoods == likelihoods[place]).sum()) - 1) / 2


def report(name: str, reader: Network) -> None:
    clues = free_clues()
    reader.likelihoods("cats and dogs")  # what is made with the first clue is made now
    right = tied = 0
    ranks, milliseconds = [], []
    for clue, word, partner in clues:
        start = time.process_time()
        likelihoods = reader.likelihoods(clue)
        milliseconds.append(1000 * (time.process_time() - start))
        right += reader.likelihood(clue, word) > reader.likelihood(clue, partner)
        tied += reader.likelihood(clue, word) == reader.likelihood(clue, partner)
        ranks.append(rank(likelihoods, reader.words.index(word)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:<12} {len(clues)} clues: likelier than its partner {right}, as likely {tied}, less likely "
        f"{len(clues) - right - tied}; rank among {len(reader.words)}: median {statistics.median(ranks):.0f}, first "
        f"{sum(place == 1 for place in ranks)}, in the first ten {sum(place <= 10 for place in ranks)}; "
        f"CPU a clue: median {statistics.median(milliseconds):.1f} ms, most {max(milliseconds):.1f} ms; {memory:.0f} MB"
    )


def main() -> None:
    report("by words", read(FOLDER))
    if embedding.installed():
        report("by meaning", network())
    else:
        print("by meaning   not installed: `make embedding`")


if __name__ == "__main__":
    main()
