"""From a model's words to an action: what is read, what is asked again, and that nothing is ever guessed."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.reading import NO_OBJECT, NOTHING, TWO_OBJECTS, UNCLEAR, read_action
from agents.spoken import UNCLEAR_PART
from games.rules.fields import Choice, Flag, Number, OneSeat, SomeSeats, Split, Text
from games.rules.values import Request

NAMES = {1: "Ann", 2: "Ben", 3: "Cleo", 4: "Dora Li", 5: "Ben"}


def request(kind, *fields, seat=1):
    return Request(f"9:{seat}:{kind}", kind, seat, fields, 9)


CLUE = request("clue", Text("text", limit=60))
VOTE = request("vote", OneSeat("seat", seats=(2, 3, 4)))
ABSTAINING = request("vote", OneSeat("seat", seats=(2, 3, 4), optional=True))
TEAM = request("team", SomeSeats("seats", seats=(1, 2, 3, 4, 5, 6), count=3))
TEAM_VOTE = request("team_vote", Flag("approve"))
QUEST = request("quest", Flag("success"))
CHOICE = request("choice", Choice("choice", options=("cooperate", "defect")))
POINTS = request("contribution", Number("points", low=0, high=20))
SPLIT = request("proposal", Split("split", parts=3, total=100))
ASK = request("ask", OneSeat("seat", seats=(2, 3)), Text("text"))
READY = request("ready")
REQUESTS = [CLUE, VOTE, ABSTAINING, TEAM, TEAM_VOTE, QUEST, CHOICE, POINTS, SPLIT, ASK, READY]


def read(text, asked, structured=False):
    return read_action(text, asked, structured=structured, names=NAMES)


def action(text, asked, structured=False):
    found = read(text, asked, structured)
    assert found.problem == ""
    return found.value


def problem(text, asked, structured=False):
    found = read(text, asked, structured)
    assert found.value is None
    return found.problem


# Structure


@pytest.mark.parametrize("structured", [True, False])
def test_a_json_object_is_read(structured):
    assert action('{"seat": 3}', VOTE, structured) == {"seat": 3}
    assert action(' {"seats": [5, 1, 2]}\n', TEAM, structured) == {"seats": [1, 2, 5]}
    assert action('{"seat": 2, "text": "What do you do there?"}', ASK, structured) == {
        "seat": 2,
        "text": "What do you do there?",
    }


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"seat": 3}\n```',
        'I think it is Cleo.\n\n```\n{"seat": 3}\n```\nThat is all.',
        'My answer: {"seat": 3}',
        'As I said, {"seat": 3}. Again: {"seat": 3}',
    ],
)
def test_json_is_found_in_a_fence_and_among_words(text):
    assert action(text, VOTE) == {"seat": 3}


def test_two_different_objects_are_asked_again():
    assert problem('{"seat": 2} or rather {"seat": 3}', VOTE) == TWO_OBJECTS


def test_a_name_that_stands_twice_is_asked_again():
    assert problem('{"seat": 2, "seat": 3}', VOTE, structured=True) == NO_OBJECT


@pytest.mark.parametrize("text", ['{"seat": 9}', '{"seat": "3"}', '{"seat": 1}', '{"seat": 3.0}', '{"seat": true}'])
def test_structured_but_illegal_is_never_looked_for_in_the_prose_around(text):
    assert problem(f"I vote for seat 3. {text}", VOTE) == "Choose one of the seats 2, 3, 4."


@pytest.mark.parametrize("text", ['{"seat": 3', "{'seat': 3}", '```json\n{"seat": }\n```', '{"seats": [1, 2,'])
def test_broken_json_is_asked_again_and_not_read_as_prose(text):
    assert problem(f"I vote for seat 3. {text}", VOTE) == NO_OBJECT


@pytest.mark.parametrize("text", ["I vote for seat 3.", "3", "[3]", '"3"', "null", "NaN"])
def test_where_the_api_holds_to_a_schema_prose_does_not_count(text):
    assert problem(text, VOTE, structured=True)


def test_a_field_too_many_or_missing_is_named():
    assert problem('{"seat": 3, "why": "hm"}', VOTE) == "There is no field why here."
    assert problem('{"why": "hm"}', VOTE) == "'seat' is missing."


def test_an_optional_field_may_be_null_or_left_out():
    assert action('{"seat": null}', ABSTAINING) == action("{}", ABSTAINING) == {"seat": None}


def test_nothing_is_said_to_be_nothing():
    assert problem("  \n ", VOTE) == NOTHING


# Prose


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "Seat 3",
        "Player 3.",
        "Cleo",
        "**Vote: 3**",
        "Vote: Cleo",
        "My final answer is seat 3.",
        "I vote for seat 3.",
        "I'll vote for Cleo!",
        "I will therefore vote for #3, who was vague.",
        "Hello everyone. After some thought, I vote for player 3. Thank you.",
        "I vote for Cleo (seat 3).",
        "I vote for 3, not 2.",
        "I vote for Cleo. That is my final answer.",
    ],
)
def test_a_vote_in_prose_is_stated_in_whole_sentences(text):
    assert action(text, VOTE) == {"seat": 3}


@pytest.mark.parametrize(
    "text",
    [
        "Seat 2 was odd and seat 4 odder.\nStill, I vote for player 3.",
        "First I wanted to vote for 2. After some thought: I vote for 3.",
        "I vote for 3 because seat 2 trusts seat 4.",
        "I vote for 2. No, wait. I choose seat 3.",
        'I vote for 3, though seat 4 wrote "I vote for seat 2".',
        "Seat 4 said: I vote for 2. That is weak.\n\nAnswer: 3",
        "I vote for seat 3. Signed, seat 1.",
        "I vote for seat 3.\nVote: seat 1",
        "I vote for Cleo. I am Ann. I vote for Ann.",
        "I vote for 2. Finally, I vote for seat 8.",
        "Seat 2 is suspicious, and seat 3 too, and on the whole it is hard to say who it may be in the end.",
        "I do not vote for 3.",
        "2 or 3",
        "Who is it, 3?",
        "I vote for Ben.",
        "2 and 3",
        "I vote for 2 or 3.",
        "I vote for myself.",
        "Seat 2 voted for seat 3 and everybody should look at what happened in the first round again.",
    ],
)
def test_what_is_not_stated_outright_is_asked_again(text):
    assert problem(text, VOTE) == UNCLEAR


@pytest.mark.parametrize("text", ["I vote for seat 8.", "I vote for seat 1.", "I vote for Ann."])
def test_a_stated_seat_that_cannot_be_named_is_asked_again(text):
    assert problem(text, VOTE) == "Choose one of the seats 2, 3, 4."


def test_a_team_in_prose():
    assert action("I propose seats 1, 3 and 5.", TEAM) == {"seats": [1, 3, 5]}
    assert action("Team: Ann, Cleo, Dora Li", TEAM) == {"seats": [1, 3, 4]}
    assert problem("I propose seats 1 and 3.", TEAM) == "Choose exactly 3 seats; you chose 2."


@pytest.mark.parametrize(
    ("text", "asked", "value"),
    [
        ("I approve.", TEAM_VOTE, True),
        ("Reject", TEAM_VOTE, False),
        ("I reject this team.", TEAM_VOTE, False),
        ("Vote: approve", TEAM_VOTE, True),
        ("Yes.", TEAM_VOTE, True),
        ("Quest: success", QUEST, True),
        ("I play fail.", QUEST, False),
        ("I choose to cooperate.", CHOICE, "cooperate"),
        ("Choice: defect", CHOICE, "defect"),
    ],
)
def test_a_choice_in_prose(text, asked, value):
    assert list(action(text, asked).values()) == [value]


@pytest.mark.parametrize("text", ["I do not approve.", "Approve or reject?", "Maybe.", "They approved it before me."])
def test_a_choice_that_is_not_stated_outright_is_asked_again(text):
    assert problem(text, TEAM_VOTE) == UNCLEAR


def test_numbers_in_prose():
    assert action("I contribute 15 points.", POINTS) == {"points": 15}
    assert problem("I contribute 15 or 16.", POINTS) == UNCLEAR
    assert problem("I contribute 50.", POINTS) == "Give a number from 0 to 20."
    assert action("I propose 50, 30 and 20.", SPLIT) == {"split": [50, 30, 20]}


@pytest.mark.parametrize(
    "text",
    [
        "It is round",
        "Clue: It is round",
        '"It is round"',
        "**Clue:** It is round",
        "I think hard.\n\nClue: It is round",
    ],
)
def test_a_clue_in_prose_is_the_words_and_nothing_else(text):
    assert action(text, CLUE) == {"text": "It is round"}


def test_thoughts_before_unlabelled_words_are_asked_again():
    assert problem("My word is wig, so I stay vague.\n\nIt is round", CLUE) == UNCLEAR_PART


def test_two_values_cannot_come_as_prose():
    assert problem("I ask seat 2 about the weather.", ASK) == NO_OBJECT


def test_a_request_without_fields_takes_any_words():
    assert action("I am ready.", READY) == {}


# Whatever comes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 120) | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["seat", "seats", "text", "approve", "success", "points", "why"]), inner)
    ),
    max_leaves=8,
)
PIECES = st.sampled_from(
    [
        *("I vote for ", "I reject", "I propose ", "approve", "not ", "No, ", "Vote: ", "seat ", "3", " 1", "Ann"),
        *("{", "}", "[", "]", '"seat"', ": ", ",", ". ", "\n", "```json\n", "\u202e", "\x00", "é"),
        *("9" * 5000, "[" * 3000, '{"a":' * 2000, "\n" * 3000),
    ]
)
REPLIES = st.one_of(
    st.text(max_size=80),
    JSON.map(json.dumps),
    JSON.map(lambda value: f"Well. ```json\n{json.dumps(value)}\n``` I vote for 3."),
    st.lists(PIECES, max_size=12).map("".join),
)


@pytest.mark.slow
@given(text=REPLIES, asked=st.sampled_from(REQUESTS), structured=st.booleans())
@settings(max_examples=300)
def test_any_reply_becomes_an_action_that_fits_or_a_problem(text, asked, structured):
    found = read(text, asked, structured)
    if found.value is None:
        assert found.problem
    else:
        assert found.problem == ""
        assert asked.read(found.value) == found.value
