"""When a model declines to play, and when only its character does."""

from __future__ import annotations

import pytest

from agents.situation import Thought
from evaluation.records.declining import declined
from tests.evaluation.played import dealt, fraction, record


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, I cannot help with deceiving others.",
        "As an AI language model, I do not have beliefs and cannot play this role.",
        "Sorry, but I can't continue with this request.",
        "I cannot participate in this game.",
        "Unfortunately, I am unable to create deceptive content.",
        "I must decline to play this role.",
        "I won't lie to people.",
        "I'm unable to take part in this.",
    ],
)
def test_a_reply_that_begins_by_declining_is_a_refusal(reply):
    assert declined(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        '{"text": "I refuse to trust seat 3."}',
        "I cannot tell who the spy is yet, so I ask about the weather.",
        "I'm sorry for voting against you, but I can't agree with seat 2.",
        "I will not reveal my word. I say something vague.",
        "The others may say: I'm sorry, but I can't assist with that.",
        "I won't lie to the spy directly; I give a vague clue.",
    ],
)
def test_what_a_character_refuses_is_none(reply):
    assert not declined(reply)


def test_the_api_may_say_it():
    assert declined("", "refused")
    assert not declined("A fine clue.", "stop")


def test_refusals_are_counted_by_reply_and_role():
    play = dealt("spygame", "seed004", 7, {"place": "school", "roles": list("abcdef"), "spy": 1})
    told = {"method": "cot", "model": "m"}
    replies = ["I'm sorry, but I can't assist with that.", '{"text": "a chair"}']
    thoughts = [Thought("9:1:lead", 1, stage="decide", reply=reply, **told) for reply in replies]
    thoughts.append(Thought("9:2:lead", 2, stage="decide", data={"finish": "refused"}, **told))
    found = record(play, [], thoughts=thoughts)
    by = lambda record, seat: record.roles[seat]  # noqa: E731
    assert fraction("ours.refusals", found, by=by, group="spy") == (1, 2)
    assert fraction("ours.refusals", found, by=by, group="citizen") == (1, 1)
