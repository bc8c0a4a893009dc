"""Big moments and the end of a match in a real browser: what is shown one after another and known by nothing before;
who won, who plays again, and what calls somebody whose turn it is."""

import re
from collections import defaultdict

import pytest
from playwright.sync_api import Page, expect

from games.room.people import COOKIE
from tests.browser import PHONE
from tests.games import test_table_browser as table
from tests.games.tables import cookie
from tests.players import Player
from tests.stack import Stack

MOVES = {"reduced_motion": "no-preference"}
TELLS = """
    window.beats = [];
    document.addEventListener("table:beat", ({ detail }) => beats.push({
      ...detail,
      heard: [...document.querySelectorAll("#feed li:not([aria-hidden])")].map((line) => Number(line.dataset.seq)),
      over: document.querySelector(".over") !== null,
      around: ["#status", "#seats", "#board"].map((part) => document.querySelector(part).innerText).join()
        .replace(/\\d+:\\d\\d/g, "time left"),
      seen: document.querySelector(".staged").innerText,
    }));"""
"""Notes at each beat of a big moment what has fallen, and what the page shows meanwhile."""


def sit(page: Page, code: str, person: int, base: str) -> Page:
    """Open the table as the one who sits there, up to what the socket tells first: that is shown at once."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    table.sit(page, code, person, base)
    for _ in range(1500):
        if any("data-part" in frame for frame in frames):
            return page
        page.wait_for_timeout(20)
    raise AssertionError("The socket told nothing.")


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


@pytest.fixture
def last_vote(stack: Stack) -> str:
    """A table at Undercover where Ann, Ben and Cleo, who has the other word, have only the vote before them."""
    return stack.shell(
        """
from games.match import store
from tests.games.tables import asked, match_at, room_of
room = room_of(3)
match = match_at(room)
for words in ("one", "two", "three", "four", "five", "six"):
    request = asked(match)
    assert store.act(match.pk, request.seat, request.id, {"text": words}).refusal is None
result = room.code"""
    )


def vote(stack: Stack, code: str) -> None:
    """Cleo is voted out."""
    stack.shell(
        f"""
from games.match import store
from games.models import Match
match = Match.objects.get(room__code={code!r}, status="running")
for request in list(store.load(match).state.open.values()):
    assert store.act(match.pk, request.seat, request.id, {{"seat": 1 if request.seat == 3 else 3}}).refusal is None"""
    )


def three(visit, stack: Stack, code: str) -> list[Page]:
    return [sit(visit(), code, person, stack.base_url) for person in (1, 2, 3)]


def begun(stack: Stack, code: str) -> int:
    return stack.shell(f"from games.models import Room; result = Room.objects.get(code={code!r}).matches.count()")


def test_the_end_begins_with_who_won_on_the_page_in_its_title_and_aloud(visit, stack, last_vote):
    ann, _ben, cleo = three(visit, stack, last_vote)
    watcher = visit()
    watcher.goto(f"/t/{last_vote}/")
    vote(stack, last_vote)
    for page, words in ((ann, "You won."), (cleo, "You lost."), (watcher, "The civilians win.")):
        heading = page.locator("h1#over-title")
        expect(heading).to_have_text(words)
        expect(page.locator("#announced")).to_have_text(words)
        expect(page).to_have_title(f"{words} · Undercover · {last_vote}")
    expect(ann.locator(".verdict .why")).to_contain_text(
        "The civilians win. Everyone with the other word was voted out."
    )
    parts = [page.locator("#stage").evaluate("part => part.outerHTML") for page in (ann, cleo, watcher)]
    assert len({part.replace(" me", "").replace(' data-you="you"', "") for part in parts}) == 1


def test_nothing_of_the_end_is_known_before_the_last_vote_has_been_told(visit, stack, last_vote):
    page = sit(visit(**MOVES), last_vote, 1, stack.base_url)
    page.evaluate(TELLS)
    vote(stack, last_vote)
    expect(page.locator("h1#over-title")).to_have_text("You won.", timeout=30_000)
    beats = told(page)
    votes = [beat["what"] for beat in beats if "voted for" in beat["what"]]
    assert [re.search("Ann|Ben|Cleo", what)[0] for what in votes] == ["Ann", "Ben", "Cleo"]
    assert [beat["seq"] for beat in beats] == sorted(beat["seq"] for beat in beats)
    assert not any(beat["over"] for beat in beats)
    assert len({beat["around"] for beat in beats}) == 1


def test_three_play_again_and_one_of_them_goes_on_reading(visit, stack, last_vote):
    ann, ben, cleo = three(visit, stack, last_vote)
    vote(stack, last_vote)
    ben.get_by_role("button", name="Play again").click()
    expect(ann.locator(".again")).to_contain_text("Ben wants to play again.")
    expect(ben.locator(".again")).to_contain_text("Ann and Cleo are still reading.")
    ann.get_by_role("button", name="Play again").click()
    ann.get_by_role("button", name="Begin without waiting").click()
    for page in (ann, ben):
        expect(page.locator("#table")).to_have_attribute("data-generation", "2")
        expect(page.locator(".verdict")).to_have_count(0)
    expect(cleo.locator("h1#over-title")).to_have_text("You lost.")
    expect(cleo.locator("#announced")).to_have_text("The next match has begun.")
    cleo.get_by_role("link", name="Go to the new match").click()
    expect(cleo.locator("#feed")).to_contain_text("is back")
    expect(cleo.locator("[data-card]")).to_have_count(1)
    assert begun(stack, last_vote) == 2


def test_the_host_is_lost_and_the_others_play_on_with_a_bystander(visit, stack, last_vote):
    ann, ben, cleo = three(visit, stack, last_vote)
    zoe = visit()
    zoe.goto(f"/t/{last_vote}/")
    zoe.get_by_label("Your name").fill("Zoe")
    zoe.get_by_role("button", name="Take the next free chair").click()
    expect(zoe.locator("#act")).to_contain_text("You take the next free chair.")
    vote(stack, last_vote)
    for page in (ben, cleo):
        page.get_by_role("button", name="Play again").click()
        expect(page.get_by_text("You want to play again.")).to_be_visible()
    ann.get_by_role("button", name="Leave the table").click()
    for page in (ben, cleo, zoe):
        expect(page.locator("#table")).to_have_attribute("data-generation", "2")
    expect(zoe.locator("[data-card]")).to_have_count(1)
    expect(ben.locator("#seats")).to_contain_text("Zoe")


def test_your_turn_is_said_aloud_in_the_title_by_a_sound_and_by_a_vibration(visit, stack):
    code = stack.shell(
        """
from tests.games.tables import match_at, room_of
result = match_at(room_of()).room.code"""
    )
    page = visit()
    page.add_init_script(
        """window.called = [];
        Object.defineProperty(navigator, "vibrate", { value: (pattern) => called.push("vibration") });
        window.AudioContext = class extends AudioContext { constructor() { super(); called.push("sound"); } };"""
    )
    sit(page, code, 2, stack.base_url)
    expect(page.locator("#table")).to_have_attribute("data-live", "")
    page.locator("summary", has_text="Signals").click()
    page.get_by_role("button", name="Sound").click()
    assert page.evaluate("called.splice(0)") == ["sound"]
    stack.shell(
        f"""
from games.match import store
from games.models import Match
from tests.games.tables import asked
match = Match.objects.get(room__code={code!r})
request = asked(match)
assert store.act(match.pk, request.seat, request.id, {{"text": "warm"}})"""
    )
    expect(page.locator("#announced")).to_have_text("Your turn. Give one clue about your word")
    expect(page).to_have_title(re.compile("^Your turn"))
    assert page.evaluate("called") == ["sound", "vibration"]


def test_a_first_match_is_guided_to_its_end(visit, stack):
    page = visit(late=True)
    page.goto("/")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name=re.compile(r"^New here\? A guided match.*Prisoner’s Dilemma")).click()
    lesson = page.get_by_role("region", name=re.compile("Your first match"))
    for heading in ("Choose in secret", "Count the points", "The most points win"):
        expect(lesson.locator("li:visible")).to_have_count(1)
        expect(lesson.locator("li:visible")).to_contain_text(heading)
        lesson.get_by_role("button", name=re.compile("Next|Play")).click()
    expect(lesson).to_be_hidden()
    code = page.locator("#table").get_attribute("data-code")
    stack.shell(f"from games.models import Room; Room.objects.filter(code={code!r}).update(pace=0)")
    ann, form, hints = Player(page), page.locator("#act form.move[data-request]").first, defaultdict(list)
    end = page.locator("h1#over-title")
    while not ann.over:
        form.or_(end).first.wait_for(timeout=60_000)
        if form.count() and form.get_attribute("data-request") not in ann.answered:
            kind, told = form.get_attribute("data-kind"), form.locator("[data-hint]:visible").all_inner_texts()
            hints[kind].append(" ".join(told))
            ann.play()
        page.wait_for_timeout(50)
    assert "Afterwards everybody sees what each chose." in hints["prisoners_dilemma.choice"][0]
    assert set(hints["prisoners_dilemma.choice"][1:]) == {""}
    expect(end).to_have_text(re.compile("You won|You lost"))
    page.goto("/")
    assert code not in page.locator("#tables").inner_text()


def test_who_knows_the_game_puts_cards_and_hints_away(visit, stack):
    code = stack.shell(
        """
from tests.games.tables import match_at, room_of
room = room_of(3)
room.seats.filter(number=1).update(person="never-played")
result = match_at(room).room.code"""
    )
    page = visit()
    page.context.add_cookies([{"name": COOKIE, "value": cookie("never-played"), "url": stack.base_url}])
    page.goto(f"/t/{code}/")
    expect(page.locator("[data-hint]")).to_be_visible()
    page.get_by_role("button", name="I know this game").click()
    expect(page.locator("[data-hint]")).to_be_hidden()
    page.reload()
    expect(page.locator("[data-lesson]")).to_be_hidden()
    expect(page.locator("[data-hint]")).to_be_hidden()


def test_on_a_phone_the_cards_stay_in_sight_while_the_story_grows(visit, stack):
    code = stack.shell(
        """
from tests.games.tables import match_at, room_of
room = room_of(3)
room.seats.filter(number=1).update(person="never-played")
result = match_at(room).room.code"""
    )
    page = visit(PHONE)
    page.context.add_cookies([{"name": COOKIE, "value": cookie("never-played"), "url": stack.base_url}])
    page.goto(f"/t/{code}/")
    expect(page.locator("#table[data-live]")).to_be_attached()
    stack.shell(
        f"""
from games.models import Match
from tests.games.tables import play_out
play_out(Match.objects.get(room__code={code!r}), stop=8)"""
    )
    expect(page.locator("#feed > li").nth(8)).to_be_attached()
    for name in ("Next", "I know this game"):
        uncovered = page.get_by_role("button", name=name).evaluate(
            """(button) => {
              const { x, y, width, height } = button.getBoundingClientRect();
              return button === document.elementFromPoint(x + width / 2, y + height / 2);
            }"""
        )
        assert uncovered, name


def test_what_is_being_played_can_be_found_in_the_lobby_and_watched(visit, stack, last_vote):
    page = visit()
    page.goto("/")
    page.get_by_role("link", name=f"Watch {last_vote}").click()
    expect(page.locator("#act")).to_contain_text("You are watching.")
    expect(page.locator("#feed")).to_contain_text("six")
