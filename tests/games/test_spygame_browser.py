"""SpyGame in a real browser: a person and house agents play to the end."""

import re

from playwright.sync_api import expect

from tests.browser import PHONE
from tests.site.test_whole_games import Player, open_table, play_to_the_end


def test_a_person_and_six_agents_finish_spygame(stack, visit):
    ann = Player(visit(PHONE))
    open_table(ann.page, "spygame", "seed004", friends=0, agents=6, name="Ann")
    if ann.page.get_by_role("button", name=re.compile("^Start")).count():
        ann.page.get_by_role("button", name=re.compile("^Start")).click()
    expect(ann.page.locator("#card")).to_contain_text("Hold to look")
    play_to_the_end([ann])
    expect(ann.page.locator(".over .hands li")).to_have_count(7)
    expect(ann.page.locator(".verdict")).to_contain_text("The place was")
    expect(ann.page.locator(".verdict")).to_contain_text("spy")
