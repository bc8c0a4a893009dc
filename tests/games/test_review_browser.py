"""The review after the end, in a real browser: the curve at once, then the moments, and one tap to each."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import LAPTOP, PHONE
from tests.games.test_table_browser import sit
from tests.stack import Stack

DAGGER = """
from games.match import store
from tests.games.tables import match_at, room_of
roles = ["minion", "servant", "merlin", "percival", "servant", "morgana"]
setting = {{"roles": roles, "first_leader": 2, "assassin": 1}}
match = match_at(room_of(6, "avalon", "recon", 6, agents_named={named}), setting)
while True:
    play = store.load(match)
    request = next(one for one in play.state.open.values() if one.waits)
    if request.kind == "assassinate":
        break
    action = {{
        "team": {{"seats": [2, 3, 4, 5][: play.state.team_size]}},
        "speech": {{"text": "So be it."}},
        "team_vote": {{"approve": True}},
        "quest": {{"success": True}},
    }}[request.kind]
    assert store.act(match.pk, request.seat, request.id, action).refusal is None
result = match.room.code"""
"""Good has won three quests. Ann holds the dagger, and Merlin is Cleo."""

SKIPPED = """
from games.match import detection
from games.models import Match
match = Match.objects.get(room__code={code!r})
for seat in range(2, 7):
    detection.answer(match, seat, None)"""
"""For `shell`: all but Ann have skipped the question who was an agent."""

WORKED = 90_000
"""Milliseconds that a loaded machine may take for what an idle one does within some seconds."""


def dagger(stack: Stack, named: bool = True) -> str:
    """The code of a table at which Ann is about to name Merlin. named: it names agents."""
    return stack.shell(DAGGER.format(named=named))


def name_emil(page: Page) -> Locator:
    """Ann takes Emil for Merlin, which ends the match; gives the place of its review."""
    page.get_by_role("radio", name="Emil").check(force=True)
    page.get_by_role("button", name="Name Emil").click()
    return page.locator("#review")


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_after_the_end_the_page_tells_what_a_move_cost_and_leads_to_it(visit, stack, size):
    page = sit(visit(size), dagger(stack), 1, stack.base_url)
    page.evaluate("window.sameDocument = true")
    review = name_emil(page)
    expect(review.get_by_role("heading", name="How the match went")).to_be_visible()
    expect(review.get_by_role("img", name=re.compile("How likely good was to win, move by move"))).to_be_visible()
    moment = review.get_by_role("article").filter(has_text="Named Emil as Merlin")
    expect(moment).to_contain_text("What it cost", timeout=WORKED)
    expect(moment).to_contain_text("Beside the best else: Named Cleo as Merlin.")
    expect(moment).to_contain_text("What you could have known")
    assert page.evaluate("window.sameDocument")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    moment.get_by_role("link", name="See the moment").click()
    expect(page).to_have_url(re.compile(r"/m/.*as=1&seq=\d+"))
    expect(page.locator(".line.now")).to_contain_text("Emil")
    beside = page.locator("#review")
    expect(beside.get_by_role("heading", name="Your three moments")).to_be_visible()
    expect(beside.get_by_role("article").filter(has_text="Named Emil as Merlin")).to_contain_text("What it cost")
    page.goto(re.sub(r"as=1.*", "as=public", page.url))
    expect(page.locator("[data-oddsline]")).to_be_visible()
    expect(page.locator("#review")).to_have_count(0)


def test_the_review_appears_once_nobody_is_asked_any_more_who_was_an_agent(visit, stack):
    code = dagger(stack, named=False)
    page = sit(visit(), code, 1, stack.base_url)
    page.evaluate("window.sameDocument = true")
    review = name_emil(page)
    expect(page.get_by_role("group", name="Who was an agent?")).to_be_visible()
    stack.shell(SKIPPED.format(code=code))
    expect(review).to_be_empty()
    page.get_by_role("button", name="Skip").click()
    expect(review.get_by_role("heading", name="How the match went")).to_be_visible()
    expect(review.get_by_role("article").first).to_be_visible(timeout=WORKED)
    assert page.evaluate("window.sameDocument")


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
