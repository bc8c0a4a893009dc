"""What one seat of an Avalon table has seen: its card, the public record, and two readings of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from agents.house.avalon_hearing import Names, remarks
from agents.house.avalon_posterior import EVIL, Knowledge, Posterior, Proposal, PublicRecord, Remark, posterior
from games.rules.values import Event


@dataclass
class Position:
    """The match as ``seat`` knows it, folded from the events that are visible to it.

    ``proposals`` hold every proposed team so far, the one on the table last; ``tabled_at`` is its seq. ``sizes`` and
    ``fails_needed`` have one number a quest. ``shown`` maps seats to whether they are evil, as the Lady of the Lake
    told this seat. ``said`` holds the last remark of each seat on each other, ``said_now`` all those on the team on
    the table.
    """

    seat: int
    cast: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    fails_needed: tuple[int, ...] = ()
    role: str = ""
    sees: frozenset[int] = frozenset()
    quest: int = 1
    attempt: int = 1
    leader: int = 0
    successes: int = 0
    failures: int = 0
    tabled_at: int = 0
    proposals: list[Proposal] = field(default_factory=list)
    shown: dict[int, bool] = field(default_factory=dict)
    names: Names = ()
    said: dict[tuple[int, int], Remark] = field(default_factory=dict)
    said_now: list[Remark] = field(default_factory=list)

    @classmethod
    def of(cls, seat: int, events: Iterable[Event], names: Mapping[int, str]) -> Position:
        """The position that these events amount to for ``seat``; by ``names`` the seats call one another."""
        position = cls(seat, names=tuple(names.items()))
        for event in events:
            heard = _HEARD.get(event.kind)
            if heard is not None and event.data is not None:
                heard(position, event)
        return position

    def _opened(self, event: Event) -> None:
        self.cast = tuple(event.data["roles"])
        self.sizes = tuple(event.data["sizes"])
        self.fails_needed = tuple(event.data["fails_needed"])

    def _dealt(self, event: Event) -> None:
        self.role = event.data["role"]
        self.sees = frozenset(event.data["sees"])

    def _proposing(self, event: Event) -> None:
        self.quest, self.attempt, self.leader = event.data["quest"], event.data["attempt"], event.data["leader"]

    def _team(self, event: Event) -> None:
        team = frozenset(event.data["seats"])
        self.tabled_at = event.seq
        self.said_now = []
        self.proposals.append(Proposal(self.leader, team, self.quest, self.attempt, self.failures))

    def _speech(self, event: Event) -> None:
        heard = remarks(event.seat, event.data["text"] or "", self.names, tuple(self.said.values()))
        self.said_now.extend(heard)
        self.said.update({(remark.speaker, remark.subject): remark for remark in heard})

    def _voted(self, event: Event) -> None:
        votes = tuple((int(seat), approves) for seat, approves in event.data["votes"].items() if approves is not None)
        self.proposals[-1] = replace(self.proposals[-1], votes=votes)

    def _quested(self, event: Event) -> None:
        self.proposals[-1] = replace(self.proposals[-1], fails=event.data["fails"])
        self.successes, self.failures = event.data["successes"], event.data["failures"]

    def _shown(self, event: Event) -> None:
        self.shown[event.data["seat"]] = event.data["side"] == "evil"

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
    def record(self) -> PublicRecord:
        return PublicRecord(tuple(sorted(self.cast)), tuple(self.proposals), tuple(self.said.values()))

    @cached_property
    def mind(self) -> Posterior:
        """What this seat can conclude from everything it knows."""
        return posterior(self.record, Knowledge(self.seat, self.role, self.sees, frozenset(self.shown.items())))

    @cached_property
    def face(self) -> Posterior:
        """What it could conclude if it were an ordinary servant: what it can say aloud without telling more."""
        return innocent(self.record, self.seat)

    def success(self, teams: list[frozenset[int]], view: Posterior) -> np.ndarray:
        """``[team]``: probability in ``view`` that the team is too good to fail this quest."""
        return view.fewer_evil(teams, self.needed)


_PLAIN = {"percival": "servant", "morgana": "minion"}


@lru_cache(maxsize=64)
def innocent(record: PublicRecord, seat: int) -> Posterior:
    """What ``seat`` would believe about sides as a servant, who knows only its own innocence; where the fail cards rule
    that out, what a watcher believes.

    To a servant Percival is one servant more and Morgana one minion more, so they are weighed as such: the sides come
    out the same, from an eighth of the deals at ten seats.
    """
    plain = PublicRecord(
        tuple(sorted(_PLAIN.get(role, role) for role in record.roles)), record.proposals, record.remarks
    )
    try:
        return posterior(plain, Knowledge(seat, "servant"))
    except ValueError:
        return posterior(plain)


_HEARD = {
    "opened": Position._opened,
    "dealt": Position._dealt,
    "proposing": Position._proposing,
    "team": Position._team,
    "speech": Position._speech,
    "say": Position._speech,
    "ready": Position._speech,
    "voted": Position._voted,
    "quested": Position._quested,
    "shown": Position._shown,
}
