"""Every schema that a model is held to, in every game, request and stage of a method, is in OpenAI's strict subset."""

from functools import cache

import pytest

from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.turns import situation
from games.registry import RULES
from games.rules.kit_requests import every_request
from tests.agents.method_scenes import ByStage
from tests.model_server import strict

PAIRS = [(game, method) for game in RULES for method in METHODS if METHODS[method].plays(RULES[game])]


@cache
def one_of_each(game):
    """A situation for each kind of request that agents answer."""
    found = {}
    for play, request in every_request(RULES[game]):
        if request.waits and request.kind not in found:
            names = {seat.seat: f"Player {seat.seat}" for seat in play.header.seats}
            found[request.kind] = situation(play, request, names)
    return list(found.values())


@pytest.mark.parametrize(("game", "method"), PAIRS)
def test_every_stage_asks_in_the_strict_subset(game, method):
    provider = ByStage()
    for at in one_of_each(game):
        think(at, method=METHODS[method], model=Model(provider, "m"), by="agent:x")
    schemas = [schema for _told, schema, _model in provider.told if schema is not None]
    assert schemas
    assert [wrong for schema in schemas if (wrong := strict.objection(schema, "response_format 'answer'"))] == []
