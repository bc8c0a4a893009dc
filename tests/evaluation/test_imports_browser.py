"""A file of logs is brought in from its page, piece by piece."""

from __future__ import annotations

from playwright.sync_api import expect

EXPORTED = """
from games.models import Match
from tests.games.matches import dealt, exported_text, play_on, stored
match = stored(play_on(dealt("undercover", "party", 4)))
result = exported_text(match)
match.delete()
"""


def test_a_file_is_sent_read_and_its_matches_are_here(stack, visit, tmp_path):
    log = tmp_path / "match.jsonl"
    log.write_text(stack.shell(EXPORTED), encoding="utf-8", newline="\n")
    page = visit()
    page.goto("/imports/")
    visit.sign_in(page, stack.researcher())
    page.set_input_files("[name=file]", log)
    page.get_by_role("button", name="Bring it").click()
    expect(page.get_by_role("heading", name="1 of 1 matches is new")).to_be_visible()
