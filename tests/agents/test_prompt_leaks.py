"""What a model is told: exchange all that its seat may not know, and every prompt stays the same, byte for byte."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.providers import Completion, Provider
from agents.turns import situation
from games.registry import RULES
from games.rules import kit
from games.rules.sight import requests_for
from tests.model_server import Call, player

pytestmark = pytest.mark.slow

TRIALS = {name: list(kit.kit_cases(RULES[name])) for name in RULES}


def told(play, seat, until, last=2):
    """Every prompt, of each method and stage, for the last few requests of a seat up to `until`."""
    names = {seat.seat: seat.name for seat in play.header.seats}
    state, asked = play.rules.start(play.options), []
    for event in play.visible(seat, until):
        play.rules.apply(state, event)
        opened = [r for r in requests_for(state, seat) if (r.seat, r.opened_at) == (seat, event.seq)]
        asked += [request for request in opened if request.waits and play.rules.forced(state, request) is None]
    return [prompt for request in asked[-last:] for prompt in _all_prompts(situation(play, request, names))]


def _all_prompts(where):
    """What each method's stages are told when every reply is the same whoever asks."""
    for method in METHODS.values():
        if not method.plays(where.rules):
            continue
        provider = Indifferent()
        think(where, method=method, model=Model(provider, "m"), by="agent:x")
        yield from sorted(provider.asked)  # what is asked at once comes in any order


class Indifferent(Provider):
    """Answers by the schema alone, and keeps what it was told."""

    name, default_key_env = "Indifferent", ""

    def __init__(self):
        super().__init__()
        self.asked = []

    def complete(self, messages, *, model, settings=None, schema=None):
        self.asked.append([message.content for message in messages])
        call = Call("openai", model, [("user", "anything")], schema=schema)
        return Completion(player.answer(call), structured=True)


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
@settings(max_examples=2)
def test_no_prompt_tells_what_its_seat_may_not_know(name, data):
    trial = data.draw(st.sampled_from(TRIALS[name]))
    viewer = data.draw(st.integers(1, trial.seats))
    setting, alike = kit.indistinguishable(trial)
    if alike[viewer]:
        plays = trial.begin(setting), trial.begin(data.draw(st.sampled_from(alike[viewer])))
        until = kit.play_alike(trial, viewer, *plays)
        assert told(plays[0], viewer, until) == told(plays[1], viewer, until)


def test_the_prompts_of_a_match_differ_by_seat():
    """The comparison above sees something: other seats are told other things."""
    trial = TRIALS["avalon"][0]
    play = trial.begin()
    kit.finish(play, trial.rng)
    systems = {told(play, seat, len(play.log), last=1)[0][0] for seat in range(1, trial.seats + 1)}
    assert len(systems) == trial.seats
