"""The room's screen in a real browser, beside a phone at which somebody plays."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import LAPTOP, PHONE
from tests.players import Player, open_table, play_to_the_end


def test_a_screen_follows_the_table_and_shows_no_card(stack, visit):
    ann, ben = Player(visit(PHONE, late=True)), visit(PHONE, late=True)
    address = open_table(ann.page, "undercover", "wiu", friends=1, agents=3, name="Ann")
    with ann.page.expect_popup() as opened:
        ann.page.get_by_role("link", name="Show this table on a big screen").click()
    screen = opened.value
    screen.set_viewport_size(LAPTOP)
    expect(screen.get_by_role("img", name="The link of this table as a QR code")).to_be_visible()
    expect(screen.locator("#seats")).to_contain_text("Ann")
    ben.goto(address)
    ben.get_by_placeholder("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    expect(screen.locator("#seats")).to_contain_text("Ben")
    ann.page.get_by_role("button", name=re.compile("^Start")).click()
    people = ann, Player(ben)
    while not ann.answered:
        people[1].play() or ann.play() or ann.page.wait_for_timeout(100)
    said = ann.page.locator("#feed .mine .text").first.inner_text()
    expect(screen.locator("#feed")).to_contain_text(said)
    assert screen.locator("#card, #act, form").count() == 0
    assert screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play_to_the_end(people)
    expect(screen.locator(".over")).to_be_visible()
    assert screen.locator("#card, #act, form").count() == 0
    for person in (ann.page, ben):
        person.get_by_role("button", name="Play again").click()
    expect(screen.locator("#table")).to_have_attribute("data-generation", "2")
    expect(screen.locator(".over")).to_have_count(0)
    expect(screen.locator("#feed")).not_to_contain_text(said)
