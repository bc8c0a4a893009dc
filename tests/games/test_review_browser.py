"""The review after the end, in a real browser: the curve at once, then the moments, and one tap to each."""

import re

from playwright.sync_api import expect

from tests.browser import LAPTOP

DAGGER = """
from games.match import store
from tests.games.tables import match_at, room_of
setting = {"roles": ["minion", "servant", "merlin", "percival", "servant", "morgana"], "first_leader": 2, "assassin": 1}
match = match_at(room_of(6, "avalon", "recon", 6), setting)
while True:
    play = store.load(match)
    request = next(one for one in play.state.open.values() if one.waits)
    if request.kind == "assassinate":
        break
    action = {
        "team": {"seats": [2, 3, 4, 5][: play.state.team_size]},
        "speech": {"text": "So be it."},
        "team_vote": {"approve": True},
        "quest": {"success": True},
    }[request.kind]
    assert store.act(match.pk, request.seat, request.id, action).refusal is None
result = match.room.code
"""
"""Good has won three quests; Ann holds the dagger, and Cleo is Merlin."""

WORKED = 90_000
"""Milliseconds that a loaded machine may take for what an idle one does within some seconds."""


def test_the_line_under_a_replay_follows_the_slider(visit, stack):
    key = stack.shell("""
from tests.games.matches import dealt, play_on, stored
from tests.games.test_replay import room
result = str(stored(play_on(dealt("avalon", "recon", 6)), room=room("avalon")).pk)""")
    page = visit(LAPTOP)
    page.goto(f"{stack.base_url}/m/{key}/")
    now, told = page.locator(".oddsline .now"), page.locator("[data-odds-now]")
    expect(told).to_have_text(re.compile(r"\d+ of 100"))
    before = now.get_attribute("transform")
    page.locator("[data-slider]").focus()
    page.keyboard.press("End")
    expect(now).not_to_have_attribute("transform", before or "")
    expect(told).to_have_text(re.compile("^(0|100) of 100"))
    page.locator(".odds-table summary").click()
    page.locator(".odds-table a").first.click()
    expect(now).to_have_attribute("transform", before or "")
