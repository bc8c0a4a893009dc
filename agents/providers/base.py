"""What a model API is to the rest of the project: messages in, a Completion out, a ProviderError when there is none."""

import json
import logging
import os
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

# The SDKs' debug lines hold whole prompts, and a prompt holds a seat's secrets.
for sdk in ("openai", "anthropic", "httpx2", "httpcore2"):
    logging.getLogger(sdk).setLevel(logging.WARNING)

KEY_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
LONGEST_WAIT = 30.0
"""Seconds; a server that asks for a longer pause is not waited for."""

DEFAULTS: dict[str, Any] = {"max_tokens": 2048, "timeout": 60.0, "retries": 3, "backoff": 0.5, "patience": 180.0}
NUMBERS = {*DEFAULTS, "temperature", "top_p", "seed"}


class ProviderError(Exception):
    """No reply came. The text is one sentence for people and never holds a key; `attempts` counts the calls made."""

    retry: ClassVar[bool] = False

    def __init__(self, sentence: str, *, wait: float | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait
        self.attempts = 0


class MisconfiguredError(ProviderError):
    """The provider or its settings make no sense; no call was made."""


class NoKeyError(MisconfiguredError):
    """The environment variable that should hold the key is empty."""


class RefusedError(ProviderError):
    """The API said no: a wrong key, an unknown model, a bad request."""


class StructureRefusedError(RefusedError):
    """The API takes no JSON schema, or not this one."""


class NoAnswerError(ProviderError):
    """The API answered without any words."""

    retry = True


class TooBusyError(ProviderError):
    """The API asked for patience (429) or broke down (5xx)."""

    retry = True


class TimedOutError(ProviderError):
    """No reply within the timeout."""

    retry = True


class UnreachableError(ProviderError):
    """No connection, or it broke off in the middle of the reply."""

    retry = True


@dataclass(frozen=True)
class Message:
    """One turn of the conversation; `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True)
class Completion:
    """A model's reply.

    text: its words. data: the parsed JSON object, where a schema was asked for and the API held the model to it.
    structured: whether the API did. ms: from the first attempt to the reply, pauses included. attempts: calls made.
    model: the name that the API gave. finish: "stop", "length", "refused" or the API's own word.
    """

    text: str
    data: dict[str, Any] | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    ms: int = 0
    attempts: int = 1
    model: str = ""
    finish: str = "stop"
    structured: bool = False


class Provider:
    """One model API at one address. Subclasses say how a single call is made; this class makes it reliable.

    key_env names the environment variable that holds the key; the key itself is read at each client's making and kept
    nowhere else. Empty: the endpoint needs none. base_url: the API's own address where empty.
    """

    name: ClassVar[str]
    default_key_env: ClassVar[str]

    def __init__(self, base_url: str = "", key_env: str | None = None) -> None:
        self.base_url = base_url or None
        self.key_env = self.default_key_env if key_env is None else key_env
        if self.key_env and not KEY_NAME.fullmatch(self.key_env):
            # Else whoever may edit a profile could send any secret of the environment to an address of their own.
            raise MisconfiguredError("The name of a key's environment variable must end in _API_KEY.")
        if base_url and not _is_web_address(base_url):
            raise MisconfiguredError("The base URL must be a full address, such as https://models.example/v1.")
        self._unstructured: set[str] = set()

    def complete(
        self,
        messages: list[Message],
        *,
        model: str,
        settings: dict[str, Any] | None = None,
        schema: dict[str, Any] | None = None,
    ) -> Completion:
        """Asks the model, patiently: 429, 5xx, timeouts and cut lines are tried again with growing pauses.

        settings: temperature, top_p, seed (where the API takes one), max_tokens (tokens), timeout (seconds, each
        attempt), retries (attempts after the first), backoff (seconds, the first pause), patience (seconds, all of it),
        extra (more fields of the API's request).
        schema: a JSON schema for the reply. An endpoint that refuses it is asked in words, now and from then on.
        """
        settings = DEFAULTS | checked(settings or {})
        started, attempts, pauses = time.monotonic(), 0, 0
        give_up_at = started + settings["patience"]
        structured = schema is not None and model not in self._unstructured
        while True:
            asked = messages if structured or schema is None else in_words(messages, schema)
            attempts += 1
            settings["timeout"] = min(settings["timeout"], max(give_up_at - time.monotonic(), 0.01))
            try:
                found = self._ask(asked, model, settings, schema if structured else None)
                break
            except StructureRefusedError:
                structured = False
            except ProviderError as error:
                error.attempts = attempts
                pause = _pause(error, settings["backoff"], pauses)
                too_late = pause > LONGEST_WAIT or time.monotonic() + pause >= give_up_at
                if not error.retry or pauses >= settings["retries"] or too_late:
                    raise
                pauses += 1
                time.sleep(pause)
        if schema is not None and not structured:
            self._unstructured.add(model)
        return Completion(
            **found,
            data=_object(found["text"]) if structured else None,
            structured=structured,
            attempts=attempts,
            ms=round((time.monotonic() - started) * 1000),
        )

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

    def _ask(
        self, messages: list[Message], model: str, settings: dict[str, Any], schema: dict[str, Any] | None
    ) -> dict[str, Any]:
        """One call: text, tokens_in, tokens_out, model, finish; or a ProviderError."""
        raise NotImplementedError


def in_words(messages: list[Message], schema: dict[str, Any]) -> list[Message]:
    """The same messages for an endpoint that knows no schemas: the schema as text at the end of the last one."""
    last = messages[-1]
    ask = f"Reply with one JSON object and nothing else. It must fit this JSON schema:\n{json.dumps(schema)}"
    return [*messages[:-1], Message(last.role, f"{last.content}\n\n{ask}")]


def refusal(name: str, status: int, said: str, key: str, structured: bool, wait: float | None) -> ProviderError:
    """The error for an HTTP status, in a sentence. `said` is the server's own text, quoted where it helps."""
    if status in (401, 403):
        return RefusedError(f"{name} did not accept the key.")
    if status == 429:
        return TooBusyError(f"{name} asks for patience: too many requests.", wait=wait)
    if status == 408 or status >= 500:
        return TooBusyError(f"{name} is out of order (status {status}).", wait=wait)
    quoted = " ".join(said.replace(key, "[key]").split())[:200]
    if structured and status in (400, 422):
        return StructureRefusedError(f"{name} takes no JSON schema: {quoted}")
    return RefusedError(f"{name} refused the request (status {status}): {quoted}")


def checked(settings: dict[str, Any]) -> dict[str, Any]:
    """Model settings that every provider understands; raises `MisconfiguredError` with a sentence for others."""
    for name, value in settings.items():
        if name not in NUMBERS | {"extra"}:
            raise MisconfiguredError(f"Unknown model setting: {name}.")
        if name in NUMBERS and type(value) not in (int, float):
            raise MisconfiguredError(f"The model setting {name} must be a number.")
        if name == "extra" and not isinstance(value, dict):
            raise MisconfiguredError("The model setting extra must be an object of further fields.")
    return settings


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the Retry-After header asks for; None where it is absent or names a date."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


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
