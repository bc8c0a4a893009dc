"""How quickly what happens at a table reaches every screen: tables of eight sockets, one move a second each.

Measured is the time from the commit of a move to the arrival of its public frame at a socket's client, on the real
parts: SQLite, the Redis-protocol server, one Daphne. Beside it, in the same run, a bare Channels echo on the same
server and layer: 200 bytes to the same number of sockets at the same rate, with no database and nothing to render.

    python -m benchmarks.live [tables ...]      default: 50, then more until the 95th percentile passes 100 ms
"""

import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import aiohttp

from tests.stack import Stack, free_port, until

SOCKETS = 8
SECONDS = 12
WARM_UP = 3
LIMIT_MS = 100
STEPS = (50, 75, 100, 125, 150, 200, 250, 300)
SHOWN = re.compile(r'data-n=\\"\d+\.(\d+)')  # the last event that a part of the page shows


@dataclass
class Delays:
    """Milliseconds from the commit (or the send) to the frame at the client, sorted."""

    tables: int
    ms: list[float]
    sent: int

    def at(self, share: float) -> float:
        return self.ms[min(len(self.ms) - 1, int(len(self.ms) * share))]

    def __str__(self) -> str:
        p50, p95, p99 = (f"{self.at(share):7.1f}" for share in (0.5, 0.95, 0.99))
        counts = f"{self.sent} moves, {len(self.ms)} frames"
        return f"{self.tables:4} tables   p50 {p50}   p95 {p95}   p99 {p99} ms   ({counts})"


def main() -> None:
    steps = [int(word) for word in sys.argv[1:]]
    with Stack() as stack:
        os.environ |= stack.env
        for name in ("house", "models", "sweeper"):
            stack.kill(name)  # nobody but people plays here
        print(f"tables of {SOCKETS} sockets, one move a second each, for {SECONDS} s; commit to frame at the client")
        tables = climb(lambda n: asyncio.run(measure_tables(stack, n)), steps)
        print("a bare Channels echo of 200 bytes, the same sockets and rate")
        with echo_server() as url:
            echo = climb(lambda n: asyncio.run(measure_echo(url, n)), steps)
    if not steps:
        most, most_echo = (max((d.tables for d in all if d.at(0.95) < LIMIT_MS), default=0) for all in (tables, echo))
        print(f"most tables with p95 under {LIMIT_MS} ms: {most}; echo {most_echo}; ratio {most / most_echo:.2f}")
    print(f"at {tables[0].tables} tables p95 is {tables[0].at(0.95) / echo[0].at(0.95):.1f} times the echo's")


def climb(measure: Callable[[int], tuple[list[float], int]], steps: list[int]) -> list[Delays]:
    """Measure with these numbers of tables, or with more and more until it is too slow."""
    found = []
    for tables in steps or STEPS:
        found.append(Delays(tables, *measure(tables)))
        print(f"  {found[-1]}", flush=True)
        if not steps and found[-1].at(0.95) >= LIMIT_MS:
            break
    return found


# Tables -------------------------------------------------------------------------------------------------------------


async def measure_tables(stack: Stack, tables: int) -> tuple[list[float], int]:
    """Open tables, connect their sockets, let a process of its own make the moves, and time what arrives."""
    made = await asyncio.to_thread(run, "make", str(tables))
    frames: dict[str, list[list[tuple[int, float]]]] = {code: [] for code in made}

    async def read(socket: aiohttp.ClientWebSocketResponse, code: str) -> None:
        own: list[tuple[int, float]] = []
        frames[code].append(own)
        async for message in socket:
            now = time.perf_counter()
            shown = max((int(seq) for seq in SHOWN.findall(message.data)), default=0)
            if shown > (own[-1][0] if own else 0):
                own.append((shown, now))

    url = stack.base_url.replace("http", "ws")
    places = [(f"{url}/ws/t/{code}/", code, cookies[n]) for code, cookies in made.items() for n in range(SOCKETS)]
    async with listeners(places, stack.base_url, read):
        moves = await asyncio.to_thread(run, "play", *made)
        await asyncio.sleep(1)
    begin = min(at for _, _, at in moves) + WARM_UP
    counted = [move for move in moves if move[2] >= begin]
    delays = []
    for code, seq, at in counted:
        for own in frames[code]:
            then = next((then for shown, then in own if shown >= seq), None)
            delays.append(float("inf") if then is None else 1000 * (then - at))
    return sorted(delays), len(counted)


class listeners:  # noqa: N801 (used like a function)
    """All sockets of a run, opened a few at a time and closed together."""

    def __init__(self, places: list[tuple[str, str, str]], origin: str, read: Callable[..., Awaitable[None]]):
        self.places, self.origin, self.read = places, origin, read

    async def __aenter__(self) -> None:
        self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self.tasks: list[asyncio.Task] = []
        self.sockets: list[aiohttp.ClientWebSocketResponse] = []
        for start in range(0, len(self.places), 20):
            opened = await asyncio.gather(*(self.open(*place) for place in self.places[start : start + 20]))
            self.sockets += opened
        await asyncio.sleep(1)

    async def open(self, url: str, code: str, cookie: str) -> aiohttp.ClientWebSocketResponse:
        headers = {"Origin": self.origin} | ({"Cookie": f"magic_person={cookie}"} if cookie else {})
        socket = await self.session.ws_connect(url, headers=headers)
        self.tasks.append(asyncio.create_task(self.read(socket, code)))
        return socket

    async def __aexit__(self, *exception) -> None:
        await asyncio.gather(*(socket.close() for socket in self.sockets))
        for task in self.tasks:
            task.cancel()
        await self.session.close()


def run(verb: str, *arguments: str):
    """Run one of the verbs below in a process of its own; returns what it prints as JSON."""
    command = [sys.executable, "-m", "benchmarks.live", f"--{verb}", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def make(tables: int) -> dict[str, list[str]]:
    """Begin so many matches of Avalon, six people each; returns the cookies of eight visitors by table code."""
    from django.core import signing

    from games import table
    from games.models import Room, Seat
    from games.people import SALT

    made = {}
    for _ in range(tables):
        room = Room.objects.create(game="avalon", preset="official", host="p1", move_seconds=0, pace=0)
        seats = [
            {"seat": n, "name": f"Player {n}", "kind": "person", "person": f"{room.code} {n}"} for n in range(1, 7)
        ]
        room.seats.bulk_create(Seat(room=room, number=s["seat"], name=s["name"], person=s["person"]) for s in seats)
        table.begin(game="avalon", preset="official", seats=seats, room=room)
        people = [f"{room.code} {n}" for n in range(1, SOCKETS + 1)]
        made[room.code] = [signing.dumps({"key": key, "name": "P"}, salt=SALT) for key in people]
    return made


def play(codes: list[str]) -> list[tuple[str, int, float]]:
    """Make one random legal move a second at each table, spread evenly.

    Returns (code, seq, moment of the commit) of those that everybody sees something of: quest cards nobody sees."""
    from games import live, table
    from games.models import Room
    from games.rules import RULES
    from games.rules.core import seen_by
    from games.rules.random_play import random_action
    from games.rules.values import PUBLIC

    committed = 0.0
    tell = live.tell

    def note(*hint) -> None:
        nonlocal committed
        committed = time.perf_counter()
        tell(*hint)

    live.tell = note
    avalon = RULES["avalon"]
    matches = {code: Room.objects.get(code=code).match.pk for code in codes}
    rng = random.Random(1)

    def move(play):
        if play.over:
            return []
        request = rng.choice([request for request in play.state.open.values() if request.waits])
        return play.act(request.seat, request.id, random_action(play, request, rng, ["well"]))

    moves: list[tuple[str, int, float]] = []
    start = time.perf_counter()
    for tick in range(SECONDS):
        for number, code in enumerate(codes):
            due = start + tick + number / len(codes)
            time.sleep(max(0.0, due - time.perf_counter()))
            events = table.change(matches[code], move).events
            seen = [event.seq for event in events if seen_by(avalon, event, PUBLIC) is not None]
            if seen:
                moves.append((code, max(seen), committed))
    return moves


# Echo ---------------------------------------------------------------------------------------------------------------


class echo_server:  # noqa: N801 (used like a function)
    """The same Daphne and layer, with a consumer that passes on what is sent to its group."""

    def __enter__(self) -> str:
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "daphne",
            "-v",
            "0",
            "-b",
            "127.0.0.1",
            "-p",
            str(port),
            "benchmarks.echo:application",
        ]
        self.process = subprocess.Popen(command, env=os.environ)

        def answers() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(answers, "the echo server answers")
        return f"ws://127.0.0.1:{port}"

    def __exit__(self, *exception) -> None:
        self.process.terminate()
        self.process.wait(5)


async def measure_echo(url: str, tables: int) -> tuple[list[float], int]:
    """The same load on the bare echo."""
    delays: list[tuple[float, float]] = []

    async def read(socket: aiohttp.ClientWebSocketResponse, code: str) -> None:
        async for message in socket:
            now = time.perf_counter()
            sent = float(message.data.split(" ", 1)[0])
            delays.append((sent, 1000 * (now - sent)))

    codes = [f"T{n}" for n in range(tables)]
    async with listeners([(f"{url}/{code}", code, "") for code in codes for _ in range(SOCKETS)], url, read):
        sent = await asyncio.to_thread(run, "shout", *codes)
        await asyncio.sleep(1)
    begin = min(sent) + WARM_UP
    return sorted(ms for at, ms in delays if at >= begin), sum(at >= begin for at in sent)


def shout(codes: list[str]) -> list[float]:
    """Send 200 bytes to each group once a second; returns the moments."""
    from asgiref.sync import async_to_sync
    from channels.layers import get_channel_layer

    send = async_to_sync(get_channel_layer().group_send)
    moments = []
    start = time.perf_counter()
    for tick in range(SECONDS):
        for number, code in enumerate(codes):
            due = start + tick + number / len(codes)
            time.sleep(max(0.0, due - time.perf_counter()))
            moments.append(time.perf_counter())
            send(f"echo-{code}", {"type": "shout", "text": f"{moments[-1]} ".ljust(200, ".")})
    return moments


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("--"):
        import django

        django.setup()
        verb, *arguments = sys.argv[1:]
        verbs = {"--make": lambda: make(int(arguments[0])), "--play": lambda: play(arguments)}
        print(json.dumps(verbs.get(verb, lambda: shout(arguments))()))
    else:
        main()
