"""What the games of points share: rounds, who wins by points, and the seat that a setting puts to the test."""

from collections.abc import Mapping
from typing import Any, TypeVar

from .cast import Member, all_alike
from .core import OptionsT, Rules, State
from .sentences import sentence
from .values import Event, Impossible, Seen

RESULTS = ("single", "tied", "level")
"""One seat has the most points; some have; all have the same."""


class PointsState(State[OptionsT]):
    """history: what each finished round came to. step: what the moderator does next once nobody is waited for."""

    def __init__(self, options: OptionsT):
        super().__init__(options)
        self.step = "round"
        self.phase = ""
        self.round = 0
        self.challenger: int | None = None
        self.history: list[dict[str, Any]] = []

    def close(self, *kinds: str) -> None:
        super().close(*kinds)
        if not kinds:
            self.phase = self.step = "over"


PointsStateT = TypeVar("PointsStateT", bound=PointsState[Any])


class PointsGame(Rules[PointsStateT, OptionsT]):
    """A game in which nothing is dealt that is not told to all."""

    def on_dealt(self, state: PointsStateT, event: Seen) -> None:
        pass

    def on_record(self, state: PointsStateT, event: Event) -> None:
        state.challenger = event.data["challenger"]

    def cast(self, state: PointsStateT) -> dict[int, Member]:
        return all_alike(range(1, state.options.seats + 1), self.family)


def by_seat(values: Mapping[int, Any]) -> dict[str, Any]:
    """These values as an event holds them."""
    return {str(seat): values[seat] for seat in sorted(values)}


def standing(points: Mapping[int, float]) -> tuple[str, tuple[int, ...]]:
    """The result by points, and the winners: those whom nobody surpasses (MAgIC, Xu et al. 2023, table 9)."""
    most = max(points.values())
    winners = tuple(seat for seat in sorted(points) if points[seat] == most)
    result = "single" if len(winners) == 1 else "level" if len(winners) == len(points) else "tied"
    return result, winners


def check_known(title: str, setting: dict[str, Any], known: tuple[str, ...], seats: int) -> None:
    """Raise `Impossible` where a setting holds what the game does not know, or puts a seat to the test that is not
    there. `challenger`: the seat whose player a competition compares; it changes nothing in the game."""
    if unknown := [key for key in setting if key not in (*known, "challenger", "openings")]:
        raise Impossible(sentence("A setting of {title} has no '{unknown}'.", title=title, unknown=unknown[0]))
    challenger = setting.get("challenger")
    if challenger is not None and (type(challenger) is not int or not 1 <= challenger <= seats):
        raise Impossible(sentence("The challenger is one of the seats 1 to {seats}.", seats=seats))
