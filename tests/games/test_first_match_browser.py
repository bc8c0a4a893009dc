"""The rules beside somebody's first match leave the game in sight, at any size of screen and of text; a table without
scripts; what is too long."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.room.people import COOKIE
from tests.browser import LAPTOP, PHONE
from tests.games.tables import cookie

LANDSCAPE = {"width": 800, "height": 375}
UNCOVERED = """(part) => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return part.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
TWICE_THE_TEXT = "addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%'))"


def first_match(page: Page, stack, game: str = "undercover", then: str = "") -> Page:
    """The page of somebody whose first match of a game has just begun."""
    code = stack.shell(
        f"""
from games.registry import RULES
from tests.games.matches import dealt
from tests.games.tables import match_at, play_out, room_of
preset, seats = RULES[{game!r}].quick
room = room_of(seats, {game!r}, preset, seats, options={{"table_talk": True}})
room.seats.filter(number=1).update(person="new-here")
match = match_at(room, dealt({game!r}, preset, seats).header.setting)
{then}
result = room.code"""
    )
    page.context.add_cookies([{"name": COOKIE, "value": cookie("new-here"), "url": stack.base_url}])
    page.goto(f"/t/{code}/")
    return page


@pytest.mark.parametrize("game", ["avalon", "cost_sharing", "spygame"])
def test_beside_the_rules_the_story_is_whole(visit, stack, game):
    page = first_match(visit(LAPTOP), stack, game)
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_in_viewport()
    assert page.locator("#feed > li").last.evaluate(UNCOVERED)
    assert page.locator(".story").evaluate("(story) => story.clientHeight") > 120


def test_on_a_phone_the_page_begins_at_its_top_and_the_first_card_is_whole(visit, stack):
    page = first_match(visit(PHONE), stack)
    expect(page.locator("#table[data-live]")).to_be_attached()
    assert page.evaluate("scrollY") == 0
    for name in ("Next", "I know this game"):
        assert page.get_by_role("button", name=name, exact=True).evaluate(UNCOVERED), name
    page.get_by_role("button", name="I know this game").click()
    expect(page.locator("#feed > li").last).to_be_in_viewport()


def test_with_text_twice_as_large_nothing_is_cut_off(visit, stack):
    page = visit(PHONE, marked=True)
    page.add_init_script(TWICE_THE_TEXT)
    first_match(page, stack, "avalon")
    expect(page.locator("#table[data-live]")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    following = page.get_by_role("button", name="Next", exact=True)
    following.scroll_into_view_if_needed()
    assert following.evaluate(UNCOVERED)
    card = page.locator(".lesson li:visible")
    assert card.evaluate("(card) => card.scrollHeight <= card.closest('.lesson').clientHeight")


def test_without_scripts_it_is_said_how_to_see_what_is_new_and_the_story_comes_before_the_rules(visit, stack):
    page = first_match(visit(java_script_enabled=False), stack)
    told = page.locator("noscript .notice")
    expect(told).to_contain_text("Without scripts this page stays as it is.")
    expect(told).to_contain_text("You have seat 1.")
    expect(told.locator("a")).to_be_visible()
    expect(page.locator("#feed, .lesson").first).to_have_id("feed")


def test_without_scripts_the_invitation_is_an_address(visit, stack):
    code = stack.shell("from tests.games.tables import room_of; result = room_of(2).code")
    page = visit(java_script_enabled=False)
    page.goto(f"/t/{code}/")
    expect(page.locator("noscript .notice code")).to_contain_text(f"{stack.base_url}/t/{code}/")


def test_after_the_end_playing_again_is_in_sight_on_a_phone_that_lies_on_its_side(visit, stack):
    page = first_match(visit(LANDSCAPE), stack, "undercover", "play_out(match)")
    again = page.get_by_role("button", name=re.compile("play again", re.IGNORECASE))
    expect(again).to_be_in_viewport()


def test_a_line_that_is_too_long_is_kept_and_told(visit, stack):
    page = first_match(visit(refused=True), stack)
    said = page.locator("#talk-text")
    said.fill("blah " * 800)
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.locator("#speak .error")).to_contain_text("characters too long")
    assert said.input_value().startswith("blah " * 700)
