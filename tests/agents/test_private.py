"""The private part of a reply: cut off where its marks tell it, asked again where they do not, and never said."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.private import Parts, UnclearError, parts
from agents.reading import read_action
from games.rules.fields import Text
from games.rules.values import Request

CLUE = Request("1:1:clue", "clue", 1, (Text("text"),), 1)
SECRET, SAID = "zebra crossing", "It is warm"


@pytest.mark.parametrize(
    "reply",
    [
        "<think>{}</think>It is warm",
        "<THINK >{}</THINK >\nIt is warm",
        "<think type='deep'>{}</think>It is warm",
        "<thinking>{}</thinking>\n\nIt is warm",
        "<seed:think>{}</seed:think>It is warm",
        "<reasoning>{}</reasoning>It is warm</s>",
        "&lt;think&gt;{}&lt;/think&gt;It is warm",
        "[THINK]{}[/THINK]It is warm",
        "\u25c1think\u25b7{}\u25c1/think\u25b7It is warm",
        "<|begin_of_thought|>{}<|end_of_thought|><|begin_of_solution|>It is warm<|end_of_solution|>",
        "<|START_THINKING|>{}<|END_THINKING|><|START_RESPONSE|>It is warm<|END_RESPONSE|>",
        "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>It is warm<|return|>",
        "analysis{}assistantfinalIt is warm",
        "{}</think>It is warm",
        "It is warm<think>{}</think>",
        "<think>a<think>{}</think>b</think>It is warm",
        "<think>{}</think><answer>It is warm</answer>",
    ],
)
def test_marks_that_tell_both_ends_are_cut_off_and_kept(reply):
    split = parts(reply.format(SECRET))
    assert split.public == SAID
    assert SECRET in split.thought
    assert read_action(reply.format(SECRET), CLUE, structured=False).value == {"text": SAID}
    assert SECRET in read_action(reply.format(SECRET), CLUE, structured=False).kept["thought"]


@pytest.mark.parametrize(
    "reply",
    [
        "<think>a",
        "It is warm <think>a",
        "<think>a</thinking>It is warm",
        "<think>a</think>b</think>It is warm",
        "a</think>b</think>It is warm",
        "<think>a<think>b</think>It is warm",
        "It is <think>a</think> warm",
        "<|channel|>analysis<|message|>a",
        "<|channel|>final<|message|>It is warm<|channel|>analysis<|message|>a",
        "a<|channel|>final<|message|>It is warm",
    ],
)
def test_where_a_mark_does_not_tell_nothing_is_read(reply):
    with pytest.raises(UnclearError):
        parts(reply)
    found = read_action(reply, CLUE, structured=False)
    assert found.value is None and found.problem


@pytest.mark.parametrize(
    "reply",
    ["<think/>It is warm", "<muse>a</muse>It is warm", "<|note|>It is warm", '{"text": "<muse>a</muse>It is warm"}'],
)
def test_a_mark_that_nobody_knows_is_asked_again(reply):
    assert read_action(reply, CLUE, structured=False).problem


@pytest.mark.parametrize(
    "mark",
    [
        *(
            "\uff1cthink\uff1e{}\uff1c/think\uff1e",
            "\u300athinking\u300b{}\u300a/thinking\u300b",
            "\u2039think\u203a{}\u2039/think\u203a",
        ),
        *(
            "\u3010think\u3011{}",
            "\u3010\u601d\u8003\u3011{}",
            "{{think}}{}{{/think}}",
            "(think){}(/think)",
            "--think--{}--/think--",
        ),
        *("<!-- {} -->", "\\u003cthink\\u003e{}\\u003c/think\\u003e", "%3Cthink%3E{}%3C/think%3E"),
        *("assistantanalysis {} assistantfinal", "Thinking... {} ...done thinking.\n"),
    ],
)
@pytest.mark.parametrize("form", ["{}", '{{"text": {}}}'])
def test_nor_does_a_mark_in_other_brackets_let_a_thought_be_said(mark, form):
    said = mark.format(SECRET) + SAID
    found = read_action(form.format(json.dumps(said) if "text" in form else said), CLUE, structured=False)
    assert found.value is None and found.problem


@pytest.mark.parametrize("said", ["It is <3 cm", "\u2039warm\u203a", "[soft] and/or warm", "I think, so I plan"])
def test_brackets_and_thinking_alone_are_no_mark(said):
    assert read_action(json.dumps({"text": said}), CLUE, structured=False).value == {"text": said}


def test_a_reply_without_marks_is_all_public():
    assert parts(f" {SAID}\n") == Parts(SAID)


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content", "thoughts", "Thinking", "my_thoughts", "rationale"])
def test_fields_of_reasoning_are_kept_apart(name):
    found = read_action(json.dumps({name: SECRET, "text": SAID}), CLUE, structured=False)
    assert found.value == {"text": SAID}
    assert found.kept == {"thought": SECRET}


def test_a_field_of_reasoning_that_is_asked_for_is_read():
    asked = CLUE._replace(fields=(Text("thought"), Text("text")))
    reply = json.dumps({"thought": SECRET, "text": SAID})
    assert read_action(reply, asked, structured=True, heard=CLUE.fields).value == {"thought": SECRET, "text": SAID}


MARKS = ("<think>", "</think>", "<thinking>", "</thinking>", "[THINK]", "[/THINK]", "<|channel|>analysis<|message|>")
MARKS += (
    "<|channel|>final<|message|>",
    "<answer>",
    "</answer>",
    "\n",
    "Thought: ",
    "Clue: ",
    '{"text": "',
    '"}',
    "It is warm",
)


@given(st.lists(st.sampled_from((*MARKS, *MARKS, SECRET)), max_size=8).map("".join))
@settings(max_examples=300)
def test_however_marks_are_mixed_what_stands_in_a_mark_is_not_said(reply):
    found = read_action(reply, CLUE, structured=False)
    said = found.value["text"] if found.value else ""
    assert "<" not in said and "think" not in said.casefold()
    opened = f"<think>{reply}</think>"
    assert (
        "<think>" in reply
        or "</think>" in reply
        or SECRET not in str(read_action(opened, CLUE, structured=False).value)
    )
