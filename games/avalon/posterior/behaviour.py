"""How people act in Avalon, given what they know: a small table of frequencies.

Fitted by ``benchmarks/fit_avalon_behaviour.py`` on recorded games of people and kept in ``behaviour.json``. A
seat's conduct depends on the deal only through what that seat knows, so there are four *minds*:

- ``loyal``: a servant or Percival, who knows nobody's side (Percival's pair moves votes too little to be fitted);
- ``merlin``: counts the evil that Merlin sees;
- ``evil``: counts the evil that know one another, itself included;
- ``lone``: Oberon, who counts nobody.

Files hold, for each mind, P(approve | seated on the team or not, moment, evil it counts on the team: 0, 1, 2 or more);
P(the leader takes its own seat) and the relative weight of a team by the number of other evil that it counts there;
and P(fails | evil on the team, quest, quests lost before).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

MINDS = ("loyal", "merlin", "evil", "lone")
MOMENTS = ("quest 1", "quest 1 again", "quest 2", "quest 2 again", "later", "later again", "last chance")
LAST_ATTEMPT = 5
COUNTING = ("merlin", "evil")
"""The minds that count evil; the others have one number for any team."""
COUNTED = 3
"""Evil seats on a team are told apart as 0, 1 and 2 or more; fewer games hold more."""

FILE = Path(__file__).with_name("behaviour.json")


def moment(quest: int, attempt: int) -> int:
    """Index into ``MOMENTS`` of the ``attempt``-th proposal (1 to 5) for ``quest`` (1 to 5)."""
    if attempt >= LAST_ATTEMPT:
        return len(MOMENTS) - 1
    return 2 * (min(quest, 3) - 1) + (attempt > 1)


@dataclass(frozen=True, eq=False)
class Behaviour:
    """The table as arrays.

    - ``approve[mind, seated, moment, counted]``: probability of an approving vote.
    - ``takes_itself[mind]``: probability that a leader is on its own team.
    - ``team_weight[mind, counted]``: relative weight of a team by the other evil counted on it.
    - ``fails[evil - 1, quest - 1, lost, f]``: probability of f fails for 1 to 3 evil (or more) on the team, quest 1
      to 4 (or later), and quests lost before.
    - ``doubts[mind, evil]``: probability that a remark on another seat is one of doubt and not of trust, by whether the
      speaker counts that seat as evil (a loyal speaker: by whether it is). None, as fitted: the recorded games hold no
      talk, and what is said counts for nothing.
    - ``vote_temper``, ``proposal_temper``: exponents below 1 of that evidence, whose pieces are not independent.
    """

    approve: np.ndarray
    takes_itself: np.ndarray
    team_weight: np.ndarray
    fails: np.ndarray
    vote_temper: float
    proposal_temper: float
    doubts: np.ndarray | None = None

    @cached_property
    def log_vote(self) -> np.ndarray:
        """Tempered log likelihood, ``[mind, seated, moment, approves, counted]``."""
        return self.vote_temper * np.log(np.stack([1 - self.approve, self.approve], axis=3))

    @cached_property
    def log_takes_itself(self) -> np.ndarray:
        """Log likelihood, ``[mind, taken]``, not tempered."""
        return np.log(np.stack([1 - self.takes_itself, self.takes_itself], axis=1))

    @staticmethod
    def _counted(mind: str) -> int:
        return COUNTED if mind in COUNTING else 1

    def to_json(self) -> dict:
        """The file's content: names instead of indices, three decimals."""

        def listed(numbers: np.ndarray) -> list:
            return np.round(numbers, 3).tolist()

        return {
            "vote_temper": self.vote_temper,
            "proposal_temper": self.proposal_temper,
            "approve": {
                mind: {
                    place: {
                        name: listed(self.approve[m, p, t, : self._counted(mind)]) for t, name in enumerate(MOMENTS)
                    }
                    for p, place in enumerate(("not seated", "seated"))
                }
                for m, mind in enumerate(MINDS)
            },
            "takes_itself": dict(zip(MINDS, listed(self.takes_itself), strict=True)),
            "team_weight": dict(zip(MINDS, listed(self.team_weight), strict=True)),
            "fails": {
                f"{evil + 1} evil": {
                    f"quest {quest + 1}": {f"{lost} lost": listed(self.fails[evil, quest, lost]) for lost in range(3)}
                    for quest in range(4)
                }
                for evil in range(3)
            },
        }

    @classmethod
    def from_json(cls, data: dict) -> Behaviour:
        """The table that ``to_json`` wrote."""

        def stacked(node: dict | list) -> np.ndarray:
            return np.stack([stacked(value) for value in node.values()]) if isinstance(node, dict) else np.array(node)

        def for_any_count(places: dict) -> np.ndarray:
            votes = stacked(places)
            return np.broadcast_to(votes, (*votes.shape[:-1], COUNTED))

        return cls(
            approve=np.stack([for_any_count(places) for places in data["approve"].values()]),
            takes_itself=np.array(list(data["takes_itself"].values())),
            team_weight=stacked(data["team_weight"]),
            fails=stacked(data["fails"]),
            vote_temper=data["vote_temper"],
            proposal_temper=data["proposal_temper"],
        )


@lru_cache(maxsize=1)
def fitted() -> Behaviour:
    """The table that ships with the project."""
    return Behaviour.from_json(json.loads(FILE.read_text(encoding="utf-8")))
