"""What a house agent would have done: by this a hard one reads the others, beside how people act.

What was proposed and voted is set beside what a normal house agent does at that seat (`agent.py`), as a servant, as
Merlin and as evil, each for all that it may know. As in `posterior.exact`, a seat's conduct depends on the deal through
its mind alone, so all of it is evidence by masks of seats. What is voted after talk, unless the match may end with the
quest, tells nothing: everybody votes as a servant would.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from agents.house.strength import NORMAL
from games.avalon.house.claims import Customs, HeardRecord, Listening
from games.avalon.house.skill import SKILLS
from games.avalon.posterior.exact import (
    Evidence,
    Knowledge,
    Posterior,
    Proposal,
    PublicRecord,
    all_deals,
    counted,
    mask_of,
    no_evidence,
    posterior,
)

SLIP = 0.2
"""How often anybody does something else than a house agent would, whatever it is."""
LOOSE = 0.05
"""How freely a leader chooses among teams that are nearly as good: the temperature of their chances."""
_NORMAL = SKILLS[NORMAL]
_PLAIN = {"percival": "servant", "morgana": "minion"}


def plain(roles: tuple[str, ...]) -> tuple[str, ...]:
    """The roles as a servant tells them apart: Percival is one servant more, Morgana one minion more."""
    return tuple(sorted(_PLAIN.get(role, role) for role in roles))


class Seasoned(Listening):
    """A posterior that knows how house agents play, too."""

    def _weigh(self, evidence: Evidence) -> np.ndarray:
        if isinstance(self.record, HeardRecord):
            evidence = evidence.plus(conduct(plain(self.record.roles), self.record.customs, self.record.proposals))
        return super()._weigh(evidence)


@lru_cache(maxsize=256)
def conduct(roles: tuple[str, ...], customs: Customs, proposals: tuple[Proposal, ...]) -> Evidence:
    """The evidence of all proposals; that of the shorter record is remembered."""
    if not proposals:
        return no_evidence(len(roles))
    return conduct(roles, customs, proposals[:-1]).plus(_Last(roles, customs, proposals).evidence())


class _Last:
    """The last one of some proposals."""

    def __init__(self, roles: tuple[str, ...], customs: Customs, proposals: tuple[Proposal, ...]):
        self.proposal = proposals[-1]
        self.before = PublicRecord(roles, proposals[:-1])
        self.tabled = PublicRecord(roles, (*proposals[:-1], replace(self.proposal, votes=None, fails=None)))
        self.needed = customs.fails_needed[self.proposal.quest - 1]
        self.won = self.proposal.quest - 1 - self.proposal.lost
        self.decisive = 2 in (self.won, self.proposal.lost)
        self.unspoken = not customs.talks
        deals = all_deals(roles)
        self.known, self.marked = np.unique(deals.known), np.unique(deals.marked)
        seats = range(1, len(roles) + 1)
        self.teams = [frozenset(team) for team in combinations(seats, len(self.proposal.team))]
        self.masks = np.array([mask_of(team) for team in self.teams])
        self.place = self.teams.index(self.proposal.team)

    def evidence(self) -> Evidence:
        found = no_evidence(self.before.seats)
        leader = self.proposal.leader
        if leader in self.proposal.team and (self.unspoken or self.before.proposals):
            self._add_choice(found, leader)
        if self.unspoken or self.decisive:
            for seat, approves in self.proposal.votes or ():
                if seat != leader:
                    self._add_vote(found, seat, approves)
        return found

    def _face(self, record: PublicRecord, seat: int) -> np.ndarray:
        """``[team]``: how probably each is clean enough to a servant at that seat, after all that is in the record."""
        return _servant(record, seat).fewer_evil(self.teams, self.needed)

    def _merits(self, face: np.ndarray) -> np.ndarray:
        """``[marked, team]``: how good each is to a Merlin who sees these."""
        clean = (counted(self.masks & self.marked[:, None]) < self.needed).astype(float)
        cover = 0.0 if self.proposal.lost == 2 else _NORMAL.cover[self.proposal.quest - 1]
        return (1 - cover) * clean + cover * face

    # Teams

    def _add_choice(self, found: Evidence, leader: int) -> None:
        own = 1 << (leader - 1)
        with_leader = self.masks & own != 0
        face = self._face(self.before, leader)
        found.loyal[leader - 1] += self._chosen(np.where(with_leader, face, -np.inf))
        found.merlin[leader - 1, self.marked] += self._chosen(np.where(with_leader, self._merits(face), -np.inf))
        among = self.known[self.known & own != 0]
        found.evil[among] += self._chosen(self._evil_merits(face, with_leader, among))
        found.lone[leader - 1] += self._chosen(self._evil_merits(face, with_leader, np.array([own])))[0]

    def _evil_merits(self, face: np.ndarray, allowed: np.ndarray, known: np.ndarray) -> np.ndarray:
        """``[known, team]``: of the allowed teams with as few evil as fail it, how good each looks to a servant."""
        aboard = np.where(allowed, counted(self.masks & known[:, None]), -1)
        enough = np.where(aboard >= self.needed, aboard, aboard.max(axis=1, keepdims=True)).min(axis=1, keepdims=True)
        return np.where(aboard == enough, face, -np.inf)

    def _chosen(self, merits: np.ndarray) -> np.ndarray:
        """Log probability that the team is chosen by these merits, ``[..., team]``."""
        weights = np.exp((merits - merits.max(axis=-1, keepdims=True)) / LOOSE)
        share = weights[..., self.place] / weights.sum(axis=-1)
        return np.log(SLIP / len(self.teams) + (1 - SLIP) * share)

    # Votes

    def _add_vote(self, found: Evidence, seat: int, approves: bool) -> None:
        own = 1 << (seat - 1)
        face = self._face(self.tabled, seat)
        servant = self._approval(face)
        found.loyal[seat - 1] += _log_vote(servant, approves)
        found.merlin[seat - 1, self.marked] += _log_vote(self._approval(self._merits(face)), approves)
        among = self.known[self.known & own != 0]
        found.evil[among] += _log_vote(self._evil_approval(servant, among), approves)
        found.lone[seat - 1] += _log_vote(self._evil_approval(servant, np.array([own])), approves)[0]

    def _approval(self, merits: np.ndarray) -> np.ndarray:
        """How surely the team is approved by these merits, ``[..., team]``."""
        if self.proposal.attempt >= 5:
            return np.ones(merits.shape[:-1])
        best = merits.max(axis=-1)
        share = np.where(best > 0, merits[..., self.place] / np.where(best > 0, best, 1), 1)
        standard = _NORMAL.standard[self.proposal.quest - 1] - _NORMAL.patience * (self.proposal.attempt - 1)
        return 1 / (1 + np.exp((standard - share) / _NORMAL.doubt))

    def _evil_approval(self, servant: np.ndarray, known: np.ndarray) -> np.ndarray:
        enough = counted(mask_of(self.proposal.team) & known) >= self.needed
        bold = 1.0 if self.decisive else _NORMAL.bold[self.proposal.quest - 1]
        return np.where(enough, servant + bold * (1 - servant), 0.0 if self.won == 2 else servant)


def _servant(record: PublicRecord, seat: int) -> Posterior:
    """What a servant at the seat believes; where the fail cards rule that out, what a watcher does."""
    try:
        return posterior(record, Knowledge(seat, "servant"))
    except ValueError:
        return posterior(record)


def _log_vote(approval: np.ndarray, approves: bool) -> np.ndarray:
    return np.log(SLIP / 2 + (1 - SLIP) * (approval if approves else 1 - approval))
