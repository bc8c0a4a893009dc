"""What axe finds on a page that keeps people out, at a laptop by day or on a phone by night."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import LAPTOP, PHONE

AXE = Axe()


class Faults(dict[str, list[str]]):
    """What axe finds, by the state of a page: the rule, and where it is broken."""

    def look(self, state: str, page: Page) -> None:
        """See the page as it is."""
        found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
        places = [f"{one['id']}: {', '.join(map(str, node['target']))}" for one in found for node in one["nodes"]]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            places.append("the page is wider than the window")
        if places:
            self[f"{state}, {page.evaluate('innerWidth')} px"] = places

    def look_unfolded(self, state: str, page: Page) -> None:
        """See the page with all that is folded away."""
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        self.look(state, page)

    def __str__(self) -> str:
        return "\n".join(f"{state}: {'; '.join(places)}" for state, places in self.items())


def by_day(page: Page) -> None:
    """As a laptop shows it."""
    page.set_viewport_size(LAPTOP)
    page.emulate_media(color_scheme="light")


def by_night(page: Page) -> None:
    """As a phone shows it."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
