"""How the house agent of Cost Sharing bargains: by one named strategy, drawn for the match or set by its profile.

Switch ``strategy``: one of `STRATEGIES`. Each strategy has a split that it holds to be fair and says how far from it it
goes: what share it asks for itself in each round, and up to which share it agrees. An agent whose profile names none
also gives way: it takes up a split of another seat that it can bear, else it moves towards what was proposed, and in
the last round it would rather pay more than let all fail.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from agents.house.strength import EASY, HARD, NORMAL
from agents.situation import Situation
from games.cost_sharing.setting import (
    CHECKED,
    WHOLE,
    costs_alone,
    most_shares,
    proportional,
    rounded,
    shapley,
    standalone,
    within,
)


@dataclass(frozen=True)
class Strategy:
    """fair: the split that it starts from. asks: its own share in its proposals, first and last, of the fair one; it
    moves evenly between them. bears: up to which share it agrees, first and last, of the fair one. follows: in the last
    two rounds it goes over to the proposal that had the most votes, if it can bear it. gives_way: it does what it can
    for an agreement. insists: it stands by one split, in which each of the others pays so many times the largest share
    that an idea of fairness asks of them, until the last round shows that they do not come to it; 0: it does not."""

    fair: str
    asks: tuple[float, float] = (1, 1)
    bears: tuple[float, float] = (1.05, 1.25)
    follows: bool = True
    gives_way: bool = False
    insists: float = 0.0


STRATEGIES: dict[str, Strategy] = {
    "proportional_proposer": Strategy("proportional"),
    "shapley_proposer": Strategy("shapley"),
    "equal_proposer": Strategy("equal"),
    "bargainer": Strategy("proportional", asks=(0.8, 1), bears=(0.95, 1.15)),
    "stubborn": Strategy("proportional", asks=(0.7, 0.7), bears=(0.7, 0.7), follows=False),
}
USUAL = ("proportional_proposer", "shapley_proposer", "bargainer", "bargainer")
"""What an agent without a named strategy may be; bargainers twice as often as the others."""
INSISTENT = "insistent"
BY_STRENGTH = {EASY: ("equal_proposer",), NORMAL: USUAL, HARD: (INSISTENT,)}
"""The same by its strength."""
INSISTS = Strategy("proportional", asks=(0.8, 1), bears=(0.95, 1.15), insists=1.15)
LEAST = 0.4
"""But nobody who insists asks for less than so much of what is fair for itself."""
AT_LAST = 1.3
"""So many times the largest share that an idea of fairness asks of it, one who gives way bears in the last round."""
REASONS = {
    "proportional": "Who uses more pays more.",
    "shapley": "Everybody pays what they add to the cost, on average over all orders of arrival.",
    "equal": "The fee is the same for all of us, so all pay the same.",
}


def strategy_of(name: str, named: bool) -> Strategy:
    """The strategy of this name; one that no profile named gives way."""
    strategy = INSISTS if name == INSISTENT else STRATEGIES[name]
    return strategy if named else replace(strategy, gives_way=True)


class Bargain:
    """One seat's view of the table, as its strategy weighs it."""

    def __init__(self, situation: Situation, strategy: Strategy):
        public = situation.rules.public(situation.state)
        self.seat, self.strategy = situation.seat, strategy
        self.step: int = public["step"]
        self.done = (public["round"] - 1) / max(public["rounds"] - 1, 1)
        self.last_rounds = public["round"] >= public["rounds"] - 1
        self.names = situation.names
        self.choices: list[dict[str, Any]] = public["choices"]
        self.history: list[dict[str, Any]] = public["history"]
        self.most = (
            most_shares(public["fee"], costs_alone(public["airlines"]), self.step)
            if public["fairness"] == CHECKED
            else [WHOLE] * len(public["airlines"])
        )
        unknown = standalone(public["airlines"]) is None
        self.idea = "equal" if strategy.fair == "shapley" and unknown else strategy.fair
        self.fair = within(self._fair(self.idea, public), self.most, self.step)
        self.ideas = [self._fair(idea, public) for idea in ("proportional", "equal")]
        self.at_last = AT_LAST * max(shares[self.seat - 1] for shares in self.ideas)

    def _fair(self, idea: str, public: Mapping[str, Any]) -> list[int]:
        airlines = public["airlines"]
        if idea == "shapley":
            return rounded(shapley(public["fee"], costs_alone(airlines)), self.step)
        if idea == "proportional":
            return proportional(airlines, self.step)
        return rounded([Fraction(WHOLE, len(airlines))] * len(airlines), self.step)

    @property
    def own(self) -> int:
        return self.fair[self.seat - 1]

    def share_of(self, split: Sequence[int]) -> int:
        return split[self.seat - 1]

    def between(self, ends: tuple[float, float]) -> float:
        """Where this round stands between a first and a last value."""
        return ends[0] + (ends[1] - ends[0]) * self.done

    def bears(self, split: Sequence[int]) -> bool:
        """Whether it would agree to this split by now."""
        slack = self.step if self.strategy.follows else 0
        if self.strategy.gives_way:
            first = self.own * self.strategy.bears[0] + slack
            return self.share_of(split) <= first + (max(self.at_last, first) - first) * self.done
        return self.share_of(split) <= self.own * self.between(self.strategy.bears) + slack

    def favourite(self) -> list[int] | None:
        """The split that got the most votes last round, of equal ones the first; None without votes."""
        if not self.history:
            return None
        last = self.history[-1]
        votes = [vote for vote in last["votes"].values() if vote is not None]
        if not votes:
            return None
        return last["proposals"][str(max(sorted(set(votes)), key=votes.count))]

    def taken_up(self) -> tuple[int, list[int]] | None:
        """The last round's split that it can bear by now, and whose it is: the one with the most votes, of equal ones
        the one nearest to the middle; so that all who give way meet at one. Its own only where others voted for it."""
        if not self.history:
            return None
        proposals = {int(seat): split for seat, split in self.history[-1]["proposals"].items()}
        votes = [vote for vote in self.history[-1]["votes"].values() if vote is not None]
        middle = [sum(shares) / len(proposals) for shares in zip(*proposals.values(), strict=True)]

        def rank(seat: int) -> tuple[int, float, int]:
            off = sum(abs(share - mean) for share, mean in zip(proposals[seat], middle, strict=True))
            return -votes.count(seat), off, seat

        if self.last_rounds and (insisting := self._insisting()) and self.bears(proposals[insisting]):
            return insisting, list(proposals[insisting])
        backed = {seat for seat in proposals if seat != self.seat or votes.count(seat) > 1}
        best = min((seat for seat in sorted(backed) if self.bears(proposals[seat])), key=rank, default=None)
        return None if best is None else (best, list(proposals[best]))

    def _insisting(self) -> int | None:
        """The one other seat that has stood by its own split in each round: only with that one all can agree."""
        own = [
            int(seat)
            for seat, split in self.history[-1]["proposals"].items()
            if all(past["proposals"][seat] == split and self._voted_for(past, seat) == split for past in self.history)
        ]
        others = [seat for seat in own if seat != self.seat]
        return others[0] if len(others) == 1 and len(self.history) > 1 else None

    @staticmethod
    def _voted_for(past: Mapping[str, Any], seat: str) -> list[int] | None:
        vote = past["votes"][seat]
        return None if vote is None else past["proposals"][str(vote)]

    def towards(self) -> list[int]:
        """Between its fair split and the middle of the last round's, nearer to that from round to round, nobody above
        what may be asked."""
        proposals = list(self.history[-1]["proposals"].values())
        middle = [Fraction(sum(shares), len(proposals)) for shares in zip(*proposals, strict=True)]
        way = Fraction(self.done)
        between = [share + way * (mean - share) for share, mean in zip(self.fair, middle, strict=True)]
        return within(rounded(between, self.step), self.most, self.step)

    def insisted(self) -> list[int]:
        """The split that one who insists stands by."""
        most = [self.strategy.insists * max(shares) for shares in zip(*self.ideas, strict=True)]
        split = [self.step * math.floor(share / self.step) for share in most]
        split[self.seat - 1] = 0
        own = max(WHOLE - sum(split), self.step * math.ceil(LEAST * self.own / self.step))
        others = [Fraction(share) for share in split]
        left = WHOLE - own
        split = rounded([share * left / sum(others) for share in others], self.step, left)
        split[self.seat - 1] = own
        return within(split, self.most, self.step)

    def proposal(self) -> tuple[list[int], str]:
        if self.strategy.insists and not self._given_up():
            return self.insisted(), "I stand by this split; whoever wants an agreement can come to it."
        if self.strategy.gives_way and self.history:
            if (taken := self.taken_up()) is not None:
                whose, split = taken
                name = "my own" if whose == self.seat else f"the one of {self.names[whose]}"
                return split, f"Of the last splits {name} has the best chance; {self.share_of(split)} I can bear."
            split = self.towards()
            return (
                split,
                f"I move towards what the others propose and pay {self.share_of(split)}; so that we come together.",
            )
        popular = self.favourite()
        if popular is not None and self.strategy.follows and self.last_rounds and self.bears(popular):
            return list(popular), "That split had the most votes, and I can live with it: let us agree on it."
        own = self.step * round(self.own * self.between(self.strategy.asks) / self.step)
        if own == self.own:
            return list(self.fair), REASONS[self.idea]
        return self._asking(own), f"I ask to pay {own} where {self.own} would be fair; there is room to talk."

    def _asking(self, own: int) -> list[int]:
        """The fair split with this share for itself; the others bear the rest in proportion to their fair ones, nobody
        more than may be asked."""
        rest = [Fraction(share) for place, share in enumerate(self.fair, 1) if place != self.seat]
        left = WHOLE - own
        parts = [share * left / sum(rest) if sum(rest) else Fraction(left, len(rest)) for share in rest]
        split = rounded(parts, self.step, left)
        split.insert(self.seat - 1, own)
        return within(split, self.most, self.step)

    def _given_up(self) -> bool:
        """Whether not all others have come to its split, with one round left."""
        return (
            self.done == 1
            and bool(self.history)
            and any(split != self.insisted() for split in self.history[-1]["proposals"].values())
        )

    def vote(self) -> tuple[int, str]:
        """The proposal that it can bear and that others stand behind; else the one that costs it least."""
        if self.strategy.insists and not self._given_up():
            own = next(choice for choice in self.choices if self.seat in choice["seats"])
            return own["seat"], "I stand by my split."
        bearable = [choice for choice in self.choices if self.bears(choice["split"])]
        if self.strategy.gives_way and not self.strategy.insists and self.last_rounds and (taken := self.taken_up()):
            bearable = [choice for choice in bearable if choice["split"] == taken[1]] or bearable
        if not bearable:
            best = min(self.choices, key=lambda choice: (self.share_of(choice["split"]), choice["seat"]))
            return best["seat"], f"None is fair to me; {self.share_of(best['split'])} is the least that I would pay."
        best = min(
            bearable, key=lambda choice: (-self._support(choice), self.share_of(choice["split"]), choice["seat"])
        )
        return best["seat"], f"I can live with {self.share_of(best['split'])}, and others may agree to that split."

    def _support(self, choice: Mapping[str, Any]) -> float:
        """What a split has behind it: who proposed it, last round's votes, and how near it is to the middle."""
        popular = self.favourite() == choice["split"]
        middle = [
            sum(other["split"][place] * len(other["seats"]) for other in self.choices)
            for place in range(len(self.fair))
        ]
        count = sum(len(other["seats"]) for other in self.choices)
        off = sum(abs(share - total / count) for share, total in zip(choice["split"], middle, strict=True))
        return len(choice["seats"]) + popular - off / WHOLE
