"""A program that waits until an agent from outside is asked something (`games.web.api.waiting`)."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404

from agents.api.outside import answered_by, asked
from games.match import changes
from games.room import api_keys
from games.web.api.callers import Caller
from games.web.api.problems import Problem
from games.web.api.waiting import Knock, Waits, hearing, knock_at
from games.web.reading import in_thread

REQUESTS = re.compile(r"/api/v1/profiles/([-a-zA-Z0-9_]{1,80})/requests/")


class ForAnAgent:
    """One request that waits for what an agent is asked."""

    def __init__(self, knock: Knock) -> None:
        self.knock = knock
        self.hint = asyncio.Event()

    async def wait(self) -> None:
        async with hearing(changes.asked_group(self.knock.found), self._told):
            with suppress(TimeoutError):
                async with asyncio.timeout(self.knock.seconds):
                    while not await in_thread(self._has_answer):
                        await self.hint.wait()
                        self.hint.clear()

    async def _told(self, _message: dict[str, Any]) -> None:
        self.hint.set()

    def _has_answer(self) -> bool:
        """Whether something is asked; or the view has another answer."""
        caller = Caller.of(api_keys.find(self.knock.secret) if self.knock.secret else None)
        try:
            profile = answered_by(caller, self.knock.found)
        except (Http404, PermissionDenied, Problem):
            return True
        return asked(profile, caller, self.knock.params.get("known", "")).exists()


def asked_outside(scope: dict[str, Any]) -> Waits | None:
    """What a request for an agent's requests waits for."""
    knock = knock_at(REQUESTS, scope)
    return knock and ForAnAgent(knock)
