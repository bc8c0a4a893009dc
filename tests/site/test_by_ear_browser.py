"""Whole matches by people who do not see the page: one finds everything by the roles and names that a screen reader
tells, the other one by the keyboard alone. Neither looks for anything by its place in the page's source."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Error, Locator, expect

from games.registry import RULES
from tests.players import CLUES, Player, open_table, play_to_the_end

OF_ITS_OWN = re.compile("^Talk it over: Say it|: (Skip|Guess now|Accuse|Fail|Undo|Mute)", re.IGNORECASE)
"""Buttons of a move that one presses for a reason of one's own, after what is asked."""

MOST_MISSED = 5

NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}

NOT_BACK = re.compile(r"You cannot ask (\w+) back")

FOCUSED = """() => {
    const one = document.activeElement
    const form = one.closest("form")
    const named = form && form.getAttribute("aria-labelledby")
    return {
        kind: one.tagName === "INPUT" ? one.type : one.tagName.toLowerCase(),
        name: one.innerText || one.getAttribute("aria-label") || (one.labels && one.labels[0] || {}).innerText || "",
        value: one.value || "", checked: one.checked || false, group: one.name || "", enabled: !one.disabled,
        asked: named ? document.getElementById(named).innerText : "",
    }
}"""
"""What a screen reader says of where the keyboard is. asked: the name of the form of a move."""


def how_many(asked: str) -> int:
    """How many are to be chosen, as a form's name says."""
    found = re.search(rf"\b(\d+|{'|'.join(NUMBERS)})\b", asked)
    return 0 if found is None else NUMBERS.get(found[1]) or int(found[1])


class ByEar(Player):
    """Answers the form in the region "Your move" by what is in it. missed: how often in a row that did not work."""

    missed = 0

    @property
    def move(self) -> Locator:
        return self.page.get_by_role("region", name="Your move", exact=True)

    @property
    def over(self) -> bool:
        return self.page.get_by_role("link", name="Watch the replay").count() > 0

    def play(self) -> bool:
        form = self.move.get_by_role("form").first
        if not form.count() or form.get_by_text("Sent.", exact=True).count():
            return False
        try:
            asked = form.get_by_role("heading").first.inner_text(timeout=2000)
            self.answer(form, asked)
        except (Error, StopIteration):  # the form has gone meanwhile: somebody was faster, or the clock
            self.missed += 1
            if self.missed > MOST_MISSED:
                raise
            return False
        self.missed = 0
        self.answered.append(asked)
        return True

    def answer(self, form: Locator, asked: str) -> None:
        for text in form.get_by_role("textbox").all():
            text.fill(next(CLUES), timeout=2000)
        for number in form.get_by_role("spinbutton").all():
            if not number.input_value(timeout=2000):
                number.fill("1", timeout=2000)
        for group in form.get_by_role("group").all():
            if group.get_by_role("radio").count():
                group.get_by_role("radio").nth(self.first_allowed(group)).check(timeout=2000, force=True)
            for box in group.get_by_role("checkbox").all()[: how_many(asked)]:
                box.check(timeout=2000, force=True)
        usual = (
            b
            for b in form.get_by_role("button").all()
            if b.is_enabled() and not OF_ITS_OWN.search(f"{asked}: {b.inner_text()}")
        )
        next(usual).click(timeout=2000)

    def first_allowed(self, group: Locator) -> int:
        """The place of the first in a group whom the form does not exclude."""
        said = NOT_BACK.search(self.move.inner_text(timeout=2000))
        if said is None:
            return 0
        excluded = group.get_by_role("radio", name=said[1]).first.get_attribute("value", timeout=2000)
        return int(group.get_by_role("radio").first.get_attribute("value", timeout=2000) == excluded)


class ByKeys(ByEar):
    """Answers by Tab, Space, Enter and letters, wherever the keyboard is."""

    def answer(self, form: Locator, asked: str) -> None:
        keys, chosen, groups = self.page.keyboard, 0, set()
        for _ in range(200):
            keys.press("Tab")
            here = self.page.evaluate(FOCUSED)
            if here["asked"] != asked:
                continue
            kind = here["kind"]
            if kind in ("text", "textarea"):
                keys.press("ControlOrMeta+a")
                keys.type(next(CLUES))
            elif kind == "number" and not here["value"]:
                keys.type("1")
            elif kind == "radio" and here["group"] not in groups:
                groups.add(here["group"])
                said = NOT_BACK.search(self.move.inner_text())
                keys.press("ArrowDown" if said and said[1] in here["name"] else "Space")
            elif kind == "checkbox" and not here["checked"] and chosen < how_many(asked):
                chosen += 1
                keys.press("Space")
            elif kind == "button" and here["enabled"] and not OF_ITS_OWN.search(f"{asked}: {here['name']}"):
                return keys.press("Enter")
        assert not self.move.get_by_role("heading", name=asked, exact=True).count(), (
            f"The keyboard does not reach what answers: {asked}"
        )


def sit_down(player: ByEar, address: str, name: str) -> None:
    player.page.goto(address)
    player.move.get_by_role("textbox", name="Your name").fill(name)
    player.move.get_by_role("button", name="Sit down").click()


@pytest.mark.parametrize("game", RULES)
def test_a_match_by_roles_and_names_and_by_the_keyboard(stack, visit, game):
    ann, ben = ByEar(visit(late=True)), ByKeys(visit(late=True))
    preset, seats = RULES[game].quick
    address = open_table(ann.page, game, preset, friends=1, agents=seats - 2, name="Ann")
    sit_down(ben, address, "Ben")
    start = ann.page.get_by_role("button", name=re.compile("^Start"))
    expect(start).to_be_visible()
    start.click()
    play_to_the_end([ann, ben])
    assert ann.answered and ben.answered
