"""Which pairs of words Undercover is played with: derived from the network by a rule, and rated by closeness.

The rule, as in "Who is Undercover?" (Dong et al. 2024, section 3.2) but ours in its numbers:

1. Each link ``similar_to`` makes a pair, of the part in which it is stated.
2. A word and one that it is ``different_from`` make a pair of the first part if each is the one most like the other
   among all that the other is different from, they are not similar already, and alike enough to play with (`ALIKE`).
3. A pair must be playable: `SHARED` facts or more are true of both words, and each word has one that the other lacks.

Closeness is how alike the words are in the network (`Network.similarity`): "close" from `CLOSE` on, "near" from `NEAR`
on, else "far".
"""

from functools import lru_cache
from typing import Any

import numpy as np

from agents.house.relations import PARTS
from agents.house.words import Network

SHARED = 3
ALIKE = 0.2
CLOSE, NEAR = 0.45, 0.3
ORIGIN = "derived from the word network of this project"


def settings(network: Network) -> list[dict[str, Any]]:
    """The pairs as settings of Undercover, part by part, in the order in which the network states them."""
    rows = []
    for part in PARTS:
        pairs = [(one, other) for one, other, of in network.relations.similar if of == part]
        pairs += differing(network) if part == PARTS[0] else []
        for one, other in pairs:
            if playable(network, one, other):
                data = {
                    "civilian_word": one,
                    "undercover_word": other,
                    "part": part,
                    "closeness": closeness(network.similarity(one, other)),
                }
                rows.append({"game": "undercover", "name": f"{one} / {other}", "data": data, "origin": ORIGIN})
    return rows


def differing(network: Network) -> list[tuple[str, str]]:
    """Rule 2: words that differ, and yet are the nearest to one another of those that do."""
    nearest: dict[str, str] = {}
    for word in network.words:
        others = network.relations.different_from(word)
        if others:
            nearest[word] = max(others, key=lambda other: network.similarity(word, other))
    similar = {frozenset(link[:2]) for link in network.relations.similar}
    return [
        (one, other)
        for one, other in nearest.items()
        if nearest.get(other) == one
        and one < other
        and frozenset((one, other)) not in similar
        and network.similarity(one, other) >= ALIKE
    ]


def playable(network: Network, one: str, other: str) -> bool:
    """Rule 3: enough can be said that fits both, and something that fits one alone."""
    ones, others = network.fitting(one), network.fitting(other)
    return len(ones & others) >= SHARED and bool(ones - others) and bool(others - ones)


def closeness(similarity: float) -> str:
    """The rating of two words that are so alike, from 0 to 1."""
    return "close" if similarity >= CLOSE else "near" if similarity >= NEAR else "far"


@lru_cache(maxsize=2)
def partners_in_play(network: Network) -> np.ndarray:
    """P(the other word of the pair | a word), if every pair that is played with is as likely: array (words, words), a
    row of zeros for a word of none."""
    paired = np.zeros((len(network.words), len(network.words)))
    for row in settings(network):
        one, other = (network.find(row["data"][name]) for name in ("civilian_word", "undercover_word"))
        if one is not None and other is not None:
            paired[one, other] = paired[other, one] = 1
    return paired / np.maximum(paired.sum(axis=1, keepdims=True), 1)
