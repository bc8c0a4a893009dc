"""What the games of points share: rounds, talk before each if the options want it, who wins by points, and the seat
that a setting puts to the test."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from .cast import Member, all_alike
from .discussion import FREE, Discussion, TalkOptions, TalkState, length_option, talk_option
from .fields import TEXT_LIMIT
from .sentences import Sentence, sentence
from .values import Draft, Event, Impossible, Seen

RESULTS = ("single", "tied", "level")
"""One seat has the most points; some have; all have the same."""


@dataclass(frozen=True, kw_only=True)
class PointsOptions(TalkOptions):
    """What is chosen about talk before each round."""

    discussion: str = talk_option(sentence("Whether the table talks before each round."))
    speech_limit: int = length_option()


PointsOptionsT = TypeVar("PointsOptionsT", bound=PointsOptions)
SILENT = {"discussion": "none", "speech_limit": TEXT_LIMIT}
"""How the options of talk are for matches of versions without it."""


class PointsState(TalkState[PointsOptionsT]):
    """history: what each finished round came to. step: what the moderator does next once nobody is waited for."""

    def __init__(self, options: PointsOptionsT):
        super().__init__(options)
        self.step = "round"
        self.phase = ""
        self.round = 0
        self.challenger: int | None = None
        self.history: list[dict[str, Any]] = []


PointsStateT = TypeVar("PointsStateT", bound=PointsState[Any])


class PointsGame(Discussion[PointsStateT, PointsOptionsT]):
    """A game in which nothing is dealt that is not told to all."""

    last_words: ClassVar[Sentence] = sentence("What do you say before the round?")

    def next_round(self, state: PointsStateT) -> list[Draft]:
        """A round begins, or the talk before it."""
        seats = list(range(1, state.options.seats + 1))
        if state.options.discussion == FREE and state.talk_round == state.round:
            return [Draft("discussing", None, {"round": state.round + 1, "seats": seats})]
        return [Draft("round", None, {"round": state.round + 1})]

    def on_discussing(self, state: PointsStateT, event: Event) -> None:
        super().on_discussing(state, event)
        state.phase = "talk"

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
