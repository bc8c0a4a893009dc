"""Telling viewers that something moved on. A hint holds no content and no secret; it may be lost or come twice."""

from __future__ import annotations

import logging
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def group(code: str) -> str:
    """The channel group of a room."""
    return f"room-{code}"


def tell(code: str, part: str, match: UUID | None = None, n: int = 0) -> None:
    """Send the hint {part: log | room | presence | thoughts | thinking, match, n} to everybody at a room; n is a seq,
    of thinking a seat.

    A channel layer that cannot be reached is logged and no more: pages catch up from the database.
    """
    hint = {"type": "hint", "part": part, "match": str(match) if match else None, "n": n}
    try:
        async_to_sync(get_channel_layer().group_send)(group(code), hint)
    except (OSError, RedisError) as error:
        log.warning("No hint to %s: the channel layer cannot be reached (%s)", code, type(error).__name__)
