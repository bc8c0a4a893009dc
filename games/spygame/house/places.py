"""What the house agents of SpyGame know about places: what is true where, and how a sentence is heard.

Data written for this project, ``places/*.json`` beside this folder: questions and answers by topic, each answer with
the places of which it is true; what people of each kind of role say of their part; and words by which a free sentence
is known again. Which roles there are at a place is read from the settings themselves, ``settings.json``.

Hearing is a likelihood for each place: how probable it is that a citizen there would say just this. An answer of the
data is heard exactly, a place that is named as good as settles it, and of anything else the known words count.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from agents.house.words import stem
from games.rules.clues import holds_word, tokens

FOLDER = Path(__file__).resolve().parents[1]

PART = "part"
"""The topic of what one does there: answered by the kind of the own role."""
SLIP = 0.05
"""How often an answer of the data is given that is not true of the place."""
NAMED = 0.002
"""The likelihood, beside 1 for the place that is named, of every other place."""
WORD_WEIGHT = 0.9
"""What a known word adds to the log odds of its place, divided among the places that share it."""
TELLING = 0.5
"""So much the words of a question must tell to be about a topic: one word that two topics share will do."""
MOST_WORDS = 3.0
"""However many known words a sentence has, the log odds of a place do not rise further."""


@dataclass(frozen=True)
class Saying:
    """An answer of the data. heard: its likelihood at each known place, by topic; where: the places it is true of."""

    text: str
    topic: str
    heard: np.ndarray
    where: np.ndarray


@dataclass(frozen=True)
class Places:
    """Everything that is known. names: the known places; sayings: all answers; kinds: the kind of each role."""

    names: tuple[str, ...]
    questions: dict[str, tuple[str, ...]]
    sayings: tuple[Saying, ...]
    vague: tuple[str, ...]
    kinds: dict[str, str]
    says: dict[str, tuple[str, ...]]
    bags: tuple[frozenset[str], ...]

    def place(self, name: str | None) -> int | None:
        """The number of a known place, by its name."""
        return self.names.index(name) if name in self.names else None

    def answers(self, topic: str) -> list[Saying]:
        """The answers to a topic."""
        return [saying for saying in self.sayings if saying.topic == topic]

    def topic_of(self, question: str | None) -> str | None:
        """What a question is about: known ones exactly, others by the words that they share with what is asked and
        answered on a topic; None where no word tells."""
        if question is None:
            return None
        if (known := self._asked.get(tokens(question))) is not None:
            return known
        said = _content(question)
        tells = {topic: sum(self._tells(word) for word in said & words) for topic, words in self._spoken.items()}
        best = max(tells, key=tells.__getitem__)
        return best if tells[best] >= TELLING else None

    @cached_property
    def _asked(self) -> dict[tuple[str, ...], str]:
        return {tokens(text): topic for topic, texts in self.questions.items() for text in texts}

    @cached_property
    def _spoken(self) -> dict[str, frozenset[str]]:
        """The words of each topic."""
        spoken = {topic: " ".join(texts) for topic, texts in self.questions.items()}
        for saying in self.sayings:
            if saying.topic != PART:
                spoken[saying.topic] += f" {saying.text}"
        return {topic: _content(text) for topic, text in spoken.items()}

    def _tells(self, word: str) -> float:
        """How much a word tells the topic: 1 for a word of one topic alone."""
        return 1 / sum(word in words for words in self._spoken.values())

    def hear(self, text: str) -> np.ndarray:
        """The likelihood of a sentence at each known place, the largest about 1."""
        named = np.array([holds_word(text, name) for name in self.names])
        if named.any():
            return np.where(named, 1.0, NAMED)
        exact = self.by_words.get(tokens(text))
        if exact is not None:
            return exact.heard / exact.heard.max()
        said = _content(text)
        weights = np.zeros(len(self.names))
        for word in said:
            where = np.array([word in bag for bag in self.bags])
            if where.any():
                weights[where] += WORD_WEIGHT * min(3.0, len(self.names) / (2 * where.sum())) / 2
        return np.exp(np.minimum(weights, MOST_WORDS) - min(weights.max(), MOST_WORDS))

    @cached_property
    def by_words(self) -> dict[tuple[str, ...], Saying]:
        return {tokens(saying.text): saying for saying in self.sayings}


@lru_cache(maxsize=1)
def places() -> Places:
    """The places that come with the project, read once a process."""
    talk, roles, words = (_read(f"places/{name}.json") for name in ("talk", "roles", "words"))
    at = {row["data"]["place"]: row["data"]["roles"] for row in _read("settings.json")["rows"]}
    names = tuple(at)
    kinds = {role: kind for kind, data in roles["kinds"].items() for role in data["roles"]}
    says = {kind: tuple(data["says"]) for kind, data in roles["kinds"].items()}
    sayings = []
    for topic, data in talk["topics"].items():
        sayings += _topic(topic, {text: [name in where for name in names] for text, where in data["answers"].items()})
    share = {
        kind: np.array([sum(kinds[role] == kind for role in at[name]) / len(at[name]) for name in names])
        for kind in says
    }
    sayings += [
        Saying(text, PART, (1 - SLIP) * share[kind] / len(texts) + SLIP / 50, share[kind] > 0)
        for kind, texts in says.items()
        for text in texts
    ]
    questions = {topic: tuple(data["questions"]) for topic, data in talk["topics"].items()}
    questions[PART] = tuple(roles["questions"])
    bags = tuple(
        frozenset().union(
            _content(" ".join(words["words"][name])),
            _content(" ".join(at[name])),
            *(_content(saying.text) for saying in sayings if saying.topic != PART and saying.where[number]),
        )
        for number, name in enumerate(names)
    )
    return Places(names, questions, tuple(sayings), tuple(talk["vague"]), kinds, says, bags)


def _topic(topic: str, answers: dict[str, list[bool]]) -> list[Saying]:
    """A citizen says one of the answers that are true, each as likely, and now and then one that is not."""
    true = np.array(list(answers.values()), dtype=float)
    likely = np.where(true.sum(0) > 0, true / np.maximum(true.sum(0), 1), 1 / len(answers))
    heard = (1 - SLIP) * likely + SLIP / len(answers)
    return [Saying(text, topic, heard[row], true[row] > 0) for row, text in enumerate(answers)]


STOP_WORDS = frozenset(
    "a about all also always am an and any anybody are as at be been better but by can come could did do does each "
    "everybody few for from get go goes good had has have here how i if in into is it its just know like little long "
    "look make many me more most much must my need no nobody not nothing now of off often on once one only or other "
    "our out people place rather really right see should so some somebody something that the them then there they "
    "thing things think this to too until up us use very was we well were what when where which who why will with "
    "without would you your".split()
)


def _content(text: str) -> frozenset[str]:
    """The words of a sentence that carry meaning, as stems: "wear" and "wearing" are one."""
    return frozenset(stem(token) for token in tokens(text) if token not in STOP_WORDS)


def _read(name: str) -> dict:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def spread(weights: Sequence[float] | np.ndarray) -> np.ndarray:
    """Log weights as probabilities."""
    weights = np.asarray(weights, dtype=float)
    shares = np.exp(weights - weights.max())
    return shares / shares.sum()
