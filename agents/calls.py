"""Calls of models: what a decision asks, on what occasion, and the replies; independent questions are asked at once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from agents.providers import Completion, Message, Provider, ProviderError, TimedOutError


@dataclass(frozen=True)
class Model:
    """A model as a profile names it. Prices are US dollars for a million tokens."""

    provider: Provider
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    price_in: float = 0.0
    price_out: float = 0.0

    def cost(self, reply: Completion) -> float:
        return (reply.tokens_in * self.price_in + reply.tokens_out * self.price_out) / 1e6


@dataclass(frozen=True)
class Occasion:
    """What a call is for: the stage of a decision about a request, asked for the nth time (1, and 2 after a reply that
    did not count)."""

    match: str
    request: str
    seat: int
    stage: str
    nth: int


@dataclass(frozen=True)
class Ask:
    """One question to a model."""

    occasion: Occasion
    model: Model
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None


def ask_all(asks: Sequence[Ask], patience: float) -> list[Completion | ProviderError]:
    """The replies, in order; in place of one that did not come the reason. All are asked at once.

    patience: seconds for all of them together, pauses included.
    """
    if patience <= 0:
        return [TimedOutError("The model took too long over this move.") for _ in asks]
    if len(asks) == 1:
        return [_answer(asks[0], patience)]
    with ThreadPoolExecutor(len(asks), thread_name_prefix="ask") as pool:
        return list(pool.map(lambda ask: _answer(ask, patience), asks))


def _answer(ask: Ask, patience: float) -> Completion | ProviderError:
    model = ask.model
    settings = model.settings | {"patience": patience}
    try:
        return model.provider.complete(list(ask.messages), model=model.name, settings=settings, schema=ask.schema)
    except ProviderError as error:
        return error
