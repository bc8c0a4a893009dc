"""Telling the pages of a competition that it has moved on; a hint without content, which may be lost."""

from __future__ import annotations

import logging
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def group(competition: UUID) -> str:
    """The channel group of a competition's pages."""
    return f"competition-{competition}"


def tell(competition: UUID) -> None:
    try:
        async_to_sync(get_channel_layer().group_send)(group(competition), {"type": "hint"})
    except (OSError, RedisError) as error:
        log.warning("No hint to the pages of competition %s (%s)", competition, type(error).__name__)
