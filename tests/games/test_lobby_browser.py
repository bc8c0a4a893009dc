"""The lobby and the form of a table in a real browser."""

import pytest
from playwright.sync_api import expect

from games.registry import RULES
from tests.browser import LAPTOP, PHONE
from tests.players import open_table

PAGES = ("/", "/tables/new/undercover/", "/tables/new/avalon/", "/join/", "/rules/undercover/", "/sign-in/")

TOO_SMALL = """() => [...document.querySelectorAll('main :is(button, a.btn, input:not([type=hidden]), select)')]
  .filter((part) => part.checkVisibility() && !part.matches('[type=radio], [type=checkbox]'))
  .filter((part) => part.getBoundingClientRect().height < 44)
  .map((part) => part.outerHTML)"""
WITHOUT_NAME = """() => [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button')]
  .filter((part) => !part.labels?.length && !part.ariaLabel && !part.innerText?.trim())
  .map((part) => part.outerHTML)"""


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_pages_fit_their_screen_and_can_be_touched(visit, viewport):
    page = visit(viewport)
    for address in PAGES:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], address
        assert page.evaluate(TOO_SMALL) == [], address
        assert page.evaluate(WITHOUT_NAME) == [], address
        assert page.locator("main").count() == 1
        assert page.locator("h1").count() == 1


def test_pages_fit_a_phone_with_text_twice_as_large(visit):
    open_table(visit(), "avalon", "official", friends=2, agents=3, name="Wilhelmina")
    page = visit(PHONE)
    page.goto("/")
    expect(page.locator("#tables tbody tr").first).to_be_visible()
    for address in PAGES:
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


def test_the_chosen_theme_stays(visit):
    page = visit(color_scheme="light")
    page.goto("/")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.click("[data-theme-switch]")
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert light != dark
    page.goto("/join/")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark


def test_another_way_of_playing_changes_the_options_in_place(visit):
    page = visit()
    page.goto("/tables/new/undercover/")
    page.fill("[name=name]", "Ann")
    page.get_by_text("As in the papers").click()
    page.check("[name=preset][value=magic]")
    expect(page.locator("[data-total]")).to_have_text("3 seats in all.")
    page.fill("[name=friends]", "3")
    expect(page.locator("[data-total]")).to_have_text("5 seats in all.")
    assert page.input_value("[name=name]") == "Ann"


def test_a_name_is_wanted_before_the_deal(visit):
    page = visit()
    page.goto("/")
    page.click("text=Deal me in >> nth=0")
    assert page.evaluate("document.activeElement.id") == "name"
    assert page.evaluate("location.pathname") == "/"


def test_two_taps_lead_from_the_first_page_to_a_dealt_card_of_every_game(visit):
    page = visit(PHONE)
    for game in RULES:
        page.goto("/")
        page.fill("[name=name]", "Ann")
        page.click(f"[formaction='/play/{game}/']")
        page.get_by_role("link", name="Card").click()
        page.focus("[data-card] summary")
        page.keyboard.down("Enter")
        expect(page.locator("#card .word")).to_be_visible()
        page.keyboard.up("Enter")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_friends_come_by_the_list_of_open_tables_or_by_the_code(visit):
    host = visit()
    host.goto("/tables/new/avalon/")
    host.fill("[name=name]", "Ann")
    host.fill("[name=friends]", "5")
    host.fill("[name=agents]", "0")
    host.click("text=Open the table")
    host.wait_for_url("**/t/**")
    code = host.url.split("/")[-2]

    by_list = visit(PHONE)
    by_list.goto("/")
    by_list.fill("[name=name]", "Ben")
    by_list.click(f"#join-{code}")
    by_list.wait_for_url(f"**/t/{code}/")

    by_code = visit(PHONE)
    by_code.goto("/join/")
    by_code.fill("[name=code]", code.lower().replace("-", " "))
    by_code.keyboard.press("Enter")
    by_code.wait_for_url(f"**/t/{code}/?key=*")

    expect(host.locator("#seats")).to_contain_text("Ben")
    expect(by_list.locator("#seats")).to_contain_text("Ann")
    expect(by_code.locator("#seats")).to_contain_text("Ben")
