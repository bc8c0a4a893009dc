"""What one seat of SpyGame makes of what was said: where this may be, and who the spy may be.

Both follow from one table of likelihoods. Where: what the others say, heard at each place. Who: at the place where one
is, what a citizen there would hardly say speaks against whoever said it, beside what a spy would have said, who knew
no more than what had been said by then. The spy asks itself the same, weighed over all places: whom would they suspect?
"""

from dataclasses import dataclass

import numpy as np

from agents.house.strength import NORMAL
from agents.house.unread import like_the_others
from agents.situation import Situation
from games.spygame.house.places import Places, places, spread
from games.spygame.house.skill import SKILLS, Skill

DOUBT = 0.35
"""How much of what a spy says is said blindly, beside what fits its belief."""


@dataclass(frozen=True)
class Said:
    """Something that a seat said, as question or answer; to: the question that it answers."""

    seat: int
    text: str
    question: bool = False
    to: str | None = None


class Mind:
    """The beliefs of one seat. place: the number of the own place among `candidates`, or None for the spy and for a
    citizen at a place of which nothing is known."""

    def __init__(
        self,
        known: Places,
        said: list[Said],
        seats: int,
        seat: int,
        place: str | None,
        spy: bool,
        listed: list[str],
        skill: Skill = SKILLS[NORMAL],
    ):
        self.skill = skill
        self.known, self.said, self.seats, self.seat, self.spy = known, said, seats, seat, spy
        self.candidates: tuple[str, ...] = tuple(listed) or known.names
        self.numbers = [known.place(name) for name in self.candidates]
        self.name = place
        knows = not spy and place in self.candidates and known.place(place) is not None
        self.place = self.candidates.index(place) if knows else None
        heard = [self.at(known.hear(words.text, words.to)) for words in said]
        # What a spy at each seat would believe: all that the others said.
        self.seen_from = np.zeros((seats + 1, len(self.candidates)))
        against = np.zeros((seats + 1, len(self.candidates)))
        understood, weighed = np.zeros(seats + 1), np.zeros(seats + 1)
        for words, likely in zip(said, heard, strict=True):
            if not words.question or likely.min() < 0.01:
                against[words.seat] += self._against(words.seat, likely)
                understood[words.seat] += 1 - likely.min() / likely.max()
                weighed[words.seat] += 1
            others = np.arange(seats + 1) != words.seat
            self.seen_from[others] += self.skill.listen * np.log(likely)
        self.against = like_the_others(against, understood, weighed - understood)

    def at(self, values: np.ndarray) -> np.ndarray:
        """Values at the known places as values at the candidates; the mean where nothing is known of one."""
        middle = float(values.mean())
        return np.array([middle if number is None else values[number] for number in self.numbers])

    def _against(self, seat: int, likely: np.ndarray) -> np.ndarray:
        """How much this speaks for the spy at that seat, for each place where the others may be."""
        belief = (1 - DOUBT) * spread(self.seen_from[seat]) + DOUBT / len(likely)
        return self.skill.judge * (np.log(likely @ belief) - np.log(likely))

    @property
    def where(self) -> np.ndarray:
        """The chances of each candidate to be the place, as somebody at this seat who was told nothing sees it."""
        return spread(self.seen_from[self.seat])

    def suspicion(self) -> dict[int, float]:
        """For each other seat the chance that it is the spy; for the spy itself, how much a citizen would suspect
        each other seat beside it."""
        others = [seat for seat in range(1, self.seats + 1) if seat != self.seat]
        if self.place is not None:
            shares = spread(self.against[others, self.place])
        elif self.spy:
            belief = self.where
            shares = sum(belief[p] * spread(self.against[others, p]) for p in range(len(belief)))
        else:
            shares = np.full(len(others), 1 / len(others))
        return {seat: float(share) for seat, share in zip(others, shares, strict=True)}

    def exposure(self) -> float:
        """The spy's guess at how much a citizen suspects it, as a chance."""
        belief = self.where
        everybody = list(range(1, self.seats + 1))
        own = self.seat - 1
        return float(sum(belief[p] * spread(self.against[everybody, p])[own] for p in range(len(belief))))


def mind_of(situation: Situation, skill: Skill = SKILLS[NORMAL]) -> Mind:
    """What the seat makes of its card and of all that was said."""
    card = situation.rules.card(situation.state, situation.seat)
    said = []
    for turn in situation.state.exchanges:
        if turn["question"]:
            said.append(Said(turn["leader"], turn["question"], question=True))
        if turn["answer"]:
            said.append(Said(turn["seat"], turn["answer"], to=turn["question"]))
    seats = situation.options.seats
    return Mind(places(), said, seats, situation.seat, card["place"], card["spy"], situation.state.places, skill)
