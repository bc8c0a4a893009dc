"""One field drives the question, the form, the schema and the check, for people and models alike."""

import json
from functools import cache

import pytest

from agents.prompts import form
from games.registry import RULES
from games.rules.fields import Choice, Flag, Malformed, Number, OneSeat, SomeSeats, Split
from games.rules.kit_requests import every_request
from games.rules.play import Play
from games.rules.sentences import Sentence
from games.rules.values import Request
from games.web.forms import KINDS
from tests.games.marked import marked


@cache
def every(name: str) -> list[tuple[Play, Request]]:
    return list(every_request(RULES[name]))


def asked(name: str) -> list[Request]:
    return [request for _play, request in every(name)]


@pytest.mark.parametrize("name", RULES)
def test_random_play_comes_to_every_kind_of_request(name):
    rules = RULES[name]
    actions = {kind for kind in rules.kinds if hasattr(rules, f"default_{kind}")}
    assert {request.kind for request in asked(name)} - {"poll"} == actions


@pytest.mark.parametrize("name", RULES)
def test_every_field_is_a_question_that_model_and_schema_are_told(name):
    for request in asked(name):
        properties, words = request.schema()["properties"], form(request.fields)
        for item in request.fields:
            question = item.asked()
            assert question and "{" not in question and question[0].isupper()
            assert properties[item.name]["description"] == question
            assert question in words
            assert type(item) in KINDS


@pytest.mark.parametrize("name", RULES)
def test_every_question_and_every_word_to_choose_is_marked_for_translation(name):
    """Names that a setting brings, such as places, are the setting's own."""
    for play, request in every(name):
        for item in request.fields:
            assert isinstance(item.label, Sentence) and item.label.message in marked()
            if isinstance(item, Choice):
                assert set(item.options) <= marked() | {*RULES[name].public(play.state).get("places", ())}


@pytest.mark.parametrize("name", RULES)
def test_form_schema_and_check_agree_on_what_may_be_left_out(name):
    """Every name is required; null is in the schema, in the words and in the check, or in none of them."""
    for request in asked(name):
        schema = request.schema()
        assert schema["required"] == list(schema["properties"]) == [item.name for item in request.fields]
        whole = {item.name: _fitting(item) for item in request.fields}
        for item in request.fields:
            nullable = {"type": "null"} in schema["properties"][item.name].get("anyOf", [])
            assert nullable == item.optional == ("or null>" in form((item,)))
            if item.optional:
                assert request.read(whole | {item.name: None})[item.name] is None
            else:
                with pytest.raises(Malformed):
                    request.read(whole | {item.name: None})


@pytest.mark.parametrize("name", RULES)
def test_all_that_a_poll_asks_may_be_unknown(name):
    polls = [request for request in asked(name) if request.kind == "poll"]
    assert all(item.optional for request in polls for item in request.fields)


def test_what_is_left_and_what_more_costs_is_said_in_public_good():
    """The number goes up to what is left, or beyond it where that is allowed, and the question says which."""
    rules = RULES["public_good"]
    for accept in ("accept", "refuse"):
        points = _after_a_first_round_of(rules, 70, accept)
        assert "You have 30 points left." in points.asked()
        assert points.shape()["maximum"] == (100 if accept == "accept" else 30)
        assert ("below zero" in points.asked()) == (accept == "accept")
        assert json.dumps(points.asked())[1:-1] in json.dumps(points.schema())


def _after_a_first_round_of(rules, points, over_budget):
    from games.rules.play import Play, agents_and_people, new_header

    options = {"over_budget": over_budget}
    header = new_header(rules, "magic", seats=agents_and_people(3, 0), seed=1, options=options, setting={})
    play = Play(rules, header)
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"points": points})
    (field,) = next(iter(play.state.open.values())).fields
    return field


def _fitting(item):
    """A value that the field takes."""
    match item:
        case Choice():
            return item.options[0]
        case Flag():
            return True
        case OneSeat():
            return item.seats[0]
        case SomeSeats():
            return list(item.seats[: item.count])
        case Number():
            return item.low
        case Split():
            return [item.total, *[0] * (item.parts - 1)]
    return "words"
