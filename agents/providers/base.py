"""What a model API is to the rest of the project: messages in, a Completion out, a ProviderError when there is none."""

import json
import logging
import os
import random
import time
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, ClassVar

from games.rules.strict_json import UNSTORABLE

from . import addresses
from .errors import (
    MisconfiguredError,
    NoKeyError,
    ProviderError,
    StreamRefusedError,
    StructureRefusedError,
    SummaryRefusedError,
    TimedOutError,
)
from .settings import DEFAULTS, check
from .values import Answer, Completion, Message, OnPiece, Question, Slot, Usage

# The SDKs' debug lines hold whole prompts, and a prompt holds a seat's secrets.
for sdk in ("openai", "anthropic", "httpx2", "httpcore2"):
    logging.getLogger(sdk).setLevel(logging.WARNING)

LONGEST_WAIT = 30.0
"""Seconds; a server that asks for a longer pause is not waited for."""

TOOL = "answer"
"""The name of the tool, or of the form, that a model is held to."""

WORDS = "words"
"""The way to ask for structure that every endpoint takes: the schema as text at the end of the prompt."""


class Provider:
    """One model API at one address. Subclasses say how a single call is made; this class makes it reliable.

    key_env names the environment variable that holds the key; the key itself is read at each client's making and kept
    nowhere else. Empty: the endpoint needs none. base_url: the API's own address where empty. kind: its name among the
    providers. structures: by each API that it speaks, the usual one first, the ways to hold a model to a schema, the
    best first.
    """

    kind: ClassVar[str] = ""
    name: ClassVar[str]
    default_key_env: ClassVar[str]
    structures: ClassVar[Mapping[str, tuple[str, ...]]] = {"chat": ()}

    def __init__(self, base_url: str = "", key_env: str | None = None) -> None:
        self.base_url = base_url or None
        self.key_env = self.default_key_env if key_env is None else key_env
        if found := addresses.trouble(self.address, self.key_env):
            field, sentence = found
            raise MisconfiguredError(sentence, field)
        # What models here have refused while they took something else.
        self._refused: dict[str, frozenset[str]] = {}
        self._sent_whole: set[str] = set()
        self._unsummed: set[str] = set()

    @property
    def address(self) -> str:
        """Where calls go; said to the SDK even where it is the usual one, or its own variables would count."""
        return self.base_url or addresses.USUAL.get(self.kind, "https://api.invalid")

    def complete(
        self,
        messages: list[Message],
        *,
        model: str,
        settings: dict[str, Any] | None = None,
        schema: dict[str, Any] | None = None,
        on_piece: OnPiece | None = None,
        slot: Slot | None = None,
    ) -> Completion:
        """Asks the model, patiently: 429, 5xx, timeouts and cut lines are tried again with growing pauses.

        settings: api (which of those that the provider speaks), temperature, top_p, seed and effort (where it takes
        one), max_tokens (tokens), timeout (seconds, each attempt), silence (seconds without a sign, where replies are
        streamed), retries (attempts after the first), backoff (seconds, the first pause), patience (seconds, all of
        it), extra (more fields of the API's request).
        schema: a JSON schema for the reply. An endpoint that refuses one way to ask for it is asked in the next, at
        last in words, now and from then on. on_piece: the reply is streamed, and this called at each piece. slot:
        what each attempt goes through; waiting there counts as patience alone.
        """
        settings = {**DEFAULTS, **self.checked(settings or {})}
        structures = self.structures[settings.get("api", next(iter(self.structures)))]
        started, attempts, pauses, usage = time.monotonic(), 0, 0, Usage()
        give_up_at = started + settings["patience"]
        refused = self._refused.get(model, frozenset())
        on_piece = None if model in self._sent_whole else on_piece
        while True:
            way = None if schema is None else next(w for w in (*structures, WORDS) if w not in refused)
            asked = in_words(messages, schema) if schema is not None and way == WORDS else messages
            left = max(give_up_at - time.monotonic(), 0.01)
            try:
                with slot(left) if slot else nullcontext():
                    attempts += 1
                    left = max(give_up_at - time.monotonic(), 0.01)
                    limits = settings | {"timeout": min(settings["timeout"], left)}
                    held = None if way == WORDS else way
                    answer = self._ask(Question(asked, model, limits, schema, held, on_piece))
                break
            except StructureRefusedError:
                refused |= {way or WORDS}
            except SummaryRefusedError:
                self._unsummed.add(model)
            except StreamRefusedError:
                self._sent_whole.add(model)
                on_piece = None
            except ProviderError as error:
                usage += error.usage
                error.attempts, error.usage = attempts, usage
                pause = _pause(error, settings["backoff"], pauses)
                too_late = pause > LONGEST_WAIT or time.monotonic() + pause >= give_up_at
                if not error.retry or pauses >= settings["retries"] or too_late:
                    raise
                pauses += 1
                time.sleep(pause)
        if way is not None:
            self._refused[model] = refused
        return _completion(answer, way, usage + answer.usage, attempts, time.monotonic() - started)

    def checked(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """These settings; raises `MisconfiguredError` with a sentence for some that cannot be."""
        for name, value in settings.items():
            check(name, value)
        if "api" in settings and settings["api"] not in self.structures:
            raise MisconfiguredError(f"{self.name} has no API called {settings['api']}.")
        return settings

    def key(self) -> str:
        """The key, from the environment."""
        if not self.key_env:
            return "no-key-needed"
        key = os.environ.get(self.key_env, "").strip()
        if not key:
            raise NoKeyError(f"There is no key for {self.name}: set {self.key_env} in the environment.")
        if not key.isascii() or not key.isprintable():
            raise MisconfiguredError(f"The key in {self.key_env} holds characters that no key has.")
        return key

    def _ask(self, asked: Question) -> Answer:
        """One call, or a ProviderError."""
        raise NotImplementedError


def _completion(answer: Answer, way: str | None, usage: Usage, attempts: int, seconds: float) -> Completion:
    """The reply that an answer is. way: how structure was asked for; usage, seconds: of all attempts."""
    data = None if way in (None, WORDS) else _object(answer.text)
    return Completion(
        text=UNSTORABLE.sub("\ufffd", answer.text),
        thought=UNSTORABLE.sub("\ufffd", answer.thought.strip()),
        data=data,
        # One that takes a schema and does not keep to it has only pretended; its words are read as words.
        structured=data is not None or (way not in (None, WORDS) and answer.finish != "stop"),
        usage=usage,
        model=answer.model,
        finish=answer.finish,
        attempts=attempts,
        ms=round(seconds * 1000),
    )


class Clock:
    """The time that a streamed reply may take: all of it, and each silence in it."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.whole, self.silence = settings["timeout"], min(settings["silence"], settings["timeout"])
        self.ends_at = time.monotonic() + self.whole

    def check(self, name: str) -> None:
        """Raises `TimedOutError` once the whole time is up."""
        if time.monotonic() > self.ends_at:
            raise TimedOutError(f"{name} did not finish its answer within {self.whole:g} seconds.")


def called(name: str, arguments: str, way: str | None) -> str:
    """What a model gives by calling a tool: the arguments, if it is the tool that takes the answer; else the call as
    it is, which is no answer."""
    return arguments if (name, way) == (TOOL, "tool") else json.dumps({"tool": name, "arguments": arguments})


def in_words(messages: list[Message], schema: dict[str, Any]) -> list[Message]:
    """The same messages for an endpoint that knows no schemas: the schema as text at the end of the last one."""
    last = messages[-1]
    ask = f"Reply with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"
    return [*messages[:-1], Message(last.role, f"{last.content}\n\n{ask}")]


def _pause(error: ProviderError, backoff: float, pauses: int) -> float:
    """Seconds until the next attempt: what the server asks for, else doubling from `backoff`, spread a little."""
    if error.wait is not None:
        return error.wait
    return min(backoff * 2**pauses, LONGEST_WAIT) * random.uniform(0.75, 1.0)


def _object(text: str) -> dict[str, Any] | None:
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
