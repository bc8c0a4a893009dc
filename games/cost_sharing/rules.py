"""Cost Sharing: airlines share the fixed fee of an airport. Each proposes a split, all vote, until all vote for one.

As in MAgIC (Xu et al. 2023): three airlines, up to five rounds. Preset `magic_m1` is the first edition's text (section
3.1: an initial scheme in proportion to use, and a fairness check of every change), `magic` the second's, without them.
Shapley shares are ours, and in neither.
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from games.cost_sharing.setting import (
    CHECKED,
    FEE,
    MOST_SEATS,
    NONE,
    SHOWN,
    WHOLE,
    CostSharingOptions,
    check_deal,
    costs_alone,
    in_core,
    most_shares,
    proportional,
    shapley,
    standalone,
    within,
)
from games.rules.chance import Chance
from games.rules.discussion import FREE, KINDS
from games.rules.fields import OneSeat, Split
from games.rules.options import Preset
from games.rules.scores import SILENT, PointsGame, PointsState, by_seat
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Impossible, Kind, Outcome, Refusal, Request, Seen


class CostSharingState(PointsState[CostSharingOptions]):
    """`proposals`: this round's splits by seat. `votes`: those for them that the viewer may know."""

    def __init__(self, options: CostSharingOptions):
        super().__init__(options)
        self.phase = "proposals"
        self.fee = FEE
        self.airlines: list[dict[str, Any]] = []
        self.initial: list[int] | None = None
        self.shapley: list[float] | None = None
        self.proposals: dict[int, list[int]] = {}
        self.votes: dict[int, int | None] = {}
        self.agreed: list[int] | None = None

    @property
    def turn(self) -> int | None:
        """Who proposes next."""
        return len(self.proposals) + 1 if self.step == "turn" else None

    def first_with(self, split: list[int]) -> int:
        """The first seat that proposed this split in this round: equal splits are one choice."""
        return next(seat for seat in sorted(self.proposals) if self.proposals[seat] == split)


class CostSharing(PointsGame[CostSharingState, CostSharingOptions]):
    name: ClassVar[str] = "cost_sharing"
    teams: ClassVar[tuple[str, ...]] = ("cost_sharing",)
    title: ClassVar[str] = sentence("Cost Sharing")
    about: ClassVar[str] = sentence(
        "Airlines share the fee of an airport. Each proposes who pays how much; all win if all vote for one split."
    )
    version: ClassVar[int] = 3
    earlier: ClassVar[dict[int, dict[str, Any]]] = {1: {"fairness": SHOWN} | SILENT, 2: SILENT}
    results: ClassVar[tuple[str, ...]] = ("agreed", "failed")
    presets: ClassVar[dict[str, Preset]] = {
        "magic": Preset(
            CostSharingOptions(fairness=NONE),
            sentence("Three airlines, up to five rounds. As in the MAgIC paper, second edition."),
            3,
            3,
        ),
        "magic_m1": Preset(
            CostSharingOptions(fairness=CHECKED),
            sentence(
                "As in the first edition: the split by use comes first, and nobody may be asked to pay more than "
                "they would alone. The costs alone are our choice."
            ),
            3,
            3,
        ),
        "party": Preset(
            CostSharingOptions(rounds=4, step=5, discussion=FREE),
            sentence("Up to four rounds, shares in steps of five. For 2 to {most_seats}.", most_seats=MOST_SEATS),
            2,
            MOST_SEATS,
            sentence("Classic"),
        ),
    }
    players: ClassVar[tuple[str, int]] = ("party", 3)
    quick: ClassVar[tuple[str, int]] = ("magic", 3)
    kinds: ClassVar[dict[str, Kind]] = {
        "opened": Kind(
            sentence(
                "The match begins. initial: the split in proportion to use; shapley: in percent, where costs alone are "
                "known; null: not told. Costs alone are left out where nothing is told of a fair split."
            ),
            ("seats", "rounds", "step", "fee", "airlines", "initial", "shapley"),
        ),
        "dealt": Kind(sentence("The airline that a seat speaks for."), ("airline",), "seat", "shell"),
        "record": Kind(sentence("The seat that is put to the test, for the record."), ("challenger",), "nobody"),
        "round": Kind(sentence("A round of proposals begins."), ("round",)),
        "turn": Kind(sentence("A seat is asked for its proposal.")),
        "proposal": Kind(sentence("Who pays how much, in percent of the fee, in seat order."), ("split",)),
        "voting": Kind(sentence("All vote for one of the proposals."), ("round",)),
        "vote": Kind(
            sentence("A vote for the split that this seat was the first to propose; null: an abstention."),
            ("seat",),
            "seat",
            "shell",
        ),
        "tally": Kind(
            sentence("All votes; the split that all voted for, and who had proposed it."),
            ("round", "votes", "split", "proposers"),
            ends_round=True,
            beats=1,
        ),
    } | KINDS

    # The deal ------------------------------------------------------------------------------------------------------

    def start(self, options: CostSharingOptions) -> CostSharingState:
        return CostSharingState(options)

    def check_setting(self, options: CostSharingOptions, setting: dict[str, Any]) -> None:
        check_deal(self.title, options, setting)
        super().check_setting(options, setting)

    def check_opening(self, options: CostSharingOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        action = Request("", "proposal", seat, (_split(options),), 0).read(move)
        if options.fairness == CHECKED and not _fair(setting.get("fee", FEE), setting["airlines"], action["split"]):
            raise Impossible(sentence("It asks somebody to pay more than they would alone."))

    def setup(self, options: CostSharingOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        airlines, fee = setting["airlines"], setting.get("fee", FEE)
        initial, alone = proportional(airlines, options.step), standalone(airlines)
        if options.fairness == NONE:
            airlines = [{name: airline[name] for name in airline if name != "standalone"} for airline in airlines]
        if options.fairness == CHECKED:
            initial = within(initial, most_shares(fee, costs_alone(airlines), options.step), options.step)
        facts = {
            "seats": options.seats,
            "rounds": options.rounds,
            "step": options.step,
            "fee": fee,
            "airlines": airlines,
            "initial": None if options.fairness == NONE else initial,
            "shapley": None
            if alone is None or options.fairness != SHOWN
            else [round(float(share), 2) for share in shapley(fee, alone)],
        }
        yield Draft("opened", None, facts)
        for seat, airline in enumerate(airlines, 1):
            yield Draft("dealt", seat, {"airline": airline["name"]}, (seat,))
        yield Draft("record", None, {"challenger": setting.get("challenger")}, ())

    def deal(self, state: CostSharingState) -> dict[str, Any]:
        return {"airlines": state.airlines, "fee": state.fee, "challenger": state.challenger}

    # The moderator -------------------------------------------------------------------------------------------------

    def proceed(self, state: CostSharingState, chance: Chance) -> list[Draft]:
        match state.step:
            case "turn":
                return [Draft("turn", state.turn, {})]
            case "voting":
                return [Draft("voting", None, {"round": state.round})]
            case "tally":
                return [Draft("tally", None, self._tally(state))]
        if state.agreed is None and state.round < state.options.rounds:
            return self.next_round(state)
        return []

    def _tally(self, state: CostSharingState) -> dict[str, Any]:
        chosen = set(state.votes.values())
        agreed = chosen.pop() if len(chosen) == 1 else None
        split = None if agreed is None else state.proposals[agreed]
        return {
            "round": state.round,
            "votes": by_seat(state.votes),
            "split": split,
            "proposers": [seat for seat, proposed in sorted(state.proposals.items()) if proposed == split],
        }

    # Folding -------------------------------------------------------------------------------------------------------

    def on_opened(self, state: CostSharingState, event: Event) -> None:
        data = event.data
        state.fee, state.airlines = data["fee"], data["airlines"]
        state.initial, state.shapley = data["initial"], data["shapley"]

    def on_round(self, state: CostSharingState, event: Event) -> None:
        state.step, state.phase = "turn", "proposals"
        state.round, state.proposals, state.votes = event.data["round"], {}, {}

    def on_turn(self, state: CostSharingState, event: Event) -> None:
        state.ask(event, "proposal", event.seat, (_split(state.options, _most(state)),))

    def on_proposal(self, state: CostSharingState, event: Event) -> None:
        state.proposals[event.seat] = event.data["split"]
        if len(state.proposals) == state.options.seats:
            state.step = "voting"

    def on_voting(self, state: CostSharingState, event: Event) -> None:
        state.step, state.phase = "tally", "votes"
        fields = (
            OneSeat("seat", seats=tuple(sorted(state.proposals)), label=sentence("Whose split do you vote for?")),
        )
        for seat in sorted(state.proposals):
            state.ask(event, "vote", seat, fields)

    def on_vote(self, state: CostSharingState, event: Seen) -> None:
        if isinstance(event, Event):
            state.votes[event.seat] = event.data["seat"]

    def on_tally(self, state: CostSharingState, event: Event) -> None:
        state.step = "round"
        state.history.append(event.data | {"proposals": by_seat(state.proposals)})
        state.votes = {}
        state.agreed = event.data["split"]

    # Acting --------------------------------------------------------------------------------------------------------

    def act_proposal(
        self, state: CostSharingState, request: Request, action: dict[str, Any]
    ) -> dict[str, Any] | Refusal:
        if state.options.fairness == CHECKED and not _fair(state.fee, state.airlines, action["split"]):
            most = _most(state)
            refused = sentence(
                "Nobody may be asked to pay more than alone. The most for each, by seat: {most}.",
                most=", ".join(map(str, most)),
            )
            return Refusal("unfair", refused, keep=True)
        return action

    def act_vote(self, state: CostSharingState, request: Request, action: dict[str, Any]) -> dict[str, Any]:
        """Equal splits are one choice: the vote is for the first who proposed it."""
        return {"seat": state.first_with(state.proposals[action["seat"]])}

    def default_proposal(self, state: CostSharingState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"split": list(state.initial or proportional(state.airlines, state.options.step))}

    def default_vote(self, state: CostSharingState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"seat": None}

    # The end -------------------------------------------------------------------------------------------------------

    def result(self, state: CostSharingState) -> Outcome:
        """Agreement is won by all (MAgIC counts agreed games). Points, ours: what is left of 100 after the own share;
        nothing without agreement."""
        if state.agreed is not None:
            returns = {seat: WHOLE - share for seat, share in enumerate(state.agreed, 1)}
            return Outcome("finished", "agreed", tuple(returns), returns)
        if len(state.history) < state.options.rounds:
            return Outcome()
        return Outcome("finished", "failed", (), dict.fromkeys(range(1, state.options.seats + 1), 0))

    # What may be known ---------------------------------------------------------------------------------------------

    def public(self, state: CostSharingState) -> dict[str, Any]:
        return {
            "phase": state.phase,
            "round": state.round,
            "rounds": state.options.rounds,
            "step": state.options.step,
            "turn": state.turn,
            "fee": state.fee,
            "airlines": list(state.airlines),
            "initial": state.initial and list(state.initial),
            "shapley": state.shapley and list(state.shapley),
            "fairness": state.options.fairness,
            "choices": self._choices(state),
            "history": list(state.history),
            "talk": list(state.talk),
            "talking": list(state.talking),
            "agreed": state.agreed,
        }

    def _choices(self, state: CostSharingState) -> list[dict[str, Any]]:
        """This round's splits, equal ones once: {seat: who proposed it first, seats: all who did, split, core}.
        core: whether nobody pays more than alone, None where that is not known."""
        alone = standalone(state.airlines)
        choices: dict[int, dict[str, Any]] = {}
        for seat, split in sorted(state.proposals.items()):
            first = state.first_with(split)
            core = None if alone is None else in_core(split, state.fee, alone)
            choices.setdefault(first, {"seat": first, "seats": [], "split": split, "core": core})["seats"].append(seat)
        return list(choices.values())

    def card(self, state: CostSharingState, seat: int) -> dict[str, Any]:
        if not state.airlines:
            return {}
        return {"airline": state.airlines[seat - 1]["name"], "vote": state.votes.get(seat)}


def _split(options: CostSharingOptions, most: tuple[int, ...] = ()) -> Split:
    label = sentence("What percent of the cost does each seat pay?")
    return Split("split", parts=options.seats, total=WHOLE, step=options.step, most=most, label=label)


def _most(state: CostSharingState) -> tuple[int, ...]:
    """The most that may be asked of each seat; () where no proposal is checked."""
    if state.options.fairness != CHECKED:
        return ()
    return tuple(most_shares(state.fee, costs_alone(state.airlines), state.options.step))


def _fair(fee: int, airlines: list[dict[str, Any]], split: list[int]) -> bool:
    """Whether nobody would pay more than alone."""
    return in_core(split, fee, costs_alone(airlines))
