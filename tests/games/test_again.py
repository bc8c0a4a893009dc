"""Playing again: each person says so, results stay readable, and bystanders take the chairs that fall free."""

import html

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from games.match import store
from games.models import GameSetting, Match, Room
from games.room import again, presence, rooms
from games.web import visits
from games.web.panels import NUMBER
from tests.games.tables import HTMX, WORDS, browser, match_at, play_out, room_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def words() -> None:
    """What the next match is dealt from."""
    GameSetting.objects.create(game="undercover", name="coffee and tea", data=WORDS)


def over(people: int = 3, here: int = 3, **settings) -> Match:
    """A match that has been played; so many of its people have their pages open."""
    match = match_at(room_of(people, **settings))
    play_out(match)
    presence.exchange([(match.room.code, seat) for seat in range(1, here + 1)], [])
    return Match.objects.get(pk=match.pk)


def plays(room: Room) -> bool:
    return rooms.playing(room)


def page(room: Room, person: str) -> str:
    """All parts of the page, without their numbers."""
    answer = browser(person).get(f"/t/{room.code}/", **HTMX)
    return NUMBER.sub("", html.unescape(answer.content.decode()))


def again_by(room: Room, *people: str) -> None:
    for person in people:
        assert browser(person).post(f"/t/{room.code}/rematch/").status_code == 302


def test_the_next_match_begins_when_all_who_are_here_want_it():
    room = over().room
    again_by(room, "key-1")
    assert "Ann wants to play again." in page(room, "key-2")
    assert "Ben and Cleo are still reading." in page(room, "key-1")
    again_by(room, "key-2")
    assert not plays(room)
    again_by(room, "key-3")
    match = room.matches.get(number=2)
    assert match.status == "running" and not store.load(match).state.stand_ins
    assert not room.seats.filter(ready=True).exists()


@pytest.mark.parametrize("reads", range(1, 4))
def test_who_wants_to_play_again_never_seems_to_be_reading_while_the_next_match_begins(reads):
    """It begins after so many reads of the place; what the page shows is the wish, or the next match."""
    room, asked = over().room, []
    again_by(room, "key-1", "key-2")
    room.seats.filter(person="key-3").update(ready=True)

    def between(execute, sql, params, many, context):
        answer = execute(sql, params, many, context)
        asked.append(sql)
        if len(asked) == reads:
            assert again.begin_if_all_are_ready(Room.objects.get(pk=room.pk))
        return answer

    with connection.execute_wrapper(between):
        at = visits.place(pk=room.pk)
    seen = visits.visit_at(at, AnonymousUser(), "key-2")
    assert seen.generation == 2 or seen.ready


def test_who_would_rather_wait_is_waited_for():
    room = over().room
    again_by(room, "key-1", "key-2")
    assert browser("key-1").post(f"/t/{room.code}/wait/").status_code == 302
    again_by(room, "key-3")
    assert not plays(room)
    again_by(room, "key-1")
    assert plays(room)


def test_who_has_closed_the_page_is_not_waited_for_and_finds_an_agent_in_their_place():
    room = over(here=2).room
    again_by(room, "key-1", "key-2")
    match = room.matches.get(number=2)
    assert set(store.load(match).state.stand_ins) == {3}
    page(room, "key-3")
    assert not store.load(match).state.stand_ins


def test_the_host_begins_without_who_is_still_reading():
    room = over().room
    again_by(room, "key-1")
    assert browser("key-2").post(f"/t/{room.code}/start/").status_code == 409
    assert browser("key-1").post(f"/t/{room.code}/start/").status_code == 302
    assert set(store.load(room.matches.get(number=2)).state.stand_ins) == {2, 3}


def test_a_host_who_has_closed_the_page_or_left_keeps_nobody_from_playing():
    closed, left = over(here=0), over()
    again_by(closed.room, "key-2")
    assert plays(closed.room) and Room.objects.get(pk=closed.room.pk).host == "key-2"
    browser("key-1").post(f"/t/{left.room.code}/leave/")
    assert Room.objects.get(pk=left.room.pk).host == "key-2"
    assert "Fill with agents and play again" in page(left.room, "key-2")


def test_a_second_press_of_the_last_one_begins_no_second_match():
    room = over().room
    again_by(room, "key-1", "key-2", "key-3", "key-3")
    assert room.matches.count() == 2


def test_a_bystander_takes_the_first_chair_that_falls_free():
    room = over().room
    for number, name in enumerate(("Zoe", "Yan"), 8):
        assert browser(f"key-{number}").post(f"/t/{room.code}/queue/", {"name": name}).status_code == 302
    assert "You take the next free chair." in page(room, "key-8")
    browser("key-2").post(f"/t/{room.code}/leave/")
    assert list(room.seats.values_list("person", "name", "ready")) == [
        ("key-1", "Ann", False),
        ("key-8", "Zoe", True),
        ("key-3", "Cleo", False),
    ]
    again_by(room, "key-1", "key-3")
    assert room.matches.get(number=2).names() == {1: "Ann", 2: "Zoe", 3: "Cleo"}
    assert "You take the next free chair." in page(room, "key-9")


def test_agents_keep_their_names_unless_somebody_comes_who_is_called_so():
    room = room_of(1, preset="party", seats=5)
    room.seats.filter(number__in=(2, 3, 4, 5)).update(agent="house")
    first = rooms.start(Room.objects.get(pk=room.pk), "key-1").names()
    store.end(room.matches.get(number=1).pk, "abandoned", "The host ended it.")
    room.seats.filter(number=2).update(agent="", person="key-2", name=first[3])
    room.seats.filter(number=4).update(agent="house-easy")
    second = rooms.start(Room.objects.get(pk=room.pk), "key-1").names()
    assert (second[1], second[2], second[5]) == ("Ann", first[3], first[5])
    assert second[3] != first[3] and len(set(second.values())) == 5


def test_a_bystander_waits_while_a_match_is_played_and_sits_down_before_the_next_deal():
    match = match_at(room_of(3))
    room = match.room
    play_out(match, stop=6)
    browser("key-8").post(f"/t/{room.code}/queue/", {"name": "Zoe"})
    browser("key-2").post(f"/t/{room.code}/leave/")
    assert not room.seats.get(number=2).person
    store.end(match.pk, "abandoned", "The host ended it.")
    presence.exchange([(room.code, 1), (room.code, 3), (room.code, "key-8")], [])
    again_by(room, "key-1", "key-3")
    assert room.matches.get(number=2).names()[2] == "Zoe"


def left_in_mid_match() -> Match:
    """A running match whose second chair was left, and for which somebody waits: 'key-8'."""
    match = match_at(room_of(3))
    play_out(match, stop=6)
    browser("key-8").post(f"/t/{match.room.code}/queue/", {"name": "Zoe"})
    browser("key-2").post(f"/t/{match.room.code}/leave/")
    return match


@pytest.mark.django_db(transaction=True)
def test_who_waits_has_the_chair_as_soon_as_the_match_is_over_even_if_not_seen_for_a_moment(monkeypatch):
    monkeypatch.setattr(presence, "GRACE", 0)
    match = left_in_mid_match()
    store.end(match.pk, "abandoned", "The host ended it.")
    assert match.room.seats.get(number=2).person == "key-8"
    late = browser("key-2").post(f"/t/{match.room.code}/sit/", {"name": "Ben"})
    assert late.status_code == 409 and "The table is full." in late.content.decode()


@pytest.mark.django_db(transaction=True)
def test_who_waits_and_has_the_page_open_again_goes_before_who_comes():
    for comes_back in (lambda code: page_of(code), lambda code: presence.exchange([(code, "key-8")], [])):
        match = left_in_mid_match()
        presence.cache.delete(presence._key((match.room.code, "key-8")))
        store.end(match.pk, "abandoned", "The host ended it.")
        assert not match.room.seats.get(number=2).person
        comes_back(match.room.code)
        browser("key-2").post(f"/t/{match.room.code}/sit/", {"name": "Ben"})
        assert match.room.seats.get(number=2).person == "key-8"


def page_of(code: str) -> None:
    answer = browser("key-8").get(f"/t/{code}/")
    assert "You take the next free chair." not in answer.content.decode()


def test_a_bystander_who_is_gone_or_would_rather_look_on_gets_no_chair():
    room = over().room
    for number in (7, 8):
        browser(f"key-{number}").post(f"/t/{room.code}/queue/", {"name": f"Zoe {number}"})
    browser("key-8").post(f"/t/{room.code}/queue/", {"no": "1"})
    presence.cache.delete(presence._key((room.code, "key-7")))
    browser("key-2").post(f"/t/{room.code}/leave/")
    assert not room.seats.get(number=2).person
    assert "Take the next free chair" not in page(room, "key-8")  # there is one: they can sit down
    assert "Sit down" in page(room, "key-8")


def test_a_bystander_with_somebodys_name_is_told_so_and_keeps_what_was_typed():
    room = over().room
    answer = browser("key-8").post(f"/t/{room.code}/queue/", {"name": " "})
    assert answer.status_code == 409
    assert Room.objects.get(pk=room.pk).bystanders == []


def test_nobody_hears_who_plays_again_while_it_is_asked_who_was_an_agent():
    match = match_at(room_of(2, seats=3, agents_named=False))
    room = match.room
    play_out(match)
    presence.exchange([(room.code, 1), (room.code, 2)], [])
    before = page(room, "key-2")
    again_by(room, "key-1")
    assert not plays(room)
    assert page(room, "key-2") == before
    assert "still reading" not in page(room, "key-1")


def test_a_person_who_is_erased_waits_for_no_chair():
    room = over().room
    browser("key-8").post(f"/t/{room.code}/queue/", {"name": "Zoe"})
    again.forget("key-8")
    assert Room.objects.get(pk=room.pk).bystanders == []


def test_marks_and_guesses_go_to_the_match_that_is_read():
    match = over(agents_named=False)
    room = match.room
    again_by(room, "key-1", "key-2", "key-3")
    assert plays(room)
    answer = browser("key-2").post(f"/t/{room.code}/who/", {"agents": "1", "number": 1})
    assert answer.status_code == 302
    assert match.detections.get().seat == match.seat_of("key-2")


def test_the_verdict_is_each_persons_own():
    match = over()
    won = store.load(match).state.outcome.winners
    for seat in (1, 2, 3):
        assert ("You won." if seat in won else "You lost.") in page(match.room, f"key-{seat}")
    watching = page(match.room, "nobody")
    assert "You won." not in watching and "You lost." not in watching
