"""What one seat of an Avalon table has seen: its card, the public record, and two readings of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from agents.house.strength import NORMAL
from games.avalon.house.claims import PERCIVAL, UNSHOWN, Claim, Customs, HeardRecord, Listening, claims
from games.avalon.house.conduct import Seasoned, plain
from games.avalon.house.hearing import Names, remarks
from games.avalon.house.record import Record
from games.avalon.house.skill import LOGIC, PEOPLE, PLAYERS, SKILLS, Skill
from games.avalon.posterior.behaviour import Behaviour, fitted
from games.avalon.posterior.exact import EVIL, Knowledge, Posterior, PublicRecord, Remark
from games.avalon.posterior.seen import Seen
from games.rules import values
from games.rules.values import Event

DOUBTS = np.array([(0.45, 0.6), (0.3, 0.7), (0.6, 0.3), (0.5, 0.5)])
"""How what is said is heard, see `Behaviour.doubts`. Assumed, not fitted: the recorded games hold no talk."""


@dataclass
class Position(Seen):
    """What a seat has seen, with what a player makes of it.

    ``tabled_at`` is the seq of the team on the table. ``sizes`` and ``fails_needed`` have one number a quest. ``said``
    holds the last remark of each seat on each other, ``said_now`` all those on the team on the table. ``claims`` are
    what the seats say to know or to be; ``looked`` at whom each looked with the Lady of the Lake. ``table`` is the
    public record with the numbers of its events.
    """

    sizes: tuple[int, ...] = ()
    fails_needed: tuple[int, ...] = ()
    talks: bool = True
    successes: int = 0
    tabled_at: int = 0
    names: Names = ()
    skill: Skill = SKILLS[NORMAL]
    said: dict[tuple[int, int], Remark] = field(default_factory=dict)
    said_now: list[Remark] = field(default_factory=list)
    claims: dict[Claim, None] = field(default_factory=dict)
    looked: dict[int, int] = field(default_factory=dict)
    table: Record = field(default_factory=Record)

    @classmethod
    def of(
        cls, seat: int, events: Iterable[values.Seen], names: Mapping[int, str], skill: Skill = SKILLS[NORMAL]
    ) -> Position:
        """The position that these events amount to for ``seat``; by ``names`` the seats call one another."""
        seen = tuple(events)
        return cls(seat, names=tuple(names.items()), skill=skill, table=Record.of(seen)).fold(seen)

    def on_opened(self, event: Event) -> None:
        super().on_opened(event)
        self.sizes = tuple(event.data["sizes"])
        self.fails_needed = tuple(event.data["fails_needed"])
        self.talks = event.data["discussion"] != "none"

    def on_team(self, event: Event) -> None:
        super().on_team(event)
        self.tabled_at = event.seq
        self.said_now = []

    def on_speech(self, event: Event) -> None:
        text = event.data["text"] or ""
        self.claims |= dict.fromkeys(claims(event.seat, text, self.names))
        heard = remarks(event.seat, text, self.names, tuple(self.said.values()))
        self.said_now.extend(heard)
        self.said.update({(remark.speaker, remark.subject): remark for remark in heard})

    on_say = on_ready = on_chat = on_speech

    def on_lady(self, event: Event) -> None:
        self.looked[event.seat] = event.data["seat"]

    def on_quested(self, event: Event) -> None:
        super().on_quested(event)
        self.successes = event.data["successes"]

    @property
    def seats(self) -> range:
        return range(1, len(self.cast) + 1)

    @property
    def others(self) -> list[int]:
        return [seat for seat in self.seats if seat != self.seat]

    @property
    def is_evil(self) -> bool:
        return self.role in EVIL

    @property
    def known_evil(self) -> frozenset[int]:
        """The seats that this seat was told are evil, itself included."""
        if self.is_evil:
            return self.sees | {self.seat}
        marked = self.sees if self.role == "merlin" else frozenset()
        return marked | {seat for seat, is_evil in self.shown.items() if is_evil}

    @property
    def team(self) -> frozenset[int]:
        """The team that is on the table or on its quest."""
        return self.proposals[-1].team

    @property
    def size(self) -> int:
        return self.sizes[self.quest - 1]

    @property
    def needed(self) -> int:
        """Fail cards that lose this quest."""
        return self.fails_needed[self.quest - 1]

    @property
    def decisive(self) -> bool:
        """Whether the next quest may end the match."""
        return 2 in (self.successes, self.failures)

    @property
    def last_attempt(self) -> bool:
        return self.attempt >= 5

    def teams(self, with_seat: int | None = None) -> list[frozenset[int]]:
        """Every team of the size that this quest takes; with ``with_seat`` only those that hold it."""
        if with_seat is None:
            return [frozenset(team) for team in combinations(self.seats, self.size)]
        others = [seat for seat in self.seats if seat != with_seat]
        return [frozenset((with_seat, *team)) for team in combinations(others, self.size - 1)]

    @property
    def record(self) -> HeardRecord:
        seen = super().record
        return HeardRecord(
            seen.roles,
            seen.proposals,
            tuple(self.said.values()),
            tuple(map(self._as_shown, self.claims)),
            Customs(self.fails_needed, self.talks),
        )

    def _as_shown(self, claim: Claim) -> Claim:
        """A claim of the Lady by one who did not look at that seat is worth no more than any other."""
        true_look = self.looked.get(claim.speaker) == claim.subject
        kind = claim.kind if true_look else UNSHOWN.get(claim.kind, claim.kind)
        return claim._replace(kind=kind)

    @cached_property
    def mind(self) -> Posterior:
        """What this seat can conclude from everything it knows."""
        return believed(self.record, self.knowledge, self.skill.reads)

    @cached_property
    def face(self) -> Posterior:
        """What it could conclude if it were an ordinary servant: what it can say aloud without telling more."""
        return innocent(self.record, self.seat, self.skill.reads)

    def success(self, teams: list[frozenset[int]], view: Posterior) -> np.ndarray:
        """``[team]``: probability in ``view`` that the team is too good to fail this quest."""
        return view.fewer_evil(teams, self.needed)


@lru_cache(maxsize=1)
def heard() -> Behaviour:
    """How people act, and how what they say is heard."""
    return replace(fitted(), doubts=DOUBTS)


@lru_cache(maxsize=64)
def believed(record: PublicRecord, knowledge: Knowledge | None = None, reads: str = PEOPLE) -> Posterior:
    """The posterior of a seat that listens, too; the latest ones are remembered."""
    if reads == LOGIC:
        return Posterior(record, knowledge)
    return (Seasoned if reads == PLAYERS else Listening)(record, knowledge, heard())


@lru_cache(maxsize=64)
def innocent(record: HeardRecord, seat: int, reads: str = PEOPLE) -> Posterior:
    """What ``seat`` would believe about sides as a servant, who knows only its own innocence; where the fail cards rule
    that out, what a watcher believes.

    To a servant Percival is one servant more and Morgana one minion more, so they are weighed as such: the sides come
    out the same, from an eighth of the deals at ten seats. Who claims to be Percival is one servant of several to it.
    """
    claims = tuple(claim for claim in record.claims if claim.kind != PERCIVAL)
    told = replace(record, roles=plain(record.roles), claims=claims)
    try:
        return believed(told, Knowledge(seat, "servant"), reads)
    except ValueError:
        return believed(told, None, reads)
