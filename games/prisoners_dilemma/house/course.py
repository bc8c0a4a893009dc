"""What a seat of the Prisoner's Dilemma has seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.situation import Situation
from games.prisoners_dilemma.rules import COOPERATE, DEFECT, points


@dataclass(frozen=True)
class Course:
    """What the seat's view tells: the payoffs and everybody's choices, round by round."""

    seat: int
    seats: int
    payoffs: Mapping[str, int]
    rounds: tuple[dict[int, str], ...]
    gained: tuple[int, ...]

    @classmethod
    def seen(cls, situation: Situation) -> Course:
        public, seat = situation.rules.public(situation.state), situation.seat
        rounds = tuple({int(s): choice for s, choice in past["choices"].items()} for past in public["history"])
        gained = tuple(past["points"][str(seat)] for past in public["history"])
        return cls(seat, public["seats"], public["payoffs"], rounds, gained)

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(1, self.seats + 1) if seat != self.seat]

    def defectors(self, round: int) -> int:
        """How many of the others defected; `round` counts from 0, or from the last with -1."""
        return sum(self.rounds[round][seat] == DEFECT for seat in self.others)

    def betrayed(self, round: int) -> bool:
        return 2 * self.defectors(round) >= len(self.others)

    def cooperates(self, seat: int) -> float:
        """How likely a seat is to cooperate by what it did, starting from even (Laplace's rule)."""
        times = sum(choices[seat] == COOPERATE for choices in self.rounds)
        return (times + 1) / (len(self.rounds) + 2)

    def expected(self, choice: str) -> float:
        """The points that a choice brings on average if each of the others goes on as it did, on its own."""
        number = {0: 1.0}  # how many of the others defect: probability
        for seat in self.others:
            kind = self.cooperates(seat)
            number = {n: number.get(n, 0) * kind + number.get(n - 1, 0) * (1 - kind) for n in range(len(number) + 1)}
        return sum(chance * self._points(choice, defectors) for defectors, chance in number.items())

    def _points(self, choice: str, defectors: int) -> int:
        others = {seat: DEFECT if place < defectors else COOPERATE for place, seat in enumerate(self.others)}
        return points(self.payoffs, others | {self.seat: choice})[self.seat]
