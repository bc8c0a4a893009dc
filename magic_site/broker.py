"""A worker's line to its broker, which may break at any time and stay away for as long as it likes.

Messages are taken off their queue for good: leases say what is lost, and the sweeper sends it again. Celery's own ways
were tried by hand with a real worker of two threads, work in hand, and the embedded server killed and started again
(Celery and kombu 5.7):

- Acknowledged early, its default: after an outage of 5 s in which tasks ended, the worker is there and takes nothing up
  within 45 s. With `acks_late`, `reject_on_worker_lost`, a short `visibility_timeout`, and with
  `worker_cancel_long_running_tasks_on_connection_loss`: the same after 13 s. What it cannot acknowledge holds it up.
- Queues that are declared with `no_ack`: the worker ends at the first task that does, since kombu's channel
  acknowledges all the same. So `Channel` overrides both.
- `Channel` without the even pace: back 7 to 10 s after outages of 13 and 20 s, where it takes 1 s with it. The even
  pace without `Channel`: never within 45 s.
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
