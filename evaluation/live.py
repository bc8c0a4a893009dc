"""Telling the pages of a competition or a trial that it has moved on; a hint without content, which may be lost."""

from __future__ import annotations

import logging
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def group(key: UUID) -> str:
    """The channel group of the pages about it."""
    return f"news-{key}"


def tell(key: UUID) -> None:
    """Tell the pages about it; where the channel layer cannot be reached they look by themselves, a little later."""
    try:
        async_to_sync(get_channel_layer().group_send)(group(key), {"type": "hint"})
    except (OSError, RedisError) as error:
        log.warning("No hint to the pages about %s", key, exc_info=error)
