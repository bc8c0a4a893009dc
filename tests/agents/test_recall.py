"""Polls answered from memory: no call where the last thoughts hold the answer, one call with the memory where not."""

from __future__ import annotations

import pytest

from agents.methods.recon import beliefs
from agents.situation import Thought
from tests.agents.method_scenes import at, begin, decide, prompts, stages, until


def poll(game, polls, seat, wanted=lambda request: True):
    play = begin(game, polls)
    request = until(play, lambda r: (r.kind, r.seat) == ("poll", seat) and wanted(r))
    return play, request


def test_pgm_answers_from_its_matrix_and_identity_without_a_call():
    play, request = poll("undercover", "magic", 3)
    clue = begin("undercover")
    spoken = until(clue, lambda r: (r.kind, r.seat) == ("clue", 3) and len(clue.state.clues) > 0)
    thought, _ = decide(at(clue, spoken), "pgm")
    decision, provider = decide(at(play, request, thought.thoughts), "pgm")
    assert provider.told == []
    assert stages(decision) == ["recall"]
    assert decision.thoughts[0].tokens_in == 0
    assert set(decision.action) == {field.name for field in request.fields}
    assert decision.action["side"] in ("civilian", "undercover", "unsure")
    assert decision.action["odd_one"] is not None


def test_without_a_memory_the_model_is_asked_once():
    play, request = poll("undercover", "magic", 3)
    for method in ("direct", "cot", "two_step", "pgm", "recon", "mptt"):
        decision, provider = decide(at(play, request), method)
        assert stages(decision) == [{"pgm": "decision", "recon": "answer"}.get(method, "poll")], method
        assert len(provider.told) == 1


def test_what_the_memory_holds_in_part_is_asked_with_the_memory():
    """A role guess does not say whom the others suspect."""
    play, request = poll("chameleon", "magic", 1)
    value = {
        "thinks": {"2": "REMEMBERED", "3": "x", "4": "x"},
        "role": {"2": "chameleon", "3": "other", "4": "other"},
        "certainty": {"2": 90, "3": 50, "4": 50},
    }
    held = beliefs(1, ("chameleon", "other"), ("chameleon",), value)
    guess = Thought("1:1:clue", 1, "recon", "first_order", data={"value": value, "beliefs": held.to_json()})
    decision, provider = decide(at(play, request, (guess,)), "recon")
    assert stages(decision) == ["answer"]
    assert "REMEMBERED" in prompts(decision)["answer"]
    assert len(provider.told) == 1


def test_mptt_answers_whom_it_trusts_and_suspects_from_its_last_session():
    voting = begin("undercover")
    vote = until(voting, lambda r: (r.kind, r.seat) == ("vote", 3))
    says = {
        "Go through what each": {"teammates": [1], "opponents": [2], "why": "x"},
        "Look a second time": {"side": "civilian", "teammates": [1], "opponents": [2, 4], "why": "x"},
    }
    thought, _ = decide(at(voting, vote), "mptt", says)
    play, request = poll("undercover", "wiu", 3, lambda r: any(f.name == "trusted" for f in r.fields))
    decision, provider = decide(at(play, request, thought.thoughts), "mptt", says)
    assert provider.told == []
    assert decision.action == {"side": "civilian", "trusted": [1], "suspected": [2, 4], "same_word": [1]}


@pytest.mark.parametrize("side", ["civilian", "undercover", "unsure"])
def test_the_own_side_comes_from_the_newest_judgement(side):
    play, request = poll("undercover", "wiu", 3, lambda r: len(r.fields) == 1)
    clue = begin("undercover")
    spoken = until(clue, lambda r: (r.kind, r.seat) == ("clue", 3))
    thought, _ = decide(at(clue, spoken), "mptt", {"Decide which side you are on": {"side": side, "why": "x"}})
    decision, provider = decide(at(play, request, thought.thoughts), "mptt")
    assert (decision.action, provider.told) == ({"side": side}, [])
