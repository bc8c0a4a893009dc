"""How well the house agent of Avalon plays, by its strength: what it concludes from conduct, and how it chooses.

The numbers of a normal agent were set by play of house agents against one another, so that neither side is sure to win.
"""

from dataclasses import dataclass

from agents.house.strength import EASY, HARD, NORMAL

LOGIC, PEOPLE, PLAYERS = "logic", "people", "players"
"""What a seat reads others by: fail cards alone; how people act and talk; how people and house agents do."""


@dataclass(frozen=True)
class Skill:
    """reads: what it reads others by.
    standard: by quest, the share of the best team's chance that a team needs to be worth approving at the first try.
    patience: how much less it needs at each later attempt.
    doubt: how softly a vote turns at that standard.
    near_best: teams whose chance is this near the best are as good to propose.
    cover: by quest, the weight that Merlin gives to what a servant would think.
    hide: by quest, how often evil lets a quest succeed that it could fail.
    bold: by quest, how often evil approves a team that it can fail where a servant would have rejected it.
    stay_off: how often an evil leader leaves itself out.
    courts: whether an evil leader looks for the team that most good seats would approve, and not for the one that it
    would approve itself as a servant."""

    reads: str = PEOPLE
    standard: tuple[float, ...] = (0.4, 0.5, 0.6, 0.7, 0.75)
    patience: float = 0.08
    doubt: float = 0.12
    near_best: float = 0.03
    cover: tuple[float, ...] = (0.9, 0.8, 0.7, 0.6, 0.4)
    hide: tuple[float, ...] = (0.5, 0.15, 0.05, 0.0, 0.0)
    bold: tuple[float, ...] = (0.2, 0.3, 0.4, 0.5, 0.5)
    stay_off: float = 0.1
    courts: bool = False


SKILLS = {
    EASY: Skill(
        reads=LOGIC,
        doubt=0.3,
        near_best=0.15,
        cover=(0.5, 0.4, 0.3, 0.2, 0.1),
        hide=(0.6, 0.4, 0.3, 0.2, 0.0),
        bold=(0.1, 0.1, 0.2, 0.2, 0.3),
        stay_off=0.3,
    ),
    NORMAL: Skill(),
    HARD: Skill(reads=PLAYERS, near_best=0.01, cover=(1.0, 1.0, 1.0, 0.9, 0.7), courts=True),
}
