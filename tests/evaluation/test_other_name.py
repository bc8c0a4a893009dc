"""A game that is registered under another name, by a subclass that changes nothing else, is the same game to prompts,
pages, metrics, tables and ratings."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from agents import headless
from agents.calls import Model
from agents.methods import METHODS
from agents.models import AgentProfile
from agents.player import think
from agents.turns import situation
from evaluation import metrics
from evaluation.competitions import balancing
from evaluation.counting import stored
from evaluation.judging.forms import spoken
from evaluation.metrics import METRICS, measure
from evaluation.metrics.base import together
from evaluation.metrics.magic import FULL
from evaluation.records.record import of_play
from evaluation.suites.own import Own
from evaluation.tables import filling, people
from evaluation.tables.calibration import calibrated
from evaluation.tables.ratings import Ratings
from games.match import beginning
from games.match.view import whole
from games.models import Match
from games.registry import GAMES, RULES
from games.rules.core import Rules
from games.rules.play import Play, agents_and_people, new_header
from games.web import feed
from tests.agents.method_scenes import ByStage, deal_of
from tests.evaluation.played import dealt
from tests.games.tables import browser, match_at, room_of

pytestmark = pytest.mark.django_db
OTHER = "renamed"
POLLS = {"undercover": "wiu", "avalon": "magic", "chameleon": "magic"}
MEASURED = sorted(name for name, metric in METRICS.items() if not metric.heavy and not name.startswith("ours.seconds"))
GROUPS = (metrics.agent, metrics.role, metrics.side, metrics.kind, together(metrics.role, metrics.agent))


@pytest.fixture(params=["undercover", "avalon"])
def names(request, monkeypatch) -> tuple[str, str]:
    """The names of a game and of itself by another name."""
    own = type(RULES[request.param])
    monkeypatch.setitem(RULES, OTHER, type("Renamed", (own,), {"name": OTHER, "title": own.title})())
    return request.param, OTHER


def begin(name: str) -> Play:
    rules, family = RULES[name], RULES[name].family
    preset, seats, setting = deal_of(name)
    header = new_header(
        rules, preset, seats=agents_and_people(0, seats), seed=4, setting=setting, options={"polls": POLLS[family]}
    )
    return Play(rules, header)


@cache
def by_house(name: str, family: str) -> headless.Played:
    play = begin(name)
    mind = headless.of_profile(AgentProfile(name="house", provider="house"))
    return headless.play_out(play, dict.fromkeys(play.header.names, mind), by(play))


@cache
def by_methods(name: str, family: str) -> headless.Played:
    """The ways of thinking that read a cast, each at a seat, asked of a model by script."""
    play = begin(name)
    suited = [METHODS[method] for method in ("mptt", "pgm", "recon", "direct")]
    model = Model(ByStage(), "m", {})

    def mind_of(seat: int) -> headless.Mind:
        method = suited[min(seat, len(suited)) - 1]
        return lambda play, request, thoughts: think(
            situation(play, request, play.header.names, thoughts), method=method, model=model, by=f"agent:agent-{seat}"
        )

    return headless.play_out(play, {seat: mind_of(seat) for seat in play.header.names}, by(play))


def by(play: Play) -> dict[int, str]:
    return {seat.seat: f"agent:{seat.agent}" for seat in play.header.seats}


@pytest.fixture
def both(names) -> tuple[list[Match], list[Match]]:
    """The same matches, of house agents and of models, under both names."""
    return tuple(  # type: ignore[return-value]
        [
            beginning.keep(played.play, thoughts=played.thoughts, attempts=played.attempts)
            for played in (by_house(name, names[0]), by_methods(name, names[0]))
        ]
        for name in names
    )


@pytest.mark.slow
def test_prompts_thoughts_and_logs_are_the_same(names):
    for play in (by_house, by_methods):
        one, other = (play(name, names[0]) for name in names)
        assert one.play.log == other.play.log and one.play.state.outcome.status == "finished"
        assert [told(thought) for thought in one.thoughts] == [told(thought) for thought in other.thoughts]
        assert one.attempts == other.attempts


def told(thought: Any) -> tuple[Any, ...]:
    return thought.stage, thought.prompt, thought.reply, thought.data


@pytest.mark.slow
def test_metrics_tables_ratings_and_calibration_are_the_same(both):
    one, other = ([*stored.records(Match.objects.filter(pk__in=[m.pk for m in found]))] for found in both)
    assert [(r.roles, r.sides, r.odd) for r in one] == [(r.roles, r.sides, r.odd) for r in other]
    assert all(record.odd for record in one)
    for group in GROUPS:
        first, second = (values(measure(records, group, MEASURED).values) for records in (one, other))
        assert first == second and first
    assert tables(one) == tables(other) and any(table["rows"] for table in tables(one).values())
    assert ratings(one) == ratings(other) != []
    assert repr(calibrated(one)) == repr(calibrated(other)) and calibrated(one)[0]
    assert repr(people.method_2(one)) == repr(people.method_2(other))


def values(found: Any) -> dict[Any, dict[str, Any]]:
    return {group: {name: (v.value, v.n) for name, v in row.items() if v.n} for group, row in found.items()}


def tables(records: Any) -> dict[str, Any]:
    return {name: table.to_json() for name, table in filling.tables(records).items()}


def ratings(records: Any) -> list[Any]:
    found = Ratings(who=lambda record, seat: f"{metrics.agent(record, seat)} {seat}")
    for record in records:
        found.add(record)
    return [(who, role, rating) for (who, _game, role), rating in found.listed()]


@pytest.mark.slow
def test_pages_and_panels_are_the_same(both, researcher):
    for one, other in zip(*both, strict=True):
        assert [line[:4] for line in lines(one)] == [line[:4] for line in lines(other)]
        last = one.events.count()
        for page in ("", f"thoughts/?seat=every&seq={last}", "?as=public"):
            assert shown(researcher, one, page) == shown(researcher, other, page)


def lines(match: Match) -> list[feed.Line]:
    seen = whole(match)
    return feed.lines(match.game, seen.events, seen.names)


def shown(client: Any, match: Match, page: str) -> str:
    """A page of a match, without what is of this match alone."""
    text = client.get(f"/m/{match.pk}/{page}").content.decode()
    assert len(text) > 1000
    text = text.replace(str(match.pk), "MATCH")
    return re.sub(r'\b\w{64}\b|<time.*?</time>|thoughts/\d+|[a-z]-\d+|"ms": \d+|\d+(\.\d+)? m?s\b', "", text)


def test_tables_at_which_it_is_played_are_the_same(names):
    pages = []
    for name in names:
        preset, seats, setting = deal_of(name)
        room = room_of(seats, name, preset, seats)
        match_at(room, setting)
        text = browser("key-1", "Ann").get(f"/t/{room.code}/").content.decode()
        pages.append(re.sub(r'\b\w{64}\b|\d+ s\b|data-clock="[^"]*"|key="?\w+', "", text.replace(room.code, "ROOM")))
    one, other = (re.sub(rf"{names[1]}|{names[0]}", "GAME", re.sub(r"[0-9a-f-]{36}", "", page)) for page in pages)
    assert one == other


def test_what_asks_for_a_kind_of_game_finds_it(names):
    own, other = names
    assert {own, other} <= set(spoken())
    assert (own in balancing.games()) == (other in balancing.games()) == (own in FULL)
    preset = deal_of(own)[0]
    assert Own().board({"game": other, "preset": preset}) == Own().board({"game": own, "preset": preset}) != Own.page
    for metric in METRICS.values():
        assert (own in metric.played_as) == (other in metric.played_as)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_each_game_by_another_name_declares_the_same(rules: Rules):
    other = type("Renamed", (type(rules),), {"name": OTHER})()
    assert (other.folder, other.family, other.page("card"), other.prompts) == (
        rules.folder,
        rules.family,
        rules.page("card"),
        rules.prompts,
    )


@pytest.mark.parametrize("role", ["undercover", "undercovers"])
def test_a_side_that_was_called_otherwise_when_a_match_was_planned_is_that_side(role):
    words = {"civilian_word": "wig", "undercover_word": "hat", "undercovers": [2]}
    record = of_play(dealt("undercover", "magic", 3, words), labels={"challenger": "x", "role": role})
    assert [metrics.challenger(record, seat) for seat in record.numbers] == [None, "x", None]
