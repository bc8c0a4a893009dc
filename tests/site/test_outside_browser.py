"""A person invites an agent from outside by the page, plays Avalon with it, and reads its reasoning afterwards."""

from __future__ import annotations

import json
import re
import sys
from subprocess import PIPE, Popen

from django.conf import settings
from playwright.sync_api import expect

from tests.players import Player, open_table, play_to_the_end

SEAT = settings.BASE_DIR / "examples" / "seat.py"
WHY = "Drawn at random."
"""What the program declares as its reason."""


def test_a_host_invites_an_agent_after_friends_have_sat_down(visit):
    ann, bob = visit(), visit()
    bob.goto(open_table(ann, "avalon", "official", friends=2, agents=3, name="Ann"))
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    expect(ann.locator("#seats")).to_contain_text("Bob")
    ann.get_by_role("button", name="Give a seat to an agent from outside").click()
    expect(ann.get_by_label("Link of the seat")).to_have_value(re.compile("#"))


def test_a_host_invites_an_agent_from_outside_and_reads_its_reasons_in_the_replay(visit):
    ann, watcher = Player(visit()), visit()
    address = open_table(ann.page, "avalon", "official", friends=1, agents=3, name="Ann")
    ann.page.get_by_role("button", name="Give a seat to an agent from outside").click()
    link = ann.page.get_by_label("Link of the seat").input_value()
    ann.page.get_by_role("link", name="Back to the table").click()
    expect(ann.page.locator("#seats")).to_contain_text("From outside")
    assert link.partition("#")[2] not in ann.page.content(), "the link is shown once"
    with Popen([sys.executable, SEAT, link, "--seed", "1", "--matches", "1"], text=True, stdout=PIPE) as program:
        try:
            ann.page.get_by_role("button", name=re.compile("^Start")).click()
            watcher.goto(address)
            shown: list[str] = []

            def note_where_it_shows() -> None:
                if not ann.over:
                    shown.extend(page.url for page in (ann.page, watcher) if WHY in page.content())

            play_to_the_end([ann], note_where_it_shows)
            assert shown == [], "nobody reads it while the match is played"
            assert json.loads(program.communicate(timeout=60)[0])["result"]
        finally:
            program.kill()
    outsider = ann.page.locator("#seats .seat", has_text="from outside").get_attribute("data-seat")
    ann.page.get_by_role("link", name="Watch the replay").click()
    ann.page.wait_for_url(re.compile(r"/m/"))
    ann.page.goto(f"{ann.page.url.partition('?')[0]}?as=all&seat={outsider}&seq=999")
    expect(ann.page.locator(".reasoning")).to_contain_text(WHY)
