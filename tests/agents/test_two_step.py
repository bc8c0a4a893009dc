"""Two steps: the move in free text, then the same as JSON, by the same or a second model."""

import json

from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.situation import Thought
from tests.agents.test_methods import Scripted, ask, first, first_speech, opened, situation

PLAN = "I hold an evil card, so I praise this team and hope that nobody asks me where I was in the first quest."
SPEECH = (
    "I like this team well enough, since two of them were on the first quest and it went through without a single "
    "fail, so let us send them again and look closely at whoever votes against it."
)


def speech():
    play = opened("avalon recon")
    return situation(play, first_speech(play))


def test_the_move_is_decided_in_free_text_and_then_written_as_json():
    decision, provider = ask(speech(), f"{PLAN}\nMOVE\n{SPEECH}", json.dumps({"text": SPEECH}), method="two_step")
    assert decision.action == {"text": SPEECH}
    assert [thought.stage for thought in decision.thoughts] == ["decide", "write"]
    (decide, free), (write, schema) = provider.asked
    assert free is None
    assert schema == speech().request.schema()
    assert PLAN not in decide[-1].content
    assert PLAN in write[-1].content and SPEECH in write[-1].content


def test_a_second_model_writes_the_json():
    one, two = Scripted(f"{PLAN}\nMOVE\n{SPEECH}"), Scripted(json.dumps({"text": SPEECH}))
    decision = think(
        speech(), method=METHODS["two_step"], model=Model(one, "free"), second=Model(two, "exact"), by="agent:x"
    )
    assert decision.action == {"text": SPEECH}
    assert [thought.model for thought in decision.thoughts] == ["free", "exact"]


def test_the_strategy_before_the_move_is_not_said():
    told = json.dumps({"text": f"{PLAN} {SPEECH}"})
    replies = f"{PLAN}\n\n**MOVE:**\n{SPEECH}", told, json.dumps({"text": SPEECH})
    decision, _ = ask(speech(), *replies, method="two_step")
    assert decision.attempts[0].code == "guarded"
    assert decision.action == {"text": SPEECH}


def test_where_no_move_is_marked_all_of_it_stays_private():
    decision, _ = ask(speech(), PLAN, json.dumps({"text": PLAN}), '{"text": "Good team."}', method="two_step")
    assert decision.attempts[0].code == "guarded"
    assert decision.action == {"text": "Good team."}


def test_a_strategy_of_an_earlier_decision_stays_private_too():
    play = opened("avalon recon")
    earlier = Thought("1:1:team", 1, "two_step", "decide", reply=f"{PLAN}\nMOVE\n{SPEECH}", data={"thought": PLAN})
    where = situation(play, first_speech(play))
    where = where.__class__(**{**vars(where), "thoughts": (earlier,)})
    for said, code in ((PLAN, "guarded"), (SPEECH, None)):
        decision, _ = ask(where, json.dumps({"text": said}), '{"text": "Good team."}')
        assert (decision.attempts[0].code if decision.attempts else None) == code


def test_a_vote_takes_the_same_two_steps():
    play = opened("undercover magic")
    while first(play).kind == "clue":
        play.act(first(play).seat, first(play).id, {"text": f"thing {first(play).id}"})
    decision, provider = ask(
        situation(play, first(play)), "Two is odd.\nMOVE\nSeat 2.", '{"seat": 2}', method="two_step"
    )
    assert decision.action == {"seat": 2}
    assert len(provider.asked) == 2
