"""Tables to test at: rooms with people whose browsers a test holds, and moves made through the pages."""

from __future__ import annotations

import random
from typing import Any

from django.core import signing
from django.test import Client

from games.match import beginning, store
from games.models import Match, Room
from games.registry import RULES
from games.room import people, rooms
from games.rules import values
from games.rules.kit import WORDS as CLUES
from games.rules.random_play import random_action
from games.rules.sample import sample_of
from games.web import forms

WORDS = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3]}
ROLES = {"roles": ["merlin", "percival", "servant", "servant", "morgana", "minion"], "assassin": 6, "first_leader": 1}
CODE = {"topic": "Drinks", "word": "coffee", "chameleon": 3}
SPY = {"place": "museum", "places": ["museum", "zoo"], "spy": 3, "first_leader": 1}
SPY |= {"roles": [f"guide {number}" for number in range(1, 8)]}
SETTINGS = {"undercover": WORDS, "chameleon": CODE, "avalon": ROLES, "spygame": SPY}
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fred")
HTMX = {"headers": {"HX-Request": "true"}}
NO_FAULT_OF_A_SCHEMA = {"own_word", "repeat", "names_place", "over"}
"""What an answer may be refused for that fits its schema: for its words, or as it comes too late."""


def cookie(person: str, name: str = "") -> str:
    """The cookie of a browser that is this person's."""
    return signing.dumps({"key": person, "name": name}, salt=people.SALT)


def browser(person: str, name: str = "") -> Client:
    client = Client()
    client.cookies[people.COOKIE] = cookie(person, name)
    return client


def room_of(people_count: int = 3, game: str = "undercover", preset: str = "magic", seats: int = 3, **settings) -> Room:
    """A table at which seat n belongs to the person keyed 'key-n', called as in NAMES; the first opened it. Agents
    wait for nothing, unless `pace` says so."""
    settings = {"pace": 0.0} | settings
    room = rooms.open_room(game=game, preset=preset, seats=seats, person="key-1", name="Ann", **settings)
    room.seats.update(person="", name="")
    for number in range(1, people_count + 1):
        room.seats.filter(number=number).update(person=f"key-{number}", name=NAMES[number - 1])
    return room


def match_at(room: Room, setting: dict[str, Any] | None = None, seed: int = 1) -> Match:
    """A match dealt at this table as the setting says; its seats are people's."""
    seats = [
        {"seat": seat.number, "name": seat.name or f"Agent {seat.number}", "kind": "person" if seat.person else "agent"}
        | ({"person": seat.person} if seat.person else {"agent": "house"})
        for seat in room.seats.all()
    ]
    setting = SETTINGS[room.game] if setting is None else setting
    return beginning.begin(
        game=room.game, preset=room.preset, seats=seats, options=room.options, setting=setting, seed=seed, room=room
    )


def quick_match(game: str) -> Match:
    """A match of people as the lobby deals it at once, from the test kit's sample of a deal."""
    preset, seats = RULES[game].quick
    options = RULES[game].options(preset, {}, seats)
    setting = sample_of(RULES[game]).setting(options, random.Random(1))
    return match_at(room_of(seats, game, preset, seats), setting)


def asked(match: Match, seat: int | None = None) -> values.Request:
    """The first open request, or that of a seat."""
    return next(r for r in store.load(match).state.open.values() if seat in (None, r.seat))


def form_data(action: dict[str, Any], request: values.Request) -> dict[str, Any]:
    """An action as the page's form sends it."""
    data = {}
    for item in forms.inputs(request):
        value = action[item.name]
        if isinstance(value, bool):
            value = forms.YES if value else forms.NO
        data[item.html_name] = "" if value is None else value
    return data


def post_move(client: Client, match: Match, request: values.Request, action: dict[str, Any], **extra):
    data = {"match": match.pk, "request": request.id} | form_data(action, request)
    return client.post(f"/t/{match.room.code}/act/", data, **extra)


def play_out(match: Match, seed: int = 1, stop: int = 0) -> None:
    """Random legal moves until the match is over, or until `stop` moves are made."""
    rng, play = random.Random(seed), store.load(match)
    while not play.over and stop != 1:
        request = rng.choice(list(play.state.open.values()))
        action = random_action(play, request, rng, CLUES)
        moved = store.act(match.pk, request.seat, request.id, action)
        assert moved.refusal is None
        play.act(request.seat, request.id, action)
        stop -= 1
