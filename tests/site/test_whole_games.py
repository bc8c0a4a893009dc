"""Whole matches in real browsers against the real site: people, agents, a watcher, a line that breaks, a replay."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser import PHONE
from tests.line import Line
from tests.players import Player, open_table, play_to_the_end


def test_two_people_and_three_agents_finish_undercover_while_one_watches_and_a_line_breaks(stack, visit):
    ann, watcher = Player(visit()), visit(PHONE)
    with Line(stack.port) as line:
        ben = Player(visit(PHONE, base_url=line.base_url, line_breaks=True))
        address = open_table(ann.page, "undercover", "wiu", friends=1, agents=3, name="Ann")
        ben.page.goto(address)
        ben.page.get_by_placeholder("Your name").fill("Ben")
        ben.page.get_by_role("button", name="Sit down").click()
        expect(ann.page.locator("#seats")).to_contain_text("Ben")
        ann.page.get_by_role("button", name=re.compile("^Start")).click()
        expect(ben.page.locator("#card")).to_contain_text("Hold to look")
        watcher.goto(address)

        cut = [False]

        def cut_the_line_once() -> None:
            if cut[0] or not ben.answered or ben.over:
                return
            cut[0] = True
            known = ben.page.locator("#feed > li").count()
            line.cut()
            expect(ben.page.get_by_text("Reconnecting")).to_be_visible(timeout=20_000)
            while ann.play():
                pass
            line.mend()
            expect(ben.page.get_by_text("Reconnecting")).to_be_hidden(timeout=30_000)
            expect(ben.page.locator("#feed > li").nth(known - 1)).to_be_attached()

        play_to_the_end([ann, ben], cut_the_line_once)
        assert cut[0]

        lines = feed(ann.page)
        assert feed(ben.page).keys() >= feed(watcher).keys()
        expect(watcher.locator(".over")).to_be_visible()
        for page in (ann.page, ben.page, watcher):
            expect(page.locator(".over .hands li")).to_have_count(5)
            assert len(feed(page)) == lines_of(page).count()
        assert lines
        # what the watcher saw is what both players saw, but for their own lines
        for seq, text in feed(watcher).items():
            assert lines[seq].replace(" (you)", "") == text


def test_one_person_and_five_agents_finish_avalon_and_read_what_the_agents_thought(stack, visit):
    ann = Player(visit(line_breaks=True))
    open_table(ann.page, "avalon", "recon", friends=0, agents=5, name="Ann")
    if ann.page.get_by_role("button", name=re.compile("^Start")).count():
        ann.page.get_by_role("button", name=re.compile("^Start")).click()
    offline = [False]

    def go_offline_once() -> None:
        if not offline[0] and ann.answered and not ann.over:
            offline[0] = True
            ann.page.context.set_offline(True)
            expect(ann.page.get_by_text("Reconnecting")).to_be_visible(timeout=30_000)
            ann.page.context.set_offline(False)
            expect(ann.page.get_by_text("Reconnecting")).to_be_hidden(timeout=30_000)

    play_to_the_end([ann], go_offline_once)
    assert offline[0]
    expect(ann.page.locator(".over .hands li")).to_have_count(6)

    ann.page.get_by_role("link", name="Watch the replay").click()
    ann.page.wait_for_url(re.compile(r"/m/"))
    ann.page.get_by_role("link", name="everything").click()
    ann.page.wait_for_url(re.compile(r"as=all"))
    ann.page.keyboard.press("End")
    thoughts = ann.page.locator(".reasoning")
    expect(thoughts.locator("table.heat").first).to_be_visible()
    expect(thoughts).to_contain_text("How likely each is evil")
    names = [seat.inner_text() for seat in ann.page.locator(".sitters .name").all()]
    assert any(f"{name} thinks" in thoughts.inner_text() for name in names if name != "Ann")


def feed(page: Page) -> dict[str, str]:
    """The lines of the story by their id."""
    return dict(lines_of(page).evaluate_all("lines => lines.map(line => [line.id, line.innerText])"))


def lines_of(page: Page) -> Locator:
    return page.locator("#feed > li:not(.private)")
