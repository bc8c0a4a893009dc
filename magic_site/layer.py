"""The channel layer, of which pages need not know whether Redis is there: what it cannot do now it does later.

A page that hears no hints meanwhile is told by the watch (games/web/watch.py).
"""

import asyncio
import logging

from channels_redis import pubsub
from channels_redis.utils import _wrap_close, decode_hosts

from magic_site.outages import UNREACHABLE

log = logging.getLogger(__name__)

LATER = 1.0
"""Seconds after which a subscription is tried again."""


class Connection(pubsub.RedisSingleShardConnection):
    """Subscribes as soon as it can."""

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        self._missed: set[str] = set()
        self._catching_up: asyncio.Task | None = None

    async def subscribe(self, channel: str) -> None:
        try:
            await super().subscribe(channel)
        except UNREACHABLE as error:
            log.warning("A page hears no hints for now", exc_info=error)
            self._missed.add(channel)
            if self._catching_up is None:
                self._catching_up = asyncio.create_task(self._catch_up())

    async def unsubscribe(self, channel: str) -> None:
        self._missed.discard(channel)
        try:
            await super().unsubscribe(channel)
        except UNREACHABLE:
            self._subscribed_to.discard(channel)  # what still comes for it finds nobody

    async def flush(self) -> None:
        self._missed.clear()
        await super().flush()

    async def _catch_up(self) -> None:
        while self._missed:
            await asyncio.sleep(LATER)
            for channel in list(self._missed):
                try:
                    await super().subscribe(channel)
                except UNREACHABLE:
                    break
                self._missed.discard(channel)
        self._catching_up = None


class LoopLayer(pubsub.RedisPubSubLoopLayer):
    def __init__(self, hosts=None, **options) -> None:
        super().__init__(hosts=hosts, **options)
        self._shards = [Connection(host, self) for host in decode_hosts(hosts)]


class Layer(pubsub.RedisPubSubChannelLayer):
    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        return self._layers[loop]
