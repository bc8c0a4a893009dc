"""Matches for tests: played in memory at random, stored as the table stores them, and visitors to see them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from django.core import signing
from django.test import Client

from games.match import beginning
from games.match.view import MatchView
from games.models import Match
from games.registry import RULES
from games.room import people
from games.rules import logfile
from games.rules.play import Play, new_header
from games.rules.random_play import random_action
from games.rules.sample import sample_of
from games.rules.values import OMNISCIENT, SeatInfo
from games.web import downloads

WORDS = [
    f"{what} {how}"
    for what in "warm old loud red small round dear odd".split()
    for how in ("alone", "inside", "outside", "by day", "by night", "at sea", "in a crowd", "in the hand")
]
NAMES = "Ann Ben Cleo Dario Edda Felix Greta Hugo Ines Jonas".split()
DEALS = {
    "undercover": {"civilian_word": "coffee", "undercover_word": "tea"},
    "chameleon": {"topic": "Drinks", "word": "coffee"},
    "avalon": {},
    "spygame": {"place": "museum", "places": ["museum", "zoo"], "roles": [f"role {n}" for n in range(9)]},
}
PRESETS = [(name, preset, max(3, one.low)) for name, rules in RULES.items() for preset, one in rules.presets.items()]
"""Every preset of every game at its fewest seats, but at no fewer than three."""


def dealt(game: str, preset: str, seats: int, *, seed: int = 7, setting: dict | None = None, **options) -> Play:
    """A match in memory with people on the first two seats and agents on the others."""
    infos = [SeatInfo(n, NAMES[n - 1], *(("person",) if n < 3 else ("agent", "house"))) for n in range(1, seats + 1)]
    rules = RULES[game]
    if setting is None:
        sampled = sample_of(rules).setting
        setting = DEALS.get(game) or sampled(rules.options(preset, options, seats), random.Random(seed))
    return Play(rules, new_header(rules, preset, seats=infos, seed=seed, setting=setting, options=options))


def play_on(play: Play, moves: int | None = None) -> Play:
    """Let everybody move at random, to the end or for so many moves."""
    rng = random.Random(f"{play.header.seed} moves")
    while not play.over and moves != 0:
        request = rng.choice([request for request in play.state.open.values() if request.waits])
        by = "person" if request.seat < 3 else "agent:house"
        play.act(request.seat, request.id, random_action(play, request, rng, WORDS), by)
        moves = None if moves is None else moves - 1
    return play


def beliefs(owner: int, seats: int, share: float = 0.25) -> dict:
    """A plain belief matrix: the owner suspects everybody alike."""
    row = {str(seat): [1 - share, share] for seat in range(1, seats + 1) if seat != owner}
    return {
        "owner": owner,
        "labels": ["good", "evil"],
        "suspects": ["evil"],
        "shared": "labels",
        "rows": {str(owner): row},
    }


def thoughts_of(play: Play) -> list[dict]:
    """One thought for each move of an agent."""
    seats = len(play.header.seats)
    return [
        {
            "request": event.request,
            "seat": event.seat,
            "method": "house",
            "stage": "beliefs",
            "prompt": f"You are {NAMES[event.seat - 1]}. PROMPT {event.seq}",
            "reply": f"REPLY {event.seq}",
            "data": {"why": f"WHY {event.seq}", "beliefs": beliefs(event.seat, seats, 0.2 + event.seq % 5 / 10)},
            "ms": 12,
        }
        for event in play.log
        if event.request and event.by.startswith("agent:")
    ]


def stored(play: Play, *, room=None, with_thoughts: bool = True, **kept) -> Match:
    """The match in the database; Ann and Ben sit on its first two seats by the keys 'ann' and 'ben'."""
    seats = [
        {"seat": s.seat, "name": s.name, "kind": s.kind}
        | ({"agent": s.agent} if s.agent else {"person": s.name.lower()})
        for s in play.header.seats
    ]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    times = {event.seq: (start + timedelta(seconds=event.seq)).isoformat() for event in play.log}
    thoughts = thoughts_of(play) if with_thoughts else []
    return beginning.keep(play, seats=seats, room=room, times=times, thoughts=thoughts, **kept)


def visitor(person: str) -> Client:
    """A browser with this person's cookie."""
    client = Client()
    client.cookies[people.COOKIE] = signing.dumps({"key": person, "name": person.title()}, salt=people.SALT)
    return client


def exported(match: Match, viewer: int = OMNISCIENT) -> list[str]:
    """The lines of the match's log file, as this viewer may take it away."""
    return list(logfile.write(MatchView(match, viewer).file()))


def exported_text(match: Match, viewer: int = OMNISCIENT) -> str:
    return downloads.text(MatchView(match, viewer))


def prompted(match: Match, prompt: str) -> list[list[int]]:
    """A prompt among the texts of a match; the pieces by which thoughts have it."""
    n = match.prompt_texts.count()
    match.prompt_texts.create(n=n, text=prompt)
    return [[n, 0, prompt.count("\n")]]


def dagger(right: bool) -> Play:
    """A match of Avalon that good would win, but for the dagger, which a person holds."""
    setting = {"roles": ["minion", "servant", "merlin", "percival", "servant", "morgana"], "first_leader": 2}
    play = dealt("avalon", "recon", 6, setting=setting)
    while not play.over:
        request = next(one for one in play.state.open.values() if one.waits)
        size = play.state.team_size
        action = {
            "team": {"seats": [2, 3, 4, 5][:size]},
            "speech": {"text": "So be it."},
            "team_vote": {"approve": True},
            "quest": {"success": True},
            "assassinate": {"seat": 3 if right else 6},
        }[request.kind]
        by = "person" if request.seat < 3 else "agent:house"
        result = play.act(request.seat, request.id, action, by)
        assert isinstance(result, list), result
    return play


def last(play: Play, kind: str) -> int:
    """The last move of this kind."""
    return next(event.seq for event in reversed(play.log) if event.kind == kind and event.request)
