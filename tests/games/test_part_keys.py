"""Parts of a page are sent and put in place by their keys: whatever changes in what a part shows changes its key, and a
key follows from what its reader sees alone."""

import random
import re

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.match import store
from games.models import Match
from games.registry import RULES
from games.room import chairs, rooms
from games.rules.kit import WORDS
from games.rules.random_play import random_action
from games.web import panels, visits
from tests.games.pages import Page
from tests.games.tables import asked, browser, match_at, quick_match, room_of

pytestmark = pytest.mark.slow

VISITOR = "nobody"
MOVES = 25
NUMBER = re.compile(r' data-n="[^"]*"')
KEY = re.compile(r'data-key="([^"]*)"')


class Eye:
    """One person at a table, who never misses a change if the keys tell of each."""

    def __init__(self, match: Match, person: str):
        self.match, self.person = match, person
        self.seen: dict[str, tuple] = {}

    def look(self, what: str) -> None:
        seen = visits.visit_now(self.match.room, AnonymousUser(), self.person)
        own = panels.OwnParts(seen)
        public = NUMBER.sub("", "".join(panels.public_parts(seen).values()))
        shown = {
            "public": (panels.public_key(seen), public),
            "own": (own.key(), NUMBER.sub("", "".join(own.parts().values()))),
        }
        for name, (key, html) in shown.items():
            before = self.seen.get(name)
            assert before is None or before[1] == html or before[0] != key, f"{what}: {self.person} missed it in {name}"
        self.seen = shown


@pytest.mark.django_db
@pytest.mark.parametrize("game", RULES)
def test_no_change_of_a_page_is_missed(game):
    match = quick_match(game)
    eyes = [Eye(match, person) for person in ("key-1", "key-2", "key-3", VISITOR)]

    def done(what):
        match.refresh_from_db()
        for eye in eyes:
            eye.look(what)

    done("the deal")
    for what in (store.pause, store.resume):
        what(match.pk)
        done(what.__name__)
    store.take_over(match.pk, 2)
    done("an agent takes over")
    store.give_back(match.pk, 2)
    done("somebody is back")
    match.attempts.create(
        seat=1,
        request="1:1:x",
        by="agent:x",
        code="spending",
        sentence="It costs too much.",
        action={},
        at=timezone.now(),
    )
    done("a notice")
    rng = random.Random(3)
    for move in range(MOVES):
        play = store.load(match)
        if play.over:
            break
        request = rng.choice(list(play.state.open.values()))
        store.act(match.pk, request.seat, request.id, random_action(play, request, rng, WORDS))
        done(request.kind)
        if move == 3:
            store.pause(match.pk)
            done("a pause")
            chairs.leave(match.room, "key-1")
            done("the host leaves a paused table")
            store.resume(match.pk)
            done("the heir goes on")
    store.end(match.pk, "abandoned", "That is enough.")
    done("the end")
    chairs.leave(match.room, "key-2")
    done("somebody leaves after the end")


@pytest.mark.django_db
def test_no_change_of_a_waiting_room_is_missed(monkeypatch):
    room = room_of(2, agents_named=False)
    profiles = [("one", "One"), ("two", "Two")]
    monkeypatch.setattr(rooms, "seatable", lambda game, researcher=False: list(profiles))
    match = Match(room=room)
    eyes = [Eye(match, person) for person in ("key-1", "key-2", VISITOR)]

    def done(what):
        for eye in eyes:
            eye.look(what)

    done("the table is open")
    chairs.sit(room, "key-9", "Nina")
    done("somebody sits down")
    profiles.pop()
    done("an agent is not to be had any more")
    chairs.leave(room, "key-9")
    done("somebody leaves")
    room.refresh_from_db()
    chairs.fill(room, "key-1", "one")
    done("an agent sits down")
    chairs.leave(room, "key-1")
    done("the host leaves")


@pytest.mark.django_db
def test_a_key_is_the_same_for_what_looks_the_same():
    """The form of the socket, that of the page with its token, and a refused one."""
    match = quick_match("undercover")
    request = next(iter(store.load(match).state.open.values()))
    url, person = f"/t/{match.room.code}/", f"key-{request.seat}"
    page = set(KEY.findall(browser(person, "Ann").get(url).content.decode()))
    data = {"match": match.pk, "request": request.id, "text.text": ""}
    answer = browser(person).post(f"{url}act/", data, headers={"HX-Request": "true"})
    refused = set(KEY.findall(answer.content.decode()))
    seen = visits.visit_now(match.room, AnonymousUser(), person)
    assert page == set(KEY.findall("".join(panels.OwnParts(seen).parts().values())))
    assert all(re.fullmatch("[0-9a-f]{12}", key) for key in page) and len(page) == 4
    assert refused < page and len(refused) == 3, "an answer to a move leaves the notebook out"


@pytest.mark.django_db
def test_a_form_is_not_drawn_again_for_an_answer_that_nobody_sees():
    match = match_at(room_of(6, "avalon", "official", 6, options={"discussion": "none"}))
    request = asked(match)
    store.act(match.pk, request.seat, request.id, {"seats": [1, 2]})
    keys = []
    for _ in range(2):
        votes = list(store.load(match).state.open.values())
        keys.append(panels.OwnParts(visits.visit_now(match.room, AnonymousUser(), f"key-{votes[-1].seat}")).key())
        store.act(match.pk, votes[0].seat, votes[0].id, {"approve": True})
    assert keys[0] == keys[1]


@pytest.mark.django_db(transaction=True)
async def test_the_heir_of_a_paused_table_gets_the_button_at_once():
    match = await on_thread(lambda: match_at(room_of()))()
    host, heir = [await Page(match.room, person).open() for person in ("key-1", "key-2")]
    await on_thread(store.pause)(match.pk)
    paused = "".join(await heir.rest())
    assert "The host can go on." in paused and "/resume/" not in paused
    hosts = "".join(await host.rest())
    assert hosts.index("/resume/") < hosts.index("<details") if "<details" in hosts else "/resume/" in hosts
    await on_thread(lambda: browser("key-1").post(f"/t/{match.room.code}/leave/"))()
    told = "".join(await heir.rest())
    assert ">Go on</button>" in told.split("<details", 1)[0]
    for page in (host, heir):
        await page.close()
