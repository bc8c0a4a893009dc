"""People at browsers who play whole matches against the real site."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from time import monotonic

from playwright.sync_api import Error, Locator, Page, expect

PATIENCE = 600  # seconds for a whole match; far more than one takes
BUSY = 10_000  # milliseconds for a press or a key, on a machine with much else to do
CLUES = ("zib" + "".join(letters) for letters in itertools.product("bdfgklmnprst", "aeiou", "bdfgklmnprst"))


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
            buttons = form.locator(".row button:enabled")
            ready = buttons.filter(has_text=re.compile("^\\s*Ready"))
            (ready if ready.count() else buttons).first.click(timeout=BUSY)
        except Error:
            if self.page.locator(f'form.move[data-request="{request}"]').count():
                raise
            return False  # somebody was faster: the deadline, or the end of the match
        self.page.wait_for_function(
            "id => ![...document.querySelectorAll('form.move')].some(form => form.dataset.request === id)", arg=request
        )
        self.answered.append(request)
        return True

    def play_when_asked(self) -> None:
        """Answer the next request, whenever it comes."""
        self.page.locator("form.move[data-request]").first.wait_for(timeout=60_000)
        assert self.play()

    def _fill(self, form: Locator) -> None:
        for text in form.locator("textarea, input[type=text]").all():
            text.fill(next(CLUES), timeout=BUSY)
        for number in form.locator("input[type=number]").all():
            if not number.input_value(timeout=BUSY):
                number.fill("1", timeout=BUSY)
        for pick in form.locator("fieldset.pick").all():
            for label in pick.locator("label").all()[: int(pick.get_attribute("data-count") or 1)]:
                label.click(timeout=BUSY)

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


def open_table(page: Page, game: str, preset: str, friends: int, agents: int, name: str, pace: str = "At once") -> str:
    """Open a table by the form; returns its address."""
    page.goto(f"/tables/new/{game}/")
    page.get_by_label("Your name").fill(name)
    page.locator(f'.presets input[value="{preset}"]').evaluate(
        "input => input.closest('details')?.setAttribute('open', '')"
    )
    page.locator(f'.presets input[value="{preset}"]').check(force=True)
    expect(page.locator('#by-preset input[name="shown"]')).to_have_value(preset)
    page.get_by_label("Friends", exact=True).fill(str(friends))
    page.get_by_label("Agents", exact=True).fill(str(agents))
    page.get_by_text("Time and absence").click()
    page.locator("[name=pace]").select_option(label=pace)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/[A-Z]+-\d+/"))
    return page.url.replace(page.context.pages[0].url.split("/t/")[0], "")
