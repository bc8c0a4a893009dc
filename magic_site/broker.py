"""A worker's line to its broker, which may break at any time and stay away for as long as it likes.

Messages are taken off their queue for good: leases say which decisions are lost, and the sweeper sends them again.
Celery's way, to keep each message until it is acknowledged, ends the worker when it has some while the broker is away
(it acknowledges or gives back over a line that was closed), and would bring them again after an hour at the earliest.
"""

from functools import partial
from typing import Any

from celery.worker import consumer
from kombu import Connection
from kombu.transport import redis

SECONDS_BETWEEN_TRIES = 1


class Channel(redis.Channel):
    """A channel that keeps no message."""

    def basic_consume(self, queue: str, no_ack: bool, *args: Any, **options: Any) -> str:
        return super().basic_consume(queue, True, *args, **options)

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Nothing was kept that could be let go."""


class Transport(redis.Transport):
    Channel = Channel


class Consumer(consumer.Consumer):
    """Tries to reach the broker at an even pace, where Celery's waits longer each time, up to half a minute."""

    def ensure_connected(self, conn: Connection) -> Connection:
        conn.transport_cls = Transport  # type: ignore[assignment]  # kombu takes a class as well as its name
        pace: dict[str, Any] = {
            "interval_start": SECONDS_BETWEEN_TRIES,
            "interval_step": 0,
            "interval_max": SECONDS_BETWEEN_TRIES,
        }
        vars(conn)["ensure_connection"] = partial(conn.ensure_connection, **pace)
        return super().ensure_connected(conn)
