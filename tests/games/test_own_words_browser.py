"""A table with words of its own in a real browser: what is said of them, and agents who play with them."""

import pytest
from playwright.sync_api import Page, expect

from agents.house import embedding
from tests.browser import LAPTOP, PHONE, Visitors
from tests.players import Player, play_to_the_end
from tests.stack import Stack


def paste(page: Page, words: str) -> None:
    page.goto("/tables/new/undercover/")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Friends", exact=True).fill("0")
    page.get_by_label("Agents", exact=True).fill("4")
    page.get_by_text("Time and absence").click()
    page.locator("[name=pace]").select_option(label="At once")
    page.locator("summary", has_text="Words of your own").click()
    page.locator("#id_own_words").fill(words)


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_each_line_that_was_pasted_is_spoken_of_before_the_table_opens(visit: Visitors, viewport: dict):
    page = visit(viewport, refused=True)
    paste(page, "cat, dog\nlonely\ncream, ice cream\ncouch, sofa\npizza, gravity")
    page.get_by_role("button", name="Check the words").click()
    told = page.locator("#own-told .told > li")
    expect(told.filter(has_text="A line holds two words")).to_contain_text("Line 2")
    expect(told.filter(has_text="hold one another")).to_contain_text("Line 3")
    if embedding.installed():
        expect(told.filter(has_text="mean nearly the same")).to_contain_text("Line 4")
        expect(told.filter(has_text="have little in common")).to_contain_text("Line 5")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Some lines cannot be played with.")).to_be_visible()
    expect(page.locator("#id_own_words")).to_have_value(
        "cat, dog\nlonely\ncream, ice cream\ncouch, sofa\npizza, gravity"
    )


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_who_has_to_look_at_their_words_is_taken_there(visit: Visitors, viewport: dict):
    page = visit(viewport, refused=True)
    paste(page, "cat, dog\ncream, ice cream")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#id_own_words")).to_be_focused()
    expect(page.get_by_text("Look at what is said of your words.")).to_be_in_viewport()


def test_what_is_wrong_with_the_words_is_said_once(visit: Visitors):
    page = visit()
    paste(page, "😎" * 10_000 + ", cat")
    with page.expect_response("**/tables/new/undercover/"):
        page.get_by_role("button", name="Check the words").click()
    expect(page.get_by_text("at most 8000 are taken.")).to_have_count(1)
    expect(page.locator("#own-told")).to_have_count(1)


def test_agents_play_with_words_that_were_pasted(visit: Visitors, stack: Stack):
    page = visit(late=True)
    paste(page, "cat, dog")
    page.get_by_role("button", name="Check the words").click()
    expect(page.locator("#own-told")).to_contain_text("1 line can be played with.")
    page.get_by_label("I play along all the same").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/**")
    play_to_the_end([Player(page)])
    ended = page.locator(".over")
    expect(ended).to_contain_text("cat")
    expect(ended).to_contain_text("dog")
    code = page.locator("#table").get_attribute("data-code")
    clues = stack.shell(
        f"""
from games.models import Match
match = Match.objects.get(room__code={code!r})
result = list(match.events.filter(kind="clue", by__startswith="agent").values_list("data__text", flat=True))"""
    )
    assert len(clues) >= 3 and all(clues)
