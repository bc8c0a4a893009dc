"""Telling viewers that something moved on. A hint holds no content and no secret; it may be lost or come twice."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def group(code: str) -> str:
    """The channel group of a room."""
    return f"room-{code}"


def hint(part: str, match: UUID | None = None, n: int = 0) -> dict[str, Any]:
    """A hint as it comes to the sockets: {part: log | room | thoughts | thinking, match, n}; n is a seq, of
    thinking a seat."""
    return {"type": "hint", "part": part, "match": str(match) if match else None, "n": n}


def tell(code: str, part: str, match: UUID | None = None, n: int = 0) -> None:
    """Send a hint to everybody at a room.

    A channel layer that cannot be reached is logged and no more: pages catch up from the database.
    """
    try:
        async_to_sync(get_channel_layer().group_send)(group(code), hint(part, match, n))
    except (OSError, RedisError) as error:
        log.warning("No hint to %s", code, exc_info=error)
