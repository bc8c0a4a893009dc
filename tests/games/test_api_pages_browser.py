"""The API looked at in a browser: found, asked and read by name, on a phone by night and at a laptop by day."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.axe import Faults, by_day, by_night
from tests.browser import Visitors


def test_a_person_finds_a_way_to_call_and_reads_what_it_answers(visit: Visitors):
    page, faults = visit(), Faults()
    page.goto("/api/")
    page.get_by_role("link", name="All ways to call").click()
    page.get_by_role("link", name="Look /api/v1/matches/", exact=True).click()
    page.get_by_label("game", exact=True).select_option("avalon")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_role("heading", name="What you are answered")).to_be_visible()
    expect(page.get_by_text('"results": [')).to_be_visible()
    expect(page.get_by_label("game", exact=True)).to_have_value("avalon")
    for address in (page.url, "/api/ways/", "/api/"):
        page.goto(address)
        for dress in (by_night, by_day):
            dress(page)
            faults.look(address, page)
    assert not faults, str(faults)
