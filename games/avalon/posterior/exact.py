"""Who is what in Avalon: the exact posterior over all deals.

Every deal of the roles in play is one row of an array; a seat's own knowledge strikes rows out; what the table saw
multiplies the rest. A seat's conduct depends on the deal only through what that seat knows (its *mind*, see
``behaviour``), and that is a set of seats: so the evidence of a whole game is a few arrays indexed by a bit mask
of seats, at most 2^10 long, and a deal's likelihood is five look-ups. Proposals add up, so a new one costs one update.

Bit ``i`` of a mask stands for seat ``i + 1``. Arrays over seats have seat 1 first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from games.avalon import setting
from games.avalon.posterior.behaviour import COUNTED, MINDS, Behaviour, fitted, moment

ROLES = setting.GOOD + setting.EVIL
EVIL = frozenset(setting.EVIL)
_INDEX = {role: index for index, role in enumerate(ROLES)}
_LOYAL, _MERLIN, _EVIL, _LONE = range(len(MINDS))
_POPCOUNT = np.array([mask.bit_count() for mask in range(1 << 10)], dtype=np.int8)


Votes = tuple[tuple[int, bool], ...]
"""(seat, approves), in any order."""


@dataclass(frozen=True)
class Proposal:
    """One proposed team and what the table has seen of it so far.

    ``votes`` are the public ones, None while they are sealed; a seat that had no vote is not listed. ``fails`` is the
    number of fail cards, None unless the team went. ``attempt`` counts the proposals for this quest from 1; ``lost`` is
    the number of quests lost before it.
    """

    leader: int
    team: frozenset[int]
    quest: int
    attempt: int
    lost: int = 0
    votes: Votes | None = None
    fails: int | None = None


class Remark(NamedTuple):
    """Said aloud: ``speaker`` doubts, or else trusts, ``subject``."""

    speaker: int
    subject: int
    doubts: bool


@dataclass(frozen=True)
class PublicRecord:
    """The roles in play, one a seat and in no order, the proposals from the first, and what was said.

    Of several remarks of one seat on another the last one is to be given: people repeat themselves.
    """

    roles: tuple[str, ...]
    proposals: tuple[Proposal, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.roles)


@dataclass(frozen=True)
class Knowledge:
    """What one seat was told: its role, whom it sees, and sides (seat, is evil) learned from the Lady of the Lake."""

    seat: int
    role: str
    sees: frozenset[int] = frozenset()
    sides: frozenset[tuple[int, bool]] = frozenset()


class Deals(NamedTuple):
    """All deals of a multiset of roles: ``roles[deal, seat]`` as indices into ``ROLES``, and masks of who is what."""

    roles: np.ndarray
    evil: np.ndarray
    known: np.ndarray
    """Evil that know one another: all but Oberon."""
    marked: np.ndarray
    """Evil that Merlin sees: all but Mordred."""
    pair: np.ndarray
    """Whom Percival sees: Merlin and Morgana."""
    loyal: np.ndarray
    """Servants and Percival."""
    merlin: np.ndarray | None
    """Index of Merlin's seat, None where Merlin is not in play."""
    lone: np.ndarray | None
    """Index of Oberon's seat, None where Oberon is not in play."""

    def where(self, kept: np.ndarray) -> Deals:
        return Deals._make(None if column is None else column[kept] for column in self)


class Evidence(NamedTuple):
    """Log likelihood of what was seen, by the mind of each seat and by what that mind knows."""

    loyal: np.ndarray
    """``[seat]``"""
    lone: np.ndarray
    """``[seat]``"""
    merlin: np.ndarray
    """``[seat, mask that Merlin sees]``"""
    evil: np.ndarray
    """``[mask of the evil that know one another]``, of all of them together"""
    cards: np.ndarray
    """``[mask of all evil]``, with the talk of all good seats as if each were loyal"""
    talk: np.ndarray
    """``[seat, mask of all evil]``, of what the seat said if it is loyal: it knows no side, but is more often right"""

    def plus(self, other: Evidence) -> Evidence:
        return Evidence(*(mine + more for mine, more in zip(self, other, strict=True)))


@lru_cache(maxsize=16)
def all_deals(roles: tuple[str, ...]) -> Deals:
    """Every different deal of ``roles`` (sorted) to as many seats: 10 seats with 4 servants have 151,200."""
    seats = len(roles)
    dealt = np.full((1, seats), -1, dtype=np.int8)
    for role, count in Counter(roles).items():
        grown = []
        for chosen in combinations(range(seats), count):
            free = dealt[(dealt[:, chosen] < 0).all(axis=1)]
            free[:, chosen] = _INDEX[role]
            grown.append(free)
        dealt = np.concatenate(grown)

    def mask(*wanted: str) -> np.ndarray:
        return (np.isin(dealt, [_INDEX[role] for role in wanted]) @ (1 << np.arange(seats))).astype(np.int16)

    def seat_of(role: str) -> np.ndarray | None:
        return (dealt == _INDEX[role]).argmax(axis=1).astype(np.int8) if role in roles else None

    return Deals(
        roles=dealt,
        evil=mask(*EVIL),
        known=mask("morgana", "mordred", "minion"),
        marked=mask("morgana", "oberon", "minion"),
        pair=mask("merlin", "morgana"),
        loyal=mask("servant", "percival"),
        merlin=seat_of("merlin"),
        lone=seat_of("oberon"),
    )


@lru_cache(maxsize=64)
def possible_deals(roles: tuple[str, ...], knowledge: Knowledge | None) -> Deals:
    """The deals that ``knowledge`` leaves, all of them for a watcher (None). Raises ValueError when it leaves none."""
    deals = all_deals(roles)
    if knowledge is None:
        return deals
    own = 1 << (knowledge.seat - 1)
    sees = mask_of(knowledge.sees)
    kept = deals.roles[:, knowledge.seat - 1] == _INDEX[knowledge.role]
    if knowledge.role == "merlin":
        kept &= deals.marked == sees
    elif knowledge.role == "percival":
        kept &= deals.pair == sees
    elif knowledge.role in EVIL and knowledge.role != "oberon":
        kept &= deals.known == sees | own
    for seat, is_evil in knowledge.sides:
        kept &= (deals.evil & (1 << (seat - 1)) != 0) == is_evil
    if not kept.any():
        raise ValueError("No deal of these roles fits what the seat knows.")
    return deals.where(kept)


def mask_of(seats: Iterable[int]) -> int:
    """Bit mask of seats."""
    return sum(1 << (seat - 1) for seat in seats)


@lru_cache(maxsize=16)
def _members(seats: int) -> np.ndarray:
    """``[seat, mask]``: 1 where the seat is in the mask."""
    return (np.arange(1 << seats) >> np.arange(seats)[:, None] & 1).astype(float)


def counted(masks: np.ndarray) -> np.ndarray:
    """How many seats are in each mask."""
    return _POPCOUNT[masks]


def no_evidence(seats: int) -> Evidence:
    """Nothing was seen."""
    masks = 1 << seats
    each, of_masks = np.zeros(seats), np.zeros(masks)
    return Evidence(each, each.copy(), np.zeros((seats, masks)), of_masks, of_masks.copy(), np.zeros((seats, masks)))


@lru_cache(maxsize=256)
def _evidence(seats: int, proposals: tuple[Proposal, ...], behaviour: Behaviour | None) -> Evidence:
    """The evidence of all proposals; that of the shorter record is remembered, so only what is new is worked out."""
    if not proposals:
        return no_evidence(seats)
    return _evidence(seats, proposals[:-1], behaviour).plus(_evidence_of(seats, proposals[-1], behaviour))


def _evidence_of(seats: int, proposal: Proposal, behaviour: Behaviour | None) -> Evidence:
    evidence = no_evidence(seats)
    on_team = _POPCOUNT[np.arange(1 << seats) & mask_of(proposal.team)]
    if behaviour is not None:
        counted = np.minimum(on_team, COUNTED - 1)
        _add_choice(evidence, seats, proposal, behaviour)
        if proposal.votes:
            _add_votes(evidence, seats, proposal, proposal.votes, counted, behaviour)
    if proposal.fails is not None:
        evidence.cards[:] = _log_cards(seats, proposal, proposal.fails, behaviour)[on_team]
    return evidence


@lru_cache(maxsize=64)
def _evidence_of_talk(seats: int, remarks: tuple[Remark, ...], behaviour: Behaviour) -> Evidence:
    """By mind: what each seat said, summed over those it spoke of, which are in the mask of evil or not."""
    doubts = behaviour.doubts
    if doubts is None:
        return no_evidence(seats)
    spoken = np.zeros((2, seats, seats))
    for remark in remarks:
        spoken[int(remark.doubts), remark.speaker - 1, remark.subject - 1] = 1
    chances = np.log(np.stack([1 - doubts, doubts], axis=2))
    of_good, of_evil = np.einsum("dst,med->emst", spoken, chances)
    said = of_good.sum(axis=2)[:, :, None] + (of_evil - of_good) @ _members(seats)
    return Evidence(
        loyal=np.zeros(seats),
        lone=said[_LONE, :, 0],
        merlin=said[_MERLIN],
        evil=(said[_EVIL] * _members(seats)).sum(axis=0),
        cards=((1 - _members(seats)) * said[_LOYAL]).sum(axis=0),
        talk=said[_LOYAL],
    )


def _add_votes(
    evidence: Evidence, seats: int, proposal: Proposal, cast: Votes, counted: np.ndarray, behaviour: Behaviour
) -> None:
    voters = np.array([seat for seat, _ in cast]) - 1
    seated = np.array([seat in proposal.team for seat, _ in cast], dtype=int)
    approves = np.array([vote for _, vote in cast], dtype=int)
    when = moment(proposal.quest, proposal.attempt)
    votes = behaviour.log_vote[:, seated, when, approves]
    evidence.loyal[voters] += votes[_LOYAL, :, 0]
    evidence.lone[voters] += votes[_LONE, :, 0]
    evidence.merlin[voters] += votes[_MERLIN][:, counted]
    evidence.evil[:] += (votes[_EVIL][:, counted] * _members(seats)[voters]).sum(axis=0)


def _add_choice(evidence: Evidence, seats: int, proposal: Proposal, behaviour: Behaviour) -> None:
    leader = proposal.leader - 1
    itself = int(proposal.leader in proposal.team)
    others = len(proposal.team) - itself
    choice = behaviour.proposal_temper * (
        behaviour.log_takes_itself[:, itself, None, None] + _log_choice(seats - 1, others, behaviour)
    )
    masks = np.arange(1 << seats) & ~(1 << leader)
    counted, known = _POPCOUNT[masks & mask_of(proposal.team)], _POPCOUNT[masks]
    evidence.loyal[leader] += choice[_LOYAL, 0, 0]
    evidence.lone[leader] += choice[_LONE, 0, 0]
    evidence.merlin[leader] += choice[_MERLIN][known, counted]
    evidence.evil[:] += np.where(_members(seats)[leader], choice[_EVIL][known, counted], 0)


@lru_cache(maxsize=64)
def _log_choice(seats: int, chosen: int, behaviour: Behaviour) -> np.ndarray:
    """``[mind, known, taken]``: log probability of one given choice of ``chosen`` among ``seats`` other seats, by a
    mind that knows ``known`` evil among them and takes ``taken`` of those."""
    evil = np.arange(seats + 1)
    weight = behaviour.team_weight[:, np.minimum(evil, COUNTED - 1)]
    ways = np.array([[comb(k, t) * comb(seats - k, chosen - t) if t <= chosen else 0 for t in evil] for k in evil])
    return np.log(weight)[:, None, :] - np.log(weight @ ways.T)[:, :, None]


def _log_cards(seats: int, proposal: Proposal, fails: int, behaviour: Behaviour | None) -> np.ndarray:
    """``[evil on the team]``: log likelihood of the fail cards; minus infinity where evil seats are too few."""
    likelihood = np.zeros(seats + 1)
    for evil in range(fails, seats + 1):
        if evil == 0 or behaviour is None:
            likelihood[evil] = 1
        else:
            row = behaviour.fails[min(evil, 3) - 1, min(proposal.quest, 4) - 1, min(proposal.lost, 2)]
            likelihood[evil] = row[min(fails, len(row) - 1)]
    with np.errstate(divide="ignore"):
        return np.log(likelihood)


class Posterior:
    """Beliefs over the deals that one seat, or a watcher, holds possible.

    With ``behaviour`` None only logic speaks: fail cards need evil seats. Remarks count for those whose behaviour has
    ``doubts``. Raises ValueError when what the seat knows contradicts the roles in play or the record.
    """

    def __init__(self, record: PublicRecord, knowledge: Knowledge | None = None, behaviour: Behaviour | None = None):
        self.record = record
        self.knowledge = knowledge
        self.deals = possible_deals(tuple(sorted(record.roles)), knowledge)
        self._heard = bool(record.remarks) and behaviour is not None and behaviour.doubts is not None
        evidence = _evidence(record.seats, record.proposals, behaviour)
        if behaviour is not None and self._heard:
            evidence = evidence.plus(_evidence_of_talk(record.seats, record.remarks, behaviour))
        self.weights = self._weigh(evidence)

    def _weigh(self, evidence: Evidence) -> np.ndarray:
        deals = self.deals
        loyal = evidence.loyal @ _members(self.record.seats)
        score = loyal[deals.loyal]
        score += evidence.evil[deals.known]
        score += evidence.cards[deals.evil]
        if deals.merlin is not None:
            score += evidence.merlin[deals.merlin, deals.marked]
            if self._heard:
                score -= evidence.talk[deals.merlin, deals.evil]
        if deals.lone is not None:
            score += evidence.lone[deals.lone]
        best = score.max()
        if best == -np.inf:
            raise ValueError("No deal of these roles fits the fail cards.")
        weights = np.exp(score - best)
        return weights / weights.sum()

    def roles(self) -> np.ndarray:
        """``[seat, role]``: probability of each of ``ROLES``; each row sums to 1."""
        kinds = len(ROLES)
        columns = self.deals.roles.T
        return np.stack([np.bincount(column, self.weights, minlength=kinds) for column in columns])

    @cached_property
    def sides(self) -> np.ndarray:
        """``[mask]``: probability that the seats of the mask, and no others, are evil."""
        return np.bincount(self.deals.evil, self.weights, minlength=1 << self.record.seats)

    def evil(self) -> np.ndarray:
        """``[seat]``: probability of being evil."""
        return _members(self.record.seats) @ self.sides

    def fewer_evil(self, teams: Sequence[Iterable[int]], than: int) -> np.ndarray:
        """``[team]``: probability that fewer than ``than`` seats of the team are evil."""
        masks = np.flatnonzero(self.sides)
        on_team = _POPCOUNT[masks & np.array([mask_of(team) for team in teams])[:, None]]
        return (on_team < than) @ self.sides[masks]


@lru_cache(maxsize=64)
def posterior(record: PublicRecord, knowledge: Knowledge | None = None) -> Posterior:
    """The posterior under the fitted table of human behaviour; the latest ones are remembered."""
    return Posterior(record, knowledge, fitted())
