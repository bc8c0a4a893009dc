"""The house agent of Cost Sharing; `bargain.py` says how it bargains."""

import random
from typing import Any

from agents.house.strategies import BEFORE_A_ROUND, chosen, decided
from agents.house.strength import strength_of
from agents.situation import Decision, Situation
from games.cost_sharing.house.bargain import BY_STRENGTH, STRATEGIES, Bargain, strategy_of
from games.cost_sharing.house.talk import Talker


def decide(situation: Situation, rng: random.Random, switches: dict[str, Any]) -> Decision:
    """A proposal or a vote, with the reason for it; or what it says before a round."""
    name = chosen(situation, rng, switches, STRATEGIES, BY_STRENGTH[strength_of(switches)])
    if situation.request.kind == "ready":
        return decided(situation, name, {"text": Talker(situation, rng, name).opening() or None}, BEFORE_A_ROUND)
    bargain = Bargain(situation, strategy_of(name, named="strategy" in switches))
    if situation.request.kind == "proposal":
        split, why = bargain.proposal()
        return decided(situation, name, {"split": split}, why)
    seat, why = bargain.vote()
    return decided(situation, name, {"seat": seat}, why)
