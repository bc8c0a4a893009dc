"""What house agents know about words: a network of plain facts, and how a clue is read against it.

The network is data written for this project, ``fixtures/words/*.json``. A file names the words of each category and
holds facts, one a line: a sentence that can be given as a clue, keywords by which other people's sentences about the
same thing are known again, and the words of which it is true, from 1 (at times) to 3 (it comes to mind at once).
``@category`` stands for all words of a category; 0 takes a word out again. A word with several meanings stands once for
each: ``mouse`` is the first, ``mouse (device)`` another. How words are related is in `agents.house.relations`.

A word of which a fact is not stated may still fit it: nobody wrote down everything. So nothing has likelihood 0.
"""

import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from agents.house import embedding
from agents.house.embedding import Reading
from agents.house.relations import Relations, word_of

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "words"

TRUTH = {0: 0.0, 1: 0.5, 2: 0.8, 3: 1.0}
"""How true a fact of strength 1 to 3 is."""
UNSTATED = 0.15
"""The likelihood of a clue about a fact that is not stated of the word."""
UNREAD = 0.3
"""The likelihood, for every word alike, of a clue of which nothing is understood."""
READ = 0.8
"""How sure the reading of a free sentence is at best; the facts' own texts are read without doubt."""
LIKE = 2.0
"""How well a word fits a clue that names another one, by how alike the two are; 1 at most."""
SIMILAR = 9.0
"""How sharply the partner of a word is expected among the words most like it."""

LIKENINGS = (
    "not {word}, but close",
    "somewhere near {word}",
    "{word}, but not quite",
    "think of {word} and take one step aside",
    "{word} would be a good wrong guess",
    "on the same page as {word}",
    "{word} is its neighbour",
    "whoever thinks of {word} is on the way",
    "between {word} and it there is not much room",
    "with {word} you would be warm, but not there yet",
    "if you say {word}, I nearly nod",
    "{word} comes up when you look for it",
)
"""Clues that liken the own word to another one; they fit whatever kind of word that is."""

STOP_WORDS = frozenset(
    "a about all also an and any are as at be been bit but by can could did do does each for from get gets go goes had "
    "has have he her him his how i if in into is it its just kind know like lot made make many may me mine more most "
    "much my no not of often on one only or other our out people quite really she should so some somebody something "
    "sometimes sort than that the their them then there they thing things think this to too us use used usually very "
    "was we well were what when where which who will with would yes you your".split()
)


_BETWEEN_PARTS = re.compile(r"[.,;:!?]+\s+(?:and\s+|but\s+)?")


@dataclass(frozen=True)
class Fact:
    """Something that is true of some words. text: as a clue would say it; keywords: other words for it."""

    text: str
    keywords: tuple[str, ...]


@dataclass(frozen=True)
class Clue:
    """A clue that a word allows.

    truth: how well it fits the word, 0 to 1. vagueness: the part of the words most like it that it fits as well, each
    weighted by how alike it is, 0 to 1; a telling clue has a low one.
    """

    fact: int
    text: str
    truth: float
    vagueness: float


class Network:
    """Words, facts and which holds of which. All vectors over words are in the order of ``words``.

    senses: the meanings of each word, as the files name them. truth: array (facts, words) in [0, 1], of a word's truest
    sense. relations: how the words are related, and in which part of the network each stands. reader: reads a clue as
    far as nothing in the network is about it; without one it is UNREAD for every word.
    """

    reader: Callable[[str], Reading] = staticmethod(lambda clue: Reading(UNREAD, 0.0))

    def __init__(
        self,
        categories: Mapping[str, Sequence[str]],
        facts: Sequence[Mapping],
        relations: Relations | None = None,
    ):
        self.category = {sense: category for category, senses in categories.items() for sense in senses}
        self.senses: dict[str, tuple[str, ...]] = {}
        for sense in sorted(self.category, key=lambda sense: sense != word_of(sense)):  # the plain meaning first
            self.senses[word_of(sense)] = (*self.senses.get(word_of(sense), ()), sense)
        self.words = tuple(self.senses)
        self.relations = relations or Relations()
        self.facts = tuple(Fact(fact["text"], tuple(fact["keywords"])) for fact in facts)
        self.texts = [fact.text for fact in self.facts]
        self._index = {word: place for place, word in enumerate(self.words)}
        self._exact = {normal(fact.text): number for number, fact in enumerate(self.facts)}
        columns = {sense: place for place, sense in enumerate(self.category)}
        self._of_sense = np.zeros((len(self.facts), len(columns)))
        for number, fact in enumerate(facts):
            for sense, strength in self._strengths(fact["true_of"], categories).items():
                self._of_sense[number, columns[sense]] = TRUTH[strength]
        self._first = np.array([columns[senses[0]] for senses in self.senses.values()], int)
        self._further = [(self._index[word], columns[sense]) for word, all in self.senses.items() for sense in all[1:]]
        self.truth = self._best_sense(self._of_sense)
        self._readings: dict[str, Reading] = {}
        self._taken_for: dict[str, int | None] = {}

    def _best_sense(self, by_sense: np.ndarray) -> np.ndarray:
        """Array (..., words) from one (..., senses): of each word the sense with the most."""
        by_word = by_sense[..., self._first]
        for word, sense in self._further:
            by_word[..., word] = np.maximum(by_word[..., word], by_sense[..., sense])
        return by_word

    @staticmethod
    def _strengths(true_of: Mapping[str, int], categories: Mapping[str, Sequence[str]]) -> dict[str, int]:
        whole = {
            word: strength for name, strength in true_of.items() if name[0] == "@" for word in categories[name[1:]]
        }
        return whole | {name: strength for name, strength in true_of.items() if name[0] != "@"}

    def find(self, word: str) -> int | None:
        """The place of a word in ``words``, or of the one that is nearest to it in meaning; None where none is."""
        place = self.place(word)
        if place is None and isinstance(self.reader, embedding.Reader):
            if word not in self._taken_for:
                self._taken_for[word] = self.reader.nearest(word)
            place = self._taken_for[word]
        return place

    def place(self, word: str) -> int | None:
        """The place of a word in ``words``, its plural and its last part included ("green tea"); None if unknown."""
        plain = normal(word)
        for form in (plain, plain.split(" ")[-1]):
            for end in ("", "s", "es"):
                place = self._index.get(form.removesuffix(end))
                if place is not None and form.endswith(end):
                    return place
        return None

    def fact(self, text: str) -> int | None:
        """The number of the fact that these words state, to the letter; None where they are no fact's."""
        return self._exact.get(normal(text))

    # How words stand to one another --------------------------------------------------------------------------------

    @cached_property
    def similarities(self) -> np.ndarray:
        """Array (words, words) in [0, 1]: the cosine of what is true of both, a rare fact counting more. Of words with
        several meanings those count that are most alike."""
        rarity = np.log(len(self.words) / (self.truth > 0).sum(axis=1))
        weighted = self._of_sense * rarity[:, None]
        weighted /= np.maximum(np.linalg.norm(weighted, axis=0), np.finfo(float).tiny)
        return self._best_sense(self._best_sense(weighted.T @ weighted).T)

    def similarity(self, word: str, other: str) -> float:
        """How alike two words of the network are, 0 to 1. Raises KeyError for a word that is not in it."""
        return float(self.similarities[self._index[word], self._index[other]])

    @cached_property
    def likeness(self) -> np.ndarray:
        """Array (words, words): how true it is of the second that it is like the first and not the same."""
        like = np.minimum(LIKE * self.similarities, 1)
        np.fill_diagonal(like, 0)
        return like

    @cached_property
    def _likened(self) -> dict[str, int]:
        """Of each clue that likens, the word that it names."""
        return {
            normal(likening.format(word=word)): place for place, word in enumerate(self.words) for likening in LIKENINGS
        }

    def partners(self, place: int) -> np.ndarray:
        """P(the other word of the pair | the word at ``place``), before any clue: the more alike, the likelier."""
        return self._partners[place]

    @cached_property
    def _partners(self) -> np.ndarray:
        weights = np.exp(SIMILAR * self.similarities) - 1
        np.fill_diagonal(weights, 0)
        return weights / weights.sum(axis=1, keepdims=True)

    # Clues ----------------------------------------------------------------------------------------------------------

    def clues(self, word: str) -> list[Clue]:
        """Every clue that fits the word, from the vaguest to the most telling; none for an unknown word."""
        place = self.find(word)
        if place is None:
            return []
        truth, vagueness = self.truth[:, place], self.truth @ self.partners(place)
        ranked = sorted(self.fitting(word), key=lambda fact: (-vagueness[fact], fact))
        return [Clue(fact, self.facts[fact].text, float(truth[fact]), float(vagueness[fact])) for fact in ranked]

    def fitting(self, word: str) -> set[int]:
        """The facts that fit the word; none for an unknown one."""
        place = self.find(word)
        return set() if place is None else set(np.flatnonzero(self.truth[:, place]).tolist())

    def likelihood(self, clue: str, word: str) -> float:
        """P(somebody who has this word gives this clue), up to a factor that is the same for every word."""
        return float(self.likelihoods(clue)[self._index[word]])

    def likelihoods(self, clue: str) -> np.ndarray:
        """``likelihood`` for all words at once."""
        return np.asarray(self.reading(clue).likelihoods)

    def reading(self, clue: str) -> Reading:
        """How a clue is understood. One of several parts is as likely, and as well understood, as its parts are on
        average."""
        known = self._readings.get(clue)
        if known is None:
            whole = normal(clue) in self._likened
            parts = [self._part(part) for part in ([clue] if whole else self._parts(clue))]
            likelihoods = np.exp(np.mean([np.log(part.likelihoods) for part in parts], axis=0))
            likelihoods.setflags(write=False)
            known = Reading(likelihoods, sum(part.certainty for part in parts) / len(parts))
            if len(self._readings) > 20_000:
                self._readings.clear()
            self._readings[clue] = known
        return known

    def _parts(self, clue: str) -> list[str]:
        """The parts of a clue that say something each: what makes a known fact together is one of them."""
        pieces = [piece for piece in _BETWEEN_PARTS.split(clue) if content_stems(piece)]
        parts = []
        while pieces:
            ends = range(len(pieces), 0, -1)
            end = next((end for end in ends if normal(" ".join(pieces[:end])) in self._exact), 1)
            parts.append(" ".join(pieces[:end]))
            del pieces[:end]
        return parts or [clue]

    def _part(self, text: str) -> Reading:
        number = self._exact.get(normal(text))
        if number is not None:
            return Reading(UNSTATED + (1 - UNSTATED) * self.truth[number], 1.0)
        if (named := self._likened.get(normal(text))) is not None:
            return Reading(UNSTATED + (1 - UNSTATED) * self.likeness[named], 1.0)
        fit, confidence = self._fit(text)
        says_something = any(stem.isascii() for stem in content_stems(text))  # the words are English
        rest = self.reader(text) if says_something else Reading(UNREAD, 0.0)
        likelihoods = (1 - confidence) * rest.likelihoods + confidence * (UNSTATED + (1 - UNSTATED) * fit)
        by_words = confidence / READ
        return Reading(likelihoods, by_words + (1 - by_words) * rest.certainty)

    def _fit(self, text: str) -> tuple[np.ndarray, float]:
        """How well each word fits a free sentence, and how sure the reading is, 0 to 1.

        A word fits as far as what the sentence says is said in some fact that is true of it; rare words say more. A
        word of the network that is named stands for the words like it. Unsure is what nothing in the network says.
        """
        stems = sorted(content_stems(text))
        known = [(self._weight(stem), self._said(stem)) for stem in stems if self._knows(stem)]
        if not known:
            return np.zeros(len(self.words)), 0.0
        weight = sum(weight for weight, _ in known)
        fit = sum((weight * said for weight, said in known), np.zeros(len(self.words))) / weight
        return fit, READ * weight / sum(self._weight(stem) for stem in stems)

    def _knows(self, stem: str) -> bool:
        return stem in self._facts_by_stem or stem in self._words_by_stem

    def _said(self, stem: str) -> np.ndarray:
        """How true of each word the truest fact is that says this, or how like the word is that is named."""
        fits = self.truth[self._facts_by_stem.get(stem, [])].max(axis=0, initial=0)
        if stem in self._words_by_stem:
            fits = np.maximum(fits, np.minimum(LIKE * self.similarities[self._words_by_stem[stem]], 1))
        return fits

    def _weight(self, stem: str) -> float:
        return math.log(1 + len(self.facts) / (1 + len(self._facts_by_stem.get(stem, ()))))

    @cached_property
    def _facts_by_stem(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for number, fact in enumerate(self.facts):
            for stem in content_stems(" ".join((fact.text, *fact.keywords))):
                index.setdefault(stem, []).append(number)
        return index

    @cached_property
    def _words_by_stem(self) -> dict[str, int]:
        return {stem(word): place for place, word in enumerate(self.words) if " " not in word}

    def posterior(self, clues: Iterable[str], prior: np.ndarray | None = None) -> np.ndarray:
        """P(word | all these clues are about it); ``prior`` is even where it is left out."""
        weights = np.ones(len(self.words)) if prior is None else prior.copy()
        for clue in clues:
            weights *= self.likelihoods(clue)
        return weights / weights.sum()


@lru_cache(maxsize=1)
def network() -> Network:
    """The network of the fixtures, read once a process; it reads by meaning too where that can be done."""
    known = read(FOLDER)
    known.reader = embedding.reader(known.words, known.texts, known.truth > 0) or known.reader
    return known


def read(folder: Path) -> Network:
    """The network in a folder of files. Raises ValueError where a file is not one, or something unknown is named."""
    categories: dict[str, list[str]] = {}
    facts: list[dict] = []
    relations = Relations()
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("format") != "word-network/1":
            raise ValueError(f"{path.name} is not a part of a word network.")
        for name, senses in data.get("categories", {}).items():
            categories.setdefault(name, []).extend(senses)
        facts += data["facts"]
        relations.take(data)
    known = {sense for senses in categories.values() for sense in senses} | {f"@{name}" for name in categories}
    for fact in facts:
        if unknown := set(fact["true_of"]) - known:
            raise ValueError(f"'{fact['text']}' is said of unknown words: {', '.join(sorted(unknown))}.")
    relations.settle(categories)
    return Network(categories, facts, relations)


def normal(text: str) -> str:
    """A text without what does not matter in comparing: case, signs, double spaces."""
    return " ".join(re.findall(r"[\w']+", unicodedata.normalize("NFKC", text).casefold()))


def content_stems(text: str) -> set[str]:
    """The words of a text that carry meaning, without their endings."""
    words = normal(text).split()
    return {stem(word) for word in words if word not in STOP_WORDS}


def stem(word: str) -> str:
    """A word without its commonest English endings: "running" and "runs" become "run", "movies" and "movie" "movi"."""
    word = word.removesuffix("'s")
    for end, put, shortest in (("ies", "y", 5), ("ing", "", 6), ("ed", "", 5), ("es", "e", 5), ("s", "", 4)):
        if word.endswith(end) and len(word) >= shortest and not word.endswith("ss"):
            word = word[: -len(end)] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 3:
        word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word
