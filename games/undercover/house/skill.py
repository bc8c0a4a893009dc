"""How well the house agent of Undercover plays, by its strength."""

from dataclasses import dataclass

from agents.house.form import CHOICE
from agents.house.strength import EASY, HARD, NORMAL


@dataclass(frozen=True)
class Skill:
    """reads: how much it concludes from a clue: the exponent of its likelihood.
    pairs: how much it goes by which pairs of words are played with at all, beside how alike words are, 0 to 1.
    telling: what a civilian gains from a clue that the other word would not allow, beside one that fits the own word
    fully. 0.3 plays with open cards, below 0 it hides among what fits both words.
    assured: what such a clue gains besides for one whom the others' clues have cleared in its own eyes.
    hedge: however sure of its side, the weight that it gives to being the odd one when it chooses a clue.
    bluffs: how sure it must be that it is the odd one to say what is true of the others' word alone; above 1: never.
    choice: among how many clues of about the drawn length it chooses, at least.
    clue_noise: how freely it chooses among clues that it finds nearly as good; 0 is always the best one.
    crowd: how much the suspicion of the others weighs in a vote beside the own one; crowd_if_odd: the same for one who
    is probably the odd one, and wants the vote to fall on whom it may.
    vote_noise: how freely it votes."""

    reads: float = 1.0
    pairs: float = 0.0
    telling: float = 0.05
    assured: float = 0.0
    hedge: float = 0.35
    bluffs: float = 2.0
    choice: int = CHOICE
    clue_noise: float = 0.03
    crowd: float = 0.25
    crowd_if_odd: float = 0.25
    vote_noise: float = 0.1


SKILLS = {
    EASY: Skill(reads=0.1, telling=0.2, hedge=0.1, clue_noise=0.15, crowd=0.0, crowd_if_odd=0.0, vote_noise=0.6),
    NORMAL: Skill(),
    HARD: Skill(pairs=0.8, bluffs=0.5, choice=8, clue_noise=0.0, crowd_if_odd=1.0, vote_noise=0.0),
}
