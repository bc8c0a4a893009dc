"""A line is reported, and an admin decides about it, in real browsers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import PHONE, Visitors
from tests.games.test_talk_browser import say, sit
from tests.site.test_keeping_browser import ADMIN
from tests.stack import Stack

TALKING = """
from tests.games.talking import playing
result = playing(watching="live").room.code"""
LET_IN = """
from games.models import ShutOut
ShutOut.objects.all().delete()"""


@pytest.fixture
def code(stack: Stack) -> Iterator[str]:
    """A table where people talk. Who is shut out is so at all tables of the site, and let in again after the test."""
    yield stack.shell(TALKING)
    stack.shell(LET_IN)


def test_a_reported_line_is_deleted_and_who_said_it_is_shut_out(visit: Visitors, stack: Stack, code: str):
    stack.shell(ADMIN)
    ben = sit(visit(refused=True), code, "key-2", stack.base_url)
    cleo = sit(visit(PHONE), code, "key-3", stack.base_url)
    cleo.get_by_role("link", name="Talk").click()
    say(cleo, "Who is it?")
    say(ben, "xylophagous rudeness")
    line = cleo.locator(".talk-line", has_text="xylophagous")
    line.click()
    cleo.get_by_text("Mute or report").click()
    cleo.get_by_role("button", name="Report it").click()
    expect(cleo.locator("#speak")).to_contain_text("Your report has arrived, with the lines around it.")
    expect(ben.locator("#speak")).not_to_contain_text("report has arrived")

    admin = visit()
    admin.goto("/sign-in/?next=/desk/")
    visit.sign_in(admin, "orderly")
    admin.get_by_role("link", name="Reports").click()
    admin.get_by_role("listitem").filter(has_text=code).get_by_role("link", name="Look").click()
    expect(admin.locator("mark")).to_have_text("xylophagous rudeness")
    expect(admin.locator(".reported")).to_contain_text("Who is it?")
    admin.get_by_label("Delete the words").check()
    admin.get_by_label("Shut them out of all talk here").check()
    admin.get_by_label("Why").fill("Rude words")
    admin.get_by_role("button", name="Decide").click()
    expect(admin.get_by_text("Done. The reason stands in the audit.")).to_be_visible()
    expect(admin.get_by_role("listitem").filter(has_text=code)).to_have_count(0)
    expect(admin.get_by_role("heading", name="Shut out of the talk")).to_be_visible()

    for page in (ben, cleo):
        page.reload()
        expect(page.get_by_text("Who is it?").first).to_be_attached()
        assert "xylophagous" not in page.content()
    ben.locator("#talk-text").fill("And now?")
    ben.keyboard.press("Enter")
    expect(ben.locator("#speak [role=alert]")).to_be_visible()
    expect(cleo.locator(".talk-line", has_text="And now?")).to_have_count(0)
