"""At a table that names no agents no way out tells who is one; with the one line that hides it away, each would."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from agents import tasks, turns
from games.match import store, view
from games.match.rows import Attempt
from games.models import Match
from games.rules import kit
from games.rules.values import PUBLIC
from games.web import panels, visits
from magic_site import clock
from tests.games.matches import exported_text
from tests.games.tables import browser
from tests.games.test_leaks import MOMENT, TRIALS, plain, stored

pytestmark = pytest.mark.django_db


def table_page(match: Match) -> str:
    return plain(browser("key-1").get("/t/KITE-1/"))


def list_page(match: Match) -> str:
    return plain(browser("key-1").get("/matches/"))


def frame(match: Match) -> str:
    return panels.public_frame(visits.visit_now(match.room, AnonymousUser(), "key-1"), 0)


def download(match: Match) -> str:
    return exported_text(match, PUBLIC) + exported_text(match, 1)


def notice(match: Match) -> str:
    if any(sitter.kind == "agent" for sitter in match.seated):
        tried = {
            "request": "1:2:clue",
            "seat": 2,
            "by": "agent:house",
            "code": "spending",
            "sentence": "No more money.",
        }
        Attempt.objects.create(match=match, at=MOMENT, instead="house", **tried)
    return visits.visit_now(match.room, AnonymousUser(), "key-1").notice


def work(match: Match) -> str:
    """Whether the table is told that a model is at work."""
    play = store.load(match)
    request = next(request for request in play.state.open.values() if request.audience is None)
    agents = {sitter.seat for sitter in match.seated if sitter.kind == "agent"}
    return str(bool(agents) and tasks.sign_of_life(match, play, request) is not None)


WAYS = [table_page, list_page, frame, download, notice, work]


def told(way, agents: set[int]) -> str:
    play = kit.play_through(TRIALS["undercover"][0])
    until = max(n for n, event in enumerate(play.log) if event.request)
    return way(stored(play, until, "live", frozenset(agents)))


@pytest.fixture(autouse=True)
def no_clock(monkeypatch):
    monkeypatch.setattr(clock, "carried_on", lambda: MOMENT)


@pytest.mark.parametrize("way", WAYS)
def test_no_way_out_tells_who_is_an_agent(way):
    assert told(way, {2}) == told(way, set())


@pytest.mark.parametrize("way", WAYS)
def test_each_would_if_it_were_not_hidden_in_its_one_place(way, monkeypatch):
    monkeypatch.setattr(view, "names_agents", lambda place, viewer=PUBLIC: True)
    assert told(way, {2}) != told(way, set())


def prompt(match: Match) -> str:
    """All that an agent's prompt is made from."""
    play = store.load(match)
    request = next(iter(play.state.open.values()))
    situation = turns.situation(play, request, match.names())
    return repr((situation.log, vars(situation.state).keys(), situation.names))


def test_a_prompt_tells_nobody_who_moves_for_whom(monkeypatch):
    assert told(prompt, {2, 3}) == told(prompt, set())
    monkeypatch.setattr(view, "seen_by", lambda rules, event, viewer: event)
    assert told(prompt, {2, 3}) != told(prompt, set())
