"""A competition over all roles of a suite from the page, and one whose worker and server are killed in the middle: the
same matches in the end, none of them twice."""

from __future__ import annotations

import csv

import pytest
from playwright.sync_api import Page, expect

from tests.stack import until

RECORD = """
from evaluation.models import Competition
from games.models import Match
competition = Competition.objects.latest("created_at")
bouts = competition.bouts.order_by("number")
result = {
    "status": competition.status,
    "bouts": [bout.status for bout in bouts],
    "results": [bout.match.result if bout.match else None for bout in bouts.select_related("match")],
    "events": [[e.kind for e in bout.match.events.all()] if bout.match else None for bout in bouts],
    "matches": Match.objects.filter(bout__competition=competition).count(),
}
"""
DONE = """
from evaluation.models import Competition
result = Competition.objects.latest("created_at").bouts.filter(status="done").count()
"""
OVER = """
from evaluation.models import Competition
from tests.stack import until
until(lambda: Competition.objects.latest("created_at").status == "finished", "all of it is played", seconds=110)
"""
MATCHES = 12
"""So many, three at once, that the worker is still playing when it is killed."""
EVERY_ROLE = 28
"""So many of the 143 matches that the radar has all of its axes; the plan of all is tested in test_suites.py."""


@pytest.fixture
def page(visit, stack) -> Page:
    page = visit(line_breaks=True)
    page.goto("/competitions/")
    visit.sign_in(page, stack.researcher())
    return page


def begin(page: Page, suite: str, **fields: str) -> None:
    """Plan a competition of house agents by the form, and begin it."""
    page.goto(f"/competitions/new/{suite}/")
    page.get_by_label("House agent", exact=True).check(force=True)
    for label, value in fields.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="Matches", exact=True).wait_for()


def test_the_magic_suite_is_played_from_the_page_and_progress_is_live(page, stack):
    said = stack.said_since()
    begin(page, "magic", **{"Play only": str(EVERY_ROLE)})
    expect(page.get_by_role("heading", name=f"{EVERY_ROLE} of {EVERY_ROLE} matches")).to_be_visible(timeout=90_000)
    expect(page.locator(".state")).to_have_text("finished")
    assert "Traceback" not in said("daphne")
    kept = stack.shell(RECORD)
    assert kept["bouts"] == ["done"] * EVERY_ROLE
    assert kept["matches"] == EVERY_ROLE
    read_the_numbers(page)


def read_the_numbers(page: Page) -> None:
    """From a finished competition to its table as CSV, its radar as a picture, and the events behind a number."""
    page.get_by_role("link", name="The numbers of this competition").click()
    table = page.locator("[id='t-leaderboard.m1']")
    own = table.get_by_role("rowheader", name="House agent against House agent", exact=True)
    expect(own).to_be_visible(timeout=60_000)
    expect(table.get_by_role("img", name="MAgIC, abilities (M1)", exact=True)).to_be_visible()
    with page.expect_download() as download:
        table.get_by_role("link", name="Table (CSV)").click()
    rows = list(csv.DictReader(download.value.path().open(encoding="utf-8")))
    assert {row["who"] for row in rows} > {"house", "GPT-4+PGM"}
    with page.expect_download() as download:
        table.get_by_role("link", name="Picture (SVG)").click()
    assert download.value.path().read_text(encoding="utf-8").startswith("<svg")
    table.get_by_role("row").filter(has_text="House agent").get_by_role("link").first.click()
    page.get_by_role("link", name="chameleon").first.click()
    expect(page.get_by_role("heading", name="Thoughts")).to_be_visible()


def test_a_worker_and_then_the_server_are_killed_and_the_result_is_the_same(page, stack):
    begin(page, "wiu", **{"Matches a challenger": str(MATCHES), "At the same time": "3"})
    expect(page.locator(".state")).to_have_text("finished", timeout=90_000)
    whole = stack.shell(RECORD)

    begin(page, "wiu", **{"Matches a challenger": str(MATCHES), "At the same time": "3"})
    until(lambda: stack.shell(DONE) >= 2, "some matches are played", seconds=30)
    stack.kill("bouts")
    broken_off = stack.shell(DONE)
    assert broken_off < MATCHES, "all was played before the worker could be killed"
    stack.start("bouts")
    until(lambda: stack.shell(DONE) > broken_off, "it goes on", seconds=60)
    for part in ("bouts", "redis", "daphne", "sweeper"):
        stack.kill(part)
    for part in ("redis", "daphne", "sweeper", "bouts"):
        stack.start(part)
    stack.shell(OVER)
    assert stack.shell(RECORD) == whole
