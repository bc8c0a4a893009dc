"""How well the house agent of SpyGame plays, by its strength."""

from dataclasses import dataclass

from agents.house.strength import EASY, HARD, NORMAL


@dataclass(frozen=True)
class Skill:
    """listen: how much what is said counts for somebody who looks for the place: answers are chosen with care.
    judge: how much it counts for somebody who knows the place and looks for the spy.
    last_chance: from so many percent on the spy stands up before the last turn: a vote follows that it may lose.
    caution: what a citizen minds about an answer that tells a listening spy the place, beside being known by it.
    accuse: how sure a leader is of the spy that it accuses.
    agree: how much a voter must suspect the accused to agree.
    noise: how freely answers are chosen among good ones; 0 is always the best."""

    listen: float = 0.25
    judge: float = 1.0
    last_chance: int = 55
    caution: float = 8.0
    accuse: float = 0.5
    agree: float = 0.3
    noise: float = 0.25


SKILLS = {
    EASY: Skill(listen=0.12, judge=0.4, last_chance=80, caution=2.0, accuse=0.6, agree=0.5, noise=1.0),
    NORMAL: Skill(),
    HARD: Skill(noise=0.1),
}
