"""The board that one thinks with, the phone's bar, and what is kept of a person's own words, in a real browser."""

import pytest
from playwright.sync_api import Locator, Page, expect

from games.room.people import COOKIE
from tests.browser import LAPTOP, PHONE
from tests.games.tables import cookie

SMALL_PHONE = {"width": 375, "height": 667}
LANDSCAPE = {"width": 800, "height": 375}
TWICE_AS_LARGE = {"width": 720, "height": 450}
"""A laptop's page at 200%."""

AVALON = """
from games.match import store
from tests.games.tables import asked, match_at, room_of
match = match_at(room_of(6, "avalon", "recon", 6))
def answer(request, **action):
    moved = store.act(match.pk, request.seat, request.id, action)
    assert moved.refusal is None, moved.refusal
def team(seats, approve, cards=()):
    answer(asked(match), seats=seats)
    for _seat in range(6):
        answer(asked(match), text=f"seat {_seat} speaks")
    for request in list(store.load(match).state.open.values()):
        answer(request, approve=request.seat in approve)
    for request in list(store.load(match).state.open.values()) if cards else ():
        answer(request, success=cards[request.seat])
team([1, 6], approve=[3])
team([1, 6], approve=[1, 3, 4, 5, 6], cards={1: True, 6: False})
result = match.room.code
"""
"""Ann is Merlin; the first team was rejected, and the second lost its quest by one fail."""

SPYGAME = """
from tests.games.tables import quick_match
result = quick_match("spygame").room.code
"""

MAGIC = """
from tests.games.tables import match_at, room_of
result = match_at(room_of()).room.code
"""


def sit(page: Page, code: str, base: str, person: int = 1) -> Page:
    page.context.add_cookies([{"name": COOKIE, "value": cookie(f"key-{person}"), "url": base}])
    page.goto(f"{base}/t/{code}/")
    expect(page.locator("#table[data-at]")).to_be_attached()
    return page


@pytest.fixture
def avalon(stack) -> str:
    return stack.shell(AVALON)


def test_a_quest_opens_to_its_teams_votes_and_cards(visit, stack, avalon):
    page = sit(visit(), avalon, stack.base_url)
    first, second = page.locator("#quest-1"), page.locator("#quest-2")
    first.locator("summary").click()
    told = first.locator(".told")
    expect(told).to_contain_text("Quest 1: a team of 2.")
    expect(told).to_contain_text("Cards: one fail, all others success.")
    expect(told.locator(".proposals li")).to_have_count(2)
    expect(told.locator(".proposals li").last).to_contain_text("Team 2, proposed by Ben")
    expect(told.locator(".proposals li").last).to_contain_text("Approved.")
    second.locator("summary").click()
    expect(first.locator(".told")).to_be_hidden()
    expect(second.locator(".told")).to_contain_text("One fail loses it.")
    row, opened = page.locator(".folds").bounding_box(), second.locator(".told").bounding_box()
    assert row and opened and abs(row["x"] - opened["x"]) < 2 and abs(row["width"] - opened["width"]) < 2


def test_what_one_opened_stays_open_when_a_frame_comes(visit, stack, avalon):
    page = sit(visit(), avalon, stack.base_url)
    page.locator("#votes summary").click()
    seen = page.locator("#votes thead th").count()
    stack.shell(f"""
from games.models import Match
from games.match import store
from tests.games.tables import asked
match = Match.objects.get(room__code={avalon!r})
request = asked(match)
assert store.act(match.pk, request.seat, request.id, {{"seats": [1, 2, 3]}}).refusal is None""")
    expect(page.locator("#votes thead th")).to_have_count(seen + 1)
    expect(page.locator("#votes .ballots")).to_be_visible()


def votes_of(table: Locator, name: str) -> list[str]:
    """What is read out in a row of the table."""
    row = table.get_by_role("row").filter(has=table.page.get_by_role("rowheader", name=name))
    return [" ".join(words.split()) for words in row.get_by_role("cell").all_inner_texts()]


def test_the_table_of_votes_tells_by_words_who_approved_what_and_who_was_on_the_team(visit, stack, avalon):
    page = sit(visit(SMALL_PHONE), avalon, stack.base_url)
    page.locator("#votes summary").click()
    table = page.get_by_role("table", name="Who approved what")
    expect(table.get_by_role("columnheader").nth(1)).to_contain_text("Quest 1, team 1, by Ann")
    assert votes_of(table, "Cleo") == ["✓ approved", "✓ approved"]
    assert votes_of(table, "Ann") == ["· no vote (on the team)", "✓ approved (on the team)"]
    region = page.get_by_role("region", name="Who approved what")
    region.focus()
    expect(region).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE["width"]


def test_the_bar_changes_what_is_at_the_thumb_and_the_form_keeps_what_was_typed(visit, stack):
    page = sit(visit(SMALL_PHONE), stack.shell(MAGIC), stack.base_url)
    bar = page.get_by_role("navigation", name="Parts of this page")
    move, card, notes = (bar.get_by_role("link", name=name) for name in ("Move", "Card", "Notes"))
    for link in (move, card, notes):
        box = link.bounding_box()
        assert box and box["height"] >= 44 and box["width"] >= 44
    expect(bar.get_by_role("link", name="Talk")).to_be_hidden()
    expect(move).to_have_attribute("aria-current", "true")
    page.get_by_label("What is your clue?").fill("half a thou")
    card.click()
    expect(page.locator("#act")).to_be_hidden()
    expect(page.locator("#card")).to_be_focused()
    expect(card).to_have_attribute("aria-current", "true")
    notes.click()
    expect(page.get_by_label("Notes", exact=True)).to_be_visible()
    move.click()
    expect(page.get_by_label("What is your clue?")).to_have_value("half a thou")


def test_the_bar_marks_the_move_when_one_is_asked_while_one_looks_elsewhere(visit, stack):
    code = stack.shell(MAGIC)
    page = sit(visit(SMALL_PHONE), code, stack.base_url, person=2)
    page.get_by_role("link", name="Notes").click()
    expect(page.get_by_role("link", name="Move new")).to_have_count(0)
    stack.shell(f"""
from games.models import Match
from games.match import store
from tests.games.tables import asked
match = Match.objects.get(room__code={code!r})
request = asked(match)
assert store.act(match.pk, request.seat, request.id, {{"text": "first"}}).refusal is None""")
    page.get_by_role("link", name="Move new").click()
    expect(page.get_by_role("link", name="Move new")).to_have_count(0)
    expect(page.get_by_label("What is your clue?")).to_be_visible()


COVERED = """() => {
  const stuck = [...document.querySelectorAll("*")].filter((part) => {
    const { position } = getComputedStyle(part);
    return part.checkVisibility() && (position === "sticky" || position === "fixed");
  });
  return stuck.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0) / innerHeight;
}"""


@pytest.mark.parametrize("screen", [LANDSCAPE, TWICE_AS_LARGE], ids=["landscape", "twice as large"])
@pytest.mark.parametrize("opened", [False, True], ids=["as it comes", "with the board opened"])
def test_on_a_low_screen_status_and_card_are_in_sight_and_half_of_it_stays_free(visit, stack, avalon, screen, opened):
    page = sit(visit(screen), avalon, stack.base_url)
    if opened:
        page.locator("#votes summary").click()
    page.mouse.wheel(0, 200)
    assert page.evaluate(COVERED) < 0.5
    status = page.locator("#status").bounding_box()
    assert status and status["y"] >= -1 and status["y"] + status["height"] <= screen["height"] / 4
    page.get_by_role("link", name="Card").click()
    handle = page.locator("[data-card] summary")
    box, bar = handle.bounding_box(), page.locator(".thumbs").bounding_box()
    assert box and bar and box["y"] >= status["height"] - 1 and box["y"] + box["height"] <= bar["y"] + 1
    handle.hover()
    page.mouse.down()
    face = page.locator("[data-card] .face").bounding_box()
    page.mouse.up()
    assert face and face["y"] >= 0 and face["y"] + face["height"] <= screen["height"]


def test_on_a_phone_the_open_board_lies_over_no_part_of_the_move(visit, stack, avalon):
    page = sit(visit(SMALL_PHONE), avalon, stack.base_url)
    page.locator("#votes summary").click()
    board, act = page.locator(".think").bounding_box(), page.locator("#act").bounding_box()
    assert board and act and board["y"] + board["height"] <= act["y"] + 1


def test_a_place_is_crossed_out_by_a_tap_and_stays_so(visit, stack):
    code = stack.shell(SPYGAME)
    page = sit(visit(PHONE), code, stack.base_url)
    page.get_by_role("link", name="Notes").click()
    place = page.locator(".strikes label").first
    with page.expect_response("**/notes/"):
        place.click()
    page.reload()
    page.get_by_role("link", name="Notes").click()
    expect(place.locator("input")).to_be_checked()
    line = place.locator("span").evaluate("span => getComputedStyle(span).textDecorationLine")
    assert line == "line-through"


def test_a_half_typed_clue_survives_a_reload_and_is_gone_once_it_is_sent(visit, stack):
    page = sit(visit(), stack.shell(MAGIC), stack.base_url)
    field = page.get_by_label("What is your clue?")
    field.fill("you drink it h")
    page.reload()
    expect(field).to_have_value("you drink it h")
    field.fill("you drink it hot")
    field.press("Enter")
    expect(page.locator("#feed")).to_contain_text("you drink it hot")
    expect(page.locator("#act form.move")).to_have_count(0)
    page.wait_for_function('() => !Object.keys(sessionStorage).some(key => key.startsWith("draft "))')


def test_the_notebook_is_on_both_devices_of_a_person_and_on_nobody_elses(visit, stack):
    code = stack.shell(MAGIC)
    laptop = sit(visit(LAPTOP), code, stack.base_url)
    with laptop.expect_response("**/notes/"):
        laptop.get_by_label("Notes", exact=True).fill("Ben was slow")
        laptop.get_by_role("group", name="Ben").get_by_label("doubt").check()
    phone, ben = sit(visit(PHONE), code, stack.base_url), sit(visit(), code, stack.base_url, person=2)
    phone.get_by_role("link", name="Notes").click()
    expect(phone.get_by_label("Notes", exact=True)).to_have_value("Ben was slow")
    expect(phone.get_by_role("group", name="Ben").get_by_label("doubt")).to_be_checked()
    expect(ben.get_by_label("Notes", exact=True)).to_have_value("")
    assert "Ben was slow" not in ben.content()


def test_notes_that_could_not_be_kept_are_told_of_and_sent_again(visit, stack):
    page = sit(visit(line_breaks=True, marked=True), stack.shell(MAGIC), stack.base_url)
    page.route("**/notes/", lambda route: route.abort())
    page.get_by_label("Notes", exact=True).fill("Ben was slow")
    expect(page.get_by_text("Not kept yet; trying again.")).to_be_visible()
    page.unroute("**/notes/")
    with page.expect_response("**/notes/"):
        pass
    expect(page.get_by_text("Not kept yet; trying again.")).to_be_hidden()


def test_without_scripts_all_parts_stand_below_one_another(visit, stack):
    page = visit(SMALL_PHONE, java_script_enabled=False)
    page.context.add_cookies([{"name": COOKIE, "value": cookie("key-1"), "url": stack.base_url}])
    page.goto(f"{stack.base_url}/t/{stack.shell(MAGIC)}/")
    for name in ("act", "card", "notes"):
        expect(page.locator(f"#{name}")).to_be_visible()
    page.get_by_label("Notes", exact=True).fill("Ben was slow")
    page.get_by_role("button", name="Keep my notes").click()
    expect(page.get_by_label("Notes", exact=True)).to_have_value("Ben was slow")
