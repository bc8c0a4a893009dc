"""Forks by the API: the tree, agents that play on, and tables at which people do, by the rights of the pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.match import beginning, store
from games.models import Match, Room
from games.room import accounts, api_keys, chairs, rooms
from tests import callers
from tests.games.tables import match_at, play_out, room_of
from tests.programs import Program, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


def finished(**settings) -> Match:
    """A match of three people that is over."""
    match = match_at(room_of(3, **settings))
    play_out(match)
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def ada() -> User:
    return callers.user_of("researcher")


def key_of(user: User, *scopes: str) -> Program:
    return Program(api_keys.make(accounts.person_of(user, None), user, "a test", scopes, 1)[1])


def test_a_program_opens_a_table_that_plays_on_and_sits_where_it_chose():
    match, zoe = finished(), program("zoe", "play")
    opened = zoe.send(f"matches/{match.pk}/play-on/", seq=7, name="Zoe", seat=2)
    assert (opened.status_code, opened.json()["chair"], opened.json()["hosts"]) == (201, 2, True)
    code = opened.json()["code"]
    assert zoe.send(f"tables/{code}/fill/").status_code == 200
    assert zoe.send(f"tables/{code}/start/").json()["status"] == "running"
    told = zoe.ask(f"tables/{code}/observation/").json()["match"]
    fork = Match.objects.get(pk=told["match"])
    assert fork.parent == match and fork.events.plain()[:7] == match.events.plain()[:7]
    assert zoe.send(f"matches/{match.pk}/play-on/", seq=7, name="Zoe").json()["chair"] is None


@pytest.mark.parametrize(
    ("sent", "status", "sentence"),
    [
        ({"seq": 999, "name": "Zoe"}, 422, "At that moment the match is over."),
        ({"seq": 7, "name": "Zoe", "seat": 9}, 422, "seat: There is no seat 9."),
        ({"seq": 0, "name": "Zoe"}, 422, "seq: "),
        ({"seq": 7}, 422, "name: "),
    ],
)
def test_what_cannot_be_opened_is_refused_with_a_sentence(sent, status, sentence):
    answer = program("zoe", "play").send(f"matches/{finished().pk}/play-on/", **sent)
    assert answer.status_code == status and answer.json()["detail"].startswith(sentence)
    assert not Room.objects.exclude(fork_of=None).exists()


def test_only_who_may_see_all_of_a_match_that_is_over_opens_one(ada):
    closed, running = finished(afterwards="researchers"), match_at(room_of(3))
    body = {"seq": 7, "name": "Ada"}
    plays, sees = key_of(ada, "play"), key_of(ada, "play", "read_hidden")
    assert program("key-2", "play").send(f"matches/{closed.pk}/play-on/", **body).status_code == 403
    assert plays.send(f"matches/{closed.pk}/play-on/", **body).status_code == 403, "the key sees less than the account"
    assert sees.send(f"matches/{running.pk}/play-on/", **body).json()["code"] == "refused"
    assert sees.send(f"matches/{closed.pk}/play-on/", **body).status_code == 201
    chair = Program(api_keys.make_for_chair("key-9", finished().room))
    open_to_all = finished()
    assert chair.send(f"matches/{open_to_all.pk}/play-on/", **body).status_code == 403
    assert Room.objects.exclude(fork_of=None).count() == 1


def test_the_tree_tells_what_begins_with_what_and_agents_play_on(ada):
    match, one = finished(), key_of(ada, "read_hidden", "run")
    made = one.send(f"matches/{match.pk}/forks/", seq=8)
    assert (made.status_code, made.json()["parent"], made.json()["seq"]) == (201, str(match.pk), 8)
    fork = Match.objects.get(pk=made.json()["id"])
    assert {sitter.kind for sitter in fork.seated} == {"agent"} and fork not in Match.objects.originals()
    assert one.send(f"matches/{match.pk}/forks/", seq=99_999).status_code == 422
    below = beginning.fork(fork, 9)
    tree = one.ask(f"matches/{below.pk}/forks/").json()
    first, second, third = str(match.pk), str(fork.pk), str(below.pk)
    told = [[branch[name] for name in ("id", "parent", "seq")] for branch in tree]
    assert told == [[first, None, 0], [second, first, 8], [third, second, 9]]


def test_who_still_plays_the_first_match_is_told_of_none_that_begins_with_it(ada):
    running = match_at(room_of(3))
    fork = beginning.fork(running, 7)
    seated = key_of(ada, "read_hidden", "run")
    assert seated.ask(f"matches/{fork.pk}/forks/").status_code == 200
    store.hand_over("key-1", accounts.person_of(ada, None))
    assert seated.ask(f"matches/{fork.pk}/forks/").status_code == 404
    assert seated.send(f"matches/{fork.pk}/forks/", seq=7).status_code == 404
    assert seated.ask(f"matches/{running.pk}/forks/").status_code == 403


def test_a_fork_of_a_table_that_hid_agents_hides_them(ada):
    room = room_of(2, agents_named=False)
    chairs.fill(room, "key-1", "house")
    match = rooms.start(Room.objects.get(pk=room.pk), "key-1")
    play_out(match)
    one, path = key_of(ada, "play", "read", "read_hidden", "export"), f"matches/{match.pk}/play-on/"
    lot = one.send(path, seq=7, name="Ada", seat=1)
    assert (lot.status_code, lot.json()["detail"]) == (
        422, "seat: At this table seats are drawn for everybody when the match begins."
    )  # fmt: skip
    code = one.send(path, seq=7, name="Ada").json()["code"]
    chairs.fill(Room.objects.get(code=code), accounts.person_of(ada, None), "house")
    assert one.send(f"tables/{code}/start/").json()["chairs"] == []
    told = one.ask(f"tables/{code}/observation/").json()["match"]
    assert {seat["kind"] for seat in told["seats"]} == {""}
    seen = one.get(f"/api/v1/matches/{told['match']}/").json()
    assert {seat["kind"] for seat in seen["seats"]} == {""}
    log = one.ask(f"matches/{told['match']}/log/").content.decode()
    assert '"kind": "agent"' not in log.splitlines()[0] and str(match.pk) not in log, "its parent may tell more"
