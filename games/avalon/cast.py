"""Who is what in Avalon, and what each seat's card tells it of the others."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from games.avalon.setting import (
    EVIL,
    MERLIN,
    MINION,
    MORDRED,
    MORGANA,
    OBERON,
    PERCIVAL,
    SERVANT,
    SHOWN_TO,
    seen_by_role,
    side_of,
)
from games.rules.cast import ROLE, SIDE, Cast, Member
from games.rules.values import Event

GOOD_SIDE, EVIL_SIDE = "good", "evil"
_BAD = ("evil", "bad", "minion", "spy", "traitor", "mordred s minion")
_GOOD = ("good", "loyal", "innocent")
_EITHER = ("merlin", "morgana", "(?:either )?(?:merlin or morgana|morgana or merlin)")


class AvalonCast(Cast):
    teams: ClassVar[tuple[str, ...]] = (GOOD_SIDE, EVIL_SIDE)
    sought: ClassVar[str] = EVIL_SIDE
    sought_as_side: ClassVar[bool] = True
    spoken: ClassVar[bool] = True
    suspect_field: ClassVar[str] = EVIL_SIDE
    asking: ClassVar[frozenset[str]] = frozenset(("proposing", "discussing", "questing", "assassinating"))
    exact: ClassVar[str] = "posterior"
    knowing: ClassVar[frozenset[str]] = frozenset(("assassinate",))
    role_words: ClassVar[dict[str, tuple[str, ...]]] = {
        MERLIN: (MERLIN,),
        PERCIVAL: (PERCIVAL,),
        SERVANT: (SERVANT, "loyal servant", "servant of arthur"),
        MORGANA: (MORGANA, "evil"),
        MORDRED: (MORDRED, "evil"),
        OBERON: (OBERON, "evil"),
        MINION: (MINION, "minion of mordred", "evil"),
    }
    role_names: ClassVar[tuple[str, ...]] = (
        EVIL_SIDE, MINION, MORGANA, MORDRED, OBERON, "assassin", MERLIN, PERCIVAL, SERVANT,
    )  # fmt: skip

    def cast(self, state: Any) -> dict[int, Member]:
        """A seat parts the others into those that it is shown and those that it is not. Within each part anybody may be
        any of the roles that are in it: who is alike there is known, the others are not."""
        roles = state.roles
        hidden: dict[str, dict[int, set[int]]] = {what: {seat: set() for seat in roles} for what in (ROLE, SIDE)}
        for seat in roles:
            shown = set(seen_by_role([roles[other] for other in sorted(roles)], seat))
            for part in (shown, roles.keys() - shown - {seat}):
                for what, of in ((ROLE, str), (SIDE, side_of)):
                    if len({of(roles[other]) for other in part}) > 1:
                        for other in part:
                            hidden[what][other].add(seat)
        return {
            seat: Member(role, side_of(role), {what: frozenset(hidden[what][seat]) for what in hidden})
            for seat, role in roles.items()
        }

    def own_side(self, card: Mapping[str, Any]) -> str | None:
        return card["side"]

    def side_of(self, what: str) -> str:
        return what if what in self.teams else side_of(what)

    def fellows(self, card: Mapping[str, Any]) -> tuple[int, ...]:
        return tuple(card["sees"]) if card["side"] == EVIL_SIDE else ()

    def dealt(self, options: Any, public: Mapping[str, Any]) -> Counter[str]:
        return Counter(public["roles"])

    def possible(
        self, card: Mapping[str, Any], me: int, seats: Iterable[int], every: tuple[str, ...]
    ) -> dict[int, tuple[str, ...]]:
        """What the own card, those that it sees and those that it does not see leave open."""
        seen = set(SHOWN_TO.get(card["role"], ()))
        shown = {look["seat"]: look["side"] for look in card["shown"]}
        return {
            seat: tuple(
                role
                for role in every
                if (role == card["role"] if seat == me else (role in seen) == (seat in card["sees"]))
                and shown.get(seat, side_of(role)) == side_of(role)
            )
            for seat in seats
        }

    def shown_alone(self, log: Sequence[Event], seat: int) -> list[tuple[int, tuple[str, ...]]]:
        dealt = next((event for event in log if event.kind == "dealt" and event.seat == seat), None)
        if dealt is None:
            return []
        words = (*_BAD, *sorted(EVIL))
        if side_of(dealt.data["role"]) == EVIL_SIDE:
            words += ("with me", "my partner", "my fellow")
        found = [(other, _EITHER if dealt.data["role"] == PERCIVAL else words) for other in dealt.data["sees"]]
        for event in log:
            if event.kind == "shown" and seat in (event.seat, *(event.audience or ())):
                found.append((event.data["seat"], (*_BAD, *_GOOD)))
        return found
