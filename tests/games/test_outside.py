"""Agents from outside: who gets a chair, what it is told, how it is shown, and what is kept of it."""

import json
import re

import pytest

from games.match import beginning, store, sweeper
from games.match.rows import MatchSeat, Thought
from games.match.view import whole
from games.models import OUTSIDE, ApiKey, Match, Pending, Room
from games.refused import Refused
from games.room import again, chairs, outside, rooms
from games.rules import logfile
from games.web import mcp
from tests.games.matches import beliefs
from tests.games.tables import asked, browser, play_out, room_of
from tests.programs import Program, path_of, program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


def invited(people: int = 2, **settings) -> tuple[Room, Program]:
    """A table of three at which the last seat is an agent's from outside."""
    room = room_of(people, **settings)
    _chair, secret = outside.invite(room, "key-1")
    return room, Program(secret)


def begun(**settings) -> tuple[Match, Program]:
    """The same while its match is played, and the agent is asked first."""
    room, agent = invited(**settings)
    match = rooms.start(room, "key-1")
    while (request := asked(match)).seat != 3:
        assert store.act(match.pk, request.seat, request.id, {"text": f"warm {request.seat} by day"})
    return match, agent


def move(agent: Program, match: Match, text: str = "loud at sea", **more):
    body = {"match": str(match.pk), "request": asked(match).id, "action": {"text": text}}
    return agent.send(path_of(match) + "act/", **body | more)


def test_the_host_gets_a_link_and_lines_once_and_the_table_shows_the_chair():
    room = room_of(2)
    page = browser("key-1").get(f"/t/{room.code}/").content.decode()
    assert "Give a seat to an agent from outside" in page
    shown = browser("key-1").post(f"/t/{room.code}/invite/").content.decode()
    link, secret = re.search(r'value="http://testserver(/api/v1/tables/[-A-Z0-9]+/)#(magic_[-\w]+)"', shown).groups()
    assert "curl" in shown and "seat.py" in shown
    settings = re.search(r'{"mcpServers.*?}}}}', shown, re.DOTALL)
    assert (settings is not None) == mcp.installed()
    if settings is not None:
        (server,) = json.loads(settings[0])["mcpServers"].values()
        assert server["url"] == "http://testserver/mcp"
        assert server["headers"] == {"Authorization": f"Bearer {secret}"}
    chairs = Program(secret).get(link).json()["chairs"]
    assert chairs[2] == {"number": 3, "kind": "outside", "name": ""}
    page = browser("key-1").get(f"/t/{room.code}/").content.decode()
    assert "From outside" in page and secret not in page and "Give a seat to an agent" not in page
    assert Program().get("/api/seat.py").content.startswith(b"#!/usr/bin/env python3")


@pytest.mark.parametrize("settings", [{"agents_named": False}, {"pseudonyms": True}])
def test_no_agent_from_outside_sits_where_it_is_hidden_who_is_who(settings):
    room = room_of(2, **settings)
    with pytest.raises(Refused, match="nobody is told who is who"):
        outside.invite(room, "key-1")
    assert "agent from outside" not in browser("key-1").get(f"/t/{room.code}/").content.decode()


def test_only_the_host_invites_to_a_free_seat_before_a_match():
    room = room_of(2)
    with pytest.raises(Refused, match="Only the host"):
        outside.invite(room, "key-2")
    outside.invite(room, "key-1")
    with pytest.raises(Refused, match="No seat is free"):
        outside.invite(room, "key-1")
    rooms.start(room, "key-1")
    with pytest.raises(Refused, match="being played"):
        outside.invite(room, "key-1")
    assert browser("key-1").post(f"/t/{room.code}/invite/").status_code == 302
    assert ApiKey.objects.count() == 1


def test_its_key_opens_its_own_seat_and_no_other_table():
    match, agent = begun()
    seen = agent.ask(path_of(match) + "observation/").json()["match"]
    assert seen["seat"] == 3 and seen["seats"][2] | {"name": ""} == {
        "seat": 3, "name": "", "kind": "agent", "outside": True, "stand_in": False,
    }  # fmt: skip
    other = room_of(3, listed=True)
    for path in (f"tables/{other.code}/", f"tables/{other.code}/observation/"):
        assert agent.ask(path).status_code == 404
    assert agent.send(f"tables/{other.code}/sit/", name="Zoe").status_code == 404
    assert agent.send("tables/", game="undercover", name="Zoe").status_code == 403
    assert [row["id"] for row in agent.ask("matches/").json()["results"]] == [str(match.pk)]


def test_it_is_an_agent_in_the_log_with_the_clock_of_a_person():
    match, agent = begun(move_seconds=60, absence="agent")
    row = Pending.objects.get(match=match)
    assert row.agent == "" and row.queue == "" and row.deadline is not None
    page = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert "from outside" in page
    request = asked(match).id
    assert move(agent, match).json()["events"] >= 1
    assert [(event.seat, event.by) for event in match.events.filter(request=request)] == [(3, f"agent:{OUTSIDE}")]
    sitter = MatchSeat.objects.get(match=match, seat=3)
    assert (sitter.kind, sitter.agent) == ("agent", OUTSIDE) and sitter.person


def test_a_lost_answer_and_its_retry_give_one_event_and_one_thought():
    match, agent = begun()
    request = asked(match).id
    first, again_ = (move(agent, match, request=request, why="It is loud there.") for _ in range(2))
    assert first.json()["events"] >= 1 and again_.json() == {"events": 0}
    assert match.events.filter(request=request).count() == Thought.objects.filter(request=request).count() == 1


def test_what_it_declares_is_kept_as_thoughts_that_the_replay_shows():
    match, agent = begun()
    matrix = beliefs(3, 3)
    two = {"owner": 3, "labels": ["civilian", "undercover"], "suspects": ["undercover"], "shared": "labels"}
    for pointer, one in {
        "/owner": matrix | {"owner": 2, "rows": {"2": {}}},
        "/rows": matrix | {"rows": {"9": {}}},
        "/rows/9": matrix | {"rows": {"3": {}, "9": {}}},
        "/rows/3/1": matrix | {"rows": {"3": {"1": [2, 0]}}},
        "/rows/3/9": matrix | {"rows": {"3": {"9": matrix["rows"]["3"]["1"]}}},
        "/labels": matrix | {"labels": "good"},
        "/suspects": matrix | {"suspects": ["nobody"]},
        "/shared": matrix | {"shared": "nothing"},
        "/rows/3/2": two | {"rows": {"3": {"1": [0.7, 0.3], "2": [0.7, 0.5]}}},
        "/rows/3": two | {"labels": ["spy"], "suspects": ["spy"], "shared": "subjects", "rows": {"3": {"1": [0.3]}}},
        "/mood~1now": matrix | {"mood/now": "calm"},
    }.items():
        refused = move(agent, match, beliefs=one)
        assert (refused.status_code, refused.json()["code"]) == (400, "no_beliefs")
        assert refused.json()["pointer"] == f"/beliefs{pointer}"
    assert move(agent, match, why="It is loud there.", beliefs=matrix).status_code == 200
    (thought,) = whole(match).thoughts
    assert (thought["method"], thought["seat"]) == (OUTSIDE, 3)
    assert thought["data"] == {"why": "It is loud there.", "beliefs": matrix}
    seen = browser("key-1").get(f"/t/{match.room.code}/").content.decode()
    assert "It is loud there." not in seen, "nobody reads it while the match is played"
    match.refresh_from_db()
    play_out(match)
    panel = browser("key-1").get(f"/m/{match.pk}/thoughts/?as=all&seat=3").content.decode()
    assert "It is loud there." in panel
    logfile.read("\n".join(logfile.write(whole(match).file())).splitlines())


def test_what_a_person_declares_is_kept_nowhere():
    match = rooms.start(room_of(3), "key-1")
    request = asked(match)
    one = program(f"key-{request.seat}")
    assert move(one, match, why="I feel so.").status_code == 200
    assert not Thought.objects.exists()


def test_where_it_stays_away_the_table_goes_on_and_it_comes_back():
    match, agent = begun(move_seconds=60, absence="agent")
    row = Pending.objects.get(match=match)
    Pending.objects.filter(pk=row.pk).update(deadline=match.created_at)
    sweeper.sweep()
    match.refresh_from_db()
    assert store.load(match).state.stand_ins == {3: "house"}
    assert agent.ask(path_of(match) + "observation/").json()["match"]["seats"][2]["stand_in"] is False
    assert move(agent, match).json()["events"] >= 1


def test_what_people_say_to_it_calls_no_agent_of_the_house():
    match, _agent = begun(options={"table_talk": True})
    name = match.names()[3]
    assert store.talk(match.pk, 1, "chat", {"text": f"{name}, who are you?", "to": "all"}).events
    assert not Pending.objects.filter(match=match, request__endswith=":chat").exists()


@pytest.mark.parametrize("way", ["kick", "clear", "leave"])
def test_a_chair_that_is_freed_takes_its_key_along(way):
    room, agent = invited()
    if way == "kick":
        chairs.kick(room, "key-1", 3)
    elif way == "clear":
        chairs.clear(room, "key-1")
    else:
        assert agent.send(f"tables/{room.code}/leave/").status_code == 200
    assert room.seats.get(number=3).free
    assert agent.ask(f"tables/{room.code}/").status_code == 401


def test_it_never_hosts_and_holds_up_no_next_match():
    match, agent = begun()
    play_out(match)
    room = match.room
    again.ready(room, "key-1")
    assert again.ready(room, "key-2") is not None, "nobody waits for an agent to say that it wants to play"
    assert agent.ask(path_of(match) + "observation/").json()["match"]["number"] == 2
    for person in ("key-1", "key-2"):
        chairs.leave(Room.objects.get(pk=room.pk), person)
    assert Room.objects.get(pk=room.pk).host == ""


def test_a_fork_is_played_on_without_it():
    match, _agent = begun()
    play_out(match)
    forked = beginning.fork(match, until=6)
    assert {sitter.agent for sitter in forked.seated} == {"house"}


def test_where_it_plays_among_agents_nobody_watches_everything():
    room = room_of(0, thoughts_live=True, listed=True)
    outside.invite(room, "key-1")
    chairs.fill(room, "key-1", "house")
    match = rooms.start(room, "key-1")
    assert Program().ask(f"matches/{match.pk}/", **{"as": "all"}).status_code == 403
