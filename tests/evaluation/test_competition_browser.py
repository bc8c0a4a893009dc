"""The page of a competition in a browser: it follows what is played, and the focus stays with who works by keyboard."""

from __future__ import annotations

import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE

SETUP = """
from evaluation.competitions import running
from evaluation.models import Competition
from evaluation.suites import Entry
competition = running.make("Followed", "wiu", Entry(("house",), matches={matches}), at_once=4)
result = str(competition.pk)
"""
STUDY = """
competition.bouts.update(status="dropped")
Competition.objects.filter(pk=competition.pk).update(status="finished")
words = {"civilian_word": "sea", "undercover_word": "lake", "undercovers": [1, 2]}
deals = [{"topic": f"sea / lake {n}", "team": "undercover", "seed": n, "setting": words} for n in range(3)]
study = running.make("Study", "human_study", Entry(("house",), more={"deals": deals}))
study.bouts.update(status="dropped")
Competition.objects.filter(pk=study.pk).update(status="finished")
result = str(study.pk)
"""
FAILED = """
competition.bouts.update(status="failed", error="The key is missing.")
Competition.objects.filter(pk=competition.pk).update(status="finished")
"""


@pytest.fixture
def opened(visit, stack):
    """Open the page of a new competition; a mark in the page tells later whether it was loaded anew."""

    def opened(matches: int, more: str = "", **options) -> Page:
        key = stack.shell(SETUP.replace("{matches}", str(matches)) + more)
        page = visit(**options)
        page.goto(f"/competitions/{key}/")
        visit.sign_in(page, stack.researcher())
        page.get_by_role("heading", name="Matches", exact=True).wait_for()
        page.wait_for_load_state()
        page.evaluate("window.mark = true")
        return page

    return opened


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).focus()
    page.keyboard.press("Enter")


def test_the_focus_stays_where_it_was_while_a_competition_is_begun_paused_and_stopped(opened):
    page = opened(100, marked=True)
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept() if asked[1:] else dialog.dismiss()))
    press(page, "Start")
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    press(page, "Stop for good")
    expect(page.get_by_role("button", name="Stop for good")).to_be_focused()
    expect(page.locator(".state")).to_have_text("paused")
    page.keyboard.press("Enter")
    expect(page.locator(".state")).to_have_text("stopped")
    expect(page.locator("#progress")).to_be_focused()
    assert len(asked) == 2
    assert "for good" in asked[0]
    assert page.evaluate("window.mark")


def test_the_table_of_matches_follows_to_the_end_and_leaves_the_focus_and_the_scroll_alone(opened):
    page = opened(16, viewport=PHONE)
    expect(page.locator("#bout-1 .stands")).to_have_text("waiting")
    press(page, "Start")
    show = page.get_by_role("button", name="Show")
    show.focus()
    seen = page.locator("#bout-8")
    seen.evaluate("row => row.scrollIntoView()")
    before = seen.bounding_box()["y"]
    expect(page.locator("#bout-1 .stands")).to_have_text("done")
    expect(page.locator(".state")).to_have_text("finished")
    expect(page.locator("#bouts-now").get_by_role("link", name="win")).to_have_count(16)
    expect(show).to_be_focused()
    assert page.evaluate("window.mark")
    assert abs(seen.bounding_box()["y"] - before) < 30


AS_IT_CAME = """async () => {
    const { patch } = await import("/static/js/patch.js");
    const answer = await fetch(document.querySelector("[data-progress]").dataset.progress);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    patch(document.querySelector("#bouts-now"), fresh.querySelector("#bouts-now"));
}"""
"""The matches of the page as the server tells them, put over those that stand there."""


def test_a_table_for_a_person_gives_its_link_in_the_row_and_the_link_is_copied(opened):
    page = opened(1, STUDY)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(page, "Table for a person (sea / lake 1, Undercover)")
    row = page.locator("#bout-2")
    link = row.get_by_role("link")
    expect(link).to_be_focused()
    row.get_by_role("button", name="Copy link").click()
    label = row.get_by_role("button").filter(has_text="Copied")
    expect(label).to_be_visible()
    page.evaluate(AS_IT_CAME)
    expect(label).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link.evaluate("link => link.href")
    assert page.evaluate("window.mark")
    link.click()
    page.get_by_role("heading", name="Sit down").wait_for()


def test_on_a_phone_each_match_says_how_it_stands_and_what_can_be_done_without_scrolling_sideways(opened):
    page = opened(1, STUDY, viewport=PHONE)
    for part in (page.locator("#bout-1 .stands"), page.locator("#bout-1 button")):
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    assert page.evaluate("document.querySelector('div.wide').scrollWidth") <= PHONE["width"]
    page.goto("/agents/")
    box = page.get_by_role("link", name="Try", exact=True).first.bounding_box()
    assert box["x"] + box["width"] <= PHONE["width"]


def test_failed_matches_are_played_again_from_the_page(opened):
    page = opened(2, FAILED)
    expect(page.locator(".state")).to_have_text("finished, all failed")
    expect(page.locator("#bout-1")).to_contain_text("The key is missing.")
    press(page, "Play the failed ones again")
    expect(page.locator("#progress")).to_be_focused()
    expect(page.get_by_role("heading", name="2 of 2 matches")).to_be_visible()
    expect(page.locator("#bout-1")).not_to_contain_text("The key is missing.")
    assert page.evaluate("window.mark")


def test_a_competition_is_taken_away_as_an_export_that_a_worker_makes(opened):
    page = opened(1)
    press(page, "Start")
    expect(page.get_by_role("heading", name="1 of 1 matches")).to_be_visible()
    page.get_by_role("link", name="Export its matches").click()
    page.get_by_role("button", name="Make the file").click()
    link = page.get_by_role("link", name="Download the zip")
    link.wait_for()
    with page.expect_download() as download:
        link.click()
    with zipfile.ZipFile(download.value.path()) as made:
        assert {"manifest.json", "plan.jsonl"} <= set(made.namelist())
        assert made.read("matches.jsonl").startswith(b'{"type":"match"')
