"""Agents from outside at the real site: do they play every game to its end, and how quickly are they told what happens?

    python -m benchmarks.outside matches [--matches 20] [--door rest|mcp] [--at-once 6] [game ...]
        Of each game so many matches in which a random player sits at two seats beside house agents. Printed is how many
        came to their end, and how many of which refusals there were. Each is a schema's fault but those for words
        (`own_word`, `repeat`, `names_place`) and `over`, which came too late.

    python -m benchmarks.outside seats [--seats 100]
        So many seats of Avalon from outside, five a table, and as many people's pages at as many tables beside them, a
        move every four seconds at each table. Printed is the time from the beginning of a post to what it brings: at
        each seat of that table by its long poll, and at each page there by its socket, in the same run.

The real parts run, workers and sweeper too: SQLite, the Redis-protocol server, one Daphne.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import aiohttp

from benchmarks.common import begin, below, cookie, filled_in, site
from benchmarks.live import MOVE_EVERY, SECONDS, WARM_UP, Page, address_of, post_form
from examples import seat

FREELY = dict.fromkeys(("MOST_TABLES_OF_A_PERSON", "MOST_TABLES_OF_AN_ADDRESS", "MOST_TABLES"), "0")
HOST = "host"
TO_AN_END = 600
"""Seconds that a match may take."""


class Played(NamedTuple):
    """What a random player from outside came to at its seat: the result it was told, and the codes of its refusals."""

    result: str | None
    refused: Counter[str]


def by_rest(site: str, code: str, secret: str, seed: int) -> Played:
    """Play by `examples/seat.py`."""
    outcome = next(seat.play(f"{site}/api/v1/tables/{code}/#{secret}", seat.RandomPlayer(seed), []))
    return Played(outcome["result"], _refused[secret])


_refused: dict[str, Counter[str]] = defaultdict(Counter)
_call = seat.call


def call(url: str, key: str, *asked: Any, **more: Any) -> tuple[int, Any]:
    """What the program asks of the site, and a note of what was refused to which key."""
    status, answer = _call(url, key, *asked, **more)
    if status >= 400:
        _refused[key][answer["code"]] += 1
    return status, answer


seat.call = call


def by_mcp(site: str, code: str, secret: str, seed: int) -> Played:
    """Play by the official MCP client, which is an extra."""
    from examples.mcp_seat import play

    _match, outcome, refused = asyncio.run(play(site, secret, seed))
    return Played(outcome["result"], refused)


DOORS: dict[str, Callable[[str, str, str, int], Played]] = {"rest": by_rest, "mcp": by_mcp}
"""Ways to a seat: each plays a match to its end, given the site, the table's code, the secret of the seat's key and a
seed."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outside", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    played = verbs.add_parser("matches")
    played.add_argument("games", nargs="*")
    played.add_argument("--matches", type=int, default=20)
    played.add_argument("--door", choices=DOORS, default="rest")
    played.add_argument("--at-once", type=int, default=6)
    verbs.add_parser("seats").add_argument("--seats", type=int, default=100)
    chosen = parser.parse_args()
    with site(FREELY) as stack:
        if chosen.verb == "matches":
            play_matches(stack.base_url, chosen)
        else:
            asyncio.run(measure_seats(stack.base_url, chosen.seats))


# Matches ------------------------------------------------------------------------------------------------------------


def play_matches(base_url: str, chosen: argparse.Namespace) -> None:
    from games.registry import RULES

    print(f"{chosen.matches} matches a game at two seats by {chosen.door}, {chosen.at_once} at once")
    for game in chosen.games or RULES:
        began = time.monotonic()

        def one(seed: int, game: str = game) -> tuple[str, int, list[Played]]:
            return play_match(base_url, game, DOORS[chosen.door], seed)

        with ThreadPoolExecutor(chosen.at_once) as matches:
            done = list(matches.map(one, range(chosen.matches)))
        ended = sum(status == "finished" for status, _moves, _played in done)
        moves = sum(moves for _status, moves, _played in done)
        refused = sum((seat.refused for _status, _moves, played in done for seat in played), Counter())
        told = ", ".join(f"{code} {count}" for code, count in refused.most_common()) or "none"
        print(
            f"{game:18} finished {ended} of {len(done)}, {moves} moves from outside, refused: {told}"
            f"   ({time.monotonic() - began:.0f} s)",
            flush=True,
        )


def play_match(base_url: str, game: str, door: Callable[..., Played], seed: int) -> tuple[str, int, list[Played]]:
    """A match at a table of its own; its status, how many moves came from outside, and what the seats came to."""
    from games.models import Room
    from games.registry import RULES
    from games.room import chairs, rooms

    preset, seats = RULES[game].players
    room, secrets = table_for_outside(game, preset, seats, 2)
    chairs.fill(room, HOST, "house")
    match = rooms.start(Room.objects.get(pk=room.pk), HOST)
    with ThreadPoolExecutor(len(secrets)) as programs:
        going = [
            programs.submit(door, base_url, room.code, secret, 2 * seed + place) for place, secret in enumerate(secrets)
        ]
        played = [program.result(TO_AN_END) for program in going]
    match.refresh_from_db()
    return match.status, match.events.filter(by="agent:outside").count(), played


def table_for_outside(game: str, preset: str, seats: int, outsiders: int, **settings: Any) -> tuple[Any, list[str]]:
    """A table at which agents from outside have so many seats, and the secrets of their keys; its host looks on."""
    from games.room import outside, rooms

    room = rooms.open_room(
        game=game, preset=preset, seats=seats, person=HOST, name="Hosta", place=None,
        pace=0.0, move_seconds=0, **settings,
    )  # fmt: skip
    return room, [outside.invite(room, HOST)[1] for _ in range(outsiders)]


# A hundred at once --------------------------------------------------------------------------------------------------

AT_A_TABLE = 5


class Seat:
    """An agent from outside as its program is: it waits for what is new by long polls, and notes what comes when."""

    def __init__(self, base_url: str, code: str, secret: str, number: int) -> None:
        self.url, self.code, self.number = f"{base_url}/api/v1/tables/{code}/observation/", code, number
        self.headers = {"Authorization": f"Bearer {secret}"}
        self.frames: list[tuple[int, float]] = []

    async def open(self) -> None:
        connector = aiohttp.TCPConnector(local_addr=(address_of(self.number), 0))
        self.session = aiohttp.ClientSession(connector=connector, headers=self.headers)
        self.waiting = asyncio.create_task(self.wait())

    async def wait(self) -> None:
        seq, match = 0, ""
        while True:
            asked = {"after": str(seq), "match": match, "wait": "25"}
            async with self.session.get(self.url, params=asked) as answer:
                told = await answer.json()
            if answer.status != 200:
                raise RuntimeError(f"The table answered {answer.status}: {told}")
            if told["match"] is None:
                continue
            if told["match"]["seq"] > seq:
                self.frames.append((told["match"]["seq"], time.time()))
            seq, match = told["match"]["seq"], told["match"]["match"]

    async def close(self) -> None:
        if self.waiting.done():
            self.waiting.result()
        self.waiting.cancel()
        with suppress(asyncio.CancelledError):
            await self.waiting
        await self.session.close()


async def measure_seats(base_url: str, seats: int) -> None:
    """Half of the tables are played from outside, half by people; each move is posted as its seat's player does it."""
    tables = seats // AT_A_TABLE
    outside, people = await asyncio.to_thread(make_tables, tables)
    programs = [
        Seat(base_url, code, secret, number)
        for number, (code, secrets) in enumerate(outside.items())
        for secret in secrets
    ]
    pages = [
        Page(base_url, code, one, tables + number)
        for number, (code, cookies) in enumerate(people.items())
        for one in cookies
    ]
    watching: list[Seat | Page] = [*programs, *pages]
    for start in range(0, len(watching), 20):
        await asyncio.gather(*(one.open() for one in watching[start : start + 20]))
    await asyncio.sleep(2)
    posts = await asyncio.to_thread(post_moves, base_url, outside, list(people))
    await asyncio.sleep(2)
    await asyncio.gather(*(one.close() for one in watching))
    print(
        f"{len(programs)} seats from outside and {len(pages)} pages, {2 * tables} tables, a move every {MOVE_EVERY} s"
    )
    for what, among in (("long poll", programs), ("socket", pages)):
        codes = {one.code for one in among}
        counted = [post for post in posts if post[0] in codes]
        ms = sorted(
            1000 * (next((then for seq, then in one.frames if seq >= shown and then >= at), float("inf")) - at)
            for code, shown, at in counted
            for one in among
            if one.code == code
        )
        p50, p95, p99 = (f"{below(share, ms):7.1f}" for share in (0.5, 0.95, 0.99))
        counts = f"{len(counted)} moves, {len(ms)} arrivals"
        print(f"  from the post to what comes by {what:9}  p50 {p50}  p95 {p95}  p99 {p99} ms  ({counts})")


def make_tables(count: int) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """So many running matches of Avalon from outside and as many of people: the secrets, or the cookies, by code."""
    from games.models import Room
    from games.room import rooms
    from games.room.models import new_code

    quiet = {"discussion": "none"}
    outside: dict[str, list[str]] = {}
    people: dict[str, list[str]] = {}
    for _ in range(count):
        room, secrets = table_for_outside("avalon", "official", AT_A_TABLE, AT_A_TABLE, options=quiet)
        rooms.start(Room.objects.get(pk=room.pk), HOST)
        outside[room.code] = secrets
        code = new_code()
        keys = [f"{code} {n}" for n in range(1, AT_A_TABLE + 1)]
        begin("avalon", "official", keys, code=code, host="p1", move_seconds=0, pace=0, options=quiet)
        people[code] = [cookie(key) for key in keys]
    return outside, people


def post_moves(base_url: str, outside: dict[str, list[str]], people: list[str]) -> list[tuple[str, int, float]]:
    """One random legal move every MOVE_EVERY seconds at each table, spread evenly: (code, seq of its event, when its
    post began) of each that everybody sees something of, without those of the first seconds."""
    from games.models import Match
    from games.registry import RULES
    from games.rules.sight import seen_by
    from games.rules.values import PUBLIC

    codes = [code for pair in zip(outside, people, strict=True) for code in pair]
    matches = {code: Match.objects.select_related("room").get(room__code=code) for code in codes}
    begun: dict[tuple[str, str], float] = {}
    start = time.perf_counter()
    with ThreadPoolExecutor(16) as players:
        for tick in range(0, SECONDS, MOVE_EVERY):
            for place, (code, match) in enumerate(matches.items()):
                due = start + tick + MOVE_EVERY * place / len(matches)
                time.sleep(max(0.0, due - time.perf_counter()))
                rng, warm = random.Random(f"{code} {tick}"), tick >= WARM_UP
                players.submit(post, base_url, match, place, outside.get(code), rng, begun if warm else {})
    found = []
    for code, match in matches.items():
        for event in match.events.plain():
            at = begun.get((code, event.request or ""))
            if at is not None and seen_by(RULES["avalon"], event, PUBLIC) is not None:
                found.append((code, event.seq, at))
    return found


def post(
    base_url: str, match: Any, place: int, secrets: list[str] | None, rng: random.Random, begun: dict[Any, float]
) -> None:
    """One move of whoever is asked, by the API or by the page's form."""
    from games.match import store
    from games.rules.random_play import random_action

    play = store.load(match)
    if play.over:
        return
    request = rng.choice([request for request in play.state.open.values() if request.waits])
    if secrets is None:
        fields = filled_in(play, request, rng)
        begun[match.room.code, request.id] = time.time()
        post_form(base_url, match, place, request, fields)
        return
    body = {"match": str(match.pk), "request": request.id, "action": random_action(play, request, rng, ["well"])}
    headers = {"Authorization": f"Bearer {secrets[request.seat - 1]}", "Content-Type": "application/json"}
    begun[match.room.code, request.id] = time.time()
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=30)
    connection.request("POST", f"/api/v1/tables/{match.room.code}/act/", json.dumps(body), headers)
    if (answer := connection.getresponse()).status != 200:
        raise RuntimeError(f"A move was answered by {answer.status}: {answer.read().decode()}")
    connection.close()


if __name__ == "__main__":
    main()
