"""MPTT: the stages of both sessions, what each is given and not given, the running summary, the paper's six rows
(equations 1 to 11)."""

from __future__ import annotations

import pytest

from agents.beliefs import Beliefs
from tests.agents.method_scenes import at, begin, decide, prompts, stages, until

SAYS = {
    "Speak to yourself.": "VIEW OF MINE",
    "Decide which side you are on": {"side": "civilian", "why": "SIDE BECAUSE"},
    "Reflect on it from several sides": "REFLECTED SO",
    "Write the summary that you will read": "SUMMED UP",
    "Let it follow from what stands above": {"text": "worn by some"},
    "Go through what each of the others": {"teammates": [1], "opponents": [2], "why": "FIRST BECAUSE"},
    "Look a second time": {"side": "undercover", "teammates": [2], "opponents": [1], "why": "SECOND BECAUSE"},
    "Decide what is best for you": {"decision": "DECIDED SO", "summary": "SUMMED UP ANEW"},
    "Let it follow from your decision": {"seat": 1},
}
SPEAKING = ["self_perspective", "identity", "reflection", "summary", "speak"]
VOTING = ["first_find", "second_find", "decision", "vote"]
RECORD = "WHAT HAPPENED SO FAR"


def scene(kind, seed=1, round_=1):
    play = begin("undercover")
    request = until(play, lambda r: (r.kind, r.seat) == (kind, 3) and play.state.round >= round_, seed)
    return play, at(play, request)


def given(decision, marks, wanted):
    told = prompts(decision)
    for stage, expected in wanted.items():
        assert {mark for mark in marks if mark in told[stage]} == set(expected), stage


def test_the_speaking_session_reflects_sums_up_and_speaks():
    decision, _ = decide(scene("clue")[1], "mptt", SAYS)
    assert stages(decision) == SPEAKING
    assert decision.action == {"text": "worn by some"}
    marks = ("VIEW OF MINE", "SIDE BECAUSE", "REFLECTED SO", "SUMMED UP", RECORD)
    three = ("VIEW OF MINE", "SIDE BECAUSE", "REFLECTED SO")
    wanted = {
        "self_perspective": (RECORD,),
        "identity": (RECORD, "VIEW OF MINE"),
        "reflection": (RECORD, "VIEW OF MINE", "SIDE BECAUSE"),
        "summary": three,
        "speak": three,
    }
    given(decision, marks, wanted)


def test_the_voting_session_finds_teammates_twice_decides_and_votes():
    decision, _ = decide(scene("vote")[1], "mptt", SAYS)
    assert stages(decision) == VOTING
    assert decision.action == {"seat": 1}
    marks = ("FIRST BECAUSE", "SECOND BECAUSE", "DECIDED SO", RECORD)
    wanted = {
        "first_find": (RECORD,),
        "second_find": (RECORD, "FIRST BECAUSE"),
        "decision": (RECORD, "FIRST BECAUSE", "SECOND BECAUSE"),
        "vote": ("FIRST BECAUSE", "SECOND BECAUSE", "DECIDED SO"),
    }
    given(decision, marks, wanted)


def test_the_summary_is_carried_on_and_updated_by_both_sessions():
    play, where = scene("clue")
    spoke, _ = decide(where, "mptt", SAYS)
    vote = until(play, lambda r: (r.kind, r.seat) == ("vote", 3))
    voted, _ = decide(at(play, vote, spoke.thoughts), "mptt", SAYS)
    assert "SUMMED UP" in prompts(voted)["first_find"]
    thoughts = spoke.thoughts + voted.thoughts
    again, _ = decide(at(play, vote, thoughts), "mptt", SAYS)
    assert "SUMMED UP ANEW" in prompts(again)["decision"]
    assert "SUMMED UP" not in prompts(spoke)["self_perspective"]


def test_the_summary_and_the_speech_are_asked_at_once(monkeypatch):
    from agents import player

    asked, ask_all = [], player.ask_all
    monkeypatch.setattr(player, "ask_all", lambda asks, *a, **k: asked.append(len(asks)) or ask_all(asks, *a, **k))
    decide(scene("clue")[1], "mptt", SAYS)
    assert asked == [1, 1, 1, 2]


ROWS = {
    "Baseline (CoT)": dict.fromkeys(
        ("multi_self_reflection", "global_history", "self_summary", "phase_1", "phase_2"), False
    ),
    "CoT + Multi SR": {"global_history": False, "self_summary": False},
    "CoT + Multi SR + GH": {"self_summary": False},
    "MPTT w/o Phase I": {"phase_1": False},
    "MPTT w/o Phase II": {"phase_2": False},
    "MPTT": {},
}
NO_SUMMARY = [stage for stage in SPEAKING if stage != "summary"]
SESSIONS = {
    "Baseline (CoT)": (["reason", "speak"], ["reason", "vote"]),
    "CoT + Multi SR": (NO_SUMMARY, VOTING),
    "CoT + Multi SR + GH": (NO_SUMMARY, VOTING),
    "MPTT w/o Phase I": (["reason", "speak"], VOTING),
    "MPTT w/o Phase II": (SPEAKING, ["reason", "vote"]),
    "MPTT": (SPEAKING, VOTING),
}


@pytest.mark.parametrize("row", ROWS)
def test_the_papers_rows_are_profiles_of_their_own(row):
    says = SAYS | {"Decide what is best for you": {"decision": "DECIDED SO"}} if "SR" in row else SAYS
    says = says | {"WHAT YOU THOUGHT, IN PRIVATE": {"seat": 1}}
    speaking, _ = decide(scene("clue")[1], "mptt", {k: v for k, v in says.items() if k in SAYS}, **ROWS[row])
    voting, _ = decide(scene("vote")[1], "mptt", says, **ROWS[row])
    assert (stages(speaking), stages(voting)) == SESSIONS[row]


@pytest.mark.parametrize("row", ["Baseline (CoT)", "CoT + Multi SR", "CoT + Multi SR + GH", "MPTT"])
def test_without_global_history_a_vote_sees_this_rounds_speeches_only(row):
    for seed in range(1, 40):
        play = begin("undercover", seed=seed)
        try:
            request = until(play, lambda r, p=play: (r.kind, r.seat) == ("vote", 3) and p.state.round == 2, seed)
            break
        except (AssertionError, StopIteration):
            continue
    where = at(play, request)
    clues = where.rules.public(where.state)["clues"]
    old = [clue["text"] for clue in clues if clue["round"] == 1]
    new = [clue["text"] for clue in clues if clue["round"] == 2]
    says = {"WHAT YOU THOUGHT, IN PRIVATE": {"seat": request.fields[0].seats[0]}}
    prompt = decide(where, "mptt", says, **ROWS[row])[0].thoughts[0].prompt
    assert all(text in prompt for text in new)
    assert all(text in prompt for text in old) == (row in ("CoT + Multi SR + GH", "MPTT"))


def test_teammates_and_opponents_are_a_matrix():
    decision, _ = decide(scene("vote")[1], "mptt", SAYS)
    first, second = (Beliefs.from_json(thought.data["beliefs"]) for thought in decision.thoughts[:2])
    assert [first.suspicion(seat) for seat in (1, 2, 4)] == pytest.approx([0.2, 0.8, 0.5])
    assert [second.suspicion(seat) for seat in (1, 2, 4)] == pytest.approx([0.8, 0.2, 0.5])


def test_it_plays_spygame_in_both_sessions():
    play = begin("spygame")
    lead = until(play, lambda r: r.kind not in ("reveal",) and any(f.name == "text" for f in r.fields))
    assert stages(decide(at(play, lead), "mptt")[0]) == SPEAKING
    vote = until(play, lambda r: r.kind in ("vote", "day_vote", "reveal"))
    assert stages(decide(at(play, vote), "mptt")[0]) == VOTING


def test_who_answers_a_question_without_the_record_is_told_the_question():
    play = begin("spygame")
    where = at(play, until(play, lambda request: request.kind == "answer"))
    decision, _ = decide(where, "mptt")
    told, asked = prompts(decision)["speak"], where.state.exchanges[-1]
    assert RECORD not in told
    assert f"Seat {asked['leader']} asks seat {asked['seat']} (you): <said>{asked['question']}</said>" in told
