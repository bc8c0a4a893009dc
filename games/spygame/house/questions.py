"""What a question asks: its kind by its first words, and its subject among known questions, by their meaning where the
sentence model is installed and else by the words that they share.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from agents.house import embedding
from agents.house.words import stem
from games.rules.clues import tokens

WHETHER = "whether"
AUXILIARIES = frozenset(
    "am are can could did do does don doesn didn had has have is isn aren may might must shall should was were will "
    "would any anybody".split()
)
ASKING = {
    ("how", "many"): "number",
    ("how", "much"): "number",
    ("how", "old"): "number",
    ("how", "long"): "when",
    ("how", "often"): "when",
    ("how", "far"): "where",
    ("how", "come"): "why",
    ("what", "time"): "when",
    ("what", "for"): "why",
    ("when",): "when",
    ("who",): "who",
    ("whom",): "who",
    ("whose",): "who",
    ("where",): "where",
    ("why",): "why",
    ("how",): "how",
    ("what",): "what",
    ("which",): "what",
    ("describe",): "what",
    ("tell",): "what",
}
"""The kind of a question that asks with these words."""
EARLY = 4
"""A question asks with one of its first so many words."""
ALIKE = 0.55
"""A question whose cosine with a known one is less is about something else."""
OTHERWISE_PUT = 0.12
"""So much nearer one of another kind must be."""
MEANS_SOMETHING = 0.35
"""What is not even so near to any known question is not understood."""
SHARED = 0.5
"""The same as `ALIKE` for questions that are compared by their words."""

COMMON = frozenset(
    "a an and are as at be been by can could did do does for from get go has have here i if in into is it its just may "
    "me might must my of on one or our should so some that the their them then there these they this to up us was we "
    "well were what when where which who whom why how will with would you your any am".split()
)
"""What tells nothing of a question's subject."""


class Asked(NamedTuple):
    """kind: of which kind the question is, empty where it is none; topic: its subject, None for an unknown one;
    understood: whether it means anything at all."""

    kind: str
    topic: str | None
    understood: bool


class Questions:
    """Known questions: text -> topic."""

    def __init__(self, known: Mapping[str, str]):
        self.texts, self.topics = tuple(known), tuple(known.values())
        self.kinds = tuple(map(kind_of, self.texts))
        self._words = [_content(text) for text in self.texts]
        self._count = Counter(word for words in self._words for word in words)
        files = embedding.installed()
        self._near: Callable[[str], np.ndarray] | None = None
        if files is not None:
            self._near = embedding.Meanings(files, self.texts, embedding.KEPT.with_name("question_vectors.npz")).near
        self.read = lru_cache(maxsize=4096)(self._read)
        self._exact = {tokens(text): topic for text, topic in known.items()}

    def _read(self, text: str) -> Asked:
        kind = kind_of(text)
        if (topic := self._exact.get(tokens(text))) is not None:
            return Asked(kind, topic, True)
        said = _content(text)
        alike = self._shared(said) if self._near is None else self._near(text)
        nearest = float(alike.max())
        known = any(word in self._count for word in said)
        alike = alike - OTHERWISE_PUT * np.array([kind != other for other in self.kinds])
        best = int(alike.argmax())
        if alike[best] >= (SHARED if self._near is None else ALIKE):
            return Asked(kind, self.topics[best], True)
        return Asked(kind, None, bool(kind) and (known or (self._near is not None and nearest >= MEANS_SOMETHING)))

    def _shared(self, said: frozenset[str]) -> np.ndarray:
        """How far a question shares its words with each known one, 0 to 1; a rare word counts more."""
        own = self._weight(said)
        weights = [(self._weight(said & words), self._weight(words)) for words in self._words]
        return np.array([both / math.sqrt(own * theirs) if both else 0.0 for both, theirs in weights])

    def _weight(self, words: frozenset[str]) -> float:
        return sum(math.log(1 + len(self.texts) / (1 + self._count[word])) for word in words)


def kind_of(text: str) -> str:
    """The kind of a question by the words it asks with; empty where it asks nothing."""
    said = tokens(text)
    for place, word in enumerate(said[:EARLY]):
        for words in (said[place : place + 2], (word,)):
            if words in ASKING:
                return ASKING[words]
        if word in AUXILIARIES:
            return WHETHER
    return WHETHER if text.rstrip().endswith("?") and len(said) > 1 else ""


def _content(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in tokens(text) if word not in COMMON)


def verdict_of(answer: str) -> str | None:
    """What an answer to a question of yes or no comes to: yes, no, or None where it does not begin with either."""
    first: Sequence[str] = tokens(answer)[:1]
    return {"yes": "yes", "yeah": "yes", "yep": "yes", "sure": "yes", "no": "no", "nope": "no", "nah": "no"}.get(
        first[0] if first else ""
    )
