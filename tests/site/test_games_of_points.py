"""Games of points in real browsers: one person and house agents finish each; two people agree in Cost Sharing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE
from tests.players import Player, open_table, play_to_the_end

HURRY = """
from django.db.models.functions import Now
from games.match import pending
from games.models import Pending, Room
Room.objects.update(pace=0)
asked = Pending.objects.exclude(agent="")
asked.update(due_at=Now())
for row in asked:
    pending.nudge(row.queue)
"""
"""Agents move at once, those too that are at it."""


def deal_me_in(page: Page, game: str) -> None:
    page.goto("/")
    page.fill("[name=name]", "Ann")
    page.click(f"[formaction='/play/{game}/']")
    page.wait_for_url(re.compile(r"/t/[A-Z]+-\d+/"))


@pytest.mark.parametrize("game", ["prisoners_dilemma", "public_good", "cost_sharing"])
def test_one_person_and_house_agents_finish(visit, stack, game):
    ann = Player(visit(PHONE))
    deal_me_in(ann.page, game)
    stack.shell(HURRY)
    play_to_the_end([ann])
    expect(ann.page.locator(".over .hands li")).to_have_count(3)
    expect(ann.page.locator("table.scores").first).to_be_visible()
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_two_people_agree_in_cost_sharing(visit):
    ann, ben = visit(), visit(PHONE)
    address = open_table(ann, "cost_sharing", "party", friends=1, agents=0, name="Ann")
    ben.goto(address)
    ben.get_by_placeholder("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    expect(ann.locator("#seats")).to_contain_text("Ben")
    ann.get_by_role("button", name=re.compile("^Start")).click()
    by_seat = {int(page.locator("#act[data-mode=playing]").get_attribute("data-me")): page for page in (ann, ben)}
    for page in (ann, ben):
        page.get_by_role("button", name="Ready for the round").click()
    for seat in (1, 2):
        form = by_seat[seat].locator("form[data-kind='cost_sharing.proposal']")
        expect(form.get_by_role("spinbutton")).to_have_count(2)
        first, second = form.get_by_role("spinbutton").all()
        first.fill("60")
        expect(form.locator("[data-sum]")).not_to_contain_text("that fits")
        first.blur()
        expect(second).to_have_value("40")
        expect(form.locator("[data-sum]")).to_contain_text("Sum 100: that fits.")
        form.get_by_role("button", name="Propose").click()
    for page in (ann, ben):
        choices = page.locator("form[data-kind='cost_sharing.vote'] .splits label")
        expect(choices).to_have_count(1)  # equal splits are one choice
        choices.click()
        page.get_by_role("button", name="Vote", exact=True).click()
    for page in (ann, ben):
        expect(page.locator(".verdict")).to_contain_text("You agree: the fee is shared.")
