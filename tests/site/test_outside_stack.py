"""Agents from outside at the real site: `examples/seat.py` at two seats of each game, and an answer that is lost."""

from __future__ import annotations

import json
import re
import sys
from http.client import HTTPConnection
from subprocess import PIPE, Popen

from django.conf import settings

from games.registry import RULES
from tests.games.tables import NO_FAULT_OF_A_SCHEMA

SEAT = settings.BASE_DIR / "examples" / "seat.py"

OPEN = """
from games.registry import RULES
from games.room import chairs, outside, rooms
result = []
for game in {games}:
    preset, seats = RULES[game].players
    room = rooms.open_room(
        game=game, preset=preset, seats=seats, person=game, name="Hosta", place=None, pace=0.0, move_seconds=0
    )
    secrets = [outside.invite(room, game)[1] for _ in "12"]
    chairs.fill(room, game, "house")
    result.append([game, room.code, secrets])
"""
"""A table of each game at which two seats wait for agents from outside, and house agents sit on all others."""

START = """
from games.models import Room
from games.room import rooms
for game, code, _secrets in {tables}:
    rooms.start(Room.objects.get(code=code), game)
"""

PLAYED = """
from games.models import Match
result = []
for game, code, _secrets in {tables}:
    match = Match.objects.get(room__code=code)
    for sitter in match.sitters.filter(agent="outside"):
        moves = match.events.filter(seat=sitter.seat).exclude(request=None)
        result.append([game, match.status, list(moves.values_list("by", "request"))])
"""
"""Of each seat from outside: who made its moves, and on which requests."""


def test_each_game_is_played_to_its_end_and_no_schema_leads_to_a_refusal(stack):
    tables = stack.shell(OPEN.format(games=list(RULES)))
    links = [(game, link(stack, code, secret)) for game, code, secrets in tables for secret in secrets]
    programs = [
        (
            game,
            Popen(
                [sys.executable, SEAT, address, "--seed", "1", "--matches", "1"], text=True, stdout=PIPE, stderr=PIPE
            ),
        )
        for game, address in links
    ]
    try:
        stack.shell(START.format(tables=tables))
        for game, program in programs:
            said, refused = program.communicate(timeout=300)
            assert program.returncode == 0, (game, refused)
            assert json.loads(said)["result"] in RULES[game].results, game
            assert set(re.findall(r"}: (\w+): ", refused)) <= NO_FAULT_OF_A_SCHEMA, (game, refused)
    finally:
        for _game, program in programs:
            program.kill()
    played = stack.shell(PLAYED.format(tables=tables))
    assert len(played) == 2 * len(RULES)
    for game, status, moves in played:
        assert status == "finished", game
        assert {by for by, _request in moves} == {"agent:outside"}, f"{game}: somebody else moved for the seat"
        assert len({request for _by, request in moves}) == len(moves), f"{game}: a request was answered twice"


def test_an_answer_that_is_lost_and_its_retry_give_one_event(stack):
    tables = stack.shell(OPEN.format(games=["prisoners_dilemma"]))
    ((_game, code, (secret, _other)),) = tables
    stack.shell(START.format(tables=tables))
    seen = ask(stack, secret, f"/api/v1/tables/{code}/observation/?after=0&wait=25")["match"]
    request = next(one for one in seen["requests"] if one["waits"])
    act = f"/api/v1/tables/{code}/act/"
    move = {"match": seen["match"], "request": request["id"], "action": {"text": "Let us both do well."}}
    sent(stack, secret, act, move).close()  # the line breaks before the answer comes
    ask(stack, secret, act, move)
    assert ask(stack, secret, act, move) == {"events": 0}
    mine = next(moves for _game, _status, moves in stack.shell(PLAYED.format(tables=tables)) if moves)
    assert mine == [["agent:outside", request["id"]]]


def link(stack, code: str, secret: str) -> str:
    return f"{stack.base_url}/api/v1/tables/{code}/#{secret}"


def sent(stack, secret: str, path: str, body: object = None) -> HTTPConnection:
    """A line to the site on which this was asked, and not answered yet."""
    line = HTTPConnection("127.0.0.1", stack.port, timeout=60)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
    return line


def ask(stack, secret: str, path: str, body: object = None):
    answer = sent(stack, secret, path, body).getresponse()
    assert answer.status == 200
    return json.load(answer)
