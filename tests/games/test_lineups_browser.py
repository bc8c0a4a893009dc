"""Agents alone at a table that a researcher set, watched live with their thoughts by somebody without an account."""

import re

from playwright.sync_api import expect

END = """
from games.match import store
from games.models import Match
for match in Match.objects.filter(room__code="{code}", status="running"):
    store.end(match.pk, "abandoned", "Enough.")
"""


def test_agents_play_alone_and_who_watches_sees_what_they_think(visit, stack):
    host = visit()
    host.goto("/sign-in/?next=/tables/new/undercover/")
    visit.sign_in(host, stack.researcher("lea"))
    host.get_by_label("Your name").fill("Lea")
    expect(host.get_by_label("Seat 1", exact=True)).to_be_hidden()
    host.get_by_label("Choose who sits where").check()
    host.get_by_label("Seat 1", exact=True).select_option("house")
    host.get_by_text("Time and absence").click()
    host.get_by_label("Agents speak").select_option("Quickly")
    host.get_by_text("Watching and names").click()
    host.get_by_label("Watchers see what agents think").check()
    host.get_by_role("button", name="Open the table").click()
    expect(host.get_by_text("You are watching.")).to_be_visible()
    code = re.search(r"/t/([A-Z]+-\d+)/", host.url).group(1)

    watcher = visit()
    watcher.goto(host.url)
    watcher.get_by_role("link", name=re.compile("Watch with the agents")).click()
    expect(watcher.get_by_text("The page follows the match.")).to_be_visible()
    expect(watcher.locator(".reasoning .why").first).to_be_attached(timeout=30_000)
    stack.shell(END.format(code=code) + "result = None")
