"""Big moments in a real browser: what is shown one after another, and that nothing knows of it before."""

import pytest
from playwright.sync_api import Page, expect

from tests.games.test_table_browser import sit
from tests.stack import Stack

MOVES = {"reduced_motion": "no-preference"}
TELLS = """
    window.beats = [];
    document.addEventListener("table:beat", ({ detail }) => beats.push({
      ...detail,
      heard: [...document.querySelectorAll("#feed li:not([aria-hidden])")].map((line) => Number(line.dataset.seq)),
      over: document.querySelector(".over") !== null,
      around: ["#status", "#seats", "#board"].map((part) => document.querySelector(part).innerText).join(),
      seen: document.querySelector(".staged").innerText,
    }));"""
"""Notes at each beat of a big moment what has fallen, and what the page shows meanwhile."""


@pytest.fixture
def quest(stack: Stack) -> str:
    """A table at Avalon where Ann and Emil are on the first quest."""
    return stack.shell(
        """
from games.match import store
from tests.games.tables import ROLES, match_at, room_of
room = room_of(6, "avalon", "recon", 6)
match = match_at(room, ROLES)
while True:
    play = store.load(match)
    asked = [r for r in play.state.open.values() if r.waits]
    if asked[0].kind == "quest":
        break
    for request in asked:
        action = {"team": {"seats": [1, 5, 2][: play.rules.public(play.state).get("team_size") or 0]},
                  "speech": {"text": "well"}, "team_vote": {"approve": True}}[request.kind]
        moved = store.act(match.pk, request.seat, request.id, action)
        assert moved.refusal is None, moved.refusal
result = room.code"""
    )


def play_cards(stack: Stack, code: str) -> None:
    """All on the quest play their cards; Emil's is a fail."""
    stack.shell(
        f"""
from games.match import store
from games.models import Match
match = Match.objects.get(room__code={code!r})
for request in [r for r in store.load(match).state.open.values() if r.kind == "quest"]:
    assert store.act(match.pk, request.seat, request.id, {{"success": request.seat != 5}})"""
    )


def told(page: Page) -> list[dict]:
    return page.evaluate("window.beats")


def test_quest_cards_fall_one_by_one_and_nothing_on_the_page_knows_before(visit, stack, quest):
    page = sit(visit(**MOVES), quest, 1, stack.base_url)
    page.evaluate(TELLS)
    before = page.locator("#board").inner_text()
    play_cards(stack, quest)
    result = page.locator("#feed li:not([aria-hidden]) .quest-result")
    expect(result).to_contain_text("The quest is lost.", timeout=30_000)
    beats = told(page)
    assert [beat["what"].split("\n")[0] for beat in beats][:-1] == ["breath", "line", "Success", "Fail"]
    assert beats[-1]["what"].startswith("The quest is lost.")
    assert "lost" not in "".join(beat["seen"] for beat in beats[:-1])
    assert all(beat["seq"] not in beat["heard"] for beat in beats)
    assert len({beat["around"] for beat in beats}) == 1
    expect(page.locator("#board")).not_to_have_text(before)
    expect(page.locator(".staged")).to_have_count(0)
    seqs = page.locator("#feed li").evaluate_all("lines => lines.map((line) => Number(line.dataset.seq))")
    assert seqs == sorted(set(seqs))


def test_a_press_shows_at_once_what_is_held_back(visit, stack, quest):
    page = sit(visit(**MOVES), quest, 1, stack.base_url)
    page.evaluate(TELLS)
    play_cards(stack, quest)
    page.get_by_role("button", name="Show it at once").click()
    expect(page.locator("#feed li:not([aria-hidden]) .quest-result")).to_contain_text("The quest is lost.")
    expect(page.locator("#status")).to_contain_text("is choosing")
    expect(page.get_by_role("button", name="Show it at once")).to_be_hidden()
    assert not any(beat["what"].startswith("The quest") for beat in told(page))


@pytest.mark.parametrize("wants", ["no motion", "no pauses"])
def test_who_wants_no_pauses_gets_none(visit, stack, quest, wants):
    page = visit(reduced_motion="reduce" if wants == "no motion" else "no-preference")
    sit(page, quest, 1, stack.base_url)
    page.evaluate(TELLS)
    if wants == "no pauses":
        page.evaluate("localStorage.setItem('moments', 'off')")
    play_cards(stack, quest)
    expect(page.locator("#feed .quest-result")).to_contain_text("The quest is lost.")
    assert told(page) == []


def test_a_page_that_is_loaded_later_shows_everything_at_once(visit, stack, quest):
    play_cards(stack, quest)
    page = visit(**MOVES)
    page.add_init_script(TELLS)
    sit(page, quest, 1, stack.base_url)
    expect(page.locator("#table")).to_have_attribute("data-live", "")
    expect(page.locator("#feed .quest-result")).to_contain_text("The quest is lost.")
    assert told(page) == []
