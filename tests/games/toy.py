"""A throw-away game that uses every part of the core, so that the core is tested apart from the real games.

Harbour: each seat has a purse, one is the smuggler. In each round the weather is drawn, all stake coins in secret,
whoever likes talks meanwhile, and the smuggler alone is asked whether to bribe. The highest stake of all rounds wins,
or the smuggler after two bribes in a storm.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.rules.cast import Member, one_apart
from games.rules.chance import Chance
from games.rules.core import Poll, Rules, State
from games.rules.fields import Flag, Number, OneSeat, Text
from games.rules.kit import Sample
from games.rules.options import Options, Preset, option
from games.rules.sentences import sentence
from games.rules.values import Draft, Event, Kind, Outcome, Refusal, Request, Seen

STAKE = (Number("coins", low=0, high=9),)
SAY = (Text("text", limit=40),)
BRIBE = (Flag("bribe"),)


@dataclass(frozen=True, kw_only=True)
class HarbourOptions(Options):
    rounds: int = option(2, "How many rounds.", low=1, high=5)
    polls: str = option("none", "Who the smuggler is thought to be.", choices=("none", "smuggler"))


class HarbourState(State):
    def __init__(self, options: HarbourOptions):
        super().__init__(options)
        self.step = "round"
        self.round = 0
        self.weather: str | None = None
        self.purses: dict[int, int] = {}
        self.smuggler: int | None = None
        self.stakes: dict[int, int] = {}
        self.totals = dict.fromkeys(range(1, options.seats + 1), 0)
        self.bribes = 0
        self.talk: list[str] = []


class Harbour(Rules):
    name = "harbour"
    title = "Harbour"
    about = "Stake coins; somebody smuggles."
    results = ("stakes", "smuggler")
    presets = {"plain": Preset(HarbourOptions(), "For tests.", 2, 4)}
    kinds = {
        "opened": Kind("The match begins.", ("seats", "rounds")),
        "dealt": Kind("A purse.", ("purse", "smuggler"), "seat", "shell"),
        "record": Kind("The deal.", ("purses", "smuggler"), "nobody"),
        "round": Kind("A round begins.", ("round", "weather")),
        "say": Kind("Talk.", ("text",), words=("text",)),
        "stake": Kind("Coins staked.", ("coins",), "seat", "shell"),
        "bribe": Kind("Whether the smuggler bribes.", ("bribe",), "seat"),
        "counted": Kind("The stakes of the round.", ("round", "stakes"), ends_round=True),
    }

    def start(self, options: HarbourOptions) -> HarbourState:
        return HarbourState(options)

    def check_opening(self, options: HarbourOptions, setting: dict[str, Any], seat: int, move: Any) -> None:
        Request("", "stake", seat, STAKE, 0).read(move)

    def setup(self, options: HarbourOptions, setting: dict[str, Any], chance: Chance) -> Iterator[Draft]:
        seats = range(1, options.seats + 1)
        purses = setting.get("purses") or chance.shuffle("record.purses", [seat + 4 for seat in seats])
        smuggler = setting.get("smuggler") or chance.pick("record.smuggler", seats)
        yield Draft("opened", None, {"seats": options.seats, "rounds": options.rounds})
        for seat in seats:
            yield Draft("dealt", seat, {"purse": purses[seat - 1], "smuggler": seat == smuggler}, (seat,))
        yield Draft("record", None, {"purses": purses, "smuggler": smuggler}, ())

    def proceed(self, state: HarbourState, chance: Chance) -> list[Draft]:
        if state.step == "count":
            stakes = {str(seat): state.stakes[seat] for seat in sorted(state.stakes)}
            return [Draft("counted", None, {"round": state.round, "stakes": stakes})]
        if state.round == state.options.rounds:
            return []
        data = {"round": state.round + 1, "weather": chance.pick("round.weather", ("calm", "storm"))}
        return [Draft("round", None, data)]

    def on_opened(self, state: HarbourState, event: Event) -> None:
        pass

    def on_dealt(self, state: HarbourState, event: Seen) -> None:
        if isinstance(event, Event):
            state.purses[event.seat] = event.data["purse"]
            if event.data["smuggler"]:
                state.smuggler = event.seat

    def on_record(self, state: HarbourState, event: Event) -> None:
        pass

    def on_round(self, state: HarbourState, event: Event) -> None:
        state.round, state.weather, state.step = event.data["round"], event.data["weather"], "count"
        state.stakes = {}
        for seat in state.totals:
            state.ask(event, "stake", seat, STAKE)
            state.ask(event, "say", seat, SAY, waits=False)
        if state.smuggler is not None:
            state.ask(event, "bribe", state.smuggler, BRIBE, audience=(state.smuggler,))

    def on_say(self, state: HarbourState, event: Event) -> None:
        if event.data["text"] is not None:
            state.talk.append(event.data["text"])
            state.ask(event, "say", event.seat, SAY, waits=False)

    def on_stake(self, state: HarbourState, event: Seen) -> None:
        if isinstance(event, Event):
            state.stakes[event.seat] = event.data["coins"]

    def on_bribe(self, state: HarbourState, event: Event) -> None:
        state.bribes += event.data["bribe"] and state.weather == "storm"

    def on_counted(self, state: HarbourState, event: Event) -> None:
        state.close("say", "bribe", "stake")
        state.step = "round"
        for seat, coins in event.data["stakes"].items():
            state.totals[int(seat)] += coins

    def act_stake(self, state: HarbourState, request: Request, action: dict[str, Any]) -> dict[str, Any] | Refusal:
        if action["coins"] > state.purses[request.seat]:
            return Refusal("purse", sentence("Your purse holds {coins}.", coins=state.purses[request.seat]), keep=True)
        return action

    def default_stake(self, state: HarbourState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"coins": chance.pick("stake.coins", range(state.purses[request.seat] + 1))}

    def default_say(self, state: HarbourState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"text": None}

    def default_bribe(self, state: HarbourState, request: Request, chance: Chance) -> dict[str, Any]:
        return {"bribe": False}

    def poll(self, state: HarbourState) -> Poll | None:
        if state.step != "round" or not state.round:
            return None
        everyone = tuple(state.totals)
        return Poll(f"round {state.round}", {seat: (OneSeat("smuggler", seats=everyone),) for seat in everyone})

    def result(self, state: HarbourState) -> Outcome:
        best = max(state.totals.values())
        winners = tuple(seat for seat, total in state.totals.items() if total == best)
        if state.bribes >= 2:
            winners = (state.smuggler,)
        returns = {seat: int(seat in winners) for seat in state.totals}
        return Outcome("finished", "smuggler" if state.bribes >= 2 else "stakes", winners, returns)

    def deal(self, state: HarbourState) -> dict[str, Any]:
        return {"purses": [state.purses[seat] for seat in state.totals], "smuggler": state.smuggler}

    def cast(self, state: HarbourState) -> dict[int, Member]:
        return one_apart(tuple(state.totals), state.smuggler, ("smuggler", "smuggler"), ("trader", "trader"))

    def public(self, state: HarbourState) -> dict[str, Any]:
        return {"round": state.round, "weather": state.weather, "totals": dict(state.totals), "talk": list(state.talk)}

    def card(self, state: HarbourState, seat: int) -> dict[str, Any]:
        if seat not in state.purses:
            return {}
        return {"purse": state.purses[seat], "smuggler": seat == state.smuggler}


def harbour_setting(options: HarbourOptions, rng: random.Random) -> dict[str, Any]:
    purses = rng.sample(range(5, 10), options.seats)
    return {"purses": purses, "smuggler": rng.randint(1, options.seats)}


def harbour_neighbours(options: HarbourOptions, setting: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for seat in range(1, options.seats + 1):
        yield setting | {"smuggler": seat}
        purses = list(setting["purses"])
        purses[seat - 1] = 5
        yield setting | {"purses": purses}


HARBOUR = Harbour()
SAMPLE = Sample(harbour_setting, harbour_neighbours, lambda options: frozenset())
