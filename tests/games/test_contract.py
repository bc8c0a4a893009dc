"""The contract of a seat: all that it is told is what its view tells, and its schemas lead to no refusal."""

import json
import random

import jsonschema
import pytest

from games.match import contract, store
from games.match.cache import cached_match
from games.models import Match
from games.registry import RULES
from games.rules.random_play import random_action
from games.rules.values import PUBLIC
from tests.games.matches import WORDS
from tests.games.tables import asked, match_at, quick_match, room_of

pytestmark = pytest.mark.django_db


def seen_by(match: Match, seat: int, after: int = 0) -> dict:
    return contract.observe(cached_match(Match.objects.get(pk=match.pk)).catch_up(), seat, after=after)


@pytest.mark.parametrize("game", RULES)
def test_whoever_answers_by_what_a_seat_is_told_plays_each_game_to_its_end(game):
    """Each action of random play fits the schema that its seat was shown; what it is told of is what its view holds."""
    match, rng = quick_match(game), random.Random(3)
    source = cached_match(match)
    while match.status == "running":
        seat = next(one.seat for one in store.load(match).state.open.values() if one.waits)
        told = contract.observe(source.catch_up(), seat)
        request = asked(match, seat)
        (shown,) = [one for one in told["requests"] if one["id"] == request.id]
        action = random_action(store.load(match), request, rng, WORDS)
        jsonschema.validate(action, shown["schema"])
        assert {"seat": seat, "kind": request.kind} in told["waits_for"] or request.audience is not None
        moved = contract.act(match, seat, request.id, action)
        assert moved.refusal is None
        again = contract.act(match, seat, request.id, action)
        assert (again.events, again.refusal) == ((), None), "the same answer again adds nothing and is no refusal"
        match.refresh_from_db()
    told = contract.observe(cached_match(match).catch_up(), 1)
    assert told["status"] == "finished" and told["outcome"]["result"] == match.result
    assert told["requests"] == told["waits_for"] == []
    json.dumps(told)


def test_only_later_events_are_told_and_others_secrets_never(match):
    whole = seen_by(match, 1)
    assert [event["seq"] for event in seen_by(match, 1, after=2)["events"]] == [
        event["seq"] for event in whole["events"] if event["seq"] > 2
    ]
    assert "coffee" in json.dumps(whole) and "tea" not in json.dumps(whole)
    assert seen_by(match, 3)["card"] == {"word": "tea"}
    watching = seen_by(match, PUBLIC)
    assert watching["card"] == {} and watching["requests"] == [] and watching["seat"] is None
    assert "coffee" not in json.dumps(watching) and watching["waits_for"] == whole["waits_for"] != []


def test_a_move_of_another_seat_or_of_nobody_is_refused(match):
    request = asked(match, 1)
    assert contract.act(match, 2, request.id, {"text": "warm"}).refusal.code == "not_yours"
    assert contract.act(match, None, request.id, {"text": "warm"}).refusal.code == "not_seated"
    assert contract.act(match, 1, "nonsense", {}).refusal.code == "over"


def test_a_paused_table_asks_for_nothing(match):
    store.pause(match.pk)
    told = seen_by(match, 1)
    assert told["paused"] and told["requests"] == told["waits_for"] == []


@pytest.fixture
def match():
    return match_at(room_of())
