"""Chromium as a visitor has it, which reaches this machine only and reports what goes wrong on a page."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect

from tests.stack import PASSWORD

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
BROKEN_LINE = ("net::ERR_", "WebSocket connection to", "htmx:sendError", "htmx:afterRequest")
TOO_LATE = ("status of 409", "Response Status Error Code 409")
REFUSED = ("status of 422", "Response Status Error Code 422")
PATIENCE = 60_000
"""Milliseconds after which a page that does not come to what a test waits for has failed: machines may be busy."""
expect.set_options(timeout=PATIENCE)

PHONE = {"width": 375, "height": 812}
LAPTOP = {"width": 1440, "height": 900}


def start_chromium(playwright: Playwright) -> Browser:
    assert CHROMIUM, "Chromium is missing; `make test` installs it."
    return playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)


def wipe(page: Page, origin: str) -> None:
    """Make a page and its context as new: nothing open, nobody signed in, nothing kept."""
    context = page.context
    for other in context.pages:
        if other != page:
            other.close()
    context.clear_cookies()
    context.clear_permissions()
    context.set_offline(False)
    page.route(f"{origin}/empty", lambda route: route.fulfill(body=""))
    page.goto(f"{origin}/empty")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.unroute_all()
    page.goto("about:blank")


@dataclass
class Visitors:
    """Opens pages, each in a context (cookies, storage) of its own, and collects what goes wrong on them.

    A new context costs more than a second of a processor, so those without options are wiped and given out again.
    """

    browser: Browser
    base_url: str
    wiped: list[Page]
    problems: list[str] = field(default_factory=list)
    _open: list[tuple[Page, bool, dict[str, Callable]]] = field(default_factory=list)

    def __call__(
        self,
        viewport: dict = LAPTOP,
        line_breaks: bool = False,
        late: bool = False,
        refused: bool = False,
        marked: bool = False,
        **options,
    ) -> Page:
        """A page of a new visitor; `options` are those of Playwright's new_context (base_url, color_scheme, ...).

        With `line_breaks` Chromium's own reports of a broken connection are no problem; with `late` neither are those
        of a move that was answered as too late, with `refused` those of a form that was refused with a sentence. Big
        moments pass at once, since a visitor wants no motion unless `reduced_motion` says so. A page is `marked` if the
        test leaves on it what no wiping takes away: a clock of its own, an answer to dialogs, a socket that goes
        another way.
        """
        again = not options and not marked
        base_url = options.setdefault("base_url", self.base_url)
        options.setdefault("reduced_motion", "reduce")
        page = self.wiped.pop() if again and self.wiped else self.browser.new_context(**options).new_page()
        page.context.set_default_timeout(PATIENCE)
        page.set_viewport_size(viewport)
        expected = (BROKEN_LINE if line_breaks else ()) + (TOO_LATE if late else ()) + (REFUSED if refused else ())
        notes = {
            "console": lambda message: self._note_console(message, expected),
            "pageerror": lambda error: self.problems.append(f"error on {page.url}: {error}"),
            "request": lambda request: self._note_foreign(request.url, base_url),
        }
        for event, note in notes.items():
            page.on(event, note)
        self._open.append((page, again, notes))
        return page

    @staticmethod
    def sign_in(page: Page, name: str) -> None:
        """Fill in and send the form of signing in, on which the page stands."""
        page.fill("[name=username]", name)
        page.fill("[name=password]", PASSWORD)
        page.locator("main").get_by_role("button").click()

    def close(self) -> None:
        for page, again, notes in self._open:
            for event, note in notes.items():
                page.remove_listener(event, note)
            if again:
                wipe(page, self.base_url)
                self.wiped.append(page)
            else:
                page.context.close()

    def _note_console(self, message: ConsoleMessage, expected: tuple[str, ...]) -> None:
        if message.type == "error" and not any(sign in message.text for sign in expected):
            self.problems.append(f"console: {message.text}")

    def _note_foreign(self, url: str, base_url: str) -> None:
        if not url.startswith((base_url, base_url.replace("http", "ws", 1), "data:", "blob:")):
            self.problems.append(f"asked another host: {url}")
