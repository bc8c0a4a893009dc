"""The schema of a request allows what the rules take, and nothing that they refuse whatever is said with it."""

from __future__ import annotations

import random
from typing import Any

import jsonschema
import pytest

from examples.seat import drawn
from games.registry import RULES
from games.rules.fields import Split, Text
from games.rules.kit import KitCase, random_move
from games.rules.kit_requests import every_request, trials
from games.rules.play import Play
from games.rules.sample import sample_of
from games.rules.values import PUBLIC, Impossible, Refusal, Request


def matches(name: str):
    """A match by each option, with its random numbers and its words."""
    for trial in trials(RULES[name], sample_of(RULES[name])):
        if trial.seed:
            continue
        try:
            yield trial.begin(), trial.rng, list(trial.words)
        except Impossible:
            continue  # the option does not go with this table


def by_its_schema(request: Request, rng: random.Random, words: list[str]) -> dict[str, Any]:
    """Anything that the schema allows; each text is a word that nobody said or was dealt."""
    action = drawn(request.schema(exact=True), rng)
    texts = [item.name for item in request.fields if isinstance(item, Text) and action[item.name] is not None]
    return action | {name: words.pop() for name in texts}


@pytest.mark.parametrize("name", RULES)
def test_what_fits_the_schema_is_legal_and_what_is_legal_fits_it(name):
    for play, rng, words in matches(name):
        rng.shuffle(words)
        while not play.over:
            request = rng.choice([request for request in play.state.open.values() if request.waits])
            legal = random_move(play, request, rng, words)
            assert fits(request, legal), f"{request.kind} {legal} is legal and does not fit"
            action = by_its_schema(request, rng, words)
            result = play.act(request.seat, request.id, action)
            assert not isinstance(result, Refusal), f"{request.kind} {action} was refused: {result.sentence}"


@pytest.mark.parametrize("name", RULES)
def test_each_way_to_answer_has_the_fields_of_the_question(name):
    for _play, request in every_request(RULES[name]):
        for way in request.each_way:
            assert [(item.name, item.label) for item in way] == [(item.name, item.label) for item in request.fields]


def fits(request: Request, action: dict[str, Any]) -> bool:
    return jsonschema.Draft202012Validator(request.schema(exact=True)).is_valid(action)


def until(play: Play, kind: str, seed: int = 1) -> list[Request]:
    """The requests of this kind, once there are any."""
    rng = random.Random(seed)
    while not (found := [request for request in play.state.open.values() if request.kind == kind]):
        request = rng.choice([request for request in play.state.open.values() if request.waits])
        play.act(request.seat, request.id, random_move(play, request, rng))
    return found


def begun(game: str, preset: str, seats: int, **options: object) -> Play:
    return KitCase(RULES[game], sample_of(RULES[game]), preset, seats, overrides=options).begin()


def test_a_card_of_the_good_can_only_be_success_and_nobody_else_is_told_of_the_question():
    play, kinds = begun("avalon", "recon", 6), set()
    while len(kinds) < 2:
        for request in until(play, "quest"):
            side = play.rules.sides(play.state)[request.seat]
            kinds.add(side)
            schema = request.schema(exact=True)["properties"]["success"]
            assert schema.get("enum") == ([True] if side == "good" else None)
            for viewer in (PUBLIC, *(seat for seat in play.state.everyone if seat != request.seat)):
                assert request.id not in [other.id for other in play.requests(viewer)]
            play.act(request.seat, request.id, {"success": True})


def test_who_leads_may_not_ask_back_and_may_accuse_without_a_word():
    play = begun("spygame", "party", 5)
    (first,) = until(play, "lead")
    other = next(seat for seat in range(1, 6) if seat != first.seat)
    play.act(first.seat, first.id, {"seat": other, "text": "Is it wet?", "accuse": False})
    (second,) = until(play, "lead")
    third = next(seat for seat in range(1, 6) if seat not in (first.seat, other))
    for seat, text, accuse, legal in [
        (third, "Is it cold?", False, True),
        (third, None, False, False),
        (first.seat, "Is it cold?", False, False),
        (first.seat, None, True, True),
    ]:
        action = {"seat": seat, "text": text, "accuse": accuse}
        assert fits(second, action) == legal
        assert isinstance(play.check(other, second.id, action), Refusal) != legal


def test_who_stands_up_names_a_place():
    play = begun("spygame", "party", 5, threshold=None)
    (reveal,) = until(play, "reveal")
    assert not fits(reveal, {"reveal": True, "guess": None, "certainty": 90})
    assert fits(reveal, {"reveal": True, "guess": play.state.places[0], "certainty": 90})
    assert fits(reveal, {"reveal": False, "guess": None, "certainty": None})


def test_nobody_is_asked_to_pay_more_than_alone():
    play = begun("cost_sharing", "magic_m1", 3)
    (proposal,) = until(play, "proposal")
    (split,) = proposal.fields
    assert isinstance(split, Split)
    shares = proposal.schema(exact=True)["properties"]["split"]["prefixItems"]
    assert [share["maximum"] for share in shares] == list(split.most)
    most = split.most[0]
    for share, legal in ((most, True), (most + 1, False)):
        action = {"split": [share, split.total - share, 0]}
        assert fits(proposal, action) == legal
        assert isinstance(play.check(proposal.seat, proposal.id, action), Refusal) != legal
