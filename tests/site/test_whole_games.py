"""Whole matches in real browsers against the real site: people, agents, a watcher, a line that breaks, a replay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from time import monotonic

from playwright.sync_api import Error, Locator, Page, expect

from tests.browser import PHONE
from tests.line import Line

PATIENCE = 240  # seconds for a whole match; far more than one takes
CLUES = iter(
    f"{first} {second}" for first in ("a", "some", "any", "every") for second in "grey plain odd old new".split()
)


class Player:
    """A person at a browser, who answers whatever the table asks with the first legal thing that comes to mind."""

    def __init__(self, page: Page):
        self.page = page
        self.answered: list[str] = []

    def play(self) -> bool:
        """Answer one request, if one is open; whether there was one."""
        form = self.page.locator("form.move[data-request]").first
        if not form.count():
            return False
        request = form.get_attribute("data-request")
        if request is None or request in self.answered:
            return False
        try:
            self._fill(form)
            form.locator(".row button:enabled").first.click(timeout=3000)
        except Error:
            if self.page.locator(f'form.move[data-request="{request}"]').count():
                raise
            return False  # somebody was faster: the deadline, or the end of the match
        self.page.wait_for_function(
            "id => ![...document.querySelectorAll('form.move')].some(form => form.dataset.request === id)", arg=request
        )
        self.answered.append(request)
        return True

    def _fill(self, form: Locator) -> None:
        for text in form.locator("textarea, input[type=text]").all():
            text.fill(next(CLUES), timeout=3000)
        for pick in form.locator("fieldset.pick").all():
            for label in pick.locator("label").all()[: int(pick.get_attribute("data-count") or 1)]:
                label.click(timeout=3000)

    @property
    def over(self) -> bool:
        return self.page.locator("#act[data-mode=over]").count() > 0


def play_to_the_end(players: Iterable[Player], between: Callable[[], None] = lambda: None) -> None:
    """Let everybody answer what they are asked until the match is over."""
    players = list(players)
    deadline = monotonic() + PATIENCE
    while not all(player.over for player in players):
        assert monotonic() < deadline, [player.page.locator("#status").inner_text() for player in players]
        moved = [player.play() for player in players]
        if not any(moved):
            players[0].page.wait_for_timeout(100)
        between()


def open_table(page: Page, game: str, preset: str, friends: int, agents: int, name: str) -> str:
    """Open a table by the form; returns its address."""
    page.goto(f"/tables/new/{game}/")
    page.get_by_label("Your name").fill(name)
    page.locator(f'.presets input[value="{preset}"]').check(force=True)
    expect(page.locator('#by-preset input[name="shown"]')).to_have_value(preset)
    page.get_by_label("Friends", exact=True).fill(str(friends))
    page.get_by_label("Agents", exact=True).fill(str(agents))
    page.get_by_text("Time and absence").click()
    page.locator("[name=pace]").select_option(label="At once")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/[A-Z]+-\d+/"))
    return page.url.replace(page.context.pages[0].url.split("/t/")[0], "")


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
            assert len(page.locator(".over .hands li").all()) == 5
            assert len(set(ids(page))) == len(ids(page)) == len(lines_of(page))
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
    return {line.get_attribute("id"): line.inner_text() for line in lines_of(page)}


def lines_of(page: Page) -> list[Locator]:
    return page.locator("#feed > li:not(.private)").all()


def ids(page: Page) -> list[str]:
    return [line.get_attribute("id") for line in lines_of(page)]
