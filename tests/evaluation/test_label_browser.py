"""Labels in a replay, in a real browser: from one moment to the next by key and by thumb."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import LAPTOP, PHONE

STORE = """
from evaluation.labelling.models import Final, Item, Round, Scheme, Task
from games.models import Room
from tests.evaluation.test_label_numbers import scheme
from tests.games.matches import dealt, play_on, stored
room = Room.objects.create(game="avalon", preset="recon", host="ann")
match = stored(play_on(dealt("avalon", "recon", 6)), room=room)
by = scheme("what-is-let-out", ("exposure", "hint", "none"))
part = Round.objects.create(task=Task.objects.create(scheme=by), number=1, scheme=by, status="closed")
said = [event.seq for event in match.events.filter(kind="speech", data__text__gt="")][:3]
for number, (seq, label) in enumerate(zip(said, ("exposure", "hint", "exposure")), 1):
    item = Item.objects.create(round=part, number=number, match=match, anchor={"event": seq})
    Final.objects.create(item=item, labels=[label], how="agreed")
result = str(match.pk), said
"""


@pytest.fixture(scope="module")
def labelled(stack) -> tuple[str, list[int]]:
    return stack.shell(STORE)


def moment(page: Page) -> int:
    return int(re.search(r"event (\d+)", page.locator("[data-count]").inner_text()).group(1))


def place(page: Page, seq: int) -> int:
    """Which event of those that are shown that is."""
    steps = json.loads(page.locator("#steps").text_content())["steps"]
    return 1 + [step[0] for step in steps].index(seq)


def test_keys_and_buttons_lead_to_the_next_moment_with_a_label(labelled, visit, stack):
    match, said = labelled
    page = visit(LAPTOP)
    page.goto(f"/sign-in/?next=/m/{match}/%3Fas=all%26seq=1")
    visit.sign_in(page, stack.researcher())
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    one, two, three = (place(page, seq) for seq in said)
    for key, then in (("l", one), ("l", two), ("l", three), ("l", three), ("Shift+L", two)):
        page.keyboard.press(key)
        assert moment(page) == then
    page.get_by_label("Label to look for").select_option("what-is-let-out:exposure")
    expect(page.locator("[data-marks] .labelled")).to_have_count(2)
    page.get_by_role("button", name="Next: Exposure").click()
    assert moment(page) == three
    expect(page.locator(f'[data-seq="{said[2]}"] .tag')).to_have_text("Exposure")

    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="To the last moment before").click()
    assert moment(page) == one
    page.get_by_text("3 labels").click()
    page.get_by_role("link", name="Hint").click()
    assert moment(page) == two
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
