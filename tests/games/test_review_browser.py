"""The curve of a match under its replay, in a real browser."""

import re

from playwright.sync_api import expect

from tests.browser import LAPTOP


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
