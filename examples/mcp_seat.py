"""Play one seat of a Magic Table at random by the official MCP client: python -m examples.mcp_seat SITE KEY

SITE is the site's address, KEY what a free chair's link has after #. It plays every match at that table
until the host frees the chair. It needs the package `mcp` (requirements-mcp.txt).
"""

import asyncio
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from examples.seat import TALKS, TRIES, drawn


@asynccontextmanager
async def client_of(site: str, key: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    """A client that shows this key. mode: of the protocol, by the client's own names."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{site}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def asked(client: Client, tool: str, **given: Any) -> CallToolResult:
    """What a tool answers; who asks too often waits, and asks again."""
    while True:
        told = await client.call_tool(tool, given)
        if not told.is_error or told.structured_content["status"] != 429:
            return told
        await asyncio.sleep(told.structured_content["retry_after"])


async def play(
    site: str, key: str, seed: int | None = None, before: str = ""
) -> tuple[str, dict[str, Any], Counter[str]]:
    """Play the match that comes after the one called `before`, or any; its id, what came of it, and how often which
    answers were refused, by codes."""
    rng, refused, seq, match = random.Random(seed), Counter[str](), 0, ""
    async with client_of(site, key) as client:
        while True:
            told = await asked(client, "observe", after=seq, match=match, wait=25)
            if told.is_error:
                sys.exit(told.structured_content["detail"])
            seen = told.structured_content["match"]
            if seen is None:
                continue
            seq, match = seen["seq"], seen["match"]
            if match == before:
                continue
            if seen["status"] != "running":
                return match, seen["outcome"], refused
            for request in seen["requests"]:
                if not request["waits"] and rng.random() >= TALKS:
                    continue
                for _try in range(TRIES):
                    action = drawn(request["schema"], rng)
                    acted = await asked(client, "act", match=match, request=request["id"], action=action)
                    if not acted.is_error:
                        break
                    refused[acted.structured_content["code"]] += 1
                    if acted.structured_content["status"] != 422:
                        break  # it comes too late


async def main(site: str, key: str) -> None:
    before = ""
    while True:
        before, *came = await play(site, key, before=before)
        print(*came, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], sys.argv[2]))
