"""What a seat at Chameleon can work out from the clues: which word it is about, and who only plays along.

The chameleon weighs the words of the topic: a word is as likely as the clues of the others fit it. The others weigh
who the chameleon is: a clue speaks for knowing the word as far as it fits that word better than what the chameleon
could have made up at that point, having heard the clues before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from agents.house.form import NEAR
from agents.house.strength import NORMAL
from agents.house.unread import like_the_others
from agents.house.words import UNSTATED, Network, content_stems, normal
from agents.situation import Situation
from games.chameleon.house.skill import SKILLS, Skill
from games.rules.clues import holds_word

TOPICS = {
    "animals": ("mammal", "bird", "insect", "reptile and sea"),
    "birds": ("bird",),
    "body": ("body part",),
    "buildings": ("building",),
    "clothes": ("clothes",),
    "devices": ("device",),
    "drinks": ("drink",),
    "events": ("event",),
    "feelings": ("feeling",),
    "food": ("meal", "dairy and spread", "sweet"),
    "fruits": ("fruit",),
    "games": ("game",),
    "jobs": ("job",),
    "kitchen": ("kitchen thing",),
    "music": ("music",),
    "nature": ("land and water",),
    "places": ("building", "open place"),
    "sports": ("sport",),
    "tools": ("tool",),
    "transport": ("transport",),
    "vegetables": ("vegetable",),
    "weather": ("sky and weather",),
}
"""Which words of the network a topic is about. Of another topic all words are candidates."""

SILENCE = 0.4
"""What saying nothing adds to the log odds of being the chameleon."""
IMPOSSIBLE = 1e-9
SLIP = 0.2
"""How often somebody chooses a clue otherwise than a house agent would."""


@dataclass(frozen=True)
class Course:
    """What everybody knows. clues: (seat, text) in the order in which they were given; text None: a silence."""

    seats: int
    topic: str
    clues: tuple[tuple[int, str | None], ...]


def course(situation: Situation) -> Course:
    """What the seat's view tells about the table."""
    public = situation.rules.public(situation.state)
    clues = tuple((clue["seat"], clue["text"]) for clue in public["clues"])
    return Course(situation.options.seats, public["topic"], clues)


class Mind:
    """One seat's beliefs; ``word`` is None for the chameleon, which alone knows that it is. ``place``: where the word
    stands among the candidates, None if it is not one of them."""

    def __init__(self, network: Network, course: Course, seat: int, word: str | None, skill: Skill = SKILLS[NORMAL]):
        self.network = network
        self.course = course
        self.seat = seat
        self.word = word
        self.skill = skill
        self._readings: dict[int, tuple[np.ndarray, float]] = {}
        self.candidates = candidates(network, course.topic)
        known = None if word is None else network.find(word)
        if known is not None and known not in self.candidates:
            self.candidates = np.append(self.candidates, known)
        self.place = None if known is None else int(np.flatnonzero(self.candidates == known)[0])

    @property
    def is_chameleon(self) -> bool:
        return self.word is None

    def name(self, candidate: int) -> str:
        """The word that is this candidate."""
        return self.network.words[self.candidates[candidate]]

    # The word -------------------------------------------------------------------------------------------------------

    @cached_property
    def words(self) -> np.ndarray:
        """P(candidate is the word) as this seat sees it."""
        if self.place is not None:
            return np.eye(len(self.candidates))[self.place]
        return self.heard(without=self.seat)

    def heard(self, without: int | None = None, until: int | None = None) -> np.ndarray:
        """P(candidate is the word) to somebody who knows only the topic and heard the first ``until`` clues, those of
        seat ``without`` left out."""
        told = [
            (number, text)
            for number, (seat, text) in enumerate(self.course.clues[:until])
            if seat != without and text is not None
        ]
        weights = np.ones(len(self.candidates))
        for number, _ in told:
            weights *= self._reading(number)[0] ** self.skill.reads
        said = [_names(text, self._words) for _, text in told]
        if said:
            weights *= np.where(np.any(said, axis=0), IMPOSSIBLE, 1)
        return weights / weights.sum()

    def _fit(self, text: str) -> np.ndarray:
        return self.network.likelihoods(text)[self.candidates]

    def _reading(self, number: int) -> tuple[np.ndarray, float]:
        """How likely somebody gives this clue who knows the word, for each candidate, and how likely the chameleon."""
        if number not in self._readings:
            seat, text = self.course.clues[number]
            fit = self._fit(text or "")
            reading = fit, float(fit @ self.heard(without=seat, until=number))
            fact = self.network.fact(text or "")
            if self.skill.seasoned and self.place is None and fact is not None:
                reading = self._as_chosen(number, fact, *reading)
            self._readings[number] = reading
        return self._readings[number]

    def _as_chosen(self, number: int, fact: int, fit: np.ndarray, made_up: float) -> tuple[np.ndarray, float]:
        """The same, if clues are mostly chosen as normal house agents choose them among those of about its length."""
        usual, seat = SKILLS[NORMAL], self.course.clues[number][0]
        near = np.array([f for f, text in enumerate(self.network.texts) if abs(len(text) - self._length(fact)) <= NEAR])
        fits = UNSTATED + (1 - UNSTATED) * self.network.truth[np.ix_(near, self.candidates)]
        place = int(np.flatnonzero(near == fact)[0])
        knowing = _worth(fits, self.heard(until=number), usual.telling, usual.hiding)
        knowing[fits <= UNSTATED] = -np.inf
        blending = _blend(fits, self.heard(without=seat, until=number), usual.bold)
        chosen, invented = (_chosen(values, place, usual.clue_noise) for values in (knowing, blending))
        slip = SLIP / len(near)
        return slip * fit + (1 - SLIP) * chosen, slip * made_up + (1 - SLIP) * float(invented)

    def _length(self, fact: int) -> int:
        return len(self.network.texts[fact])

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """The words that are candidates."""
        return tuple(self.network.words[place] for place in self.candidates)

    # The chameleon --------------------------------------------------------------------------------------------------

    @cached_property
    def _evidence(self) -> np.ndarray:
        """Log odds that a seat is the chameleon, if the word is that candidate: array (seats, candidates)."""
        evidence = np.zeros((self.course.seats, len(self.candidates)))
        understood, given, silences = (np.zeros(self.course.seats) for _ in range(3))
        for number, (seat, text) in enumerate(self.course.clues):
            if text is None:
                silences[seat - 1] += 1
                continue
            fit, made_up = self._reading(number)
            evidence[seat - 1] += self.skill.temper * (np.log(made_up) - np.log(fit))
            understood[seat - 1] += self.network.reading(text).certainty
            given[seat - 1] += 1
        return like_the_others(evidence, understood, given - understood) + SILENCE * silences[:, None]

    def suspicion(self, viewer: int) -> dict[int, float]:
        """P(each other seat is the chameleon) to a viewer who knows the word, as far as this seat knows it."""
        others = [seat for seat in range(1, self.course.seats + 1) if seat != viewer]
        odds = self._evidence[[seat - 1 for seat in others]]
        weights = np.exp(odds - odds.max(axis=0))
        chances = (weights / weights.sum(axis=0)) @ self.words
        return dict(zip(others, chances.tolist(), strict=True))

    # Clues ----------------------------------------------------------------------------------------------------------

    def clue_values(self, telling: float, hiding: float) -> tuple[np.ndarray, np.ndarray]:
        """The facts that may be said, and what each is worth as a clue.

        One who knows the word gains by ``telling`` what the chameleon would hardly have made up, and by ``hiding`` the
        word from it. The chameleon says what fits the words that it thinks likely, rather than what fits them all.
        """
        truth = self.network.truth[:, self.candidates]
        if self.place is None:
            facts = self._beyond_the_topic(np.flatnonzero(truth.max(axis=1)))
            fits = UNSTATED + (1 - UNSTATED) * truth[facts]
            return facts, _blend(fits, self.words, telling)
        facts = self._beyond_the_topic(np.flatnonzero(truth[:, self.place]))
        fits = UNSTATED + (1 - UNSTATED) * truth[facts]
        own, chameleon = fits[:, self.place], self.heard()
        made_up = fits @ chameleon
        tells, gives_away = np.log(own / made_up), chameleon[self.place] * own / made_up
        return facts, own + telling * tells - hiding * gives_away

    def _beyond_the_topic(self, facts: np.ndarray) -> np.ndarray:
        """Those that say more than the topic: its name is not in them, and they are not true of all its words."""
        everything = self.network.truth[:, self.candidates].min(axis=1) > 0
        named = content_stems(self.course.topic)
        said = [everything[fact] or not named.isdisjoint(content_stems(self.network.texts[fact])) for fact in facts]
        return facts[~np.array(said, bool)]


@lru_cache(maxsize=1024)
def _names(clue: str, words: tuple[str, ...]) -> np.ndarray:
    """Which of the words a clue names: nobody who knows the word may say it."""
    return np.array([holds_word(clue, word) for word in words])


def _worth(fits: np.ndarray, heard: np.ndarray, telling: float, hiding: float) -> np.ndarray:
    """What each clue is worth to one who knows the word, for each word: array (clues, words)."""
    made_up = (fits @ heard)[:, None]
    return fits + telling * np.log(fits / made_up) - hiding * heard * fits / made_up


def _blend(fits: np.ndarray, words: np.ndarray, bold: float) -> np.ndarray:
    """What each clue is worth to the chameleon."""
    return np.log(fits) @ words - bold * np.log(fits.mean(axis=1))


def _chosen(values: np.ndarray, place: int, noise: float) -> np.ndarray:
    """How likely the clue at ``place`` is chosen by these values, ``[clue, ...]``; 0 where none may be said."""
    best = values.max(axis=0)
    weights = np.exp((values - np.where(np.isfinite(best), best, 0)) / noise)
    return weights[place] / np.maximum(weights.sum(axis=0), np.finfo(float).tiny)


def candidates(network: Network, topic: str) -> np.ndarray:
    """The places of the words that belong to a topic; of all words for a topic that the network does not know."""
    plain = normal(topic)
    names: Sequence[str] = TOPICS.get(plain) or TOPICS.get(f"{plain}s") or (plain,)
    places = [place for place, word in enumerate(network.words) if network.category[word] in names]
    return np.array(places or range(len(network.words)))
