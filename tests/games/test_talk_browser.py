"""Three people talk at a table in real browsers."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from games.room.people import COOKIE
from tests.browser import PHONE, Visitors
from tests.games.tables import cookie
from tests.stack import Stack


@pytest.fixture
def code(stack: Stack) -> str:
    """A table of five where people may talk; the first is out."""
    return stack.shell(
        """
from tests.games.talking import playing, put_out
match = playing(watching="live")
put_out(match, 1)
result = match.room.code"""
    )


def sit(page: Page, code: str, person: str, base: str) -> Page:
    page.context.add_cookies([{"name": COOKIE, "value": cookie(person), "url": base}])
    page.goto(f"{base}/t/{code}/")
    expect(page.locator("#table[data-live]")).to_be_attached()
    return page


def say(page: Page, words: str) -> None:
    page.locator("#talk-text").fill(words)
    page.keyboard.press("Enter")
    expect(page.locator("#talk-text")).to_have_value("")


def late(route: Route) -> None:
    """The answer, after the socket has told the page of it."""
    answer = route.fetch()
    route.request.frame.get_by_role("button", name="Hear Ben again").wait_for()
    route.fulfill(response=answer)


def test_what_was_wrong_with_an_earlier_line_is_forgotten_once_another_is_sent(
    visit: Visitors, stack: Stack, code: str
):
    ben = sit(visit(refused=True, line_breaks=True, marked=True), code, "key-2", stack.base_url)
    wrong = ben.locator("#speak [role=alert]")
    ben.get_by_role("button", name="Say", exact=True).click()
    expect(wrong).to_have_text("Please write something first.")
    say(ben, "Who is next?")
    expect(ben.locator(".talk-line")).to_have_text([re.compile("Who is next?")])
    expect(wrong).to_have_count(0)

    ben.get_by_role("button", name="Say", exact=True).click()
    expect(wrong).to_be_visible()
    ben.route("**/talk/", lambda route: route.abort())
    ben.locator("#talk-text").fill("Anybody?")
    ben.keyboard.press("Enter")
    expect(ben.locator("#say-it .said")).to_contain_text("did not get through")
    expect(wrong).to_have_count(0)


def test_words_begun_after_one_match_are_not_said_in_the_next(visit: Visitors, stack: Stack, code: str):
    stack.shell(
        f"""
from games.match import store
from games.models import Match
store.end(Match.objects.get(room__code={code!r}).pk, "abandoned", "The host ended it.")"""
    )
    ben, _cleo = (sit(visit(late=True, refused=True), code, f"key-{seat}", stack.base_url) for seat in (2, 3))
    ben.get_by_role("button", name="Play again", exact=True).click()
    expect(ben.get_by_role("button", name="Not yet")).to_be_visible()
    ben.locator("#talk-text").press_sequentially("Was it you?")
    stack.shell(
        f"""
from games.models import Room
from games.room import rooms
room = Room.objects.get(code={code!r})
rooms.start(room, room.host)"""
    )
    expect(ben.locator("#say-it [name=to]")).to_have_value("all 2")
    ben.keyboard.press("Enter")
    expect(ben.locator("#speak [role=alert]")).to_contain_text("Nothing was said yet")
    expect(ben.locator("#talk-text")).to_have_value("Was it you?")
    ben.locator("#talk-text").press("Enter")
    expect(ben.locator(".talk-line", has_text="Was it you?")).to_be_visible()


def test_words_begun_in_one_match_are_not_said_in_the_next(visit: Visitors, stack: Stack, code: str):
    ben = sit(visit(late=True, refused=True), code, "key-2", stack.base_url)
    ben.locator("#talk-text").press_sequentially("Ann meant tea")
    stack.shell(
        f"""
from games.match import store
from games.models import Match
store.end(Match.objects.get(room__code={code!r}).pk, "abandoned", "The host ended it.")"""
    )
    ben.get_by_role("button", name="Play again", exact=True).click()
    expect(ben.locator("#say-it [name=to]")).to_have_value("all 2")
    ben.locator("#talk-text").press("Enter")
    expect(ben.locator("#speak [role=alert]")).to_contain_text("Another match has begun")
    expect(ben.locator("#talk-text")).to_have_value("Ann meant tea")
    expect(ben.locator(".talk-line", has_text="Ann meant tea")).to_have_count(0)
    ben.locator("#talk-text").press("Enter")
    expect(ben.locator(".talk-line", has_text="Ann meant tea")).to_be_visible()


def test_three_people_talk_and_each_hears_what_is_theirs(visit: Visitors, stack: Stack, code: str):
    out, ben, cleo = (sit(visit(), code, f"key-{seat}", stack.base_url) for seat in (1, 2, 3))
    watcher = sit(visit(), code, "onlooker", stack.base_url)
    expect(out.get_by_label("Only those who are out hear you")).to_be_visible()
    say(out, "I was innocent")
    say(ben, "Who is next?")
    watcher.locator("#talk-name").fill("Zoe")
    say(watcher, "It is Emil")
    for page, heard in ((out, 2), (ben, 1), (cleo, 1), (watcher, 2)):
        expect(page.locator(".talk-line")).to_have_count(heard)

    cleo.locator(".talk-line", has_text="Who is next?").click()
    cleo.get_by_role("button", name="Ha ha", exact=True).click()
    tally = ben.locator(".talk-line .tally button")
    expect(tally).to_have_attribute("aria-label", "Ha ha Cleo")
    tally.click()
    expect(tally).to_have_text("Ha ha 2")
    expect(tally).to_have_attribute("aria-pressed", "true")
    expect(out.locator(".talk-line .tally button")).to_have_attribute("aria-pressed", "false")
    tally.click()
    expect(tally).to_have_text("Ha ha 1")

    cleo.locator("#feed > li").last.click()
    cleo.get_by_role("button", name="Oh!").click()
    expect(ben.locator("#feed .tally button")).to_have_attribute("aria-label", "Oh! Cleo")
    ben.reload()
    expect(ben.locator("#feed .tally button")).to_have_text("Oh! 1")

    cleo.locator(".talk-line", has_text="Who is next?").click()
    cleo.get_by_text("Mute or report").click()
    cleo.route("**/mute/", late)
    cleo.get_by_role("button", name="Mute who said it").click()
    expect(cleo.locator("#speak")).to_contain_text("You do not hear Ben any more.")
    say(ben, "Anybody there?")
    expect(out.locator(".talk-line")).to_have_count(3)
    cleo.reload()
    expect(cleo.locator(".talk-line")).to_have_count(0)
    cleo.get_by_role("button", name="Hear Ben again").click()
    expect(cleo.locator(".talk-line:visible")).to_have_count(2)


def test_on_a_phone_what_is_new_is_marked_until_it_is_read(visit: Visitors, stack: Stack, code: str):
    ben, cleo = sit(visit(PHONE), code, "key-2", stack.base_url), sit(visit(), code, "key-3", stack.base_url)
    say(cleo, "Psst, Ben")
    link = ben.locator('.thumbs a[href="#talk"]')
    expect(link.locator(".fresh")).to_be_visible()
    link.click()
    expect(ben.get_by_text("Psst, Ben").first).to_be_visible()
    expect(link.locator(".fresh")).to_have_count(0)
    assert ben.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_one_talks_by_the_form(visit: Visitors, stack: Stack, code: str):
    page = visit(java_script_enabled=False)
    page.context.add_cookies([{"name": COOKIE, "value": cookie("key-2"), "url": stack.base_url}])
    page.goto(f"{stack.base_url}/t/{code}/")
    page.locator("#talk-text").fill("By hand")
    page.get_by_role("button", name="Say").click()
    expect(page.locator(".talk-line")).to_contain_text("By hand")
    page.get_by_role("button", name="Bravo!").click()
    expect(page.get_by_role("button", name="Bravo! Ben")).to_be_visible()


def test_while_the_game_has_a_talk_of_its_own_there_is_one_place_to_talk(visit: Visitors, stack: Stack):
    code = stack.shell(
        """
from tests.games.tables import WORDS, match_at, play_out, room_of
options = {"table_talk": True, "discussion": "free"}
match = match_at(room_of(5, preset="party", seats=5, options=options), WORDS)
play_out(match, stop=6)
result = match.room.code"""
    )
    ben = sit(visit(PHONE), code, "key-2", stack.base_url)
    ben.locator('.thumbs a[href="#talk"]').click()
    expect(ben.locator("#talk-text")).to_be_hidden()
    ben.get_by_role("link", name="Say it there").click()
    expect(ben.get_by_role("heading", name="Talk it over")).to_be_visible()
    expect(ben.locator("#in-talk")).to_be_visible()
