"""How quickly what happens at a table reaches every screen: tables of eight pages, a move every four seconds each.

The real parts run, workers and sweeper too: SQLite, the Redis-protocol server, one Daphne. Pages do what browsers do:
they ping, post their moves over HTTP, and now and then one of them breaks off and comes back, far more often than a
person's line does: the load stands for reloads, second tabs and phones that sleep as well. Measured is the time from
the moment that a move's event is given, just before its commit, to its public frame at a page that was open by then.
Beside it, in the same run, a bare Channels echo on the same server and layer: 200 bytes to as many sockets as often,
with no database and nothing to render.

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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import aiohttp

from benchmarks.common import TOKEN, begin, below, cookie, filled_in
from tests.stack import Stack, free_port, until

SOCKETS = 8
SECONDS = 40
WARM_UP = 8
MOVE_EVERY = 4
"""Seconds between two moves at a table: people think longer, agents that do not have to less."""

PING_EVERY = 10.0
COMES_BACK_EVERY = 60.0
"""Seconds between two times that one page breaks off and comes back, on average."""

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
        return below(share, self.ms)

    def __str__(self) -> str:
        p50, p95, p99 = (f"{self.at(share):7.1f}" for share in (0.5, 0.95, 0.99))
        counts = f"{self.sent} moves, {len(self.ms)} frames"
        return f"{self.tables:4} tables   p50 {p50}   p95 {p95}   p99 {p99} ms   ({counts})"


def main() -> None:
    steps = [int(word) for word in sys.argv[1:]]
    with Stack({"MOST_TABLES": "0", "MOST_SOCKETS": "0"}) as stack:
        os.environ |= stack.env
        print(f"tables of {SOCKETS} pages, a move every {MOVE_EVERY} s, for {SECONDS} s; from move to frame")
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
    """Open tables and their pages, let a process of its own post the moves, and time what arrives."""
    made = await asyncio.to_thread(run, "make", str(tables))
    pages = [
        Page(stack.base_url, code, cookie, number)
        for number, (code, cookies) in enumerate(made.items())
        for cookie in cookies
    ]
    for start in range(0, len(pages), 20):
        await asyncio.gather(*(page.open() for page in pages[start : start + 20]))
    living = [asyncio.create_task(page.live()) for page in pages]
    warm_at = time.time() + WARM_UP
    codes = {f"{code} {number}": cookies for number, (code, cookies) in enumerate(made.items())}
    moves = await asyncio.to_thread(run, "play", stack.base_url, *codes)
    await asyncio.sleep(1)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, return_exceptions=True)
    await asyncio.gather(*(page.close() for page in pages))
    counted = [move for move in moves if move[2] >= warm_at]
    delays = []
    for code, seq, at in counted:
        for page in pages:
            if page.code == code and page.was_open(at):
                then = next((then for shown, then in page.frames if shown >= seq and then >= at - 0.002), None)
                delays.append(float("inf") if then is None else 1000 * (then - at))
    return sorted(delays), len(counted)


def address_of(number: int) -> str:
    """Where the people of a table come from: limits count by address."""
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


class Page:
    """A browser's page at a table: it pings, breaks off now and then, comes back, and notes which frames come when."""

    def __init__(self, base_url: str, code: str, cookie: str, number: int) -> None:
        self.base_url, self.code, self.cookie, self.number = base_url, code, cookie, number
        self.frames: list[tuple[int, float]] = []
        self.gone: list[tuple[float, float]] = []  # from when to when it was not there
        self.chance = random.Random(f"{code} {cookie}")

    async def open(self) -> None:
        for _tries in range(20):
            with suppress(aiohttp.ClientError, OSError):
                await self.connect()
                return
            await self.session.close()
            await asyncio.sleep(self.chance.random())

    async def connect(self) -> None:
        connector = aiohttp.TCPConnector(local_addr=(address_of(self.number), 0))
        self.session = aiohttp.ClientSession(connector=connector)
        headers = {"Origin": self.base_url, "Cookie": f"magic_person={self.cookie}"}
        url = self.base_url.replace("http", "ws")
        self.socket = await self.session.ws_connect(f"{url}/ws/t/{self.code}/?lang=en", headers=headers)
        self.reading = asyncio.create_task(self.read())
        self.pinging = asyncio.create_task(self.ping())

    async def close(self) -> None:
        for task in (self.reading, self.pinging):
            task.cancel()
        await self.socket.close()
        await self.session.close()

    async def live(self) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / COMES_BACK_EVERY))
            left = time.time()
            await self.close()
            await self.open()
            self.gone.append((left, time.time() + 1))

    def was_open(self, at: float) -> bool:
        return not any(left - 1 <= at <= back for left, back in self.gone)

    async def ping(self) -> None:
        while True:
            await self.socket.send_str('{"kind": "ping"}')
            await asyncio.sleep(PING_EVERY * self.chance.uniform(0.8, 1.0))

    async def read(self) -> None:
        async for message in self.socket:
            now = time.time()
            shown = max((int(seq) for seq in SHOWN.findall(message.data)), default=0)
            if shown > (self.frames[-1][0] if self.frames else 0):
                self.frames.append((shown, now))


def run(verb: str, *arguments: str):
    """Run one of the verbs below in a process of its own; returns what it prints as JSON."""
    command = [sys.executable, "-m", "benchmarks.live", f"--{verb}", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def make(tables: int) -> dict[str, list[str]]:
    """Begin so many matches of Avalon, six people each; returns the cookies of eight visitors by table code."""
    from games.room.models import new_code

    made = {}
    for _ in range(tables):
        code = new_code()
        people = [f"{code} {n}" for n in range(1, 7)]
        begin(
            "avalon", "official", people, code=code, host="p1", move_seconds=0, pace=0, options={"discussion": "none"}
        )
        made[code] = [cookie(f"{code} {n}") for n in range(1, SOCKETS + 1)]
    return made


def play(base_url: str, *tables: str) -> list[tuple[str, int, float]]:
    """Post one random legal move every MOVE_EVERY seconds at each table, spread evenly, as the form of its page does.

    Returns (code, seq, moment) of those that everybody sees something of: quest cards nobody sees."""
    from concurrent.futures import ThreadPoolExecutor

    from games.models import Match
    from games.registry import RULES
    from games.rules.sight import seen_by
    from games.rules.values import PUBLIC

    matches, visitors = {}, {}
    for code, number in (name.split() for name in tables):
        matches[code] = Match.objects.get(room__code=code)
        visitors[code] = int(number)
    before = {code: match.events.count() for code, match in matches.items()}
    start = time.perf_counter()
    with ThreadPoolExecutor(16) as browsers:
        for tick in range(0, SECONDS, MOVE_EVERY):
            for place, (code, match) in enumerate(matches.items()):
                due = start + tick + MOVE_EVERY * place / len(matches)
                time.sleep(max(0.0, due - time.perf_counter()))
                browsers.submit(post_move, base_url, match, visitors[code], random.Random(f"{match.pk} {tick}"))
    moves: list[tuple[str, int, float]] = []
    for code, match in matches.items():
        events = match.events.filter(seq__gt=before[code]).timed()
        last_at = {
            at: event for event, at in events if seen_by(RULES["avalon"], event, PUBLIC) is not None
        }  # of the events of one commit the last one
        moves += [(code, event.seq, at.timestamp()) for at, event in last_at.items()]
    return moves


def post_move(base_url: str, match: Any, visitor: int, rng: random.Random) -> None:
    """One move of whoever is asked, over HTTP."""
    from games.match import store

    play = store.load(match)
    if not play.over:
        request = rng.choice([request for request in play.state.open.values() if request.waits])
        post_form(base_url, match, visitor, request, filled_in(play, request, rng))


def post_form(base_url: str, match: Any, visitor: int, request: Any, fields: dict[str, Any]) -> None:
    """The page's form with the answer to a request, as the person posts it whose seat is asked."""
    from http.client import HTTPConnection
    from urllib.parse import urlencode, urlsplit

    data = {"match": str(match.pk), "request": request.id, "live": "1"} | fields
    cookies = f"magic_person={cookie(match.seated[request.seat - 1].person)}; csrftoken={TOKEN}"
    headers = {"Cookie": cookies, "X-CSRFToken": TOKEN, "HX-Request": "true"}
    headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": base_url}
    site = urlsplit(base_url)
    here = (address_of(visitor), 0)
    connection = HTTPConnection(site.hostname or "", site.port, timeout=30, source_address=here)
    connection.request("POST", f"/t/{match.room.code}/act/", urlencode(data, doseq=True), headers)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 204:
        print(f"A post was answered by {answer.status}", file=sys.stderr)
    connection.close()


# Echo ---------------------------------------------------------------------------------------------------------------


class echo_server:  # noqa: N801 (used like a function)
    """The same Daphne and layer, with a consumer that passes on what is sent to its group."""

    def __enter__(self) -> str:
        port = free_port()
        options = f"-v 0 -b 127.0.0.1 -p {port} benchmarks.echo:application"
        command = [sys.executable, "-m", "daphne", *options.split()]
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

    async def read(socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            now = time.perf_counter()
            sent = float(message.data.split(" ", 1)[0])
            delays.append((sent, 1000 * (now - sent)))

    codes = [f"T{n}" for n in range(tables)]
    addresses = [f"{url}/{code}" for code in codes for _ in range(SOCKETS)]
    sockets: list[aiohttp.ClientWebSocketResponse] = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers={"Origin": url}) as session:
        for start in range(0, len(addresses), 20):
            sockets += await asyncio.gather(*map(session.ws_connect, addresses[start : start + 20]))
        readers = [asyncio.create_task(read(socket)) for socket in sockets]
        await asyncio.sleep(1)
        sent = await asyncio.to_thread(run, "shout", *codes)
        await asyncio.sleep(1)
        await asyncio.gather(*(socket.close() for socket in sockets), *readers, return_exceptions=True)
    warm_at = min(sent) + WARM_UP
    return sorted(ms for at, ms in delays if at >= warm_at), sum(at >= warm_at for at in sent)


def shout(codes: list[str]) -> list[float]:
    """Send 200 bytes to each group every MOVE_EVERY seconds; returns the moments."""
    from asgiref.sync import async_to_sync
    from channels.layers import get_channel_layer

    send = async_to_sync(get_channel_layer().group_send)
    moments = []
    start = time.perf_counter()
    for tick in range(0, SECONDS, MOVE_EVERY):
        for number, code in enumerate(codes):
            due = start + tick + MOVE_EVERY * number / len(codes)
            time.sleep(max(0.0, due - time.perf_counter()))
            moments.append(time.perf_counter())
            send(f"echo-{code}", {"type": "shout", "text": f"{moments[-1]} ".ljust(200, ".")})
    return moments


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("--"):
        import django

        django.setup()
        verb, *arguments = sys.argv[1:]
        verbs = {"--make": lambda: make(int(arguments[0])), "--play": lambda: play(*arguments)}
        print(json.dumps(verbs.get(verb, lambda: shout(arguments))()))
    else:
        main()
