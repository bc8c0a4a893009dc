"""Fits how much the nearness of a clue to a word, and to the facts about it, tells of the word.

Usage: ``python -m benchmarks.fit_embedding``. Facts that few words share are taken for clues, each left out of the
network in turn; P(word | clue) is a softmax over the words whose two weights are fitted to whom the fact is true of.
Printed are the weights, which ``agents.house.embedding`` rounds, for each half of those facts, and the log loss, in
nats, on the other half; beside it that of a guess among all words.
"""

import numpy as np

from agents.house.embedding import Reader
from agents.house.words import network

FEW = 5
"""A fact that more words share is too vague to fit anything on."""
SAMPLE = 600
STEPS = 2000
RATE = 60.0


def main() -> None:
    known = network()
    if not isinstance(known.reader, Reader):
        raise SystemExit("The sentence model is not installed.")
    _, vectors = known.reader.load()
    words, facts = vectors[: len(known.words)], vectors[len(known.words) :]
    telling = np.flatnonzero(((known.truth > 0).sum(axis=1) <= FEW) & (known.truth > 0).any(axis=1))
    sample = np.random.default_rng(0).choice(telling, SAMPLE, replace=False)
    nearness = np.array([_nearness(words, facts, known.truth > 0, fact) for fact in sample])
    meant = known.truth[sample] / known.truth[sample].sum(axis=1, keepdims=True)
    for fitted, judged in ((slice(0, None, 2), slice(1, None, 2)), (slice(1, None, 2), slice(0, None, 2))):
        weights = _fit(nearness[fitted], meant[fitted])
        loss = -(meant[judged] * _log_chances(nearness[judged], weights)).sum(axis=1).mean()
        print(f"word {weights[0]:.1f}, fact {weights[1]:.1f}; log loss {loss:.2f}, of a guess {np.log(len(words)):.2f}")


def _nearness(words: np.ndarray, facts: np.ndarray, holds: np.ndarray, fact: int) -> np.ndarray:
    """Cosine of a fact with each word and with the nearest other fact of the word: array (words, 2)."""
    others = holds.copy()
    others[fact] = False
    nearest = np.where(others, (facts @ facts[fact])[:, None], 0).max(axis=0)
    return np.stack((words @ facts[fact], nearest), axis=1)


def _log_chances(nearness: np.ndarray, weights: np.ndarray) -> np.ndarray:
    odds = nearness @ weights
    odds -= odds.max(axis=1, keepdims=True)
    return odds - np.log(np.exp(odds).sum(axis=1, keepdims=True))


def _fit(nearness: np.ndarray, meant: np.ndarray) -> np.ndarray:
    """The likeliest weights, by gradient ascent: the log likelihood is concave."""
    weights = np.zeros(2)
    for _ in range(STEPS):
        missing = meant - np.exp(_log_chances(nearness, weights))
        weights += RATE * np.einsum("cw,cwk->k", missing, nearness) / len(nearness)
    return weights


if __name__ == "__main__":
    main()
