"""Public Good: each round all put some of their points into a common pool, in secret; the pool grows and is shared.

As in MAgIC (Xu et al. 2023, section 3.1 and table 5): three seats, 100 points for all of five rounds, the pool times a
multiplier shared out evenly at the end. Contributions over the budget are counted and not refused, as figure 4a shows.
Preset `magic_m1`: the first edition says that players contribute anonymously; its second does not, and that in `magic`
everybody is told who put in how much is our reading.

With any number of seats n, each gets pool * multiplier / n: of a point that is put in, multiplier / n comes back.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

from games.rules.chance import Chance
from games.rules.discussion import FREE, KINDS
from games.rules.fields import Number
from games.rules.options import Preset, option
from games.rules.scores import RESULTS, SILENT, PointsGame, PointsOptions, PointsState, by_seat, check_known, standing
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Impossible, Kind, Outcome, Refusal, Request, Seen

MULTIPLIERS = ("1", "1.2", "1.5", "1.8", "2", "2.5", "3")
"""Those of MAgIC, section 4.4."""
USUAL_MULTIPLIER = 1.5
MOST_POINTS, MOST_ROUNDS = 1000, 50
DIGITS = 2
"""Points are kept to the hundredth."""


@dataclass(frozen=True, kw_only=True)
class PublicGoodOptions(PointsOptions):
    points: int = option(
        100, sentence("What each has at the start."), label=sentence("Points"), low=10, high=MOST_POINTS
    )
    rounds: int = option(5, sentence("How many rounds are played."), label=sentence("Rounds"), low=1, high=MOST_ROUNDS)
    multiplier: str = option(
        "drawn",
        sentence("What the pool is multiplied by."),
        label=sentence("The pool grows"),
        choices={"drawn": sentence("Drawn by lot")}
        | {times: sentence("{times} times", times=times) for times in MULTIPLIERS},
    )
    share: str = option(
        "end",
        sentence("When the pool is shared out."),
        label=sentence("Sharing"),
        choices={"end": sentence("At the end"), "round": sentence("After each round")},
    )
    reveal: str = option(
        "seats",
        sentence("What everybody is told after a round."),
        label=sentence("Told after a round"),
        choices={
            "seats": sentence("Who put in how much"),
            "anonymous": sentence("How much was put in, without names"),
            "total": sentence("The total only"),
        },
    )
    over_budget: str = option(
        "refuse",
        sentence("What happens to a contribution that is more than somebody has left."),
        label=sentence("Too much"),
        choices={"refuse": sentence("It is refused"), "accept": sentence("It counts, and is marked")},
    )


class PublicGoodState(PointsState[PublicGoodOptions]):
    """`sealed` and `spent` hold what the viewer may know: all, or the own contributions where no names are told.

    received: what the pool has paid to each so far. points, rounds, multiplier: as `opened` says.
    """

    def __init__(self, options: PublicGoodOptions):
        super().__init__(options)
        self.phase = "contributions"
        self.points, self.rounds, self.multiplier = options.points, options.rounds, 0.0
        self.sealed: dict[int, int] = {}
        self.spent: dict[int, int] = dict.fromkeys(range(1, options.seats + 1), 0)
        self.received = 0.0
        self.shared = False

    def has(self, seat: int) -> float:
        """What a seat has left, to who may know its contributions."""
        return round(self.points - self.spent[seat] - self.sealed.get(seat, 0) + self.received, DIGITS)

    @property
    def pool(self) -> int:
        """Everything that was put in so far."""
        return sum(entry["total"] for entry in self.history)


def share_of(pool: int, multiplier: float, seats: int) -> float:
    """What each seat gets out of the pool, to the hundredth."""
    return round(float(Fraction(pool) * Fraction(str(multiplier)) / seats), DIGITS)


class PublicGood(PointsGame[PublicGoodState, PublicGoodOptions]):
    name: ClassVar[str] = "public_good"
    title: ClassVar[str] = sentence("Public Good")
    about: ClassVar[str] = sentence(
        "Keep points, or put them into a common pool, in secret. The pool grows and is shared evenly. Most points win."
    )
    version: ClassVar[int] = 2
    earlier: ClassVar[dict[int, dict[str, Any]]] = {1: SILENT}
    results: ClassVar[tuple[str, ...]] = RESULTS
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(
            PublicGoodOptions(over_budget="accept"),
            sentence(
                "Three seats, 100 points, five rounds, the pool shared at the end. As in the MAgIC paper, second "
                "edition. In our reading all see who put in how much."
            ),
            3,
            3,
        ),
        "magic_m1": Preset(
            PublicGoodOptions(over_budget="accept", reveal="anonymous"),
            sentence("As in the first edition: contributions are told without names."),
            3,
            3,
        ),
        "party": Preset(
            PublicGoodOptions(points=20, rounds=6, share="round", multiplier="2", discussion=FREE),
            sentence("20 points each, six rounds; the pool is shared after each. For 2 to 8."),
            2,
            8,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 3)
    quick: ClassVar[tuple[str, int]] = ("magic", 3)
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(sentence("The match begins."), ("seats", "points", "rounds", "multiplier", "share", "reveal")),
        "dealt": Kind(sentence("A seat's points at the start."), ("points",), "seat", "shell"),
        "record": Kind(sentence("The seat that is put to the test, for the record."), ("challenger",), "nobody"),
        "round": Kind(sentence("All are asked for a contribution."), ("round",)),
        "contribution": Kind(sentence("Points put into the pool."), ("points",), "seat", "shell"),
        "pooled": Kind(
            sentence(
                "What a round brought: the total, contributions by seat (null: not told), what each gets at once; "
                "amounts: contributions from the largest to the smallest, where they are told without names."
            ),
            ("round", "total", "contributions", "each", "amounts"),
            ends_round=True,
            beats=1,
        ),
        "shared": Kind(sentence("The pool is shared out at the end."), ("pool", "multiplier", "each"), beats=1),
    } | KINDS

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: PublicGoodOptions) -> PublicGoodState:
        return PublicGoodState(options)

    def check_setting(self, options: PublicGoodOptions, setting: dict[str, Any]) -> None:
        """A setting may fix points, rounds and multiplier. It goes before the options, but for a multiplier that the
        options name."""
        check_known(self.title, setting, ("points", "rounds", "multiplier"), options.seats)
        for name, low, high in (("points", 10, MOST_POINTS), ("rounds", 1, MOST_ROUNDS)):
            value = setting.get(name, low)
            if type(value) is not int or not low <= value <= high:
                raise Impossible(
                    sentence(
                        "'{name}' in the setting is a whole number from {low} to {high}.", name=name, low=low, high=high
                    )
                )
        multiplier = setting.get("multiplier", USUAL_MULTIPLIER)
        if type(multiplier) not in (int, float) or not 0 < multiplier <= 100:
            raise Impossible(sentence("'multiplier' in the setting is a number above 0, at most 100."))
        if "multiplier" in setting and options.multiplier not in ("drawn", f"{multiplier:g}"):
            raise Impossible(
                sentence(
                    "The setting multiplies by {multiplier}; the options ask for {wanted}.",
                    multiplier=f"{multiplier:g}",
                    wanted=options.multiplier,
                )
            )
        super().check_setting(options, setting)

    def check_opening(self, options: PublicGoodOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        Request(
            "",
            "contribution",
            seat,
            (_field(options.over_budget == "accept", setting.get("points", options.points), MOST_POINTS),),
            0,
        ).read(move)

    def setup(self, options: PublicGoodOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        usual = USUAL_MULTIPLIER if options.multiplier == "drawn" else float(options.multiplier)
        facts = {
            "points": setting.get("points", options.points),
            "rounds": setting.get("rounds", options.rounds),
            "multiplier": float(setting.get("multiplier", usual)),
        }
        yield Draft("opened", None, {"seats": options.seats, **facts, "share": options.share, "reveal": options.reveal})
        for seat in range(1, options.seats + 1):
            yield Draft("dealt", seat, {"points": facts["points"]}, (seat,))
        yield Draft("record", None, {"challenger": setting.get("challenger")}, ())

    def deal(self, state: PublicGoodState) -> dict[str, Any]:
        return {
            "points": state.points,
            "multiplier": state.multiplier,
            "spent": by_seat(state.spent),
            "challenger": state.challenger,
        }

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: PublicGoodState, chance: Chance) -> list[Draft]:
        if state.step == "pool":
            return [Draft("pooled", None, self._pooled(state))]
        if state.round < state.rounds:
            return self.next_round(state)
        if state.options.share == "end" and not state.shared:
            each = share_of(state.pool, state.multiplier, state.options.seats)
            return [Draft("shared", None, {"pool": state.pool, "multiplier": state.multiplier, "each": each})]
        return []

    def _pooled(self, state: PublicGoodState) -> dict[str, Any]:
        total = sum(state.sealed.values())
        at_once = state.options.share == "round"
        pooled: dict[str, Any] = {
            "round": state.round,
            "total": total,
            "contributions": by_seat(state.sealed) if state.options.reveal == "seats" else None,
            "each": share_of(total, state.multiplier, state.options.seats) if at_once else 0,
        }
        if state.options.reveal == "anonymous":
            pooled["amounts"] = sorted(state.sealed.values(), reverse=True)
        return pooled

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: PublicGoodState, event: Event) -> None:
        data = event.data
        state.points, state.rounds, state.multiplier = data["points"], data["rounds"], data["multiplier"]

    def on_round(self, state: PublicGoodState, event: Event) -> None:
        """Where no names are told, what a seat may put in would tell what it has left: only the seat sees it."""
        state.step, state.phase, state.round = "pool", "contributions", event.data["round"]
        secret = state.options.reveal != "seats"
        debts = state.options.over_budget == "accept"
        for seat in state.spent:
            field = _field(debts, math.floor(state.has(seat)), state.points)
            state.ask(event, "contribution", seat, (field,), audience=(seat,) if secret else None)

    def on_contribution(self, state: PublicGoodState, event: Seen) -> None:
        if isinstance(event, Event):
            state.sealed[event.seat] = event.data["points"]

    def on_pooled(self, state: PublicGoodState, event: Event) -> None:
        data = event.data
        told = data["contributions"]
        known = state.sealed if told is None else {int(seat): points for seat, points in told.items()}
        for seat, points in known.items():
            state.spent[seat] += points
        state.received = round(state.received + data["each"], DIGITS)
        state.step, state.sealed = "round", {}
        state.history.append(data)

    def on_shared(self, state: PublicGoodState, event: Event) -> None:
        state.received = event.data["each"]
        state.shared = True

    # Acting --------------------------------------------------------------------------------------------------------

    def act_contribution(
        self, state: PublicGoodState, request: Request, action: dict[str, Any]
    ) -> dict[str, Any] | Refusal:
        left = math.floor(state.has(request.seat))
        if state.options.over_budget == "refuse" and action["points"] > left:
            refused = sentence(
                "You have {left} points left, so you cannot put in {points}. Give a smaller number.",
                left=left,
                points=action["points"],
            )
            return Refusal("over_budget", refused, keep=True)
        return action

    def default_contribution(self, state: PublicGoodState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"points": 0}

    # The end -------------------------------------------------------------------------------------------------------

    def result(self, state: PublicGoodState) -> Outcome:
        """Nobody has more points in the end: that is a win. Points: what was kept, and the share of the pool."""
        if len(state.history) < state.rounds or (state.options.share == "end" and not state.shared):
            return Outcome()
        points = {seat: state.has(seat) for seat in state.spent}
        result, winners = standing(points)
        return Outcome("finished", result, winners, points)

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: PublicGoodState) -> dict[str, Any]:
        standings = self._standings(state)
        return {
            "phase": state.phase,
            "round": state.round,
            "rounds": state.rounds,
            "seats": state.options.seats,
            "points": state.points,
            "multiplier": state.multiplier,
            "share": state.options.share,
            "reveal": state.options.reveal,
            "pool": state.pool,
            "received": state.received,
            "history": list(state.history),
            "talk": list(state.talk),
            "talking": list(state.talking),
            "totals": standings[-1] if standings else None,
            "standings": standings,
            "debts": self._debts(state, standings),
        }

    def _standings(self, state: PublicGoodState) -> list[dict[str, float]]:
        """What each seat has at the start, after each round, and with its share of the pool; [] where contributions
        are not told by seat."""
        if state.options.reveal != "seats":
            return []
        has = dict.fromkeys(state.spent, float(state.points))
        course = [by_seat(has)]
        for entry in state.history:
            has = {seat: round(has[seat] - entry["contributions"][str(seat)] + entry["each"], DIGITS) for seat in has}
            course.append(by_seat(has))
        if state.shared:
            course.append(by_seat({seat: round(left + state.received, DIGITS) for seat, left in has.items()}))
        return course

    def _debts(self, state: PublicGoodState, standings: list[dict[str, float]]) -> dict[str, int]:
        """In how many rounds each seat put in more than it had, where contributions are told by seat."""
        if not standings:
            return {}
        rounds = list(zip(standings, state.history, strict=False))
        return {
            seat: sum(entry["contributions"][seat] > max(before[seat], 0) for before, entry in rounds)
            for seat in standings[0]
        }

    def card(self, state: PublicGoodState, seat: int) -> dict[str, Any]:
        return {"points": state.has(seat), "contribution": state.sealed.get(seat)}


@lru_cache(4096)
def _field(debts: bool, left: int, start: int) -> Number:
    """A number up to what is left, or up to `start` where debts are allowed. More is read too, up to ten times the
    points at the start: the rules say in words why it is too much, and the attempt is kept."""
    label = (
        sentence(
            "You have {left} points left. How many do you put in? You may put in more than you have; your own points "
            "then go below zero.",
            left=left,
        )
        if debts
        else sentence("You have {left} points left. How many do you put in?", left=left)
    )
    return Number("points", high=max(start if debts else left, 0), readable=10 * start, label=label)
