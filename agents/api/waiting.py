"""A program that waits until an agent from outside is asked something (`games.web.api.waiting`)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from django.db.models import QuerySet

from games.match import changes
from games.models import Pending
from games.web.api.waiting import hearing
from games.web.reading import in_thread


class ForAnAgent:
    """One request that waits for what an agent is asked. new: what it would be told of."""

    def __init__(self, agent: str, new: QuerySet[Pending], seconds: int) -> None:
        self.agent, self.new, self.seconds = agent, new, seconds
        self.hint = asyncio.Event()

    async def wait(self) -> None:
        async with hearing(changes.asked_group(self.agent), self._told):
            with suppress(TimeoutError):
                async with asyncio.timeout(self.seconds):
                    while not await in_thread(self.new.all().exists):
                        await self.hint.wait()
                        self.hint.clear()

    async def _told(self, _message: dict[str, Any]) -> None:
        self.hint.set()
