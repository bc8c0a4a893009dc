"""Who is what: the cast of a match, and what others than a game itself may know of its cast.

Metrics, methods, ratings, judges and pages read this and nothing else of a game: they switch on no game's name and on
no role's. `kit_cast.py` checks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from .values import Event, Kind

ROLE, SIDE = "role", "side"
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Member(NamedTuple):
    """What a seat is. role: what it was dealt; side: whom it wins with, if that is one of `Cast.teams`; hides: its
    `ROLE` and its `SIDE`, each from which seats: those who cannot tell it by what they were dealt (itself too, where
    nobody is told)."""

    role: str
    side: str
    hides: Mapping[str, frozenset[int]] = NOTHING

    def hidden_from(self, seat: int, what: str = SIDE) -> bool:
        """Whether a seat cannot tell by what it was dealt what this one is."""
        return seat in self.hides.get(what, ())


def all_alike(seats: Iterable[int], role: str) -> dict[int, Member]:
    """The cast of a game without roles."""
    return {seat: Member(role, role) for seat in seats}


def one_apart(
    seats: Sequence[int], odd: int | None, odd_one: tuple[str, str], others: tuple[str, str]
) -> dict[int, Member]:
    """The cast in which one knows that it is the odd one, and so what all others are. odd_one, others: role, side."""
    unknowing = frozenset(seats) - {odd} if len(seats) > 2 else frozenset()
    found = {}
    for seat in seats:
        hidden = unknowing - {seat}
        found[seat] = Member(*(odd_one if seat == odd else others), {ROLE: hidden, SIDE: hidden})
    return found


class Cast:
    """What a game declares of its cast.

    folder: the package that holds all that is the game's own, by the module in which its rules stand; a game that is
    registered under another name by a subclass has it from there.
    teams: the sides whose seats win and lose together; who is on no team stands alone.
    sought: the team that the others look for; empty where nobody hides. sought_as_side: one speaks of them as of a side
    ("evil"), not as of one player ("the spy").
    told: each seat knows its own side.
    spoken: players speak freely, so that a judge may compare how.
    common_knowledge: the key of a card that holds what all but a few were told, such as a word; None in it: this seat
    was not.
    suspect_field: the field of polls by which a seat names whom it takes for the sought.
    asking: the kinds of event by which the moderator only asks. looks: the kinds that are clues, after each of which a
    table is looked at anew, besides before a move; prompts call them clues, so a game without clues declares none.
    knowing: the kinds of request about what a seat knows, not about how it looks to others.
    words_read: a metric reads the words of what agents thought.
    exact: the module of its folder that says how probable each other seat is one of the sought to a seat that has seen
    these events, `suspicions(seat, events)`, over all that may have been dealt; empty where there is none.
    role_words: by role what a player says who gives it away; nothing for a role that gives nothing away.
    role_names: what roles are called in talk.
    role_on: by side what one player of it is called, where that is another word.
    earlier_words: sides that were called otherwise before, as labels and files of then have them.
    """

    name: ClassVar[str]
    kinds: ClassVar[dict[str, Kind]]
    folder: ClassVar[str]
    teams: ClassVar[tuple[str, ...]] = ()
    sought: ClassVar[str] = ""
    sought_as_side: ClassVar[bool] = False
    told: ClassVar[bool] = True
    spoken: ClassVar[bool] = False
    common_knowledge: ClassVar[str] = ""
    suspect_field: ClassVar[str] = ""
    asking: ClassVar[frozenset[str]] = frozenset()
    looks: ClassVar[frozenset[str]] = frozenset()
    knowing: ClassVar[frozenset[str]] = frozenset()
    words_read: ClassVar[bool] = False
    exact: ClassVar[str] = ""
    role_words: ClassVar[Mapping[str, tuple[str, ...]]] = NOTHING
    role_names: ClassVar[tuple[str, ...]] = ()
    role_on: ClassVar[Mapping[str, str]] = NOTHING
    earlier_words: ClassVar[Mapping[str, str]] = NOTHING

    # What a game answers -------------------------------------------------------------------------------------------

    def cast(self, state: Any) -> dict[int, Member]:
        """What each seat is; read from the whole state only, and the same from the deal on."""
        raise NotImplementedError

    def own_side(self, card: Mapping[str, Any]) -> str | None:
        """The side that a card tells its seat; None where it does not."""
        return None

    def fellows(self, card: Mapping[str, Any]) -> tuple[int, ...]:
        """The seats of which a card tells one of the sought that they are sought too."""
        return ()

    def dealt(self, options: Any, public: Mapping[str, Any]) -> Counter[str]:
        """What players may be, and how many of each there are, as far as everybody knows."""
        return Counter({self.seeking: options.seats - 1, self.sought: 1})

    def side_of(self, what: str) -> str:
        """The side of one of these."""
        return what

    def possible(
        self, card: Mapping[str, Any], me: int, seats: Iterable[int], every: tuple[str, ...]
    ) -> dict[int, tuple[str, ...]]:
        """Which of `every` each seat may be, as far as the card of `me` tells; one alone: that is known."""
        own = self.own_side(card)
        return {seat: (own,) if own is not None and seat == me else every for seat in seats}

    def shown_alone(self, log: Sequence[Event], seat: int) -> list[tuple[int, tuple[str, ...]]]:
        """Of whom this seat alone was shown something, and in which words a player would say it: patterns of words as
        games fold them (`clues.tokens`)."""
        return []

    def with_sought(self, setting: dict[str, Any], seat: int) -> dict[str, Any]:
        """A setting for three that fixes which one seat is sought."""
        raise NotImplementedError

    # What follows from it ------------------------------------------------------------------------------------------

    @property
    def family(self) -> str:
        """The game of the papers that this plays, by whatever name it is registered: what its folder is called."""
        return self.folder.rpartition(".")[2]

    @property
    def solo(self) -> bool:
        """Whether each seat plays for itself."""
        return not self.teams

    @property
    def seeking(self) -> str:
        """The team that looks for the sought; empty where nobody hides."""
        return next((team for team in self.teams if self.sought and team != self.sought), "")

    @property
    def utterances(self) -> frozenset[str]:
        """The kinds of event by which a player says something to all."""
        return frozenset(
            kind
            for kind, about in self.kinds.items()
            if "text" in about.words and about.audience == "everyone" and kind not in self.knowing
        )

    def sides(self, state: Any) -> dict[int, str]:
        """The side of each seat."""
        return {seat: member.side for seat, member in self.cast(state).items()}

    def unaware(self, card: Mapping[str, Any]) -> bool:
        """Whether a card does not hold what all others were told."""
        return self.common_knowledge in card and card[self.common_knowledge] is None

    def one_of(self, what: str) -> str:
        """What one player is called who is on a side, or has a role."""
        return self.role_on.get(what, what)
