"""A saved replay opens from disk with networking off, and steps through by the keyboard."""

import re
from pathlib import Path

from playwright.sync_api import expect

STORE = """
from games.models import Room
from tests.games.matches import dealt, play_on, stored
room = Room.objects.create(game="avalon", preset="recon", host="ann")
result = str(stored(play_on(dealt("avalon", "recon", 6)), room=room).pk)
"""


def test_a_saved_replay_steps_through_from_disk_with_networking_off(visit, stack, tmp_path: Path):
    online = visit()
    online.goto(f"/m/{stack.shell(STORE)}/?as=all")
    with online.expect_download() as download:
        online.get_by_role("link", name="Save as a page").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)

    page = visit(base_url="file://")
    page.context.set_offline(True)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri(), wait_until="domcontentloaded", timeout=60_000)  # megabytes in one page
    count = page.locator("[data-count]")
    expect(count).to_contain_text("event 1 of")
    page.keyboard.press("ArrowRight")
    expect(count).to_contain_text("event 2 of")
    page.keyboard.press("End")
    expect(count).to_have_text(re.compile(r"event (\d+) of \1"))
    thoughts = page.locator(".reasoning")
    expect(thoughts.locator("[data-panel]:visible")).to_have_count(1)
    thoughts.get_by_role("link", name="Dario").click()
    expect(thoughts.locator(".mind:visible")).to_contain_text("Dario")
    thoughts.get_by_text("Prompt").locator("visible=true").first.click()
    expect(thoughts.locator("pre:visible").filter(has_text="You are Dario")).to_be_visible()
    thoughts.get_by_role("link", name="all").click()
    expect(thoughts.locator("[data-panel]:visible")).to_have_count(4)
    page.keyboard.press("Home")
    expect(thoughts.locator("[data-panel]:visible")).to_have_count(0)
    assert asked == [path.as_uri()]
