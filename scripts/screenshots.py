"""Take the pictures of docs/ anew (`make pictures`): start a site of its own, and play at it."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from playwright.sync_api import Page, sync_playwright

from magic_site.parts import BASE_DIR
from tests.browser import PHONE, Visitors, start_chromium
from tests.stack import Stack

DOCS = BASE_DIR / "docs"
WIDE = {"width": 1280, "height": 800}
MOVES_LIMIT = 60
CLUES = (
    "I would miss it within a week.",
    "Some people are very particular about it.",
    "There is usually one in the house.",
    "My grandmother had a better one.",
    "You notice it more in winter.",
)
SPEECH = "I would go with this team; nobody on it has given me a reason to doubt."


def main() -> None:
    with Stack({"SEALED_SECONDS": ""}) as stack, sync_playwright() as playwright:
        chromium = start_chromium(playwright)
        visit = Visitors(chromium, stack.base_url, [])
        try:
            lobby(visit)
            undercover(visit)
            avalon(visit)
            replay(visit)
        finally:
            visit.close()
            chromium.close()


def lobby(visit: Visitors) -> None:
    open_table(visit(), "avalon", "Mira", friends=3, agents=2)
    open_table(visit(), "undercover", "Jonas", friends=2, agents=2)
    page = visit(WIDE)
    page.goto("/")
    page.fill("[name=name]", "Ann")
    take(page, "lobby", full_page=True)


def undercover(visit: Visitors) -> None:
    """A clue to be given in the second round."""
    page = visit(PHONE)
    options: dict[str, Any] = {"preset": "party", "undercovers": 1, "clue_rounds": 2, "rounds": 4}
    play_until(page, lambda: clues_given(page) >= 1 and is_asked(page, "undercover.clue"), "undercover", 4, **options)
    page.fill("form.move [type=text]", "Better with friends")
    take(page, "undercover")


def avalon(visit: Visitors) -> None:
    """A vote on a team once a quest has been played."""
    page = visit(WIDE)
    played = page.locator(".quest.won, .quest.lost")
    play_until(page, lambda: played.count() and is_asked(page, "avalon.team_vote"), "avalon", 5, preset="recon")
    take(page, "avalon")


def replay(visit: Visitors) -> None:
    """Everything about a finished match, with the thoughts of the seat that has just moved."""
    page = visit(WIDE)
    open_table(page, "avalon", "Ann", agents=5, preset="recon")
    play_on(page)
    page.click("a[href^='/m/']")
    page.goto(f"{page.url}?as=all&seq=40")
    page.wait_for_selector(".heat")
    take(page, "replay")


def open_table(
    page: Page, game: str, name: str, *, friends: int = 0, agents: int, preset: str = "", **options: int
) -> None:
    """Open a table; agents there answer at once."""
    page.goto(f"/tables/new/{game}/")
    page.fill("[name=name]", name)
    unfold(page)
    if preset:
        page.check(f"[name=preset][value={preset}]")
        page.wait_for_selector(f"[name=shown][value={preset}]", state="attached")
        unfold(page)
    for field, number in {
        "friends": friends,
        "agents": agents,
        **{f"option-{o}": n for o, n in options.items()},
    }.items():
        page.fill(f"[name={field}]", str(number))
    page.select_option("[name=pace]", "0.0")
    page.click("text=Open the table")
    page.wait_for_url("**/t/**")


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")


def play_until(page: Page, so: Callable[[], object], game: str, agents: int, **options: Any) -> None:
    """Play at new tables until something is so: a match may be over before."""
    while True:
        open_table(page, game, "Ann", agents=agents, **options)
        play_on(page, until=so)
        if so():
            return


def play_on(page: Page, until: Callable[[], object] = lambda: False) -> None:
    """Answer what is asked, the first choice each time, until something is so or the match is over."""
    clues = cycle(CLUES)
    for _ in range(MOVES_LIMIT):
        page.wait_for_selector("form.move, .over", timeout=60_000)
        if until() or page.locator(".over").count():
            return
        form = page.locator("form.move").first
        asked = form.get_attribute("data-request")
        text = form.locator("[type=text], textarea")
        if text.count():
            text.first.fill(SPEECH if "speech" in (form.get_attribute("data-kind") or "") else next(clues))
        boxes = form.locator("[type=checkbox]")
        for box in range(int(form.locator("[data-count]").get_attribute("data-count") or 0) if boxes.count() else 0):
            boxes.nth(box).check()
        if form.locator("[type=radio]").count():
            form.locator("[type=radio]").first.check()
        form.locator("button.go").click()
        page.wait_for_selector(f"form.move[data-request='{asked}']", state="detached")


def is_asked(page: Page, kind: str) -> bool:
    return page.locator(f"form.move[data-kind='{kind}']").count() > 0


def clues_given(page: Page) -> int:
    return page.locator("#feed .say.mine").count()


def take(page: Page, name: str, *, full_page: bool = False) -> None:
    page.screenshot(path=DOCS / f"{name}.png", animations="disabled", full_page=full_page)


if __name__ == "__main__":
    main()
