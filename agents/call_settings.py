"""What admins have set for the calls of models: prices, limits of spending, limits of endpoints.

Every call asks for it, so each process reads it once a second and not for each; what is changed in this process counts
at once.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models.signals import post_delete, post_save

from agents.models import Endpoint, ModelPrice, SpendingLimit

FRESH_SECONDS = 1.0


@dataclass(frozen=True)
class CallSettings:
    """endpoints: by provider and address."""

    prices: Sequence[ModelPrice]
    limit: SpendingLimit | None
    endpoints: Mapping[tuple[str, str], Endpoint]


_read: tuple[float, CallSettings] | None = None


def current() -> CallSettings:
    """What counts now, no older than FRESH_SECONDS."""
    global _read
    read, now = _read, time.monotonic()
    if read is None or now - read[0] > FRESH_SECONDS:
        endpoints = {(row.provider, row.base_url): row for row in Endpoint.objects.all()}
        read = _read = (now, CallSettings(tuple(ModelPrice.objects.all()), SpendingLimit.objects.first(), endpoints))
    return read[1]


def forget(**signal: Any) -> None:
    """Read it anew when it is asked for next."""
    global _read
    _read = None


def listen() -> None:
    """Hear of what is changed in this process."""
    for sender in (Endpoint, ModelPrice, SpendingLimit):
        for signal in (post_save, post_delete):
            signal.connect(forget, sender=sender, dispatch_uid=f"terms: {sender.__name__}")
