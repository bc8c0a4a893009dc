"""Chameleon in a real browser: a whole match with house agents, polls answered and skipped, talk before the vote."""

from playwright.sync_api import Page, expect

from games.room.people import COOKIE
from tests.browser import PHONE
from tests.games.tables import cookie
from tests.site.test_whole_games import Player, open_table, play_to_the_end


def table_of(stack, people: int, seats: int, preset: str, **options) -> str:
    """A table at which so many people and house agents play; the last seat is the chameleon. Returns its code."""
    return stack.shell(
        f"""
from games.models import Room
from games.match.beginning import begin
from tests.games.tables import CODE, match_at, room_of
room = room_of({people}, "chameleon", {preset!r}, {seats}, options={options!r}, pace=0)
room.seats.filter(person="").update(agent="house")
result = match_at(room, CODE | {{"chameleon": {seats}}}).room.code"""
    )


def sit(page: Page, code: str, person: int, base: str) -> Page:
    page.context.add_cookies([{"name": COOKIE, "value": cookie(f"key-{person}"), "url": base}])
    page.goto(f"{base}/t/{code}/")
    return page


def test_a_person_and_house_agents_finish_chameleon(stack, visit):
    ann = Player(visit(PHONE))
    open_table(ann.page, "chameleon", "party", friends=0, agents=4, name="Ann")
    play_to_the_end([ann])
    expect(ann.page.locator(".over .hands li")).to_have_count(5)
    expect(ann.page.locator(".verdict")).to_contain_text("was the chameleon")


def test_a_poll_is_answered_and_the_next_one_skipped(stack, visit):
    code = table_of(stack, 1, 3, "magic", polls="magic")
    page = sit(visit(PHONE), code, 1, stack.base_url)
    page.get_by_label("What is your clue?").fill("you drink it in the morning")
    page.get_by_role("button", name="Give clue").click()
    expect(page.get_by_role("heading", name="In private: what do you believe?")).to_be_visible()
    first = page.locator("form.move").get_attribute("data-request")
    page.get_by_label("Which side are you on?").select_option("non-chameleons")
    page.get_by_label("Who is the chameleon?").select_option("3")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(f'form.move:not([data-request="{first}"])')).to_be_visible()
    expect(page.get_by_role("heading", name="In private: what do you believe?")).to_be_visible()
    second = page.locator("form.move").get_attribute("data-request")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(f'form.move[data-request="{second}"]')).to_have_count(0)
    answers = stack.shell(
        f"""
from games.match.rows import Event
polls = Event.objects.filter(match__room__code={code!r}, kind="poll", seat=1).order_by("seq")
result = list(polls.values_list("data", flat=True))"""
    )
    assert answers[0] == {"side": "non-chameleons", "odd_one": 3, "suspect_of_2": None, "suspect_of_3": None}
    assert answers[1] == {"skipped": True}


def test_people_talk_before_the_vote_until_they_are_ready(stack, visit):
    code = table_of(stack, 3, 3, "magic", discussion="free")
    stack.shell(
        f"""
from games.match import store
from games.models import Match
from tests.games.tables import asked
match = Match.objects.get(room__code={code!r})
for words in ("in a mug", "dark", "warm"):
    request = asked(match)
    assert store.act(match.pk, request.seat, request.id, {{"text": words}})"""
    )
    ann, ben = sit(visit(), code, 1, stack.base_url), sit(visit(PHONE), code, 2, stack.base_url)
    talk = ann.get_by_label("What do you say?")
    talk.fill("I think it is Cleo")
    talk.press("Enter")
    expect(ben.locator("#feed")).to_contain_text("I think it is Cleo")
    expect(talk).to_have_value("")
    talk.fill("and I am sure")
    ann.get_by_role("button", name="Ready to vote").click()
    expect(ben.locator("#feed")).to_contain_text("and I am sure")
    expect(ann.get_by_role("button", name="Ready to vote")).to_have_count(0)
    ben.get_by_role("button", name="Ready to vote").click()
    cleo = sit(visit(), code, 3, stack.base_url)
    cleo.get_by_role("button", name="Ready to vote").click()
    for page in (ann, ben, cleo):
        expect(page.get_by_role("heading", name="Whom do you vote for?")).to_be_visible()
