"""The player in one file, at one seat of each game on the real site, beside house agents."""

import json
import subprocess
import sys

from django.conf import settings

from games.registry import RULES
from tests.stack import Stack

SEAT = settings.BASE_DIR / "examples" / "seat.py"

OPEN = """
from games.registry import RULES
from games.room import outside, rooms
result = []
for game, rules in RULES.items():
    preset, seats = rules.players
    room = rooms.open_room(
        game=game, preset=preset, seats=seats, person="host", name="Hosta", place=None, pace=0.0, move_seconds=0
    )
    _chair, secret = outside.invite(room, "host")
    rooms.fill(room, "host", "house")
    result.append([game, room.code, secret])
"""
"""A table of each game at which one seat waits for an agent from outside, and house agents sit on all others."""

START = """
from games.models import Room
from games.room import rooms
for code in {codes}:
    rooms.start(Room.objects.get(code=code), "host")
"""
PLAYED = """
from games.models import Match
result = []
for match in Match.objects.filter(room__code__in={codes}):
    moves = list(match.events.filter(by="agent:outside").values_list("request", flat=True))
    seat = next(one.seat for one in match.sitters.all() if one.agent == "outside")
    ours = match.events.filter(seat=seat, request__isnull=False).exclude(by="agent:outside").count()
    result.append([match.game, match.status, len(moves), len(set(moves)), ours])
"""


def test_each_game_is_played_to_its_end_and_no_schema_leads_to_a_refusal(stack: Stack):
    tables = stack.shell(OPEN)
    assert [game for game, _code, _secret in tables] == list(RULES)
    players = {
        game: subprocess.Popen(
            [sys.executable, SEAT, f"{stack.base_url}/api/v1/tables/{code}/#{secret}", "--seed", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for game, code, secret in tables
    }
    codes = [code for _game, code, _secret in tables]
    try:
        stack.shell(START.format(codes=codes))
        for game, player in players.items():
            said, refused = player.communicate(timeout=200)
            assert player.returncode == 0, (game, refused)
            assert json.loads(said)["result"] in RULES[game].results, game
            assert ": malformed: " not in refused, (game, refused)
    finally:
        for player in players.values():
            player.kill()
    for game, status, moves, requests, others in stack.shell(PLAYED.format(codes=codes)):
        assert status == "finished" and moves == requests > 0, game
        assert others == 0, f"{game}: somebody else moved for the seat"
