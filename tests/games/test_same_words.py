"""People and agents are asked the same questions by the same words: each kind of request, on its page and in its
prompt."""

from __future__ import annotations

import dataclasses
import html
import random
import re

import pytest

from agents import prompts
from agents.methods import METHODS
from agents.turns import situation
from games.match import store
from games.registry import RULES
from games.rules.kit import WORDS
from games.rules.random_play import random_action
from games.rules.sample import sample_of
from tests.games.tables import NAMES, browser, match_at, room_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CASES = [
    (name, preset, sort)
    for name, rules in RULES.items()
    for preset, about in rules.presets.items()
    for item in dataclasses.fields(about.options)
    if item.name == "polls" and about.low <= len(NAMES)
    for sort in item.metadata["choices"]
    if sort != "none" or preset == rules.quick[0]
]

ON_BUTTONS = ("success", "accuse", "reveal")
"""Moves, not beliefs: the page has a button for each answer in place of the question."""


@pytest.mark.parametrize(("name", "preset", "sort"), CASES)
def test_page_and_prompt_ask_by_the_same_words(name, preset, sort):
    """At the moment of each kind of request in a match by chance, seen by the seat that is asked; of one poll."""
    rules, seats = RULES[name], RULES[name].presets[preset].low
    options = {"polls": sort} if sort != "none" else {}
    setting = sample_of(RULES[name]).setting(rules.options(preset, options, seats), random.Random(1))
    match = match_at(room_of(seats, name, preset, seats, options=options), setting)
    rng, compared = random.Random(1), set()
    while not (play := store.load(match)).over and not (compared and sort != "none"):
        request = next(request for request in play.state.open.values() if request.waits)
        if request.kind not in compared and (sort == "none") != (request.kind == "poll"):
            compared.add(request.kind)
            compare(page_form(match, request), question(play, request), request)
        store.act(match.pk, request.seat, request.id, random_action(play, request, rng, WORDS))
    assert compared


def compare(page: str, prompt: str, request) -> None:
    for item in request.fields:
        assert item.asked() in prompt
        if item.name not in ON_BUTTONS:
            assert item.asked() in page, request.kind


def page_form(match, request) -> str:
    """The words of the request's form on the page of its seat, with numbers of seats for their names."""
    page = browser(f"key-{request.seat}", NAMES[request.seat - 1]).get(f"/t/{match.room.code}/").content.decode()
    form = page.partition(f'data-request="{request.id}"')[2].partition("</form>")[0]
    words = html.unescape(re.sub(r"<[^>]*>", "", form))
    for seat, name in enumerate(NAMES, 1):
        words = re.sub(rf"\b{name}\b", f"seat {seat}", words)
    return words


def question(play, request) -> str:
    """The last message that a model is told at this request."""
    turn = METHODS["direct"].turn(situation(play, request, dict(enumerate(NAMES, 1))), {})
    return prompts.prompt(turn, next(METHODS["direct"].think(turn))).messages[-1].content
