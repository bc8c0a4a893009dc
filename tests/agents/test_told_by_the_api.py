"""What an API tells beside a model's words: its reasoning, what came from its cache, the name of its model."""

import io

import pytest

from agents import spending
from agents.calls import Price
from agents.models import Call, ModelPrice
from agents.player import SUMMARY
from agents.providers import Usage
from agents.rerun import differences, rerun
from games.match import store
from games.match.view import whole
from games.rules import logfile
from games.rules.values import PUBLIC
from tests.agents.model_matches import dealt, played, profile, stored
from tests.games.matches import exported
from tests.model_server import Behaviour, ModelServer

pytestmark = pytest.mark.django_db

PLAN = (
    "Seat two seems to know exactly what it is talking about while seat three only follows the others, so seat three "
    "is the one that I would rather see out of this game."
)
ENDPOINTS = {
    "openai": {"settings": {"retries": 0}},
    "responses": {"settings": {"retries": 0, "api": "responses"}},
    "anthropic": {"provider": "anthropic", "settings": {"retries": 0}},
}


def seat(server, kind):
    url = server.anthropic_url if kind == "anthropic" else server.openai_url
    profile(server, base_url=url, **ENDPOINTS[kind])
    return dealt("wire", "wire", "wire")


@pytest.mark.parametrize("kind", ENDPOINTS)
def test_the_models_reasoning_is_a_stage_of_its_own_before_the_answer(kind):
    with ModelServer(then=Behaviour(thought=PLAN, called="small-1-0815")) as server:
        match = stored(played(seat(server, kind)))
        asked = len(server.calls)
        assert {call.status for call in server.calls} == {200}
    summaries = match.thoughts.filter(stage=SUMMARY)
    assert summaries.count() == match.thoughts.exclude(stage=SUMMARY).count() == asked
    assert set(summaries.values_list("reply", "attempts", "tokens_in", "model")) == {(PLAN, 0, 0, "")}
    first, second = match.thoughts.order_by("pk")[:2]
    assert (first.stage, second.stage, first.request) == (SUMMARY, "answer", second.request)
    told = whole(match).thought(second.pk)["prompt"]
    assert PLAN not in second.reply + told and second.model == "small-1-0815"
    assert differences(match, rerun(match)) == []


def test_the_reasoning_reaches_no_players_export_and_no_other_prompt():
    with ModelServer(then=Behaviour(thought=PLAN)) as server:
        match = stored(played(seat(server, "responses")))
        assert not any("rather see out" in call.prompt for call in server.calls)
    whole = "\n".join(exported(match))
    seen = "".join(map(str, store.load(match).visible(PUBLIC)))
    assert "rather see out" in whole and "rather see out" not in seen


def test_the_reasoning_may_not_be_said():
    with ModelServer(then=Behaviour(text=f'{{"text": "{PLAN}"}}', thought=PLAN)) as server:
        done = played(seat(server, "responses"))
    clues = [event.data["text"] for event in done.play.log if event.kind == "clue"]
    assert set(clues) == {None}
    assert "guarded" in {attempt.code for attempt in done.attempts}


@pytest.mark.parametrize("kind", ENDPOINTS)
def test_tokens_of_a_cache_are_kept_with_calls_thoughts_and_exports_and_priced(kind):
    ModelPrice.objects.create(model="small-1", tokens_in=10, tokens_out=0, cached=1, stored=12)
    with ModelServer(then=Behaviour(cached=30, stored=20)) as server:
        match = stored(played(seat(server, kind)))
    call, thought = Call.objects.latest("pk"), match.thoughts.latest("pk")
    (line,) = [t for t in whole(match).file().thoughts if t["request"] == thought.request and t["stage"] == "answer"][
        -1:
    ]
    for kept in (vars(call), vars(thought), line):
        assert (kept["cached"], kept["stored"]) == (30, 20)
    fresh = thought.tokens_in - 50
    assert thought.cost == call.cost == pytest.approx((fresh * 10 + 30 * 1 + 20 * 12) / 1e6)
    read = logfile.read(io.StringIO("\n".join(exported(match))))
    assert {(t["cached"], t["stored"]) for t in read.thoughts} == {(30, 20)}


def test_what_goes_into_a_cache_costs_as_much_as_the_rest_where_nothing_is_said():
    ModelPrice.objects.create(model="small-1", tokens_in=3, tokens_out=4, cached=0.5)
    assert spending.price_of("small-1") == Price(3, 4, 0.5)
    assert Price(3, 4, 0.5).of(Usage(1_000_000, 0, 400_000, 100_000)) == pytest.approx(0.6 * 3 + 0.4 * 0.5)
