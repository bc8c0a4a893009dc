"""Every method sits at whole matches of each game that it suits, over the wire: every move legal, no default, no leak,
and each stage of what it thought in its panel."""

from __future__ import annotations

import random
import re

import pytest

from agents import headless
from agents.calls import Model
from agents.methods import METHODS
from agents.player import think
from agents.providers import connect
from agents.turns import situation
from games.match import beginning
from games.registry import RULES
from games.rules.play import Play, agents_and_people, new_header
from games.rules.sample import sample_of
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SECRETS = {"undercover": ("civilian_word", "undercover_word"), "chameleon": ("word",), "spygame": ("place",)}
SUITED = {game: [method for method in METHODS.values() if method.plays(rules)] for game, rules in RULES.items()}
TABLES = [(game, first) for game, rules in RULES.items() for first in range(0, len(SUITED[game]), rules.quick[1])]
"""Matches of each game, and the method at the first seat: so many that each method sits at one."""


def begin(game: str, polls: bool = False) -> Play:
    rules = RULES[game]
    preset, seats = rules.quick
    known = type(rules.presets[preset].options).__dataclass_fields__
    options = {"list_places": False} if "list_places" in known else {}  # listed places would be no secret
    if polls:
        options["polls"] = list(known["polls"].metadata["choices"])[-1]
    setting = sample_of(RULES[game]).setting(rules.options(preset, options, seats), random.Random(5))
    header = new_header(rules, preset, seats=agents_and_people(0, seats), seed=5, setting=setting, options=options)
    return Play(rules, header)


@pytest.mark.parametrize(("game", "first"), TABLES)
def test_every_method_plays_whole_matches_and_tells_no_seat_what_it_may_not_know(game, first, researcher):
    play, suited = begin(game, polls=True), SUITED[game]
    seated = {seat.seat: suited[(first + seat.seat - 1) % len(suited)] for seat in play.header.seats}
    with ModelServer() as server:
        model = Model(connect("openai", server.openai_url, ""), "m", {"backoff": 0})

        def mind_of(method):
            def mind(play, request, thoughts):
                where = situation(play, request, play.header.names, thoughts)
                return think(where, method=method, model=model, by="agent:m")

            return mind

        played = headless.play_out(play, {seat: mind_of(method) for seat, method in seated.items()})
    assert play.state.outcome.status == "finished"
    assert played.refusals == []
    assert [attempt for attempt in played.attempts if attempt.instead == "default"] == []
    assert all(
        thought.method == seated[thought.seat].name and (thought.prompt or not thought.attempts)
        for thought in played.thoughts
    )
    forbidden = secrets_of(play)
    assert any(forbidden.values()) or game not in SECRETS
    for thought in played.thoughts:
        told = thought.prompt.casefold()
        assert not [word for word in forbidden.get(thought.seat, ()) if word in told], thought.stage
    assert_panels(researcher, stored(played), play)


def assert_panels(researcher, match, play: Play) -> None:
    """Beside a move stands what was thought before it, stage by stage: one of each kind and way of thinking."""
    thought = {}
    for event in play.log:
        if event.request and (stages := stages_of(match, event)):
            thought.setdefault((event.kind, *stages), (event, stages))
    assert thought
    for event, stages in thought.values():
        panel = researcher.get(f"/m/{match.pk}/thoughts/?seq={event.seq}&seat={event.seat}").content.decode()
        assert re.findall(r'data-stage="(\w+)"', panel) == stages


def stages_of(match, event) -> list[str]:
    return [thought.stage for thought in match.thoughts.filter(request=event.request)]


def stored(played: headless.Played):
    seats = [
        {"seat": seat.seat, "name": seat.name, "kind": "agent", "agent": "wire"} for seat in played.play.header.seats
    ]
    return beginning.keep(played.play, seats=seats, thoughts=played.thoughts)


def secrets_of(play: Play) -> dict[int, list[str]]:
    """By seat: the words of the deal that this seat must not be told."""
    words = [play.header.setting[name].casefold() for name in SECRETS.get(play.rules.name, ())]
    dealt = play.fork(0)
    listed = str(play.rules.public(dealt.state)).casefold()
    cards = {seat.seat: str(play.rules.card(dealt.state, seat.seat)).casefold() for seat in play.header.seats}
    return {seat: [w for w in words if w not in card and w not in listed] for seat, card in cards.items()}
