"""Prisoner's Dilemma for several: each round all choose in secret to cooperate or to defect.

Preset `magic` as in MAgIC (Xu et al. 2023, section 3.1 and table 5): three seats, five rounds.

Payoffs are those of the paper's table. All cooperate: `cooperate` each. All defect: `defect` each. One alone defects:
`one_defect`. Several but not all defect: `two_defect` each. Who cooperates beside a defector gets nothing. For three
seats this is the paper's table; for more seats "two" stands for two or more but not all, for two seats it cannot occur.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from games.rules.chance import Chance
from games.rules.discussion import FREE, KINDS
from games.rules.fields import Choice
from games.rules.options import Preset, option
from games.rules.scores import RESULTS, SILENT, PointsGame, PointsOptions, PointsState, by_seat, check_known, standing
from games.rules.sentences import sentence, word
from games.rules.values import Draft, Event, Impossible, Kind, Outcome, Request, Seen

COOPERATE, DEFECT = word("cooperate"), word("defect")
PAYOFFS = {"cooperate": 3, "defect": 1, "one_defect": 5, "two_defect": 2}
"""What is played for where no setting says otherwise."""
KNOWN_PAYOFFS = {
    "/".join(map(str, points)): dict(zip(PAYOFFS, points, strict=True))
    for points in ((2, 1, 4, 2), (3, 1, 5, 2), (5, 3, 6, 4), (5, 4, 12, 6))
}
"""Those that a host may choose: the first as MAgIC prints them (later edition, table 3), the others of our seven."""
MOST_POINTS = 1000
FIELDS = (Choice("choice", options=(COOPERATE, DEFECT), label=sentence("Do you cooperate or defect?")),)


@dataclass(frozen=True, kw_only=True)
class PrisonersDilemmaOptions(PointsOptions):
    rounds: int = option(5, sentence("How many rounds are played."), label=sentence("Rounds"), low=1, high=50)
    payoffs: str = option(
        "drawn",
        sentence("Points for each if all cooperate, if all defect, if one alone defects, if several defect."),
        label=sentence("Points"),
        choices={"drawn": sentence("Drawn by lot")} | {name: name.replace("/", ", ") for name in KNOWN_PAYOFFS},
    )


class PrisonersDilemmaState(PointsState[PrisonersDilemmaOptions]):
    """`sealed`: the choices of this round that the viewer may know. `history`: what each finished round came to."""

    def __init__(self, options: PrisonersDilemmaOptions):
        super().__init__(options)
        self.phase = "choices"
        self.payoffs: dict[str, int] = {}
        self.sealed: dict[int, str] = {}
        self.totals: dict[int, int] = dict.fromkeys(range(1, options.seats + 1), 0)


def points(payoffs: Mapping[str, int], choices: Mapping[int, str]) -> dict[int, int]:
    """What each seat gets for these choices of all."""
    defectors = sum(choice == DEFECT for choice in choices.values())
    if defectors == 0:
        return dict.fromkeys(choices, payoffs["cooperate"])
    if defectors == len(choices):
        return dict.fromkeys(choices, payoffs["defect"])
    taken = payoffs["one_defect" if defectors == 1 else "two_defect"]
    return {seat: taken if choice == DEFECT else 0 for seat, choice in choices.items()}


class PrisonersDilemma(PointsGame[PrisonersDilemmaState, PrisonersDilemmaOptions]):
    name: ClassVar[str] = "prisoners_dilemma"
    title: ClassVar[str] = sentence("Prisoner’s Dilemma")
    about: ClassVar[str] = sentence(
        "Cooperate or defect? All choose in secret, round after round; the points of each depend on all choices."
    )
    version: ClassVar[int] = 2
    earlier: ClassVar[dict[int, dict[str, Any]]] = {1: SILENT}
    results: ClassVar[tuple[str, ...]] = RESULTS
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(PrisonersDilemmaOptions(), sentence("Three seats, five rounds. As in the MAgIC paper."), 3, 3),
        "party": Preset(
            PrisonersDilemmaOptions(rounds=8, discussion=FREE),
            sentence("Eight rounds. For 2 to 8."),
            2,
            8,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 3)
    quick: ClassVar[tuple[str, int]] = ("magic", 3)
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(sentence("The match begins."), ("seats", "rounds", "payoffs")),
        "dealt": Kind(sentence("A seat is ready; there is nothing to be dealt."), (), "seat", "shell"),
        "record": Kind(sentence("The seat that is put to the test, for the record."), ("challenger",), "nobody"),
        "round": Kind(sentence("All are asked for a choice."), ("round",)),
        "choice": Kind(sentence("A choice: cooperate or defect."), ("choice",), "seat", "shell"),
        "revealed": Kind(
            sentence("All choices of a round, the points for them, and the sums."),
            ("round", "choices", "points", "totals"),
            ends_round=True,
            beats=1,
        ),
    } | KINDS

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: PrisonersDilemmaOptions) -> PrisonersDilemmaState:
        return PrisonersDilemmaState(options)

    def check_setting(self, options: PrisonersDilemmaOptions, setting: dict[str, Any]) -> None:
        """A setting gives all four payoffs or none, and they must make a dilemma: whatever the others do, defecting
        gives more; and all cooperating gives more than all defecting."""
        check_known(self.title, setting, tuple(PAYOFFS), options.seats)
        given = {name: setting[name] for name in PAYOFFS if name in setting}
        if given:
            _check_payoffs(given)
        if given and options.payoffs != "drawn" and given != KNOWN_PAYOFFS[options.payoffs]:
            raise Impossible(
                sentence(
                    "The options ask for the points {wanted}, and this setting has others.", wanted=options.payoffs
                )
            )
        super().check_setting(options, setting)

    def check_opening(self, options: PrisonersDilemmaOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        Request("", "choice", seat, FIELDS, 0).read(move)

    def setup(self, options: PrisonersDilemmaOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        usual = KNOWN_PAYOFFS.get(options.payoffs, PAYOFFS)
        payoffs = {name: setting.get(name, usual[name]) for name in PAYOFFS}
        yield Draft("opened", None, {"seats": options.seats, "rounds": options.rounds, "payoffs": payoffs})
        for seat in range(1, options.seats + 1):
            yield Draft("dealt", seat, {}, (seat,))
        yield Draft("record", None, {"challenger": setting.get("challenger")}, ())

    def deal(self, state: PrisonersDilemmaState) -> dict[str, Any]:
        return {"payoffs": state.payoffs, "challenger": state.challenger}

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: PrisonersDilemmaState, chance: Chance) -> list[Draft]:
        if state.step == "reveal":
            choices = {seat: state.sealed[seat] for seat in sorted(state.sealed)}
            gained = points(state.payoffs, choices)
            data = {"round": state.round, "choices": by_seat(choices), "points": by_seat(gained)}
            totals = {seat: total + gained[seat] for seat, total in state.totals.items()}
            return [Draft("revealed", None, data | {"totals": by_seat(totals)})]
        if state.round < state.options.rounds:
            return self.next_round(state)
        return []

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: PrisonersDilemmaState, event: Event) -> None:
        state.payoffs = event.data["payoffs"]

    def on_round(self, state: PrisonersDilemmaState, event: Event) -> None:
        state.step, state.phase = "reveal", "choices"
        state.round, state.sealed = event.data["round"], {}
        for seat in state.totals:
            state.ask(event, "choice", seat, FIELDS)

    def on_choice(self, state: PrisonersDilemmaState, event: Seen) -> None:
        if isinstance(event, Event):
            state.sealed[event.seat] = event.data["choice"]

    def on_revealed(self, state: PrisonersDilemmaState, event: Event) -> None:
        state.step, state.sealed = "round", {}
        state.totals = {int(seat): total for seat, total in event.data["totals"].items()}
        state.history.append(event.data)

    # Acting --------------------------------------------------------------------------------------------------------

    def default_choice(self, state: PrisonersDilemmaState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"choice": COOPERATE}

    # The end -------------------------------------------------------------------------------------------------------

    def result(self, state: PrisonersDilemmaState) -> Outcome:
        """Nobody scored higher: that is a win. Points are the sums over all rounds."""
        if len(state.history) < state.options.rounds:
            return Outcome()
        result, winners = standing(state.totals)
        return Outcome("finished", result, winners, dict(state.totals))

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: PrisonersDilemmaState) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "round": state.round,
            "rounds": state.options.rounds,
            "seats": state.options.seats,
            "payoffs": dict(state.payoffs),
            "history": list(state.history),
            "talk": list(state.talk),
            "talking": list(state.talking),
            "totals": by_seat(state.totals),
            "standings": [dict.fromkeys(map(str, state.totals), 0), *(past["totals"] for past in state.history)],
        }

    def card(self, state: PrisonersDilemmaState, seat: int) -> dict[str, Any]:
        return {"choice": state.sealed.get(seat), "points": state.totals[seat]}


def _check_payoffs(given: dict[str, Any]) -> None:
    if missing := [name for name in PAYOFFS if name not in given]:
        raise Impossible(sentence("The payoff '{missing}' is missing.", missing=missing[0]))
    for name, value in given.items():
        if type(value) is not int or not 0 <= value <= MOST_POINTS:
            raise Impossible(
                sentence(
                    "The payoff '{name}' is a whole number from 0 to {most_points}.", name=name, most_points=MOST_POINTS
                )
            )
    if given["one_defect"] <= given["cooperate"] or min(given["defect"], given["two_defect"]) <= 0:
        raise Impossible(sentence("These payoffs make no dilemma: defecting must give more, whatever the others do."))
    if given["cooperate"] <= given["defect"]:
        raise Impossible(
            sentence("These payoffs make no dilemma: if all cooperate, each must get more than if all defect.")
        )
