"""Whole matches by the official MCP client: two seats of each table are its, house agents have the others.

The real parts run: SQLite, the Redis-protocol server, workers, one Daphne. Both seats choose at random by the schemas
of what they are asked. Printed of each game: seats that came to the end, moves, refusals by their codes (such as
`repeated` of a clue that was given before, or `over` of one that came too late), and the seconds. A refusal that a
schema should have prevented (`malformed`) ends the run with status 1.

    python -m benchmarks.mcp_play [--matches 20] [--game avalon]     default: 2 matches of each game
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from runpy import run_path

import httpx2
from django.conf import settings
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks import with_django  # noqa: F401 (the registry's texts need settings)
from games.registry import RULES
from tests.stack import Stack

AT_ONCE = 4
TRIES = 40
"""Answers to one request that the rules refuse, before it is given up."""

TABLE = """
from games.registry import RULES
from games.room import outside, rooms
preset, seats = RULES[{game!r}].players
room = rooms.open_room(
    game={game!r}, preset=preset, seats=seats, person="host", name="Hosta", place=None, pace=0.0, move_seconds=0
)
secrets = [outside.invite(room, "host")[1] for _ in range(2)]
rooms.fill(room, "host", "house")
rooms.start(room, "host")
result = secrets
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mcp_play", description=__doc__)
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--game", choices=list(RULES))
    asked = parser.parse_args()
    with Stack() as stack:
        for game in [asked.game] if asked.game else RULES:
            began = time.monotonic()
            total = asyncio.run(matches(stack, game, asked.matches))
            print(f"{game}: {asked.matches} matches, {dict(total)}, {time.monotonic() - began:.0f} s", flush=True)
            if total["malformed"]:
                sys.exit(1)


async def matches(stack: Stack, game: str, count: int) -> Counter[str]:
    """Play so many matches of a game, some at once; what came of them."""
    free = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> list[Counter[str]]:
        async with free:
            return await match(stack, game, number)

    played = await asyncio.gather(*map(one, range(count)))
    return sum((seat for seats in played for seat in seats), Counter())


async def match(stack: Stack, game: str, seed: int) -> list[Counter[str]]:
    """Play one match at two seats; of each its answers that counted (`moves`), its refusals by their codes, and how the
    match ended (`finished`)."""
    secrets = await asyncio.to_thread(stack.shell, TABLE.format(game=game))
    async with asyncio.TaskGroup() as seats:
        tasks = [seats.create_task(play(stack.base_url, secret, f"{seed}:{n}")) for n, secret in enumerate(secrets)]
    return [task.result() for task in tasks]


@asynccontextmanager
async def client_of(site: str, secret: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    """The official client, which shows this key."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{site}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def play(site: str, secret: str, seed: str) -> Counter[str]:
    """Play the seat of this key to the end of its match."""
    rng, came = random.Random(seed), Counter[str]()
    drawn = run_path(str(settings.BASE_DIR / "examples" / "seat.py"))["drawn"]
    async with client_of(site, secret) as client:
        seq, match = 0, ""
        while True:
            told = await client.call_tool("observe", {"after": seq, "match": match, "wait": 25})
            if told.is_error:
                raise RuntimeError(told.structured_content)
            seen = told.structured_content["match"]
            seq, match = seen["seq"], seen["match"]
            if seen["status"] != "running":
                came[seen["status"]] += 1
                return came
            for request in seen["requests"]:
                for _try in range(TRIES):
                    action = drawn(request["schema"], rng)
                    answer = {"match": match, "request": request["id"], "action": action}
                    acted = await client.call_tool("act", answer)
                    code = acted.structured_content["code"] if acted.is_error else "moves"
                    came[code] += 1
                    if code == "malformed":
                        print(request, action, acted.structured_content, flush=True)
                    if not acted.is_error or acted.structured_content["status"] != 422:
                        break


if __name__ == "__main__":
    main()
