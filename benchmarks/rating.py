"""How many items a minute a rater can label by the keyboard alone, in Chromium.

Usage: ``python -m benchmarks.rating [items]`` (120). The real site runs, with matches of house agents. A script presses
keys as fast as the page lets it: each as soon as the next item can be seen. That is what the page itself takes; a
person needs the rest of the two seconds that 30 items a minute leave for reading. Every eighth item gets a second label
with Shift, every twentieth is taken back and labelled again. Printed: items a minute, the time from a key to the next
item on the screen (median, 95th percentile, longest), and how long the last labels took to arrive.
"""

import statistics
import sys
import time

from playwright.sync_api import sync_playwright

from tests.browser import start_chromium
from tests.stack import PASSWORD, Stack

ITEMS = 120
AIM = 30
"""Items a minute."""

TASK = """
from django.contrib.auth.models import Group, User
from evaluation.labelling import rounds
from evaluation.labelling.models import Scheme, Task
user = User.objects.create_user("ann", password={password!r})
user.groups.add(Group.objects.get(name="rater"))
task = Task.objects.create(
    name="Pace", scheme=Scheme.objects.get(name="reasoning-steps"), per_item=1, items={{"many": {many}}}, seed=1
)
task.raters.add(user)
rounds.begin(task)
result = str(task.pk)
"""

ITEM = "document.querySelector('[data-item]')?.dataset.item ?? ''"


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    with Stack() as stack, sync_playwright() as playwright:
        stack.manage("simulate", "spygame", "party", "--matches", str(1 + many // 20), "--store")
        address = f"{stack.base_url}/labels/{stack.shell(TASK.format(password=PASSWORD, many=many))}/rate/"
        page = start_chromium(playwright).new_page(viewport={"width": 1440, "height": 900})
        page.goto(address)
        page.fill("[name=username]", "ann")
        page.fill("[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.locator("#rate[data-unsent='0'] [data-item]").wait_for()
        waits, begun, done = [], time.perf_counter(), 0
        while item := page.evaluate(ITEM):
            if done % 8 == 7:
                page.keyboard.press("Shift+Digit2")
            pressed = time.perf_counter()
            page.keyboard.press("5" if done % 8 == 7 else "0")
            page.locator(f"[data-item]:not([data-item='{item}']), #over:not([hidden])").wait_for()
            waits.append(1000 * (time.perf_counter() - pressed))
            done += 1
            if done % 20 == 19:
                page.keyboard.press("u")
                page.keyboard.press("4")
        took = time.perf_counter() - begun
        page.locator("#rate[data-unsent='0']").wait_for(timeout=60_000)
        late = time.perf_counter() - begun - took
    waits.sort()
    print(f"{done} items in {took:.1f} s: {60 * done / took:.0f} items a minute (aim: {AIM})")
    print(
        f"from a key to the next item: {statistics.median(waits):.0f} ms, "
        f"{waits[int(0.95 * len(waits))]:.0f} ms (95 %), {waits[-1]:.0f} ms at most"
    )
    print(f"the last labels arrived {late:.1f} s later")


if __name__ == "__main__":
    main()
