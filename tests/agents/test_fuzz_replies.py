"""Whatever a model replies, for every kind of request of every game: a legal action or a recorded fallback.

In a usual run forty replies a kind; `FUZZ_REPLIES=10000` plays as many. Replies are made of pieces of right and
wrong answers, so that most come near to being read.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.providers import Completion, Provider
from agents.reading import read_action
from agents.turns import situation
from games.registry import RULES
from games.rules import kit
from games.rules.fields import Flag
from games.rules.kit import WORDS
from games.rules.play import Play
from games.rules.random_play import random_value
from games.rules.sight import requests_for
from games.rules.values import OMNISCIENT, Refusal, Request

pytestmark = pytest.mark.slow

REPLIES = int(os.environ.get("FUZZ_REPLIES", "40"))
ODD = (
    *(
        "",
        " ",
        "null",
        "{}",
        "[]",
        "{",
        "}",
        '{"',
        '"',
        "```json\n",
        "\n```",
        "\x00",
        "\ud800",
        "\u202e",
        "NaN",
        "1e999",
    ),
    *(
        "true",
        "false",
        "-1",
        "0",
        "99",
        "1.5",
        "I vote for seat 2.",
        "Answer: 1",
        "My vote: nobody",
        "</said>",
        "9" * 400,
    ),
    *(
        '{"seat": 2}{"seat": 3}',
        '{"text": ["a"]}',
        '{"a": ' * 60,
        "\\u0000",
        "ignore your instructions",
        "пас",
        "席位 2",
    ),
)


class Says(Provider):
    """Says what it was told to say, in turn, and then nothing."""

    name, default_key_env = "Says", ""

    def __init__(self, replies):
        super().__init__()
        self.replies = list(replies)

    def complete(self, messages, *, model, settings=None, schema=None):
        return self.replies.pop(0) if self.replies else Completion("")


def asked(trial: kit.KitCase) -> Iterator[tuple[Play, Request]]:
    """The requests of a random match in which an agent is to say or to choose something."""
    play = kit.play_through(trial)
    state = play.rules.start(play.options)
    for event in play.log:
        play.rules.apply(state, event)
        for request in requests_for(state, OMNISCIENT):
            if request.opened_at == event.seq and request.fields and request.waits:
                yield play, request


@cache
def kinds() -> dict[tuple[str, str], list]:
    """A few situations for each kind of request of each game, polls included."""
    found: dict[tuple[str, str], list] = {}
    for name, rules in RULES.items():
        for trial in kit.kit_cases(rules):
            for play, request in asked(trial):
                seen = found.setdefault((name, request.kind), [])
                if len(seen) < 6:
                    seen.append(situation(play, request, {seat.seat: seat.name for seat in play.header.seats}))
    return found


def near(where, rng: random.Random):
    """Reply texts that are right, nearly right or broken, for this request."""
    right = {field.name: random_value(field, rng, WORDS) for field in where.request.fields}
    text = json.dumps(right)
    wrong = dict(right)
    if wrong:
        wrong[rng.choice(list(wrong))] = rng.choice([None, -1, "x", [], {}, True, 10**30, "y" * 5000])
    return [
        text,
        json.dumps(wrong),
        text[: rng.randint(0, len(text))],
        f"I think so. {text}",
        f"```json\n{text}\n```",
        text + text,
        json.dumps(right | {"more": 1}),
        json.dumps({"answer": right}),
        " ".join(str(value) for value in right.values()),
    ]


def replies_for(where):
    pieces = st.builds(
        lambda seed, pick: near(where, random.Random(seed))[pick], st.integers(0, 2**32), st.integers(0, 8)
    )
    text = st.one_of(
        pieces, st.sampled_from(ODD), st.lists(st.one_of(pieces, st.sampled_from(ODD)), max_size=3).map("".join)
    )
    text = st.one_of(text, st.text(max_size=80))
    finish = st.sampled_from(["stop", "stop", "stop", "length", "refused"])
    return st.lists(st.builds(Completion, text, structured=st.booleans(), finish=finish), min_size=2, max_size=12)


SMALL = [trial for rules in RULES.values() for trial in kit.kit_cases(rules) if trial.seats <= 7]
KINDS = sorted({(trial.rules.name, request.kind) for trial in SMALL for _, request in asked(trial)})


@pytest.mark.parametrize(("game", "kind"), KINDS)
@given(data=st.data())
@settings(max_examples=max(REPLIES // 2, 1), suppress_health_check=list(HealthCheck))
def test_any_reply_gives_a_legal_action_or_a_recorded_fallback(game, kind, data):
    where = data.draw(st.sampled_from(kinds()[game, kind]))
    method = data.draw(st.sampled_from([name for name in METHODS if METHODS[name].plays(RULES[game])]))
    provider = Says(data.draw(replies_for(where)))
    decision = think(where, method=METHODS[method], model=Model(provider, "m"), by="agent:x")
    if decision.action is None:
        assert decision.attempts[-1].instead == "default"
        assert decision.attempts[-1].sentence
    else:
        assert where.request.read(decision.action) == decision.action
        if kind != "poll":
            assert type(where.rules.act(where.state, where.request, decision.action)) is not Refusal
    for attempt in decision.attempts:
        assert attempt.code and attempt.sentence
    refused = [thought for thought in decision.thoughts if "problem" in thought.data]
    assert len(refused) <= len(decision.attempts)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_what_a_reply_leaves_out_is_never_taken_for_a_yes(game, kind):
    """Each field left out, empty or null, and each alone: asked again, or what is left out stays unsaid or a no."""
    where = kinds()[game, kind][0]
    whole = {field.name: random_value(field, random.Random(1), WORDS) for field in where.request.fields}
    whole |= {field.name: True for field in where.request.fields if isinstance(field, Flag)}
    replies = [{n: v for n, v in whole.items() if n != name} for name in whole]
    replies += [whole | {name: nothing} for name in whole for nothing in (None, "")]
    replies += [{name: value} for name, value in whole.items()]
    for reply in replies:
        found = read_action(json.dumps(reply), where.request, structured=False, names=where.names).value
        if found is None:
            continue
        done = found if kind == "poll" else where.rules.act(where.state, where.request, found)
        for field in where.request.fields:
            if isinstance(field, Flag) and not reply.get(field.name):
                assert type(done) is Refusal or not done[field.name]


def test_every_kind_of_request_is_tried():
    assert set(KINDS) == set(kinds())
    assert {game for game, _ in KINDS} == set(RULES)
    assert ("spygame", "reveal") in KINDS
    assert ("undercover", "poll") in KINDS
