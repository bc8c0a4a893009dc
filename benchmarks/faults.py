"""Faults: parts of the real site are killed and away for seconds while matches are played, again and again.

People are scripted: each has a page's socket at one of two web processes, thinks for a moment, posts its moves as a
browser does, and tries again until it is told that the move is there. House agents and a model (a scripted server) sit
between them. Each person has less time for a move than an outage lasts. At the end every match must be over, its log
without a hole and without an answer twice, no answer of a person given by somebody else, no reply of the model paid
for twice, and every open page must show the whole end.

    python -m benchmarks.faults [matches] [postgres] [sqlite]     default: 100 on both, if POSTGRES_BIN has programs
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.common import TOKEN, add_model, begin, cookie, filled_in, site
from magic_site.parts import Part
from tests.model_server import ModelServer, slow
from tests.stack import Stack, free_port

PEOPLE = 2
AT_ONCE = 12
"""Tables; with many more this process, which plays all the people, is too busy to be in time."""

MOVE_SECONDS = 10
THINKS = (0.5, 2.5)
AWAY = 12.0
"""Seconds that a part is away; longer than the time for a move."""

LONGEST = 900.0
"""Seconds after which what is not over counts as stuck."""

CALM = 12.0
"""Seconds between two faults."""

POSTGRES_BIN = Path(os.environ.get("POSTGRES_BIN", "/usr/lib/postgresql/15/bin"))
WHO: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
"""As whom PostgreSQL's programs run, which refuse to run as root."""

SHOWN = re.compile(r'data-seq=\\?"(\d+)')


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    if "--here" in sys.argv:
        run(matches)
        return
    for with_server in (name == "postgres" for name in ("postgres", "sqlite") if name in sys.argv or len(sys.argv) < 3):
        if with_server and not (POSTGRES_BIN / "initdb").exists():
            print("PostgreSQL is left out: POSTGRES_BIN names no folder with its programs.")
            continue
        with Postgres() if with_server else nullcontext() as server:
            env = os.environ | ({"TEST_DATABASE_URL": server.url} if server else {})
            subprocess.run([sys.executable, "-m", "benchmarks.faults", str(matches), "--here"], env=env, check=False)


class Postgres:
    """A server of its own."""

    def __init__(self) -> None:
        self.port, self.folder = free_port(), Path(tempfile.mkdtemp(prefix="magic-postgres-"))
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        os.environ["FAULTS_POSTGRES"] = f"{self.port} {self.folder}"

    def __enter__(self) -> Postgres:
        if WHO:
            shutil.chown(self.folder, **WHO)
        postgres("initdb", "-A", "trust", "-U", "postgres")
        start_postgres()
        return self

    def __exit__(self, *exception: object) -> None:
        stop_postgres()
        del os.environ["FAULTS_POSTGRES"]
        shutil.rmtree(self.folder, ignore_errors=True)


def postgres(program: str, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on the server that `main` started."""
    _port, folder = os.environ["FAULTS_POSTGRES"].split(" ", 1)
    command = [str(POSTGRES_BIN / program), "-D", f"{folder}/data", *arguments]
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **WHO)


def start_postgres() -> None:
    port, folder = os.environ["FAULTS_POSTGRES"].split(" ", 1)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c max_connections=300"
    postgres("pg_ctl", "-o", options, "-l", f"{folder}/log", "-w", "start")


def stop_postgres() -> None:
    postgres("pg_ctl", "-m", "immediate", "stop")


# A run --------------------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """What happened."""

    stack: Stack
    urls: list[str]
    faults: list[tuple[float, str]] = field(default_factory=list)
    posts: int = 0
    tried_again: int = 0
    tried: dict[tuple[str, str], float] = field(default_factory=dict)
    """When each answer was first sent."""
    screens: list[Screen] = field(default_factory=list)

    def when(self, moment: float) -> str:
        """The fault before a moment."""
        before = [(at, names) for at, names in self.faults if at <= moment]
        return f"{moment - before[-1][0]:.0f} s after {before[-1][1]} went" if before else "before any fault"


def run(matches: int) -> None:
    """Play this many matches through faults on the database of the environment, and tell what came of it."""
    env = {"SECRET_KEY": "only for this benchmark", "MOST_TABLES": "0", "MOST_SOCKETS": "0"}
    with ModelServer([slow(600)] * 100_000) as server, site(env) as stack, second_web(stack) as other:
        add_model(server.openai_url, settings={"backoff": 0.05, "timeout": 60, "retries": 2})
        told = Run(stack, [stack.base_url, other])
        began = time.monotonic()
        asyncio.run(play_all(told, matches))
        seconds = time.monotonic() - began
        report(told, server, matches, seconds)


@contextmanager
def second_web(stack: Stack):
    """A second web process; on SQLite too, where both are on one machine."""
    port = free_port()
    first = stack.parts["daphne"]
    command = [str(port) if word == str(stack.port) else word for word in first.command]
    stack.parts["daphne2"] = replace(first, name="daphne2", command=command, log=first.log.with_name("daphne2.log"))
    stack.parts["daphne2"].start()
    yield f"http://127.0.0.1:{port}"


async def play_all(told: Run, matches: int) -> None:
    """So many tables at once, each with its people, until all are played; faults all the while."""
    places, done = asyncio.Semaphore(AT_ONCE), asyncio.Event()
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4 * AT_ONCE))  # nobody waits for a thread

    async def one(number: int) -> None:
        async with places:
            await play_one(told, number)

    striking = asyncio.create_task(strike(told, done))
    with suppress(TimeoutError):
        async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as tables:
            for number in range(matches):
                tables.create_task(one(number))
    done.set()
    await striking
    await asyncio.sleep(CALM)  # for the screens to show the end
    for screen in told.screens:
        screen.socket_task.cancel()


async def strike(told: Run, done: asyncio.Event) -> None:
    """One fault after the other, from the first to the last and anew, until all is played."""
    parts = told.stack.parts
    faults: list[tuple[str, ...]] = [
        ("daphne", "daphne2"), ("redis",), ("sweeper",), ("house",), ("daphne",),
        ("redis", "daphne", "daphne2", "house", "sweeper"),
    ]  # fmt: skip
    if "FAULTS_POSTGRES" in os.environ:
        faults.insert(0, ("postgres",))
        faults.insert(4, ("postgres", "redis"))
    while not done.is_set():
        for names in faults:
            await asyncio.sleep(CALM)
            if done.is_set():
                return
            told.faults.append((time.time(), "+".join(names)))
            print(f"  {' and '.join(names)} away for {AWAY:g} s", flush=True)
            for name in names:
                await asyncio.to_thread(kill, parts, name)
            await asyncio.sleep(AWAY)
            for name in names:
                await asyncio.to_thread(start, parts, name)


def kill(parts: dict[str, Part], name: str) -> None:
    stop_postgres() if name == "postgres" else parts[name].kill()


def start(parts: dict[str, Part], name: str) -> None:
    start_postgres() if name == "postgres" else parts[name].start()


# A table ------------------------------------------------------------------------------------------------------------


async def patiently(do: Callable, *arguments: Any) -> Any:
    """What `do` gives, asked of the database by this benchmark for itself: again and again while that is away."""
    from django.db import close_old_connections, connection
    from django.db.utils import Error

    def once() -> Any:
        close_old_connections()
        try:
            return do(*arguments)
        except Error:
            connection.close()
            raise

    while True:
        with suppress(Error):
            return await asyncio.to_thread(once)
        await asyncio.sleep(0.3)


def deal(number: int) -> tuple[str, str, list[str]]:
    """Begin a match: two people, a house agent and the model; returns the table's code, the match, people's cookies."""
    from games.models import Room
    from magic_site import clock

    people = [f"{number} {seat}" for seat in range(1, PEOPLE + 1)]
    absence = Room.Absence.AGENT if number % 2 else Room.Absence.DEFAULT
    settings: dict[str, Any] = {"host": people[0], "pace": 0.3, "move_seconds": MOVE_SECONDS, "absence": absence}
    match = begin("public_good", "party", people, ["house", "wire"], seed=number, seen_at=clock.now(), **settings)
    return match.room.code, str(match.pk), [cookie(person) for person in people]


async def play_one(told: Run, number: int) -> None:
    code, match, cookies = await patiently(deal, number)
    async with asyncio.TaskGroup() as people:
        for seat, cookie in enumerate(cookies, 1):
            screen = Screen(told.urls, code, match, cookie, number + seat)
            told.screens.append(screen)
            screen.socket_task = asyncio.create_task(screen.listen())
            people.create_task(person(told, screen, match, seat, random.Random(f"{number} {seat}")))


def asked(match: str, seat: int, rng: random.Random) -> tuple[bool, str, dict[str, Any]]:
    """Whether the match is over; else a request of this seat with the form of a legal answer, or ''."""
    from games.match import store
    from games.models import Match

    play = store.load(Match.objects.get(pk=match))
    request = next((r for r in play.state.open.values() if r.seat == seat), None)
    if play.over or request is None:
        return play.over, "", {}
    return False, request.id, filled_in(play, request, rng)


async def person(told: Run, screen: Screen, match: str, seat: int, rng: random.Random) -> None:
    """Somebody who answers all that they are asked, and tries again whatever happens."""
    async with screen.session(timeout=aiohttp.ClientTimeout(total=5)) as session:
        while True:
            over, request, data = await patiently(asked, match, seat, rng)
            if over:
                return
            if request:
                await asyncio.sleep(rng.uniform(*THINKS))
                await post(told, session, screen, {"match": match, "request": request} | data)
            else:
                await asyncio.sleep(0.5)


async def post(told: Run, session: aiohttp.ClientSession, screen: Screen, data: dict[str, Any]) -> None:
    """Send a move as the page's form does, again until the site has said something about it."""
    told.posts += 1
    told.tried.setdefault((data["match"], data["request"]), time.time())
    for tries in range(1000):
        told.tried_again += tries > 0
        url = told.urls[(screen.number + tries) % 2]  # a proxy sends to the web process that answers
        address = f"{url}/t/{screen.code}/"
        with suppress(aiohttp.ClientError, TimeoutError):
            headers = {"HX-Request": "true", "X-CSRFToken": TOKEN, "Referer": address}
            async with session.post(f"{address}act/", data=data, headers=headers) as answer:
                await answer.read()
                if answer.status in (200, 409, 422):
                    return
        await asyncio.sleep(random.uniform(0.5, 1.5))


@dataclass
class Screen:
    """A page's socket, opened again whenever it breaks, and what stands on the screen by it."""

    urls: list[str]
    code: str
    match: str
    cookie: str
    number: int
    shown: set[int] = field(default_factory=set)
    over: bool = False
    socket_task: Any = None

    def session(self, **options: Any) -> aiohttp.ClientSession:
        """A browser's connections, from an address of the table's own: limits count by address."""
        connector = aiohttp.TCPConnector(local_addr=(f"127.0.0.{2 + self.number % 250}", 0))
        cookies = {"magic_person": self.cookie, "csrftoken": TOKEN}
        return aiohttp.ClientSession(cookies=cookies, connector=connector, **options)

    async def listen(self) -> None:
        for tries in itertools.count(self.number):
            url = self.urls[tries % 2]
            address = f"{url.replace('http', 'ws')}/ws/t/{self.code}/?lang=en"
            with suppress(aiohttp.ClientError, OSError, TimeoutError):
                async with (
                    self.session() as session,
                    session.ws_connect(address, headers={"Origin": url}, heartbeat=8) as socket,
                ):
                    pinging = asyncio.create_task(self.ping(socket))
                    async for message in socket:
                        self.take(message.data)
                    pinging.cancel()
            await asyncio.sleep(random.uniform(0, 1))

    async def ping(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        with suppress(ConnectionError):
            while True:
                await socket.send_str('{"kind": "ping"}')
                await asyncio.sleep(10)

    def take(self, text: str) -> None:
        html = json.loads(text).get("html", "") if isinstance(text, str) else ""
        self.shown |= {int(seq) for seq in SHOWN.findall(html)}
        self.over = self.over or 'data-mode="over"' in html


# What came of it ----------------------------------------------------------------------------------------------------


def report(told: Run, server: ModelServer, matches: int, seconds: float) -> None:
    from django.db import connection

    connection.close()  # the last outage may have cut it
    from agents.models import Call
    from games.match.rows import Event
    from games.models import Match, Pending
    from games.registry import RULES
    from games.rules.sight import seen_by
    from games.rules.values import PUBLIC

    begun = {screen.match for screen in told.screens}
    rows = list(Match.objects.filter(pk__in=begun))
    holes = doubled = others = answers = 0
    last: dict[str, int] = {}
    for match in rows:
        events = match.events.plain()
        holes += [event.seq for event in events] != list(range(1, len(events) + 1))
        requests = [event.request for event in events if event.request]
        doubled += len(requests) - len(set(requests))
        people = [e for e in events if e.request and e.seat is not None and e.seat <= PEOPLE]
        answers += len(people)
        at = dict(Event.objects.filter(match=match).values_list("seq", "at"))
        for event in people:
            if event.by != "person":
                others += 1
                asked, given = (
                    at[seq].timestamp() for seq in (int((event.request or "").partition(":")[0]), event.seq)
                )
                sent = told.tried.get((str(match.pk), event.request or ""))
                when = "not sent" if sent is None else f"first sent {sent - asked:+.1f} s"
                print(f"    by {event.by}: given {given - asked:+.1f} s after it was asked, {when}; {told.when(given)}")
        shown = [event.seq for event in events if seen_by(RULES[match.game], event, PUBLIC) is not None]
        last[str(match.pk)] = max(shown)
    short = sum(not (screen.over and max(screen.shown, default=0) >= last[screen.match]) for screen in told.screens)
    kept, calls = Call.objects.filter(error="").count(), len(server.calls)
    lines = {name: count_lines(part) for name, part in told.stack.parts.items()}
    print(f"{connection.vendor}, two web processes: {matches} matches in {seconds:.0f} s, {len(told.faults)} faults")
    print(f"  over                              {sum(match.status == 'finished' for match in rows)} of {matches}")
    for row in Pending.objects.filter(match__in=[match for match in rows if match.status == "running"])[:5]:
        print(f"    stuck: {row.match_id} {row.request} {row.agent} attempts {row.attempts}, {row.deadline=}")
    print(f"  logs with a hole                  {holes}")
    print(f"  answers that are there twice      {doubled}")
    print(f"  answers of people                 {answers}, by others {others}")
    print(f"  posts of people                   {told.posts}, sent again {told.tried_again}")
    print(f"  calls of the model                {calls}, replies kept {kept}, paid for twice {calls - kept}")
    print(f"  screens                           {len(told.screens)}, without the whole end {short}")
    print(f"  lines about outages (tracebacks)  {', '.join(f'{n} {a} ({t})' for n, (a, t) in lines.items())}")


def count_lines(part: Part) -> tuple[int, int]:
    text = part.log.read_text(errors="replace") if part.log.exists() else ""
    if "Traceback" in text:
        kept = Path(tempfile.gettempdir()) / f"faults-{part.name}.log"
        kept.write_text(text)
        print(f"  tracebacks of {part.name} are in {kept}")
    return len(re.findall(r"cannot be reached|is back after|has cut a line", text)), text.count("Traceback")


if __name__ == "__main__":
    main()
