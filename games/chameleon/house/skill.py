"""How well the house agent of Chameleon plays, by its strength."""

from dataclasses import dataclass

from agents.house.strength import EASY, HARD, NORMAL


@dataclass(frozen=True)
class Skill:
    """reads: how much it concludes from a clue about the word: the exponent of its likelihood.
    seasoned: whether as the chameleon it knows how house agents choose among all that they could say, beside what
    fits.
    temper: how much a clue says about its giver: people choose clues for more reasons than these.
    telling: how much a clue gains by what the chameleon would hardly have made up.
    hiding: how much a clue loses by what it tells the chameleon about the word.
    bold: how much the chameleon gains by a clue that does not fit every word of the topic.
    clue_noise: how freely it chooses among clues that it finds nearly as good; 0 is always the best one.
    vote_noise: how freely it votes."""

    reads: float = 1.0
    seasoned: bool = False
    temper: float = 0.8
    telling: float = 0.1
    hiding: float = 4.0
    bold: float = 0.3
    clue_noise: float = 0.1
    vote_noise: float = 0.1


SKILLS = {
    EASY: Skill(reads=0.4, temper=0.4, hiding=1.0, clue_noise=0.4, vote_noise=0.5),
    NORMAL: Skill(),
    HARD: Skill(seasoned=True, clue_noise=0.02, vote_noise=0.0),
}
