"""From which certainty on a profile stands up as SpyGame's spy: the profile says it, and no model is asked."""

import random

import pytest

from agents import player, turns
from agents.methods import METHODS
from agents.methods.base import SwitchError
from agents.models import AgentProfile
from agents.situation import Decision
from games.registry import RULES
from games.rules import kit
from games.rules.play import Play, agents_and_people, new_header

RULES_OF = RULES["spygame"]


def asked_spy() -> tuple[Play, object]:
    options = RULES_OF.options("seed004", {}, 7)
    setting = kit.sample_of(RULES["spygame"]).setting(options, random.Random(1))
    play = Play(RULES_OF, new_header(RULES_OF, "seed004", seats=agents_and_people(0, 7), seed=1, setting=setting))
    while (request := next(iter(play.state.open.values()))).kind != "reveal":
        others = {"seat": request.seat % 7 + 1, "text": "Is it loud?", "accuse": False}
        play.act(request.seat, request.id, others if request.kind == "lead" else {"text": "No."})
    return play, request


@pytest.mark.parametrize(("switches", "stands"), [({}, False), ({"threshold": 60}, True), ({"threshold": 61}, False)])
def test_the_threshold_of_the_profile_decides_what_follows_from_a_models_certainty(monkeypatch, switches, stands):
    play, request = asked_spy()
    monkeypatch.setattr(player, "decide_by_model", lambda *_: Decision({"place": "zoo", "certainty": 60}))
    profile = AgentProfile(name="x", provider="openai", method="direct", switches=switches)
    decision = turns.decide(play, request, profile, {})
    play.act(request.seat, request.id, decision.action, "agent:x")
    assert play.over == stands
    assert next(e for e in play.log if e.kind == "reveal").data == {"place": "zoo", "certainty": 60} | switches


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_every_method_takes_a_threshold_and_refuses_what_is_none(method):
    assert "threshold" not in method.resolved({"threshold": 80})
    for wrong in (101, -1, "80", True, 70.5):
        with pytest.raises(SwitchError, match="whole number from 0 to 100"):
            method.resolved({"threshold": wrong})
