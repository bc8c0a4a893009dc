"""What a seat at Undercover can work out from the clues: who holds which word, and whether it is the odd one itself.

Exact Bayes over what may lie behind the table: every deal of the roles, and for each the likeliest pairs of words. A
seat that was dealt a word knows one of the pair, not which; a blank knows neither. A clue is as likely as it fits the
word of whoever gave it (`agents.house.words`); what is not understood speaks for or against nobody
(`agents.house.unread`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from agents.house.pairs import partners_in_play
from agents.house.strength import NORMAL
from agents.house.unread import like_the_others
from agents.house.words import Network
from agents.situation import Situation
from games.undercover.house.skill import SKILLS, Skill

CIVILIAN, UNDERCOVER, BLANK = range(3)
ROLES = ("civilian", "undercover", "blank")

OTHER_WORDS, THEIR_OTHER_WORDS = 40, 8
"""So many candidates for the word that one does not hold are weighed, in the own mind and in what one thinks that
others think."""
TOPICS, PARTNERS = 20, 6
"""One who knows neither word weighs so many civilians' words, and so many partners of each."""
BLUFF = 0.45
"""What a blank says fits no word in particular: so far from the least to the most that the clue fits any word."""
ASTRAY = 0.3
"""How often an undercover bluffs so too, rather than speaking about its own word."""
HIDDEN = 0.15
"""A blank is nobody's enemy, but it hides, and may be an undercover after all: how far it counts as one in a vote."""
IMPOSSIBLE = -1e9


@dataclass(frozen=True)
class Course:
    """What everybody knows. clues: those of each seat, silence left out; out: the side where it was told, else None."""

    seats: int
    undercovers: int
    blanks: int
    alive: tuple[int, ...]
    out: Mapping[int, str | None]
    clues: Mapping[int, tuple[str, ...]]


def course(situation: Situation) -> Course:
    """What the seat's view tells about the table."""
    public = situation.rules.public(situation.state)
    clues: dict[int, tuple[str, ...]] = {}
    for clue in public["clues"]:
        if clue["text"] is not None:
            clues[clue["seat"]] = (*clues.get(clue["seat"], ()), clue["text"])
    return Course(
        situation.options.seats,
        public["undercovers"],
        public["blanks"],
        tuple(public["alive"]),
        {int(seat): side for seat, side in public["out"].items()},
        clues,
    )


class Heard(NamedTuple):
    """The log likelihood of a clue. told, astray: for each word, from one who speaks about it, and from one who may
    bluff; nothing: from one who has no word in mind."""

    told: np.ndarray
    astray: np.ndarray
    nothing: float


class Mind:
    """One seat's beliefs. ``word`` is its own, None for a blank.

    Raises ValueError if no deal fits what is known, which cannot be in a match that goes on.
    """

    def __init__(
        self,
        network: Network,
        course: Course,
        seat: int,
        word: str | None,
        skill: Skill = SKILLS[NORMAL],
        width: int = OTHER_WORDS,
    ):
        self.network = network
        self.course = course
        self.seat = seat
        self.word = word
        self.skill = skill
        self.place = None if word is None else network.find(word)
        self._width = width
        self._civilian, self._undercover, self._role, prior = self._hypotheses()
        deals, chosen = _deals(course.seats, course.undercovers, course.blanks)
        possible = self._possible(deals)
        if not possible.any():
            raise ValueError("No deal of the roles fits what is known of this table.")
        self._deals, chosen = deals[possible], chosen[possible]
        scores = chosen @ self._scores() + prior
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        self._by_deal, self._by_hypothesis = weights.sum(axis=1), weights.sum(axis=0)
        self._roles = (chosen.T @ self._by_deal).reshape(course.seats, len(ROLES))

    # What may be behind the table ------------------------------------------------------------------------------------

    def _hypotheses(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The pairs of words weighed: the civilians' word, the undercovers', the own role (or BLANK), log prior."""
        if self.place is not None:
            others, prior = self._other_words(self.place)
            own = np.full(len(others), self.place)
            role = np.repeat((CIVILIAN, UNDERCOVER), len(others))
            return np.concatenate((own, others)), np.concatenate((others, own)), role, np.tile(prior, 2)
        pairs = [
            (topic, partner, float(np.log(self._partners(topic)[partner] + 1e-12)))
            for topic in np.argsort(-self.topics, kind="stable")[:TOPICS].tolist()
            for partner in np.argsort(-self._partners(topic), kind="stable")[:PARTNERS].tolist()
        ]
        civilian, undercover, prior = (np.array(column) for column in zip(*pairs, strict=True))
        roles = (BLANK,) if self.word is None else (CIVILIAN, UNDERCOVER)
        times = len(roles)
        role = np.repeat(roles, len(pairs))
        return np.tile(civilian, times), np.tile(undercover, times), role, np.tile(prior, times)

    def _other_words(self, own: int) -> tuple[np.ndarray, np.ndarray]:
        """Candidates for the word that this seat does not hold, and their log prior."""
        prior = np.log(self._partners(own) + 1e-12)
        told = [self._told(seat) for seat in self._others]
        hopeful = prior + sum(np.maximum(fit, fit[own]) for fit in told)
        best = np.argsort(-hopeful, kind="stable")
        best = best[best != own][: self._width]
        return best, prior[best]

    def _partners(self, place: int) -> np.ndarray:
        """P(the other word of the pair | the word at ``place``), before any clue."""
        alike = self.network.partners(place)
        if not self.skill.pairs or not (paired := partners_in_play(self.network)[place]).any():
            return alike
        return self.skill.pairs * paired + (1 - self.skill.pairs) * alike

    @cached_property
    def topics(self) -> np.ndarray:
        """P(word | the others' clues are all about it), for one who knows no better."""
        return self.network.posterior(clue for seat in self._others for clue in self.course.clues.get(seat, ()))

    @property
    def _others(self) -> list[int]:
        return [seat for seat in range(1, self.course.seats + 1) if seat != self.seat]

    def _heard(self, seat: int) -> list[Heard]:
        """What each clue of a seat tells."""
        return [_hear(self.network, clue, self.skill.reads) for clue in self.course.clues.get(seat, ())]

    def _told(self, seat: int) -> np.ndarray:
        """Log likelihood of a seat's clues for one who speaks about its word, for each word."""
        return sum((clue.told for clue in self._heard(seat)), start=np.zeros(len(self.network.words)))

    def _told_astray(self, seat: int) -> np.ndarray:
        """The same for one who may bluff."""
        return sum((clue.astray for clue in self._heard(seat)), start=np.zeros(len(self.network.words)))

    def _told_nothing(self, seat: int) -> float:
        """The same for one who has no word."""
        return sum(clue.nothing for clue in self._heard(seat))

    def _scores(self) -> np.ndarray:
        """Log likelihood of each seat's clues in each role under each hypothesis: array (seats x roles, hypotheses)."""
        scores = np.zeros((self.course.seats, len(ROLES), len(self._role)))
        for seat in self._others:
            scores[seat - 1, CIVILIAN] = self._told(seat)[self._civilian]
            scores[seat - 1, UNDERCOVER] = self._told_astray(seat)[self._undercover]
            scores[seat - 1, BLANK] = self._told_nothing(seat)
        others = np.array(self._others) - 1
        innocence = scores[others, None, CIVILIAN]
        scores[others] = innocence + like_the_others(scores[others] - innocence, *self._understood())
        own = scores[self.seat - 1]
        own[:] = IMPOSSIBLE
        own[self._role, np.arange(len(self._role))] = 0
        return scores.reshape(-1, len(self._role))

    def _understood(self) -> tuple[np.ndarray, np.ndarray]:
        """How many clues of each other seat were understood, and how many were not."""
        clues = [self.course.clues.get(seat, ()) for seat in self._others]
        understood = np.array([sum(self.network.reading(clue).certainty for clue in given) for given in clues])
        return understood, np.array([len(given) for given in clues]) - understood

    def _possible(self, deals: np.ndarray) -> np.ndarray:
        """Which deals agree with the sides that were told, and with the match going on."""
        alive = deals[:, [seat - 1 for seat in self.course.alive]]
        possible = ((alive == UNDERCOVER).sum(axis=1) >= 1) & ((alive == CIVILIAN).sum(axis=1) >= 2)
        for seat, side in self.course.out.items():
            if side is not None:
                possible &= deals[:, seat - 1] == ROLES.index(side)
        return possible

    # What is believed ------------------------------------------------------------------------------------------------

    def role(self, seat: int) -> tuple[float, float, float]:
        """P(civilian), P(undercover), P(blank) of a seat, the own one included."""
        return tuple(self._roles[seat - 1].tolist())

    @property
    def odd(self) -> float:
        """P(this seat itself is undercover)."""
        return float(self._roles[self.seat - 1, UNDERCOVER])

    @property
    def assurance(self) -> float:
        """How far the clues have cleared this seat in its own eyes, 0 to 1: at 0 it may be the odd one as well as
        before any clue."""
        return max(0.0, 1 - self.odd * self.course.seats / max(self.course.undercovers, 1))

    def against(self, seat: int) -> float:
        """How far that seat is thought to stand against this one, 0 to 1: as an undercover, and in part as a blank, if
        this one is none; as a civilian if it is."""
        theirs = self._deals[:, seat - 1]
        mine = self._deals[:, self.seat - 1]
        as_undercover = (theirs == CIVILIAN).astype(float)
        as_other = (theirs == UNDERCOVER) + HIDDEN * (theirs == BLANK)
        return float(self._by_deal @ np.where(mine == UNDERCOVER, as_undercover, as_other))

    def civilian_word(self) -> np.ndarray:
        """P(word is the civilians'), for each word of the network."""
        return self._by_word(self._civilian, self._by_hypothesis)

    def other_word(self) -> np.ndarray:
        """P(word is the one of the pair that this seat does not hold); for a blank that of the civilians."""
        places = np.where(self._role == CIVILIAN, self._undercover, self._civilian)
        return self._by_word(places, self._by_hypothesis)

    def majority_if_odd(self) -> np.ndarray:
        """P(word is the civilians' | this seat is undercover), for each word; all 0 where it cannot be."""
        chances = self._by_word(self._civilian, self._by_hypothesis * (self._role == UNDERCOVER))
        return chances / max(chances.sum(), np.finfo(float).tiny)

    def minority_if_not(self) -> np.ndarray:
        """P(word is the undercovers' and this seat is a civilian), for each word; sums to 1 - ``odd``."""
        return self._by_word(self._undercover, self._by_hypothesis * (self._role == CIVILIAN))

    def _by_word(self, places: np.ndarray, chances: np.ndarray) -> np.ndarray:
        return np.bincount(places, weights=chances, minlength=len(self.network.words))

    def likely_word(self, seat: int) -> str | None:
        """The word that a seat most probably holds."""
        if seat == self.seat:
            return self.word
        if self.word is None:
            return self.network.words[int(self.civilian_word().argmax())]
        civilian, undercover, _ = self.role(seat)
        same = undercover if self.odd > 0.5 else civilian
        return self.word if same >= 0.5 else self.network.words[int(self.other_word().argmax())]

    def mind_of(self, seat: int) -> Mind:
        """What that seat probably believes, having the word that it probably has."""
        return Mind(self.network, self.course, seat, self.likely_word(seat), self.skill, THEIR_OTHER_WORDS)


@lru_cache(maxsize=512)
def _hear(network: Network, clue: str, reads: float) -> Heard:
    """What a clue tells one who reads so well."""
    fit = network.likelihoods(clue) ** reads
    made_up = float(BLUFF * fit.max() + (1 - BLUFF) * fit.min())
    return Heard(np.log(fit), np.log((1 - ASTRAY) * fit + ASTRAY * made_up), math.log(made_up))


@lru_cache(maxsize=64)
def _deals(seats: int, undercovers: int, blanks: int) -> tuple[np.ndarray, np.ndarray]:
    """Every deal: roles as an array (deals, seats), and the same as 0 or 1 for each role, (deals, seats x roles)."""
    rows: list[Sequence[int]] = []
    for odd in itertools.combinations(range(seats), undercovers):
        rest = [seat for seat in range(seats) if seat not in odd]
        for none in itertools.combinations(rest, blanks):
            rows.append([UNDERCOVER if s in odd else BLANK if s in none else CIVILIAN for s in range(seats)])
    deals = np.array(rows)
    chosen = np.eye(len(ROLES))[deals].reshape(len(deals), -1)
    return deals, chosen
