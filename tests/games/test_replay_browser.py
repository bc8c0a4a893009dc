"""The replay in a real browser: moments by keyboard and player, thoughts beside them, a match that still goes on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE
from tests.line import Line

STORE = """
from games.models import Room
from tests.games.matches import dealt, play_on, stored
room = Room.objects.create(game="avalon", preset="recon", host="ann")
match = stored(play_on(dealt("avalon", "recon", 6), {moves}), room=room)
result = str(match.pk)
"""

EXPIRE = """
from games.models import Match
store.expire(match, next(iter(store.load(Match.objects.get(pk=match)).state.open)))
"""

THINK = """
from agents.situation import Thought
from games.models import Match
request = next(iter(store.load(Match.objects.get(pk=match)).state.open.values()))
store.expire(match, request.id, thoughts=[Thought(request.id, request.seat, "house", "aside", reply="Who knows?")])
"""
"""Who is asked has thought, and plays the default."""


@pytest.fixture(scope="module")
def match(stack) -> str:
    return stack.shell(STORE.format(moves=None))


@pytest.fixture
def sign_in(visit, stack) -> Callable[[Page, str], Page]:
    def sign_in(page: Page, to: str) -> Page:
        page.goto(f"/sign-in/?next={to}")
        visit.sign_in(page, stack.researcher())
        return page

    return sign_in


@pytest.fixture
def replay(visit, match) -> Page:
    page = visit()
    page.goto(f"/m/{match}/?as=all&seq=1")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    return page


def moment(page: Page) -> int:
    """The number of the event that the page stands at."""
    return int(re.search(r"event (\d+)", page.locator("[data-count]").inner_text()).group(1))


def test_keys_step_jump_and_play(replay):
    assert moment(replay) == 1
    for key, then in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)]:
        replay.keyboard.press(key)
        assert moment(replay) == then
    replay.keyboard.press("]")
    first = moment(replay)
    replay.keyboard.press("]")
    assert moment(replay) > first
    replay.keyboard.press("[")
    assert moment(replay) == first
    replay.keyboard.press("End")
    assert moment(replay) == int(replay.get_by_role("slider").get_attribute("max")) + 1
    replay.keyboard.press("Home")
    assert moment(replay) == 1
    replay.keyboard.press("Space")
    expect(replay.get_by_role("button", name="Pause")).to_be_visible()
    expect(replay.locator("[data-count]")).to_have_text(re.compile("event [3-9] of"))
    replay.keyboard.press("Space")
    expect(replay.get_by_role("button", name="Play")).to_be_visible()


def test_lines_appear_as_the_match_goes_on_and_the_address_is_a_link_to_the_moment(replay, visit):
    replay.keyboard.press("]")
    replay.keyboard.press("]")
    here = moment(replay)
    shown = replay.locator(".feed .line:visible").count()
    expect(replay).to_have_url(re.compile(r"seq=\d{2,}"))
    other = visit()
    other.goto(replay.url)
    expect(other.locator("[data-count]")).to_contain_text(f"event {here} of")
    expect(other.locator(".feed .line:visible")).to_have_count(shown)
    replay.keyboard.press("Home")
    assert replay.locator(".feed .line:visible").count() < shown


def test_thoughts_follow_who_moved_or_stay_with_a_chosen_seat(replay):
    replay.keyboard.press("End")
    thoughts = replay.locator(".reasoning")
    expect(thoughts.get_by_role("table").first).to_be_visible()
    thoughts.get_by_role("link", name="Dario").click()
    expect(thoughts.locator(".mind")).to_contain_text("Dario")
    thoughts.get_by_text("Prompt").first.click()
    expect(thoughts.locator("pre").filter(has_text="You are Dario")).to_be_visible()
    last = moment(replay)
    thoughts.get_by_role("link", name="Earlier").click()
    assert moment(replay) < last
    expect(thoughts.locator(".mind")).to_contain_text("Dario")


def test_the_button_that_leads_on_keeps_the_focus_to_the_last_thought(replay):
    thoughts = replay.locator(".reasoning")
    thoughts.get_by_role("link", name="Dario").click()
    replay.keyboard.press("End")
    here = replay.locator(".mind a[data-seq-link]").first
    thoughts.get_by_role("link", name="Earlier").focus()
    for _ in range(2):
        before = here.inner_text()
        replay.keyboard.press("Enter")
        expect(here).not_to_have_text(before)
        expect(thoughts.get_by_role("link", name="Earlier")).to_be_focused()
    thoughts.get_by_role("link", name="Later").focus()
    for _ in range(2):
        before = here.inner_text()
        replay.keyboard.press("Enter")
        expect(here).not_to_have_text(before)
    expect(thoughts.get_by_role("link", name="Later")).to_have_count(0)
    expect(thoughts.get_by_role("link", name="Earlier")).to_be_focused()


def test_all_panels_open_at_once_and_stay_with_the_address(replay):
    replay.keyboard.press("End")
    replay.locator(".tabs [data-seat=every]").click()
    expect(replay.locator("[data-panel]")).to_have_count(4)  # as many agents have thought
    replay.get_by_role("button", name="Open all").click()
    expect(replay.locator("[data-panel]").first).to_have_attribute("open", "")
    replay.keyboard.press("ArrowLeft")
    expect(replay.locator("[data-panel][open]")).not_to_have_count(0)
    expect(replay).to_have_url(re.compile("seat=every"))
    replay.reload()
    expect(replay.locator(".tabs [data-seat=every]")).to_have_attribute("aria-current", "true")
    expect(replay.locator("[data-panel]")).not_to_have_count(0)


def test_escape_closes_the_help_and_the_menu_of_pages_and_focus_goes_back(replay, visit, sign_in):
    replay.locator(".keys summary").click()
    expect(replay.locator(".keys p")).to_be_visible()
    replay.keyboard.press("Escape")
    expect(replay.locator(".keys p")).to_be_hidden()
    expect(replay.locator(".keys summary")).to_be_focused()
    phone = sign_in(visit(PHONE), "/matches/")
    phone.get_by_text("Pages").click()
    phone.get_by_role("navigation", name="Site").get_by_role("link", name="Competitions").last.focus()
    phone.keyboard.press("Escape")
    expect(phone.locator(".more .panel")).to_be_hidden()
    expect(phone.locator(".more summary")).to_be_focused()


def test_a_phone_has_the_chosen_view_on_the_screen_and_most_of_it_for_the_match(visit, match):
    page = visit(PHONE)
    page.goto(f"/m/{match}/?as=all&seq=60")
    expect(page.get_by_role("link", name="everything")).to_be_in_viewport(ratio=1)
    assert page.locator(".player").bounding_box()["height"] < 110


def test_a_phone_shows_all_of_it_without_scrolling_sideways(visit, match):
    page = visit(PHONE)
    page.goto(f"/m/{match}/?as=all&seq=60")
    expect(page.locator(".heat").first).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for name in ("One step back", "One step forward", "To the start", "To the end"):
        assert page.get_by_role("link", name=name).bounding_box()["width"] >= 44


def test_a_researcher_sees_a_running_match_go_on(visit, stack, sign_in):
    running = stack.shell(STORE.format(moves=6))
    page = visit()
    sign_in(page, f"/m/{running}/%3Fas=all")
    expect(page.locator("[data-count]")).to_contain_text("event")
    here = moment(page)
    page.locator(".tabs [data-seat=every]").click()
    expect(page.locator("[data-panel]").first).to_be_visible()
    on_the_server(stack, running, EXPIRE)
    expect(page.locator("[data-count]")).not_to_contain_text(f"event {here} of")
    assert moment(page) > here
    page.locator("[data-seq]").first.evaluate("line => getSelection().selectAllChildren(line)")
    selected = page.evaluate("getSelection().toString()")
    on_the_server(stack, running, EXPIRE)
    expect(page.locator("[data-count]")).not_to_contain_text(f"event {here + 1} of")
    assert selected and page.evaluate("getSelection().toString()") == selected
    steps = re.search(r"event \d+ (of \d+)", page.request.get(page.url).text()).group(1)
    expect(page.locator("[data-count]")).to_contain_text(steps)
    shown = table_of(page)
    page.reload()
    expect(page.locator("[data-count]")).to_contain_text("event")
    assert table_of(page) == shown, "what came event by event is what a page loaded anew shows"


def table_of(page: Page) -> str:
    return re.sub(r">\s+<", "><", page.locator(".tablenow").inner_html())


def test_a_match_that_is_played_says_so_and_whether_the_page_follows(visit, stack):
    running = stack.shell(STORE.format(moves=6))
    page = visit()
    page.goto(f"/m/{running}/?as=public")
    expect(page).to_have_title(re.compile("^Live: Avalon"))
    expect(page.get_by_role("heading", name="A match of Avalon, live")).to_be_attached()
    expect(page.get_by_text("The page follows the match.")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text("The page follows the match.")).to_be_hidden()
    page.get_by_role("link", name="Follow it").click()
    expect(page.get_by_text("The page follows the match.")).to_be_visible()
    on_the_server(stack, running, "store.end(match, 'abandoned', 'Enough for today.')")
    expect(page.get_by_text("The page follows the match.")).to_be_hidden()


@pytest.mark.usefixtures("match")
def test_thoughts_of_a_running_match_come_without_a_lost_focus_and_all_stay_open(visit, stack, sign_in):
    running = stack.shell("from tests.games.tables import match_at, room_of\nresult = str(match_at(room_of()).pk)")
    page = sign_in(visit(), f"/m/{running}/%3Fas=all%26seat=every")
    expect(page.get_by_text("No agent has thought about anything yet.")).to_be_visible()
    rows, panels = page.locator(".tabs [data-seat]"), page.locator("[data-panel]")
    expect(page.locator(".tabs")).to_be_hidden()
    on_the_server(stack, running, THINK)
    expect(panels).to_have_count(1)
    expect(rows).to_have_count(3)
    heading = panels.first.locator("> summary")
    heading.focus()
    on_the_server(stack, running, THINK)
    expect(panels).to_have_count(2)
    expect(rows).to_have_count(4)
    expect(page.locator("[data-panel] > summary:focus")).to_have_count(1)
    page.get_by_role("button", name="Open all").click()
    on_the_server(stack, running, THINK)
    expect(panels).to_have_count(3)
    expect(page.locator("[data-panel][open]")).to_have_count(3)
    page.reload()
    expect(page.locator("[data-panel][open]")).to_have_count(3)
    page.get_by_role("button", name="Close all").click()
    page.reload()
    expect(panels).to_have_count(3)
    expect(page.locator("[data-panel][open]")).to_have_count(0)


def test_an_onlookers_replay_outlives_a_cut_line_and_opens_at_the_end(visit, stack):
    running = stack.shell(STORE.format(moves=6))
    with Line(stack.port) as line:
        page = visit(base_url=line.base_url, line_breaks=True)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"/m/{running}/?as=public")
        expect(page.locator("[data-count]")).to_contain_text("event")
        here = moment(page)
        line.cut()
        expect(page.get_by_text("Reconnecting")).to_be_visible()
        on_the_server(stack, running, "store.pause(match)")
        line.mend()
        expect(page.locator("[data-feed]")).to_contain_text("The table is paused.", timeout=15_000)
        assert moment(page) > here
        on_the_server(stack, running, "store.end(match, 'abandoned', 'Enough for today.')")
        expect(page.locator("[data-feed]")).to_contain_text("Enough for today.")
        expect(page.get_by_role("banner")).to_contain_text("ended early")
        page.get_by_role("link", name="everything").click()
        expect(page.get_by_role("heading", name="Thoughts")).to_be_visible()
    assert sum("since=" in url for url in asked) == 2
    visit.problems.clear()  # the line's own port is what is tested


def on_the_server(stack, match: str, what: str) -> None:
    stack.shell(f"from games.match import store\nmatch = '{match}'\n{what}")
