"""Take the pictures of docs/pictures/ anew (`make pictures`): start a site of its own, and play each game at it."""

import base64
from itertools import cycle
from typing import NamedTuple, cast

from playwright.sync_api import Locator, Page, ViewportSize, expect, sync_playwright

from magic_site.parts import BASE_DIR
from tests.browser import LAPTOP, PHONE, Visitors, start_chromium
from tests.players import Player, open_table
from tests.site.test_by_ear_browser import NOT_BACK
from tests.stack import Stack

PICTURES = BASE_DIR / "docs" / "pictures"
QUALITY = 72
"""Of webp, of 100: a picture of a laptop has some 60 kB."""

MOVES_LIMIT = 80

SAID = {
    "clue": (
        "I would miss it within a week.",
        "Some people are very particular about it.",
        "There is usually one in the house.",
        "My grandmother had a better one.",
        "You notice it more in winter.",
    ),
    "lead": (
        "What do you hear when it is busy here?",
        "What would you wear here?",
        "Who keeps order here?",
        "Would you bring children along?",
    ),
    "answer": (
        "Not much, and that is the point of it.",
        "Whatever I had on when I left home.",
        "Somebody with a list in their hand.",
        "Only if they had slept well before.",
    ),
    "speech": (
        "I would go with this team; nobody on it has given me a reason to doubt.",
        "The last vote told me more than all the talk.",
        "Let us keep those who have been on a quest that succeeded.",
    ),
    "": (
        "I am still making up my mind.",
        "Let us see who keeps to what they said.",
        "The last round told me more than all the talk.",
    ),
}
"""What Ann says, by the kind of her move."""


class Shown(NamedTuple):
    """A game that is shown. kind: the move that Ann is asked for in its picture; moves: how many she has made by
    then, at least."""

    preset: str
    agents: int
    kind: str
    moves: int


GAMES = {
    "undercover": Shown("party", 5, "clue", 2),
    "avalon": Shown("official", 6, "team_vote", 3),
    "chameleon": Shown("party", 4, "vote", 1),
    "spygame": Shown("party", 5, "answer", 1),
    "cost_sharing": Shown("party", 3, "vote", 2),
    "prisoners_dilemma": Shown("party", 2, "choice", 2),
    "public_good": Shown("party", 3, "contribution", 2),
}


class Ann(Player):
    """Says what a person might say."""

    def __init__(self, page: Page):
        super().__init__(page)
        self.words = {kind: cycle(words) for kind, words in SAID.items()}

    def _fill(self, form: Locator) -> None:
        super()._fill(form)
        kind = (form.get_attribute("data-kind") or "").rpartition(".")[2]
        for text in form.locator("textarea, input[type=text]").all():
            text.fill(next(self.words.get(kind, self.words[""])))
        if back := NOT_BACK.search(form.inner_text()):
            form.locator("fieldset.pick label").filter(has_not_text=back[1]).first.click()

    @property
    def asked(self) -> str:
        """The kind of move that she is asked for."""
        form = self.page.locator("form.move[data-request]").first
        return (form.get_attribute("data-kind") or "").rpartition(".")[2] if form.count() else ""

    def play_on(self, kind: str = "the end", moves: int = 0) -> bool:
        """Play until she is asked for this kind of move, having made so many before, or to the end; whether she was."""
        for _ in range(MOVES_LIMIT):
            self.page.wait_for_selector("form.move[data-request], .over", timeout=60_000)
            if self.over or (self.asked == kind and len(self.answered) >= moves):
                break
            self.play()
        return not self.over


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with Stack({"SEALED_SECONDS": ""}) as stack, sync_playwright() as playwright:
        chromium = start_chromium(playwright)
        visit = Visitors(chromium, stack.base_url, [])
        try:
            for game, shown in GAMES.items():
                of_a_game(visit(LAPTOP, marked=True), game, shown)
            lobby(visit)
            replay(visit)
        finally:
            visit.close()
            chromium.close()


def of_a_game(page: Page, game: str, shown: Shown) -> None:
    """Its table at a move, and its result; another match where that move never came. Ann knows the game."""
    page.goto("/")
    page.evaluate(f"localStorage.setItem('knows {game}', 'yes')")
    while True:
        open_table(page, game, shown.preset, friends=0, agents=shown.agents, name="Ann")
        ann = Ann(page)
        if ann.play_on(shown.kind, shown.moves):
            break
    take_twice(page, f"{game}-table")
    ann.play_on()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".moments[aria-busy]")).to_have_count(0, timeout=60_000)
    take_twice(page, f"{game}-result")


def lobby(visit: Visitors) -> None:
    for game, preset, name, friends, agents in (
        ("avalon", "official", "Mira", 3, 2),
        ("undercover", "party", "Jonas", 2, 2),
    ):
        open_table(visit(), game, preset, friends, agents, name)
    page = visit(LAPTOP)
    page.goto("/")
    page.fill("[name=name]", "Ann")
    take(page, "lobby")


def replay(visit: Visitors) -> None:
    """Everything about a finished match, with the thoughts of the seat that has just moved."""
    page = visit(LAPTOP)
    open_table(page, "avalon", "recon", 0, 5, "Ann")
    Ann(page).play_on()
    page.goto(f"{page.get_by_role('link', name='Watch the replay').get_attribute('href')}?as=all&seq=40")
    page.wait_for_selector(".heat")
    take(page, "replay")


def take_twice(page: Page, name: str) -> None:
    """As a laptop shows it, and as a phone does once the page has scrolled to what is new."""
    take(page, f"{name}-laptop")
    page.set_viewport_size(cast(ViewportSize, PHONE))
    page.wait_for_timeout(500)
    take(page, f"{name}-phone", scale=2)
    page.set_viewport_size(cast(ViewportSize, LAPTOP))


def take(page: Page, name: str, scale: int = 1) -> None:
    """What the window shows, in webp, which Playwright itself does not write."""
    page.wait_for_function("document.fonts.status === 'loaded'")
    size = page.viewport_size
    assert size is not None  # noqa: S101
    window = {"x": page.evaluate("scrollX"), "y": page.evaluate("scrollY"), "scale": scale} | size
    chosen = {"format": "webp", "quality": QUALITY, "clip": window}
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", chosen)
    (PICTURES / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main()
