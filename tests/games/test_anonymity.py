"""At a table that names no agents or hides names, nothing around the match tells who has which seat or name."""

from __future__ import annotations

import html
import re

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.core.cache import cache

from games.match import store, writer
from games.models import GameSetting, Match, Seat
from games.room import chairs, dealing, rooms
from tests.games.pages import Page
from tests.games.tables import HTMX, WORDS, browser, play_out, room_of

pytestmark = pytest.mark.django_db
ANONYMOUS = [{"agents_named": False}, {"pseudonyms": True}]
TYPED = ("Quentin", "Rosalind", "Siegfried")
NUMBER = re.compile(r' data-n="[^"]*"|csrfmiddlewaretoken" value="[^"]+"|X-CSRFToken": "[^"]+"')


@pytest.fixture(autouse=True)
def words_and_an_agent(monkeypatch):
    cache.clear()
    GameSetting.objects.create(
        game="undercover", name="coffee and tea", data={"civilian_word": "coffee", "undercover_word": "tea"}
    )
    monkeypatch.setattr(rooms, "seatable", lambda game, researcher=False: [("house", "House agent")])


def opened(**settings):
    """A table for six that three people have come to, under the names that they typed."""
    room = rooms.open_room(game="undercover", preset="party", seats=6, person="key-1", name=TYPED[0], **settings)
    for n in (2, 3):
        browser(f"key-{n}").post(f"/t/{room.code}/sit/", {"name": TYPED[n - 1], "seat": n})
    return room


def page(room, key):
    return html.unescape(NUMBER.sub("", browser(key).get(f"/t/{room.code}/").content.decode()))


def begun(room, key="key-1"):
    answer = browser(key).post(f"/t/{room.code}/start/", {"fill": 1}, **HTMX)
    assert answer.status_code == 200, html.unescape(answer.content.decode())
    return room.match


@pytest.mark.parametrize("settings", ANONYMOUS)
def test_the_waiting_room_tells_how_many_have_come_and_no_more(settings):
    room = opened(**settings)
    shown = {key: page(room, key) for key in ("key-1", "key-2", "key-9")}
    for text in shown.values():
        assert "3 of 6 seats are taken." in text
        assert not any(name in text for name in TYPED)
        assert 'data-seat="1"' not in text and "data-who" not in text
    for order in ([6, 1, 2, 3, 4, 5], [2, 5, 1, 6, 3, 4]):
        shuffled(room, order)
        assert {key: page(room, key) for key in shown} == shown
    chairs.fill(room, "key-1", "house", [number for number in range(1, 7) if room.seats.get(number=number).free])
    full = {key: page(room, key) for key in shown}
    shuffled(room, [3, 1, 6, 2, 5, 4])
    assert {key: page(room, key) for key in shown} == full
    assert "agent</span>" not in full["key-1"] and "Free the seat" not in full["key-1"]


def shuffled(room, order, sitters=None):
    """Let the same people and agents sit on other chairs."""
    sitters = sitters or list(room.seats.values_list("person", "agent"))
    room.seats.update(person="", agent="")
    for number, (person, agent) in zip(order, sitters, strict=True):
        room.seats.filter(number=number).update(person=person, agent=agent)


def seat_in_order(room, people):
    """Let these people sit on the first chairs."""
    sitters = sorted(room.seats.values_list("person", "agent"), key=lambda sitter: (sitter[0] == "", sitter))
    assert [person for person, _ in sitters if person] == people
    shuffled(room, range(1, 7), sitters)


@pytest.mark.parametrize("settings", ANONYMOUS)
def test_no_page_holds_a_name_that_somebody_typed(settings):
    room = opened(**settings)
    assert not any(name in page(room, "key-9") for name in TYPED)
    lobby = browser("key-9").get("/").content.decode()
    assert room.code in lobby and not any(name in lobby for name in TYPED)
    match = begun(room)
    assert not any(name in page(room, key) for name in TYPED for key in ("key-1", "key-2", "key-9"))
    assert not any(name in str(list(match.sitters.values())) for name in TYPED)
    assert not Seat.objects.exclude(name="").exists()


@pytest.mark.parametrize("settings", ANONYMOUS)
def test_seats_are_drawn_for_everybody_by_the_seed(settings, monkeypatch):
    def where(seed):
        monkeypatch.setattr(dealing, "new_seed", lambda: seed)
        room = opened(**settings)
        chairs.fill(room, "key-1", "house")
        seat_in_order(room, ["key-1", "key-2", "key-3"])
        seats = rooms.start(room, "key-1").seated
        return [sitter.person or "agent" for sitter in seats], [sitter.name for sitter in seats]

    drawn = [where(seed) for seed in (*range(6), 0)]
    assert drawn[0] == drawn[-1]
    assert len({tuple(people) for people, _ in drawn}) > 4
    assert len({people.index("key-1") for people, _ in drawn}) > 2
    if settings.get("pseudonyms"):
        assert all(names == [f"Player {n}" for n in range(1, 7)] for _, names in drawn)
    else:
        assert all(set(names) <= set(dealing.AGENT_NAMES) and len(set(names)) == 6 for _, names in drawn)
        assert len({tuple(names) for _, names in drawn}) > 4


@pytest.mark.parametrize("settings", ANONYMOUS)
def test_each_is_told_their_own_name_and_keeps_their_own_seat(settings):
    room = opened(**settings)
    match = begun(room)
    for key in ("key-1", "key-2", "key-3"):
        seat = match.seat_of(key)
        assert room.seats.get(person=key).number == seat
        assert re.findall(r"At this table you are <b>([^<]+)</b>", page(room, key)) == [match.names()[seat]]
    assert "At this table you are" not in page(room, "key-9")


@pytest.mark.slow
def test_playing_again_keeps_nothing(monkeypatch):
    seeds = iter(range(100))
    monkeypatch.setattr(dealing, "new_seed", lambda: next(seeds))
    room = opened(agents_named=False)
    sittings = []
    for _match in range(4):
        match = begun(room)
        play_out(match)
        sittings.append({sitter.person: (sitter.seat, sitter.name) for sitter in match.seated})
    assert Match.objects.count() == 4
    for key in ("key-1", "key-2", "key-3"):
        assert len({sitting[key] for sitting in sittings}) == 4


def test_that_an_agent_plays_for_somebody_leaves_no_trace_for_others():
    room = opened(agents_named=False)
    match = begun(room)
    own, others = "key-2", ("key-1", "key-3", "key-9")
    seat = match.seat_of(own)

    def seen():
        files = [browser(key).get(f"/m/{match.pk}/export/").content for key in (own, *others)]
        return files, [page(room, key) for key in others]

    before, asked = seen(), set(match.pending.filter(seat=seat).values_list("agent", flat=True))
    chairs.leave(room, own)
    store.give_back(match.pk, seat)
    store.take_over(match.pk, seat)
    assert seen() == before
    assert set(match.pending.filter(seat=seat).values_list("agent", flat=True)) == {"house" for _ in asked}
    room.seats.filter(number=seat).update(person=own)
    assert not store.give_back(match.pk, seat).events and seen() == before


def test_who_acts_has_the_own_seat_back():
    room = opened(agents_named=False)
    match = begun(room)
    request = next(iter(store.load(match).state.open.values()))
    writer.reseat(match, request.seat, kind="person", person="key-7", agent="", stand_in="house")
    match.refresh_from_db()
    assert match.unseen_stand_ins()
    assert store.act(match.pk, request.seat, request.id, {"text": "it is warm"})
    match.refresh_from_db()
    assert not match.unseen_stand_ins()


def test_a_deal_that_fixes_the_seats_keeps_them():
    room = room_of(3, "undercover", "magic", 3, agents_named=False, study=True, deal={"setting": WORDS, "seed": 5})
    match = rooms.start(room, "key-1")
    assert [sitter.person for sitter in match.seated] == ["key-1", "key-2", "key-3"]


@pytest.mark.django_db(transaction=True)
async def test_all_are_told_who_was_an_agent_once_the_last_one_has_answered():
    def over():
        room = opened(agents_named=False)
        match = begun(room)
        play_out(match)
        for key in ("key-2", "key-3"):
            say(room, match, key)
        return room, match

    def say(room, match, key):
        answer = {"skip": 1} if key == "key-1" else {"agents": [match.seat_of("key-1")]}
        browser(key).post(f"/t/{room.code}/who/", answer)

    room, match = await on_thread(over)()
    own = await Page(room, "key-2").open()
    assert "Your guess is kept." in own.html() and "was a person." not in own.html()
    await on_thread(say)(room, match, "key-1")
    assert "was a person." in "".join(await own.rest())
    await own.close()
