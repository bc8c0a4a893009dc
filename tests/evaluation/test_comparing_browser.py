"""Two stories in a real browser: one slider and one set of keys step both, on a phone one under the other."""

import re

from playwright.sync_api import expect

from tests.browser import PHONE

STORE = """
from games.models import Room
from tests.games.matches import dealt, play_on, stored
result = [str(stored(play_on(dealt("avalon", "recon", 6), moves)).pk) for moves in (None, 30)]
"""


def test_two_stories_step_together_with_their_thoughts(visit, stack):
    one, other = stack.shell(STORE)
    page = visit()
    page.goto("/sign-in/?next=/desk/")
    visit.sign_in(page, stack.researcher("lea"))
    page.get_by_role("heading", name="Desk").wait_for()
    page.goto(f"/desk/compare/?left={one}")  # both stories are drawn first
    count, stories = page.locator("[data-count]"), page.locator("[data-story]")
    expect(count).to_contain_text("event 1 of")
    page.keyboard.press("]")
    page.keyboard.press("]")
    now = [story.locator(".line.now").get_attribute("data-seq") for story in stories.all()]
    assert now[0] == now[1], "both stand at the same event"
    page.keyboard.press("End")
    for story, name in zip(stories.all(), ("Cleo", "Dario"), strict=True):
        expect(story.locator(".mind")).to_contain_text(name)
    expect(page).to_have_url(re.compile(r"at=\d+"))

    curves = page.locator(".believed").first
    curves.scroll_into_view_if_needed()
    expect(curves.get_by_role("img", name="Log loss of Cleo by step")).to_be_visible()

    page.get_by_label("Beside it").select_option(other)
    page.get_by_label("Left, seen as").select_option("all")
    page.get_by_label("Right, seen as").select_option("all")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile(f"right={other}"))
    expect(count).to_contain_text("event 1 of")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("event 2 of")
    page.keyboard.press("End")
    lengths = [story.locator(".line:visible").count() for story in stories.all()]
    assert lengths[0] > lengths[1] > 0, "the shorter match waits at its end"

    page.set_viewport_size(PHONE)
    left, right = (story.bounding_box() for story in stories.all())
    assert right["y"] >= left["y"] + left["height"] and left["x"] == right["x"]
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
