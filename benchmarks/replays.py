"""Pages of others while eight people read long replays at once, on one web process.

An Avalon match of house agents is played and stored. Eight readers ask for its replay from the start, one moment after
the other, without a pause; four others ask for a table's page and the lobby in turn. Measured is the others' median,
with and without the readers. Real parts, SQLite.

    python -m benchmarks.replays [seconds]
"""

import asyncio
import statistics
import sys
import time
from typing import Any

import aiohttp

from benchmarks.common import site

READERS, OTHERS, MATCHES = 8, 4, 4


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15.0
    with site() as stack:
        stack.manage("simulate", "avalon", "official", f"--matches={MATCHES}", "--store", "--seats=8")
        from django.contrib.auth.models import User
        from django.test import Client

        from games.models import Match, Room

        matches = [(str(match.pk), match.events.count()) for match in Match.objects.all()]
        code = Room.objects.create(game="avalon", preset="recon", host="ann", listed=True).code
        client = Client()
        client.force_login(User.objects.get(username=stack.researcher()))
        session = {"sessionid": client.cookies["sessionid"].value}
        others = [stack.base_url + "/", f"{stack.base_url}/t/{code}/"]
        for readers in (0, READERS):
            waits, read = asyncio.run(measure(stack.base_url, matches, others, readers, seconds, session))
            p50, most = 1000 * statistics.median(waits), 1000 * max(waits)
            print(
                f"{readers} readers: others' pages median {p50:.0f} ms, slowest {most:.0f} ms ({len(waits)}); "
                f"{read} pages of replays of {max(events for _, events in matches)} events"
            )


async def measure(
    base_url: str, matches: list, others: list[str], readers: int, seconds: float, signed_in: dict[str, str]
):
    """What the others waited, in seconds, and how many pages the readers got."""
    waits: list[float] = []
    read = 0
    until = time.monotonic() + seconds

    async def ask(url: str, **options: Any) -> float:
        began = time.monotonic()
        async with session.get(url, **options) as answer:
            await answer.read()
            answer.raise_for_status()
        return time.monotonic() - began

    async def read_on(number: int) -> None:
        nonlocal read
        seq = 0
        while time.monotonic() < until:
            match, events = matches[number % len(matches)]
            seq = seq % events + 1
            await ask(f"{base_url}/m/{match}/?as=all&seq={seq}", cookies=signed_in)
            read += 1

    async def look(number: int) -> None:
        while time.monotonic() < until:
            waits.append(await ask(others[len(waits) % len(others)]))
            await asyncio.sleep(0.1)

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as visitors:
        for number in range(readers):
            visitors.create_task(read_on(number))
        for number in range(OTHERS):
            visitors.create_task(look(number))
    return waits, read


if __name__ == "__main__":
    main()
