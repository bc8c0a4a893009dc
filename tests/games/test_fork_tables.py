"""Tables at which people play on from a moment of another match: who opens one, who sits there, and what is seen."""

from __future__ import annotations

import html
import json
import random
import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import F

from games.match import access, beginning, erasing, store, writer
from games.models import Match, Room
from games.refused import Refused
from games.room import again, chairs, rooms
from games.rules.random_play import random_action
from games.rules.values import PUBLIC
from tests.games.matches import dealt, play_on, stored
from tests.games.tables import asked, browser, match_at, play_out, room_of
from tests.games.test_keeping import keeper
from tests.people import researcher
from tests.programs import program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


def finished(**settings) -> Match:
    """A match of three people that is over."""
    match = match_at(room_of(3, **settings))
    play_out(match)
    match.refresh_from_db()
    return match


def opened(match: Match, seq: int = 7, seat: int | None = 2, by: str = "zoe") -> Room:
    """A table at which somebody new plays on, opened by the page."""
    page = browser(by, "Zoe")
    sent = {"seq": seq, "name": "Zoe"} | ({} if seat is None else {"seat": seat})
    answer = page.post(f"/m/{match.pk}/play-on/", sent)
    assert answer.status_code == 302, html.unescape(answer.content.decode())
    return Room.objects.get(code=answer.url.strip("/").split("/")[-1])


def begun(match: Match, **more) -> Match:
    room = opened(match, **more)
    chairs.fill(room, "zoe", "house")
    return rooms.start(Room.objects.get(pk=room.pk), "zoe")


def test_a_person_plays_on_beside_agents_from_the_moment_that_was_chosen():
    match = finished()
    assert f"/m/{match.pk}/play-on/?seq=" in browser("zoe").get(f"/m/{match.pk}/").content.decode()
    assert opened(match, seq=8, by="max").fork_at == 8, "what the moderator does next is the fork's own"
    fork = begun(match)
    assert fork.events.plain()[:7] == match.events.plain()[:7]
    assert (fork.origin, fork.parent, fork.forked_from) == ("fork", match, {"match": str(match.pk), "seq": 7})
    assert [(one.seat, one.kind, one.person) for one in fork.seated] == [
        (1, "agent", ""), (2, "person", "zoe"), (3, "agent", ""),
    ]  # fmt: skip
    assert "Ben" not in fork.names().values(), "nobody sits there who did not sit down"
    assert fork not in Match.objects.originals()
    page = browser("zoe").get(f"/t/{fork.room.code}/").content.decode()
    assert "begins with the story of another one, up to event 7" in " ".join(page.split())
    play_out(fork)
    fork.refresh_from_db()
    assert fork.status == "finished"


def of_one_and_agents(**settings) -> Match:
    """A match that is over, of Ann at seat 1 and agents called Alma and Bruno."""
    room = room_of(1, **settings)
    chairs.fill(room, "key-1", "house")
    match = rooms.start(Room.objects.get(pk=room.pk), "key-1")
    if not room.anonymous:
        for seat, name in ((2, "Alma"), (3, "Bruno")):
            writer.reseat(match, seat, name=name)
    play_out(match)
    return Match.objects.get(pk=match.pk)


def test_agents_keep_the_names_of_the_story_and_nobody_else_has_them():
    match = of_one_and_agents()
    fork = begun(match, seat=2)
    names = fork.names()
    assert (names[2], names[3]) == ("Zoe", "Bruno") and names[1] not in ("Ann", "Alma", "Bruno")
    page = html.unescape(browser("zoe").get(f"/t/{fork.room.code}/").content.decode())
    assert f"Ann is now {names[1]}." in page and "Alma is now Zoe." in page and "Bruno is now" not in page


def test_the_names_before_are_told_only_to_who_may_see_the_story_where_it_stands():
    match = of_one_and_agents(watching="nobody", afterwards="researchers")
    ada = researcher("ada")
    sent = ada.post(f"/m/{match.pk}/play-on/", {"seq": 7, "name": "Ada", "seat": 2})
    room = Room.objects.get(code=sent.url.strip("/").split("/")[-1])
    chairs.sit(room, "max", "Max", 3)
    chairs.fill(room, room.host, "house")
    rooms.start(Room.objects.get(pk=room.pk), room.host)
    assert "Alma is now Ada." in html.unescape(ada.get(f"/t/{room.code}/").content.decode())
    page = browser("max").get(f"/t/{room.code}/").content.decode()
    assert "is now" not in page and "Alma" not in page


def test_nobody_sits_down_under_a_name_that_the_story_calls_another_seat():
    match = of_one_and_agents()
    answer = browser("pia", "Alma").post(f"/m/{match.pk}/play-on/", {"seq": 7, "name": "alma", "seat": 3})
    assert answer.status_code == 422 and "somebody else has that name" in answer.content.decode()
    room = opened(match, seat=2)
    late = browser("pia").post(f"/t/{room.code}/sit/", {"name": "Brun0", "seat": 1})
    assert late.status_code == 409 and "somebody else has that name" in late.content.decode()
    assert chairs.sit(room, "pia", "Bruno").number == 3, "who was called so sits where they sat"
    fork = chairs.fill(room, "zoe", "house") or rooms.start(Room.objects.get(pk=room.pk), "zoe")
    assert fork.names()[3] == "Bruno"


def test_drawn_names_stay_with_their_seats_where_nobody_is_told_who_is_who():
    match = of_one_and_agents(agents_named=False)
    sent = researcher("ada").post(f"/m/{match.pk}/play-on/", {"seq": 7, "name": "Ada"})
    room = Room.objects.get(code=sent.url.strip("/").split("/")[-1])
    chairs.fill(room, "ada", "house")
    assert rooms.start(Room.objects.get(pk=room.pk), "ada").names() == match.names()


def test_a_friend_chooses_a_free_seat_and_is_told_no_name_of_the_story():
    room = opened(of_one_and_agents(), seat=2)
    page = browser("pia").get(f"/t/{room.code}/").content.decode()
    assert [f"Seat {number}</option>" in page for number in (1, 2, 3)] == [True, False, True]
    assert "Bruno" not in page
    browser("pia").post(f"/t/{room.code}/sit/", {"name": "Pia", "seat": "3"})
    assert room.seats.get(person="pia").number == 3


def test_friends_sit_down_by_the_link_and_the_next_match_is_dealt_anew():
    room = opened(finished(), seat=0)
    for number, person in enumerate(("max", "pia", "kim"), 1):
        chairs.sit(room, person, person.title(), number)
    fork = rooms.start(room, "zoe")
    assert [one.person for one in fork.seated] == ["max", "pia", "kim"]
    play_out(fork)
    later = rooms.start(Room.objects.get(pk=room.pk), "zoe")
    assert later.forked_from is None and later.number == 2


def test_the_time_for_what_the_copied_story_asks_begins_with_the_fork():
    match = finished(move_seconds=90, absence=Room.Absence.DEFAULT)
    match.events.update(at=F("at") - timedelta(days=3))
    next_one = next(iter(store.load(match).fork(7).state.open.values())).seat
    fork = begun(match, seat=next_one)
    (asked_for,) = fork.pending.filter(agent="")
    page = browser("zoe").get(f"/t/{fork.room.code}/").content.decode()
    shown = [datetime.fromisoformat(at) for at in re.findall(r'data-clock="([^"]*)"', page)]
    assert len(shown) == 2 and all(abs(at - asked_for.deadline) < timedelta(seconds=2) for at in shown)
    desk = keeper("eve").get(f"/desk/tables/{fork.room.code}/").content.decode()
    assert "for 0\xa0minutes" in desk and "3\xa0days" not in desk


def test_the_tree_of_forks_draws_it():
    match = finished()
    fork = begun(match)
    shown = researcher().get(f"/m/{match.pk}/forks/").content.decode()
    assert shown.index(f'/m/{match.pk}/?seq=0"') < shown.index(f'/m/{fork.pk}/?seq=7"')


def test_only_who_may_see_all_of_a_finished_match_opens_one():
    closed = finished(afterwards="researchers")
    page = browser("key-2")
    assert "play-on" not in page.get(f"/m/{closed.pk}/").content.decode()
    assert page.get(f"/m/{closed.pk}/play-on/").status_code == 403
    assert page.post(f"/m/{closed.pk}/play-on/", {"seq": 5, "name": "Ben"}).status_code == 403
    running = match_at(room_of(3))
    assert browser("zoe").post(f"/m/{running.pk}/play-on/", {"seq": 5, "name": "Zoe"}).status_code == 403
    assert researcher("ada").post(f"/m/{running.pk}/play-on/", {"seq": 5, "name": "Ada"}).status_code == 422
    assert not Room.objects.exclude(fork_of=None).exists()


@pytest.mark.parametrize(
    ("sent", "status"),
    [({"seq": 999, "name": "Zoe"}, 422), ({"seq": 5, "name": " "}, 422), ({"seq": "x", "name": "Zoe"}, 404),
     ({"seq": 5, "name": "Zoe", "seat": 9}, 404)],
)  # fmt: skip
def test_what_cannot_be_opened_is_refused_with_a_sentence(sent, status):
    match = finished()
    answer = browser("zoe").post(f"/m/{match.pk}/play-on/", sent)
    assert answer.status_code == status
    assert status == 404 or 'role="alert"' in answer.content.decode()
    assert not Room.objects.exclude(fork_of=None).exists()


def test_nobody_plays_on_while_a_match_before_it_is_played():
    running = match_at(room_of(3))
    fork = beginning.fork(running, 7)
    play_out(fork)
    fork.refresh_from_db()
    answer = researcher().post(f"/m/{fork.pk}/play-on/", {"seq": 6, "name": "Ada"})
    assert answer.status_code == 422, "who plays it could sit down there and see another card"


def test_whose_seat_it_was_sees_no_more_than_they_may():
    match = finished(afterwards="researchers")
    ada = researcher("ada")
    sent = ada.post(f"/m/{match.pk}/play-on/", {"seq": 7, "name": "Ada", "seat": 0})
    room = Room.objects.get(code=sent.url.strip("/").split("/")[-1])
    assert (room.afterwards, room.watching, room.listed) == ("researchers", match.room.watching, False)
    with pytest.raises(Refused, match="may not see all of it"):
        chairs.sit(room, "key-2", "Ben", 3)
    with pytest.raises(Refused, match="may not see all of it"):
        again.wait_for_a_chair(room, "key-2", "Ben")
    answer = browser("key-2").post(f"/t/{room.code}/sit/", {"name": "Ben", "key": room.key})
    assert not room.seats.filter(person="key-2").exists() and answer.status_code != 500
    chairs.fill(room, "ada", "house")
    fork = rooms.start(Room.objects.get(pk=room.pk), "ada")
    for _time in ("while it is played", "afterwards"):
        allowed = access.access_of(Match.objects.get(pk=fork.pk), AnonymousUser(), "key-2")
        assert allowed is not None and set(allowed.choices) == {PUBLIC}
        play_out(fork)


def test_a_fork_of_a_match_that_hid_who_is_an_agent_hides_it():
    room = room_of(2, agents_named=False)
    chairs.fill(room, "key-1", "house")
    match = rooms.start(Room.objects.get(pk=room.pk), "key-1")
    play_out(match)
    match.refresh_from_db()
    ada = researcher("ada")
    assert "Where you sit" not in ada.get(f"/m/{match.pk}/play-on/?seq=7").content.decode()
    sent = ada.post(f"/m/{match.pk}/play-on/", {"seq": 7, "name": "Ada"})
    table = Room.objects.get(code=sent.url.strip("/").split("/")[-1])
    assert table.anonymous and not table.agents_named
    chairs.fill(table, "ada", "house")
    fork = rooms.start(Room.objects.get(pk=table.pk), "ada")
    assert not fork.kinds_named
    page = browser("ada").get(f"/t/{table.code}/").content.decode()
    assert 'class="tag agent"' not in page
    told = program("ada").ask(f"tables/{table.code}/observation/").json()["match"]
    assert {seat["kind"] for seat in told["seats"]} == {""}
    lines = browser("ada").get(f"/m/{fork.pk}/export/").content.decode().splitlines()
    header = json.loads(lines[0])
    assert {seat.get("kind") or "" for seat in header["seats"]} == {""}
    assert header.get("forked_from") is None, "its parent may tell more"


def test_what_was_thought_before_is_no_memory_of_those_who_play_on():
    match = stored(play_on(dealt("undercover", "magic", 3)))
    answer = researcher().post(f"/m/{match.pk}/play-on/", {"seq": 8, "name": "Ada", "seat": 1})
    room = Room.objects.get(code=answer.url.strip("/").split("/")[-1])
    assert (room.watching, room.afterwards) == ("nobody", "researchers")
    host = room.host
    chairs.fill(room, host, "house")
    fork = rooms.start(Room.objects.get(pk=room.pk), host)
    assert match.thoughts.exists() and not fork.thoughts.exists()
    play_out(fork)
    seen = access.access_of(Match.objects.get(pk=fork.pk), AnonymousUser(), host)
    assert seen is not None and not seen.everything, "who may see no match of researchers sees their seat of this one"


def said(match: Match, seat: int) -> list[tuple[int, str]]:
    """What stands in the log as said at a seat: (seq, text) each."""
    spoken = [event for event in match.events.plain() if event.seat == seat and "text" in event.data]
    return [(event.seq, event.data["text"]) for event in spoken]


def spoken_on(match: Match) -> Match:
    """A fork after Ben's first clue, in which Zoe, at his seat, has given one of her own."""
    fork, rng = begun(match, seq=12), random.Random(1)
    while (request := asked(fork)).seat != 2 or request.kind != "clue":
        action = random_action(store.load(fork), request, rng, ["warm", "loud", "old"])
        assert store.act(fork.pk, request.seat, request.id, action)
    assert store.act(fork.pk, 2, request.id, {"text": "quiet as snow"})
    return fork


def test_who_is_erased_takes_their_own_words_out_of_the_fork_and_nobody_elses():
    match = finished()
    fork = spoken_on(match)
    name = fork.names()[2]
    assert said(match, 2)[0][0] <= 12 < said(fork, 2)[-1][0]
    erasing.erase("key-2")
    fork = Match.objects.get(pk=fork.pk)
    assert {text for seq, text in said(fork, 2) if seq <= 12} == {"[erased]"}
    assert "quiet as snow" in dict(said(fork, 2)).values()
    assert fork.names()[2] == name and fork.seat_of("zoe") == 2, "who plays on keeps the seat"
    with pytest.raises(ValueError, match="still play"):
        erasing.erase("zoe")


def test_who_played_on_takes_no_words_of_those_before_along():
    match = finished()
    fork = spoken_on(match)
    play_out(Match.objects.get(pk=fork.pk))
    before = said(match, 2)
    erasing.erase("zoe")
    fork = Match.objects.get(pk=fork.pk)
    assert said(match, 2) == before and fork.seat_of("zoe") is None
    assert [one for one in said(fork, 2) if one[0] <= 12] == [one for one in before if one[0] <= 12]
    assert "quiet as snow" not in dict(said(fork, 2)).values()
