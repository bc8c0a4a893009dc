"""What a suite is: from who takes part to the matches that are to be played. Pure, and the same for the same seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from games.refused import Unfit
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sentences import declared
from games.rules.values import Impossible

MOST_MATCHES = 10_000

KINDS = ("role", "arm", "citizens", "part", "team")
"""The labels that tell what a match is played for; a suite uses one of them, if any."""

Setting = tuple[str, dict[str, Any]]
"""The name of a game's setting, and what stands in it."""


class SuiteError(Unfit, ValueError):
    """A competition that cannot be planned; the text is a sentence for whoever wanted it."""


@dataclass(frozen=True)
class Planned:
    """One match to be played. agents: the profile at each seat, in seat order. labels: what the tables group by, such
    as {"challenger": ..., "role": ..., "setting": ...}; always with "challenger"."""

    game: str
    preset: str
    agents: tuple[str, ...]
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    setting: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """Who takes part, and how much is played.

    challengers: profiles under test; defenders: the profiles that they meet, by the part that the suite gives them
    (`Suite.parts`); matches: how many a challenger plays where the suite leaves it open; take: only the first so many
    of the planned matches; more: what one suite alone knows.
    """

    challengers: tuple[str, ...]
    defenders: Mapping[str, str] = field(default_factory=dict)
    matches: int = 0
    seed: int = 1
    take: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Entry:
        """The entry that plain values hold, as a competition keeps them."""
        return cls(**dict(plain) | {"challengers": tuple(plain["challengers"])})


class Suite:
    """A set of matches after a paper, or of one's own.

    parts: the parts that defenders play, each with the profile that plays it if nobody else is named. matches: how many
    a challenger plays if nothing else is said; 0 where the suite fixes it. games: those that are played; empty for any.
    page: the page of numbers on which its matches are counted.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    source: ClassVar[str]
    parts: ClassVar[Mapping[str, str]] = {}
    matches: ClassVar[int] = 0
    games: ClassVar[tuple[str, ...]] = ()
    page: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.title, cls.about = declared(cls.title), declared(cls.about)

    def plan(self, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> list[Planned]:
        """The matches of an entry, in the order in which they are played: whatever is cut short is balanced. settings:
        those of a game, by its name.

        Raises `SuiteError` where there is too little to play with.
        """
        if not entry.challengers:
            raise SuiteError("Name at least one challenger.")
        if twice := next((name for name in entry.challengers if entry.challengers.count(name) > 1), None):
            raise SuiteError(f"{twice} is named twice. Its matches would be counted twice.")
        if not 0 <= entry.matches <= MOST_MATCHES:
            raise SuiteError(f"A challenger plays 1 to {MOST_MATCHES} matches.")
        if entry.take < 0:
            raise SuiteError("Play at least one of the planned matches.")
        planned = in_blocks([list(self.of(challenger, entry, settings)) for challenger in entry.challengers])
        return planned[: entry.take] if entry.take else planned

    def of(self, challenger: str, entry: Entry, settings: Callable[[str], Sequence[Setting]]) -> Iterator[Planned]:
        """The matches of one challenger."""
        raise NotImplementedError

    def board(self, more: Mapping[str, Any]) -> str:
        """The page of numbers on which the matches of a competition are counted (more: `Entry.more`)."""
        return self.page

    def remark(self, more: Mapping[str, Any]) -> str:
        """What a researcher should know about what was planned (more: `Entry.more`), as a sentence; mostly nothing."""
        return ""

    def defender(self, entry: Entry, part: str) -> str:
        """The profile that plays this part."""
        return entry.defenders.get(part) or self.parts[part]


def in_blocks(plans: Sequence[Sequence[Planned]]) -> list[Planned]:
    """The challengers' matches in blocks: of each kind of match (game, role, arm and so on) the first setting, played
    by all challengers in turn, then the second one, and so on."""
    found: list[tuple[int, int, int, Planned]] = []
    kinds: list[tuple[str, ...]] = []
    for challenger, plan in enumerate(plans):
        times: Counter[tuple[str, ...]] = Counter()
        for match in plan:
            kind = (match.game, *(match.labels.get(name, "") for name in KINDS))
            if kind not in kinds:
                kinds.append(kind)
            times[kind] += 1
            found.append((times[kind], kinds.index(kind), challenger, match))
    return [match for *_, match in sorted(found, key=lambda one: one[:3])]


def number_from(*names: Any) -> int:
    """A seed of 63 bits that depends on these names alone."""
    return random.Random(":".join(map(str, names))).getrandbits(63)


def sides_of(
    game: str, preset: str, seats: int, seed: int, options: Mapping[str, Any], setting: Mapping[str, Any]
) -> dict[int, str]:
    """Which side each seat will be dealt; the deal depends on the seed, and on nothing about who plays."""
    rules = RULES[game]
    try:
        header = new_header(
            rules, preset, seats=agents_and_people(0, seats), seed=seed, options=dict(options), setting=dict(setting)
        )
        return rules.sides(Play(rules, header).state)
    except Impossible as reason:
        raise SuiteError(str(reason)) from reason


def by_side(sides: Mapping[int, str], agents: Mapping[str, str], otherwise: str) -> tuple[str, ...]:
    """The profile at each seat, by the side that the seat is on."""
    return tuple(agents.get(sides[seat], otherwise) for seat in sorted(sides))
