"""Calls of models: what a decision asks, for what purpose, and the replies; independent questions are asked at once."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agents.providers import Completion, Message, Provider, ProviderError, TimedOutError, Usage
from agents.providers.values import OnPiece, Slot

TOO_LONG = "The model took too long over this move."

WAITING = {"timeout", "silence", "retries", "backoff", "patience"}
"""Settings of how long a reply is waited for; they do not change what it says."""


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens; those from the API's cache (`cached`) and those that go into it (`stored`) cost
    as much as others where nothing is said."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0
    cached: float | None = None
    stored: float | None = None

    def of(self, usage: Usage) -> float:
        """US dollars."""
        cached, stored = (self.tokens_in if price is None else price for price in (self.cached, self.stored))
        fresh = usage.tokens_in - usage.cached - usage.stored
        read = fresh * self.tokens_in + usage.cached * cached + usage.stored * stored
        return (read + usage.tokens_out * self.tokens_out) / 1e6


@dataclass(frozen=True)
class Model:
    """A model as a profile names it. owner: the account on whose budget it is asked; None for nobody's."""

    provider: Provider
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    price: Price = Price()
    owner: int | None = None


@dataclass(frozen=True)
class Purpose:
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

    purpose: Purpose
    model: Model
    messages: tuple[Message, ...]
    schema: dict[str, Any] | None

    @cached_property
    def key(self) -> str:
        """The same for the same question to the same model at the same settings: SHA-256, in hexadecimal."""
        model = self.model
        asked = {
            "provider": [model.provider.name, model.provider.base_url or ""],
            "model": model.name,
            "settings": {name: value for name, value in model.settings.items() if name not in WAITING},
            "messages": [[message.role, message.content] for message in self.messages],
            "schema": self.schema,
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


Reply = Completion | ProviderError


class ReplyStore:
    """What stands between a question and a model. This one knows no replies, holds nobody up and keeps nothing.

    It is used in the thread that asks, never in those in which models are waited for.
    """

    def known(self, asks: Sequence[Ask]) -> dict[int, Reply]:
        """What needs no call, by the question's place in the list: a reply that is there, or why none may be made."""
        return {}

    def slot(self, model: Model) -> Slot | None:
        """What each attempt of a call to this model goes through."""
        return None

    def keep(self, made: Sequence[tuple[Ask, Reply]]) -> list[Reply]:
        """Keep what was just paid for; returns the replies that count, in order."""
        return [reply for _, reply in made]


NO_STORE = ReplyStore()


def ask_all(
    asks: Sequence[Ask], patience: float, on_piece: OnPiece | None = None, store: ReplyStore = NO_STORE
) -> list[Reply]:
    """The replies, in order; in place of one that did not come the reason. What is not known is asked at once.

    patience: seconds for all of them together, pauses and the wait for a slot included. on_piece: replies are streamed,
    and this is called at each piece.
    """
    replies = dict(store.known(asks))
    missing = [n for n in range(len(asks)) if n not in replies]
    if missing and patience <= 0:
        replies |= {n: TimedOutError(TOO_LONG) for n in missing}
    elif missing:
        models = {id(asks[n].model): asks[n].model for n in missing}
        slots_of = {key: store.slot(model) for key, model in models.items()}
        made = _made([asks[n] for n in missing], slots_of, time.monotonic() + patience, on_piece)
        replies |= dict(zip(missing, store.keep(made), strict=True))
    return [replies[n] for n in range(len(asks))]


def _made(
    asks: Sequence[Ask], slots_of: Mapping[int, Slot | None], give_up_at: float, on_piece: OnPiece | None
) -> list[tuple[Ask, Reply]]:
    def make(ask: Ask) -> tuple[Ask, Reply]:
        return ask, _answer(ask, slots_of[id(ask.model)], give_up_at, on_piece)

    if len(asks) == 1:
        return [make(asks[0])]
    with ThreadPoolExecutor(len(asks), thread_name_prefix="ask") as pool:
        return list(pool.map(make, asks))


def _answer(ask: Ask, slot: Slot | None, give_up_at: float, on_piece: OnPiece | None) -> Reply:
    model = ask.model
    settings = {**model.settings, "patience": max(give_up_at - time.monotonic(), 0.01)}
    ways: dict[str, Any] = {name: way for name, way in (("slot", slot), ("on_piece", on_piece)) if way is not None}
    try:
        reply = model.provider.complete(
            list(ask.messages), model=model.name, settings=settings, schema=ask.schema, **ways
        )  # fmt: skip
    except ProviderError as error:
        return error
    return reply.priced(model.price.of(reply.usage))
