"""The player in one file, at one seat of each game beside house agents: no schema leads it to a refusal."""

from __future__ import annotations

import importlib.util
import json
import sys
from types import ModuleType
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.cache import cache

from agents import tasks
from games.match import pending
from games.match.rows import Event
from games.match.view import whole
from games.models import Match, Room
from games.registry import RULES
from games.room import chairs, outside, rooms
from magic_site import clock
from tests.games.tables import NO_FAULT_OF_A_SCHEMA
from tests.programs import Program

FILE = settings.BASE_DIR / "examples" / "seat.py"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixtures")]


@pytest.fixture
def seat(monkeypatch) -> ModuleType:
    """The program, whose calls reach the site without a network; house agents move whenever it asks what is new. Each
    answer to a move is lost once, and sent again. refused: the codes of what was refused."""
    spec = importlib.util.spec_from_file_location("seat", FILE)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    program.refused = []

    def call(url: str, key: str, body=None, timeout: float = 60):
        parts, site = urlsplit(url), Program(key)
        cache.clear()  # nobody is told to wait, however fast the machine is
        if body is None:
            while pending.unheld().filter(queue=tasks.HOUSE, due_at__lte=clock.after(pending.EARLY)).exists():
                tasks.answer_next(tasks.HOUSE)
            answer = site.get(f"{parts.path}?{parts.query}")
        else:
            first, answer = (site.post(parts.path, json.dumps(body), content_type="application/json") for _ in "12")
            assert first.status_code == answer.status_code, "the same answer again comes to the same"
            if answer.status_code != 200:
                program.refused.append(answer.json()["code"])
        return answer.status_code, answer.json()

    monkeypatch.setattr(program, "call", call)
    return program


@pytest.mark.parametrize("game", RULES)
def test_each_game_is_played_to_its_end(seat, game):
    preset, seats = RULES[game].players
    room = rooms.open_room(
        game=game, preset=preset, seats=seats, person="host", name="Hosta", place=None, pace=0.0, move_seconds=0
    )
    _chair, secret = outside.invite(room, "host")
    chairs.fill(room, "host", "house")
    rooms.start(room, "host")
    outcome = next(seat.play(f"http://site/api/v1/tables/{room.code}/#{secret}", seat.RandomPlayer(1), []))
    match = Match.objects.get(room=room)
    assert match.status == "finished" and outcome["result"] == match.result
    assert set(seat.refused) <= NO_FAULT_OF_A_SCHEMA
    own = next(sitter.seat for sitter in match.seated if sitter.person)
    moves = list(Event.objects.filter(match=match, seat=own).exclude(request=None).values_list("by", "request"))
    assert {by for by, _request in moves} == {"agent:outside"} and len(set(moves)) == len(moves) > 0


def test_it_speaks_now_and_then_and_plays_on_when_the_next_match_begins(seat):
    room = rooms.open_room(
        game="prisoners_dilemma",
        preset="party",
        seats=3,
        person="host",
        name="Hosta",
        place=None,
        pace=0.0,
        move_seconds=0,
    )
    _chair, secret = outside.invite(room, "host")
    chairs.fill(room, "host", "house")
    rooms.start(room, "host")
    log: list = []
    played = seat.play(f"http://site/api/v1/tables/{room.code}/#{secret}", seat.RandomPlayer(1), log)
    assert next(played)["result"]
    rooms.start(Room.objects.get(pk=room.pk), "host")
    assert next(played)["result"]
    seqs = [event["seq"] for event in log]
    assert seqs[0] == 1 and seqs == sorted(set(seqs)), "the log of the second match, and of no other"
    matches = Match.objects.filter(room=room)
    assert [match.status for match in matches] == ["finished"] * 2
    for match in matches:
        own = next(sitter.seat for sitter in match.seated if sitter.person)
        moves = match.events.filter(seat=own)
        assert moves.filter(kind="say").count() < moves.exclude(kind="say").count()


def test_a_model_plays_by_its_answers_and_says_why(seat, monkeypatch):
    asked, room_calls = [], seat.call

    def call(url, key, body=None, timeout=60):
        if "chat/completions" not in url:
            return room_calls(url, key, body, timeout)
        asked.append(json.loads(body["messages"][0]["content"].partition("\n")[2]))
        action = seat.drawn(asked[-1]["schema"], seat.random.Random(len(asked)))
        said = f"I think. {json.dumps({'why': 'It fits.', 'action': action})}" if len(asked) > 1 else "no JSON"
        return 200, {"choices": [{"message": {"content": said}}]}

    monkeypatch.setattr(seat, "call", call)
    room = rooms.open_room(
        game="undercover", preset="magic", seats=3, person="host", name="Hosta", place=None, pace=0.0, move_seconds=0
    )
    _chair, secret = outside.invite(room, "host")
    chairs.fill(room, "host", "house")
    rooms.start(room, "host")
    log: list = []
    player = seat.ModelPlayer("a-model", "http://models/v1", "key", log)
    assert next(seat.play(f"http://site/api/v1/tables/{room.code}/#{secret}", player, log))["result"]
    match = Match.objects.get(room=room)
    assert asked[0]["card"]["word"] and asked[-1]["events"]
    declared = [thought for thought in whole(match).thoughts if thought["method"] == "outside"]
    assert "It fits." in {thought["data"].get("why") for thought in declared}


def test_it_stands_on_the_standard_library_and_is_short():
    lines = FILE.read_text().splitlines()
    assert len(lines) <= 150
    imported = {line.split()[1].split(".")[0] for line in lines if line.startswith("import ")}
    assert imported <= sys.stdlib_module_names and not any(line.startswith("from ") for line in lines)
