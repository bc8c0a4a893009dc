"""The live table in a real browser: what the page's own scripts promise."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from games.room.people import COOKIE
from tests.browser import LAPTOP, PHONE, Visitors
from tests.games.tables import cookie
from tests.line import Line
from tests.stack import Stack


@pytest.fixture
def code(stack: Stack) -> str:
    """A table where Ann, Ben and Cleo play; Ann has the first word."""
    return stack.shell(
        """
from tests.games.tables import match_at, room_of
result = match_at(room_of()).room.code"""
    )


@pytest.fixture
def line(stack: Stack) -> Iterator[Line]:
    with Line(stack.port) as line:
        yield line


def sit(page: Page, code: str, person: int, base: str) -> Page:
    """Open the table as the one who sits there."""
    page.context.add_cookies([{"name": COOKIE, "value": cookie(f"key-{person}"), "url": base}])
    page.goto(f"{base}/t/{code}/")
    return page


def on_the_server(stack: Stack, code: str, *clues: str, pause: bool = False) -> None:
    """Beside the browser: whoever is asked gives these clues; then the table pauses and goes on, if that is wanted."""
    stack.shell(
        f"""
from games.match import store
from games.models import Match
from tests.games.tables import asked
match = Match.objects.get(room__code={code!r}, status="running")
for words in {clues!r}:
    request = asked(match)
    assert store.act(match.pk, request.seat, request.id, {{"text": words}})
if {pause!r}:
    assert store.pause(match.pk) and store.resume(match.pk)"""
    )


def play_a_clue(page: Page, words: str) -> None:
    page.get_by_label("What is your clue?").fill(words)
    page.keyboard.press("Enter")


def forgive_refusals(visit: Visitors) -> None:
    """Chromium writes every answer of 4xx into its console; here they are what is tested."""
    visit.problems[:] = [problem for problem in visit.problems if "status of 4" not in problem and " 4" not in problem]


def test_a_move_reaches_the_others_without_a_reload(visit, stack, code):
    ann, ben = sit(visit(), code, 1, stack.base_url), sit(visit(PHONE), code, 2, stack.base_url)
    watcher = visit()
    watcher.goto(f"/t/{code}/")
    play_a_clue(ann, "you drink it hot")
    for page in (ann, ben, watcher):
        expect(page.locator("#feed")).to_contain_text("you drink it hot")
    expect(ben.locator("#act h2")).to_have_text("Give one clue about your word")
    expect(ben).to_have_title("Your turn · Undercover · " + code)
    expect(ann.locator("#act form.move")).to_have_count(0)
    expect(ann.locator("#feed .who-name.me").first).to_have_text("Ann")


def test_a_refused_clue_stays_in_its_field_with_the_reason_beside_it(visit, stack, code):
    page = sit(visit(), code, 1, stack.base_url)
    play_a_clue(page, "some coffee")
    expect(page.get_by_role("alert")).to_have_text("Your clue holds your word. Try another.")
    expect(page.get_by_label("What is your clue?")).to_have_value("some coffee")
    expect(page.get_by_label("What is your clue?")).to_be_focused()
    play_a_clue(page, "you drink it hot")
    expect(page.locator("#feed")).to_contain_text("you drink it hot")
    forgive_refusals(visit)


def test_a_refused_clue_that_was_sent_by_its_button_is_back_under_the_cursor(visit, stack, code):
    page = sit(visit(), code, 1, stack.base_url)
    page.get_by_label("What is your clue?").fill("some coffee")
    page.locator("#act form.move button").first.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Your clue holds your word. Try another.")
    expect(page.get_by_label("What is your clue?")).to_be_focused()
    forgive_refusals(visit)


def test_who_has_let_go_of_the_focus_is_not_given_it_back_by_a_frame(visit, stack, code):
    page = sit(visit(), code, 2, stack.base_url)
    on_the_server(stack, code, "first")
    page.get_by_label("What is your clue?").fill("some coffee")
    page.locator("#act form.move button").first.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    on_the_server(stack, code, pause=True)
    expect(page.locator("#feed")).to_contain_text("The table goes on.")
    assert page.evaluate("document.activeElement.localName") == "body"
    forgive_refusals(visit)


def focused_in_sight(page: Page) -> str:
    """The id of the element that has the focus and shows it."""
    return page.evaluate(
        """() => {
          const here = document.activeElement;
          const shows = here.matches(":focus-visible") && getComputedStyle(here).outlineStyle === "solid";
          return shows ? here.id : here.tagName;
        }"""
    )


def test_focus_stays_where_one_acts_from_sitting_down_to_the_first_clue(visit, stack):
    code = stack.shell("from tests.games.tables import room_of; result = room_of(1, 'undercover', 'magic', 3).code")
    ann, ben = sit(visit(), code, 1, stack.base_url), visit()
    ben.goto(f"/t/{code}/")
    ben.get_by_label("Your name").fill("Ben")
    ben.keyboard.press("Enter")
    expect(ben.locator("#act")).to_contain_text("You have a seat.")
    assert focused_in_sight(ben) == "act"
    ann.get_by_role("button", name="Fill with agents and start").press("Enter")
    expect(ann.locator("#feed")).to_contain_text("One clue each.")
    assert focused_in_sight(ann) == "act"


def test_focus_stays_where_one_acts_after_the_vote_that_ends_the_match(visit, stack, code):
    page = sit(visit(), code, 1, stack.base_url)
    on_the_server(stack, code, "one", "two", "three", "four", "five", "six")
    stack.shell(
        f"""
from games.match import store
from games.models import Match
match = Match.objects.get(room__code={code!r})
for request in [r for r in store.load(match).state.open.values() if r.seat != 1]:
    assert store.act(match.pk, request.seat, request.id, {{"seat": 1}})"""
    )
    page.locator("body").press("3")
    page.get_by_role("button", name="Vote for Cleo").press("Enter")
    expect(page.locator(".over")).to_be_visible()
    assert focused_in_sight(page) == "act"


@pytest.mark.parametrize("screen", [PHONE, LAPTOP])
def test_at_the_end_the_result_is_on_the_screen_and_the_guess_is_answered_there(visit, stack, screen):
    code = stack.shell(
        """
from tests.games.tables import asked, match_at, room_of
from games.match import store
room = room_of(3, agents_named=False)
match = match_at(room)
for words in ("one", "two", "three", "four", "five", "six"):
    request = asked(match)
    store.act(match.pk, request.seat, request.id, {"text": words})
for request in [r for r in store.load(match).state.open.values() if r.seat != 1]:
    assert store.act(match.pk, request.seat, request.id, {"seat": {2: 3, 3: 1}[request.seat]})
result = room.code"""
    )
    page = sit(visit(screen), code, 1, stack.base_url)
    page.locator("body").press("3")
    page.get_by_role("button", name="Vote for Cleo").press("Enter")
    wait_until_in_sight(page, "#over-title")
    page.reload()
    wait_until_in_sight(page, "#over-title")
    page.get_by_role("button", name="That is my guess").press("Enter")
    expect(page.get_by_text("Your guess is kept.")).to_be_visible()
    stack.shell(f"""
from games.match import detection
from games.models import Room
room = Room.objects.get(code={code!r})
for seat in (2, 3):
    detection.answer(room.match, seat, [])
""")
    expect(page.get_by_text("Ben was a person. You were right.")).to_be_visible()
    assert focused_in_sight(page) == "act"
    ticked = page.evaluate(
        """[...document.querySelectorAll(".verdicts .right span")]
           .map((part) => getComputedStyle(part, "::after").content.includes("✓"))"""
    )
    assert ticked == [False, True, False, True]
    page.set_viewport_size(PHONE)
    wait_until_in_sight(page, "#over-title")


def test_the_end_that_another_player_brings_comes_with_the_question_who_was_an_agent(visit, stack):
    code = stack.shell(
        """
from tests.games.tables import asked, match_at, room_of
from games.match import store
room = room_of(3, agents_named=False)
match = match_at(room)
for words in ("one", "two", "three", "four", "five", "six"):
    request = asked(match)
    store.act(match.pk, request.seat, request.id, {"text": words})
result = room.code"""
    )
    page = sit(visit(), code, 1, stack.base_url)
    page.locator("body").press("3")
    page.get_by_role("button", name="Vote for Cleo").press("Enter")
    expect(page.locator("#feed")).to_contain_text("You voted for Cleo")
    stack.shell(
        f"""
from games.match import store
from games.models import Match
match = Match.objects.get(room__code={code!r})
for request in list(store.load(match).state.open.values()):
    assert store.act(match.pk, request.seat, request.id, {{"seat": {{2: 3, 3: 1}}[request.seat]}})"""
    )
    expect(page.get_by_role("group", name="Who was an agent?")).to_be_visible()
    page.get_by_role("button", name="Skip").press("Enter")
    expect(page.get_by_role("group", name="Who was an agent?")).to_be_hidden()


def wait_until_in_sight(page: Page, selector: str) -> None:
    """Until nothing lies over its beginning."""
    page.wait_for_function(
        """selector => {
          const element = document.querySelector(selector);
          const { left, top, height } = element?.getBoundingClientRect() ?? {};
          return element?.contains(document.elementFromPoint(left + 4, top + height / 2));
        }""",
        arg=selector,
    )


def test_words_half_typed_survive_whatever_others_do(visit, stack, code):
    page = sit(visit(), code, 2, stack.base_url)
    on_the_server(stack, code, "first")
    page.get_by_label("What is your clue?").fill("half a thou")
    on_the_server(stack, code, pause=True)
    expect(page.locator("#feed")).to_contain_text("The table goes on.")
    expect(page.get_by_label("What is your clue?")).to_have_value("half a thou")
    expect(page.get_by_label("What is your clue?")).to_be_focused()


def test_a_frame_leaves_what_is_selected_and_unfolded_as_it_is(visit, stack, code):
    page = sit(visit(), code, 2, stack.base_url)
    on_the_server(stack, code, "first")
    page.locator("#act summary").click()
    field = page.get_by_label("What is your clue?")
    field.fill("half a thou")
    field.evaluate("field => field.setSelectionRange(5, 8)")
    on_the_server(stack, code, pause=True)
    expect(page.locator("#feed")).to_contain_text("The table goes on.")
    assert field.evaluate("field => [field.value, field.selectionStart, field.selectionEnd]") == ["half a thou", 5, 8]
    expect(field).to_be_focused()
    expect(page.locator("#act details[open]")).to_have_count(1)


def test_what_is_half_typed_is_not_carried_into_the_form_of_another_request(visit, stack, code):
    page = sit(visit(), code, 1, stack.base_url)
    page.get_by_label("What is your clue?").fill("half a thou")
    on_the_server(stack, code, "one", "two", "three")
    expect(page.locator("#feed")).to_contain_text("three")
    expect(page.get_by_label("What is your clue?")).to_have_value("")


def test_a_cut_line_comes_back_with_all_that_happened_and_nothing_typed_is_lost(visit, stack, code, line):
    page = sit(visit(), code, 2, line.base_url)
    on_the_server(stack, code, "first")
    page.get_by_label("What is your clue?").fill("half a thou")
    line.cut()
    expect(page.locator("#line")).to_be_visible()
    on_the_server(stack, code, pause=True)
    line.mend()
    expect(page.locator("#line")).to_be_hidden(timeout=15_000)
    expect(page.locator("#feed")).to_contain_text("The table goes on.")
    expect(page.get_by_label("What is your clue?")).to_have_value("half a thou")
    visit.problems.clear()  # refused connections and the line's other port are what is tested


def test_a_line_that_carries_nothing_is_noticed(visit, stack, code, line):
    page = visit(marked=True)
    page.clock.install()
    sit(page, code, 2, line.base_url)
    on_the_server(stack, code, "heard")
    expect(page.locator("#feed")).to_contain_text("heard")
    line.hold()
    page.clock.fast_forward(10_000)  # it asks whether the line is there
    expect(page.locator("#line")).to_be_hidden()
    page.clock.fast_forward(8_000)
    expect(page.locator("#line")).to_be_visible()
    on_the_server(stack, code, "missed")
    line.mend()
    page.clock.fast_forward(2_000)
    expect(page.locator("#feed")).to_contain_text("missed", timeout=25_000)
    visit.problems.clear()


def test_a_move_is_shown_even_where_the_line_dies_before_it_tells(visit, stack, code):
    page = visit(marked=True)
    dead = []
    answers = []

    def carry(line):
        server = line.connect_to_server()
        line.on_message(server.send)
        server.on_message(lambda frame: dead or line.send(frame))

    page.route_web_socket(re.compile("/ws/t/"), carry)
    page.on("response", lambda answer: answers.append(answer.status) if "/act/" in answer.url else None)
    sit(page, code, 1, stack.base_url)
    expect(page.locator("#table")).to_have_attribute("data-live", "")
    dead.append("from now on")
    play_a_clue(page, "you drink it hot")
    expect(page.locator("#feed")).to_contain_text("you drink it hot")
    expect(page.locator("#act form.move")).to_have_count(0)
    assert answers == [204]


def test_a_clue_begun_in_one_match_is_not_in_the_form_of_the_next(visit, stack, code):
    page = visit(marked=True)
    lost = []

    def carry(line):
        server = line.connect_to_server()
        line.on_message(server.send)
        server.on_message(lambda frame: line.send(frame) if not lost or 'data-n=\\"2.' in frame else None)

    page.route_web_socket(re.compile("/ws/t/"), carry)
    sit(page, code, 1, stack.base_url)
    expect(page.locator("#table")).to_have_attribute("data-live", "")
    form = page.locator("#act form.move[data-request]")
    asked = form.get_attribute("data-request")
    form.locator("[name='text.text']").press_sequentially("you drink it hot")
    lost.append("all that is told of the end")
    script = f"""
from games.match import store
from games.models import Room
from games.room import rooms
room = Room.objects.get(code={code!r})
"""
    stack.shell(script + 'store.end(room.match.pk, "abandoned", "enough")')
    stack.shell(script + "rooms.start(room, room.host)")
    expect(page.locator("#table")).to_have_attribute("data-generation", "2")
    expect(form).to_have_attribute("data-request", asked)
    expect(form.locator("[name='text.text']")).to_have_value("")


def test_the_card_is_face_up_only_while_it_is_held(visit, stack, code):
    page = sit(visit(PHONE), code, 1, stack.base_url)
    face, handle = page.locator("[data-card] .face"), page.locator("[data-card] summary")
    page.get_by_role("link", name="Card").click()
    expect(face).to_be_hidden()
    handle.hover()
    page.mouse.down()
    expect(face).to_contain_text("coffee")
    page.mouse.up()
    expect(face).to_be_hidden()
    handle.focus()
    page.keyboard.down(" ")
    expect(face).to_be_visible()
    page.keyboard.up(" ")
    expect(face).to_be_hidden()


def test_digits_choose_a_seat_and_enter_sends(visit, stack, code):
    page = sit(visit(), code, 1, stack.base_url)
    on_the_server(stack, code, "one", "two", "three", "four", "five", "six")
    expect(page.locator("#act h2")).to_have_text("Whom do you vote for?")
    page.locator("body").press("3")
    expect(page.get_by_role("button", name="Vote for Cleo")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#feed")).to_contain_text("You voted for Cleo")


def test_the_table_fits_a_phone(visit, stack, code):
    page = sit(visit(PHONE), code, 1, stack.base_url)
    expect(page.locator("#act form.move")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        """[...document.querySelectorAll("button, a.btn, summary, input, textarea")]
           .filter((el) => el.checkVisibility() && el.type !== "hidden" && el.getBoundingClientRect().height < 44)
           .map((el) => el.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_what_is_said_in_free_talk_is_heard_by_all(visit, stack):
    code = stack.shell(
        """
from tests.games.tables import match_at, room_of
room = room_of(4, "undercover", "party", 4, options={"discussion": "free"})
match = match_at(room, {"civilian_word": "coffee", "undercover_word": "tea"})
result = room.code"""
    )
    on_the_server(stack, code, "one", "two", "three", "four")
    ann, ben = (sit(visit(), code, person, stack.base_url) for person in (1, 2))
    talk = ann.get_by_label("What do you say?")
    for words in ("I trust Ben", "and nobody else"):
        talk.fill(words)
        talk.press("Enter")
        for page in (ann, ben):
            expect(page.locator("#feed .say .text").last).to_have_text(words)
    expect(talk).to_have_value("")
    expect(talk).to_be_focused()


def test_a_host_fills_the_table_and_starts_without_a_reload(visit, stack):
    code = stack.shell("from tests.games.tables import room_of; result = room_of(2, 'undercover', 'wiu', 5).code")
    ann, ben = (sit(visit(), code, person, stack.base_url) for person in (1, 2))
    ann.get_by_role("button", name="Fill with agents", exact=True).click()
    expect(ben.locator("#status")).to_contain_text("All seats are taken.")
    ann.get_by_role("button", name="Start").click()
    for page in (ann, ben):
        expect(page.locator("#feed")).to_contain_text("One clue each.")
        expect(page.locator("[data-card]")).to_have_count(1)


def test_without_scripts_the_whole_match_can_be_played(visit, stack, code):
    page = sit(visit(java_script_enabled=False), code, 1, stack.base_url)
    page.get_by_label("What is your clue?").fill("you drink it hot")
    page.get_by_role("button", name="Give clue").click()
    expect(page.locator("#feed")).to_contain_text("you drink it hot")
    on_the_server(stack, code, "two", "three", "four", "five", "six")
    page.reload()
    page.get_by_label("Cleo").check(force=True)
    page.get_by_role("button", name="Vote").click()
    expect(page.locator("#feed")).to_contain_text("You voted for Cleo")
