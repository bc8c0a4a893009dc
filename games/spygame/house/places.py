"""What the house agents of SpyGame know about places: what is true where, and how a sentence is heard.

Data written for this project, ``places/*.json`` beside this folder: questions and answers by topic, each answer with
the places of which it is true; what people of each kind of role say of their part; and words by which a free sentence
is known again. Which roles there are at a place is read from the settings themselves, ``settings.json``.

Hearing is a likelihood for each place: how probable it is that a citizen there would say just this. An answer of the
data is heard exactly, a place that is named as good as settles it, and of anything else the known words count.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from agents.house import embedding
from agents.house.words import stem
from games.rules.clues import holds_word, tokens
from games.spygame.house.questions import Asked, Questions, verdict_of

FOLDER = Path(__file__).resolve().parents[1]

EVERYWHERE = "everywhere"
"""Where an answer is true that does not depend on the place."""
SLIP = 0.05
"""How often an answer of the data is given that is not true of the place."""
NAMED = 0.002
"""The likelihood, beside 1 for the place that is named, of every other place."""
WORD_WEIGHT = 0.9
"""What a known word adds to the log odds of its place, divided among the places that share it."""
MOST_WORDS = 3.0
"""However many known words a sentence has, the log odds of a place do not rise further."""


@dataclass(frozen=True)
class Saying:
    """An answer of the data. heard: its likelihood at each known place, by topic; where: the places it is true of;
    kinds: the kinds of role of which it is true, empty where it depends on the place alone; verdict: "yes", "some" or
    "no" where the question is of yes or no."""

    text: str
    topic: str
    heard: np.ndarray
    where: np.ndarray
    kinds: frozenset[str] = frozenset()
    verdict: str = ""


@dataclass(frozen=True)
class Places:
    """Everything that is known. names: the known places; questions: those that house agents ask, by topic; also: other
    ways to ask; sayings: all answers; unknown: what is said where the subject of a question is not known, by its kind;
    misunderstood: to what is not understood; kinds: the kind of each role; bags: the words that tell each place."""

    names: tuple[str, ...]
    questions: dict[str, tuple[str, ...]]
    also: dict[str, tuple[str, ...]]
    sayings: tuple[Saying, ...]
    unknown: dict[str, tuple[str, ...]]
    misunderstood: tuple[str, ...]
    kinds: dict[str, str]
    bags: tuple[frozenset[str], ...]

    def place(self, name: str | None) -> int | None:
        """The number of a known place, by its name, or of the one that is nearest to it in meaning."""
        if name is None or name in self.names:
            return None if name is None else self.names.index(name)
        return embedding.nearest(name, self.names)

    def answers(self, topic: str | None) -> list[Saying]:
        """The answers to a topic."""
        return self._by_topic.get(topic, [])

    def asked(self, question: str | None) -> Asked:
        """What a question is about."""
        return self._read.read(question or "")

    @cached_property
    def _read(self) -> Questions:
        return Questions(
            {text: topic for asked in (self.questions, self.also) for topic, texts in asked.items() for text in texts}
        )

    @cached_property
    def _by_topic(self) -> dict[str | None, list[Saying]]:
        found: dict[str | None, list[Saying]] = {}
        for saying in self.sayings:
            found.setdefault(saying.topic, []).append(saying)
        return found

    def hear(self, text: str, question: str | None = None) -> np.ndarray:
        """The likelihood of a sentence at each known place, the largest about 1. question: what it answers; a mere yes
        or no counts by that."""
        return self._kept(text, question)

    @cached_property
    def _kept(self) -> Callable[[str, str | None], np.ndarray]:
        """All seats hear the same, at each of their decisions."""
        return lru_cache(maxsize=4096)(self._heard)

    def _heard(self, text: str, question: str | None) -> np.ndarray:
        named = np.array([holds_word(text, name) for name in self.names])
        if named.any():
            return np.where(named, 1.0, NAMED)
        exact = self.by_words.get(tokens(text))
        if exact is not None:
            heard = np.mean([saying.heard for saying in exact], axis=0)
            return heard / heard.max()
        if question is not None and (verdict := verdict_of(text)):
            sayings = [saying.heard for saying in self.answers(self.asked(question).topic) if saying.verdict == verdict]
            if sayings:
                heard = np.sum(sayings, axis=0)
                return heard / heard.max()
        said = _content(text)
        weights = np.zeros(len(self.names))
        for word in said:
            where = np.array([word in bag for bag in self.bags])
            if where.any():
                weights[where] += WORD_WEIGHT * min(3.0, len(self.names) / (2 * where.sum())) / 2
        return np.exp(np.minimum(weights, MOST_WORDS) - min(weights.max(), MOST_WORDS))

    @cached_property
    def by_words(self) -> dict[tuple[str, ...], list[Saying]]:
        """The answers that are put in these words; one may answer several questions."""
        found: dict[tuple[str, ...], list[Saying]] = {}
        for saying in self.sayings:
            found.setdefault(tokens(saying.text), []).append(saying)
        return found


@lru_cache(maxsize=1)
def places() -> Places:
    """The places that come with the project, read once a process."""
    talk, roles, words = (_read(f"places/{name}.json") for name in ("talk", "roles", "words"))
    at = {row["data"]["place"]: row["data"]["roles"] for row in _read("settings.json")["rows"]}
    names = tuple(at)
    kinds = {role: kind for kind, listed in roles["kinds"].items() for role in listed}
    share = {kind: np.array([sum(kinds[role] == kind for role in at[name]) / len(at[name]) for name in names])
             for kind in roles["kinds"]}  # fmt: skip
    topics = talk["topics"] | roles["topics"]
    sayings = [saying for topic, data in talk["topics"].items() for saying in _topic(topic, data, names)]
    for topic, data in roles["topics"].items():
        sayings += _of_roles(topic, data["says"], share)
    bags = tuple(
        frozenset().union(
            _content(" ".join(words["words"][name])),
            _content(" ".join(at[name])),
            *(_content(saying.text) for saying in sayings if not saying.kinds and _tells(saying, number)),
        )
        for number, name in enumerate(names)
    )
    return Places(
        names,
        {topic: tuple(data["questions"]) for topic, data in topics.items()},
        {topic: tuple(data["also"]) for topic, data in topics.items()},
        tuple(sayings),
        {kind: tuple(texts) for kind, texts in talk["unknown"].items()},
        tuple(talk["misunderstood"]),
        kinds,
        bags,
    )


def _topic(topic: str, data: dict, names: Sequence[str]) -> list[Saying]:
    """A citizen says one of the answers that are true, each as likely, and now and then one that is not."""
    if "say" in data:
        at = {"yes": data["yes"], "some": data["some"]}
        at["no"] = [name for name in names if name not in at["yes"] + at["some"]]
        rows = [(text, at[verdict], verdict) for verdict, texts in data["say"].items() for text in texts]
    else:
        rows = [(text, names if where == EVERYWHERE else where, "") for text, where in data["answers"].items()]
    true = np.array([[name in where for name in names] for _, where, _ in rows], dtype=float)
    likely = np.where(true.sum(0) > 0, true / np.maximum(true.sum(0), 1), 1 / len(rows))
    heard = (1 - SLIP) * likely + SLIP / len(rows)
    return [
        Saying(text, topic, heard[row], true[row] > 0, verdict=verdict) for row, (text, _, verdict) in enumerate(rows)
    ]


def _of_roles(topic: str, says: dict[str, list[str]], share: dict[str, np.ndarray]) -> list[Saying]:
    """What people say of themselves: as likely at a place as there are roles of their kinds."""
    groups = {name: [name] if name in share else [kind for kind in share if kind not in says] for name in says}
    sayings = []
    for name, texts in says.items():
        of = np.sum([share[kind] for kind in groups[name]], axis=0)
        heard = (1 - SLIP) * of / len(texts) + SLIP / 50
        sayings += [Saying(text, topic, heard, of > 0, frozenset(groups[name])) for text in texts]
    return sayings


def _tells(saying: Saying, place: int) -> bool:
    """Whether an answer is true of a place and not of every place."""
    return bool(saying.where[place]) and not saying.where.all()


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
