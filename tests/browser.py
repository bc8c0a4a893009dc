"""Chromium as a visitor has it, which reaches this machine only and reports what goes wrong on a page."""

import shutil
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright

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
PHONE = {"width": 375, "height": 812}
LAPTOP = {"width": 1440, "height": 900}


def start_chromium(playwright: Playwright) -> Browser:
    assert CHROMIUM, "Chromium is missing; `make test` installs it."
    return playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)


@dataclass
class Visitors:
    """Opens pages, each in a context (cookies, storage) of its own, and collects what goes wrong on them."""

    browser: Browser
    base_url: str
    contexts: list[BrowserContext] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def __call__(
        self, viewport: dict = LAPTOP, base_url: str = "", line_breaks: bool = False, late: bool = False, **options
    ) -> Page:
        """A page of a new visitor; `options` are those of Playwright's new_context (color_scheme, locale ...).

        With `line_breaks` Chromium's own reports of a broken connection are no problem; with `late` neither are those
        of a move that was answered as too late.
        """
        expected = (BROKEN_LINE if line_breaks else ()) + (TOO_LATE if late else ())
        base_url = base_url or self.base_url
        context = self.browser.new_context(base_url=base_url, viewport=viewport, **options)
        context.set_default_timeout(10_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._note_console(message, expected))
        page.on("pageerror", lambda error: self.problems.append(f"error on {page.url}: {error}"))
        page.on("request", lambda request: self._note_foreign(request.url, base_url))
        return page

    @staticmethod
    def sign_in(page: Page, name: str) -> None:
        """Fill in and send the form of signing in, on which the page stands."""
        page.fill("[name=username]", name)
        page.fill("[name=password]", PASSWORD)
        page.locator("main").get_by_role("button").click()

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def _note_console(self, message: ConsoleMessage, expected: tuple[str, ...]) -> None:
        if message.type == "error" and not any(sign in message.text for sign in expected):
            self.problems.append(f"console: {message.text}")

    def _note_foreign(self, url: str, base_url: str) -> None:
        if not url.startswith((base_url, base_url.replace("http", "ws", 1), "data:", "blob:")):
            self.problems.append(f"asked another host: {url}")
