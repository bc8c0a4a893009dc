"""Tables at which people talk, for tests."""

from __future__ import annotations

from games.match import store
from games.models import Match, Room
from games.room import talk
from tests.games.tables import asked, browser, match_at, room_of

WORDS = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [5]}


def talkative(people: int = 3, seats: int = 5, **settings) -> Room:
    return room_of(people, preset="party", seats=seats, options={"table_talk": True}, **settings)


def playing(people: int = 5, seats: int = 5, **settings) -> Match:
    return match_at(talkative(people, seats, **settings), WORDS)


def say(person: str, room: Room, text: str, to: str, **more):
    """Post what a page of this moment would. to: without the number of the match."""
    extra = more.pop("extra", {})
    if to not in ("", talk.ROOM):
        to = f"{to} {room.matches.count()}"
    return browser(person).post(f"/t/{room.code}/talk/", {"text": text, "to": to} | more, **extra)


def page(person: str, room: Room) -> str:
    return browser(person).get(room.link).content.decode()


def put_out(match: Match, seat: int) -> None:
    """Play on until this seat is voted out."""
    clues = iter("abcdefghijklmnopqrstuvwxyz")
    for _ in range(60):
        play = store.load(match)
        if str(seat) in play.rules.public(play.state)["out"]:
            return
        request = asked(match)
        if request.kind == "vote":
            action = {"seat": seat if request.seat != seat else request.candidates[0]}
        elif request.kind == "clue":
            action = {"text": f"zib{next(clues)}o"}
        else:
            action = {"text": None}
        assert store.act(match.pk, request.seat, request.id, action)
    raise AssertionError("nobody was voted out")
