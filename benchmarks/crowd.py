"""Beside a visitor who opens a hundred tables: how soon the agents at other people's tables answer.

One visitor has 116 tables, at which house agents play at once and nobody looks on. Three others have a table each, open
in a browser, and answer whenever they are asked. Measured is the time from an agent's request to its answer at those
three, by the log, while the 116 are played; and how many messages the sweeper sent for each event. Real parts, SQLite.
The caps on tables are lifted: what is measured is the queue alone.

    python -m benchmarks.crowd [tables of the visitor] [seconds]
"""

import asyncio
import random
import re
import sys
import time

import aiohttp

from benchmarks.common import begin, below, cookie, site
from tests.stack import Stack

TABLES, SECONDS, OTHERS = 116, 90, 3
AIM = 2.0


def main() -> None:
    tables, seconds = (int(word) for word in (sys.argv[1:] + [str(TABLES), str(SECONDS)][len(sys.argv) - 1 :]))
    with site() as stack:
        others = [table([f"other {n}"], f"other {n}") for n in range(OTHERS)]
        for _ in range(tables):
            table([], "visitor")
        asyncio.run(look_on(stack, others, seconds))
        waits = sorted(wait for match in others for wait in answers(match))
        events, messages = counted(stack)
    p50, p95 = (below(share, waits) for share in (0.5, 0.95))
    print(f"{tables} tables of one visitor, {OTHERS} of others, {seconds} s")
    print(f"  the others' agents: {len(waits)} answers, p50 {p50:.2f} s, p95 {p95:.2f} s (aim: under {AIM:g} s)")
    print(f"  {events} events at all tables, {messages} messages sent again by the sweeper")


def table(people: list[str], host: str):
    """A match of house agents, beside these people, at a table without pauses."""
    agents = ["house"] * (6 - len(people))
    return begin("avalon", "recon", people, agents, host=host, pace=0, move_seconds=0)


async def look_on(stack: Stack, others: list, seconds: float) -> None:
    """Hold the others' pages open, and let each of them move as soon as they are asked, until the time is up."""
    from asgiref.sync import sync_to_async

    async with aiohttp.ClientSession() as session:
        for match in others:
            headers = {"Origin": stack.base_url, "Cookie": f"magic_person={cookie(match.seated[0].person)}"}
            url = f"{stack.base_url}/t/{match.room.code}/"
            async with session.get(url, headers=headers) as page:
                page.raise_for_status()
            await session.ws_connect(url.replace("http", "ws").replace("/t/", "/ws/t/"), headers=headers, heartbeat=5)
        until, rng = time.monotonic() + seconds, random.Random(1)
        while time.monotonic() < until:
            for match in others:
                await sync_to_async(move)(match, rng)
            await asyncio.sleep(0.2)


def move(match, rng: random.Random) -> None:
    """What the person is asked, answered at random; a match that is over is played again."""
    from games.match import store
    from games.rules.random_play import random_action

    play = store.load(match)
    for request in play.state.open.values():
        if request.seat == 1 and request.waits:
            store.act(match.pk, 1, request.id, random_action(play, request, rng, ["well"]))
            break


def answers(match) -> list[float]:
    """Seconds from each request to an agent to its answer; those that are still open have waited until now."""
    from django.utils import timezone

    from games.match import store

    given = list(match.events.filter(by__startswith="agent:").exclude(request=None).values_list("request", "seq"))
    still = [r for r in store.load(match).state.open.values() if r.waits and r.seat != 1]
    times = dict(match.events.values_list("seq", "at"))
    waits = [(times[seq] - times[int(request.partition(":")[0])]).total_seconds() for request, seq in given]
    return waits + [(timezone.now() - times[request.opened_at]).total_seconds() for request in still]


def counted(stack: Stack) -> tuple[int, int]:
    """How many events there are, and how many messages the sweeper has sent again."""
    from games.match.rows import Event

    return Event.objects.count(), len(re.findall(r"sent again", stack.log("sweeper")))


if __name__ == "__main__":
    main()
