"""What a model API is to the rest of the project: messages in, a Completion out, a ProviderError when there is none."""

import json
import logging
import os
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import astuple, dataclass, replace
from typing import Any, ClassVar

from agents.providers import addresses
from games.rules.strict_json import UNSTORABLE

# The SDKs' debug lines hold whole prompts, and a prompt holds a seat's secrets.
for sdk in ("openai", "anthropic", "httpx2", "httpcore2"):
    logging.getLogger(sdk).setLevel(logging.WARNING)

LONGEST_WAIT = 30.0
"""Seconds; a server that asks for a longer pause is not waited for."""

DEFAULTS: dict[str, Any] = {
    "max_tokens": 2048,
    "timeout": 60.0,
    "silence": 60.0,
    "retries": 3,
    "backoff": 0.5,
    "patience": 180.0,
}
WHOLE, ANY = int, (int, float)
NUMBERS: dict[str, tuple[Any, float, float]] = {
    "max_tokens": (WHOLE, 1, 1_000_000),
    "timeout": (ANY, 0.01, 3600),
    "silence": (ANY, 0.01, 3600),
    "retries": (WHOLE, 0, 20),
    "backoff": (ANY, 0, 60),
    "patience": (ANY, 0.01, 3600),
    "temperature": (ANY, 0, 2),
    "top_p": (ANY, 0, 1),
    "seed": (WHOLE, -(2**63), 2**63 - 1),
}
"""What each setting may be: a whole number or any, and from where to where."""

APIS = ("chat", "responses")
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
TOOL = "answer"
"""The name of the tool, or of the form, that a model is held to."""

WORDS = "words"
"""The way to ask for structure that every endpoint takes: the schema as text at the end of the prompt."""

Slot = Callable[[float], AbstractContextManager[None]]
"""What every attempt of a call goes through: it waits for a free slot, so many seconds at most, and holds it inside of
the block."""

OnPiece = Callable[[], None]
"""Called whenever something of a reply has come in, from any thread."""


MOST_TOKENS = 10**9
"""More than this no call reads or writes."""


@dataclass(frozen=True)
class Usage:
    """Tokens that an API counts: read, written, and how many of those read came from its cache (`cached`) or went into
    it (`stored`)."""

    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    stored: int = 0

    @classmethod
    def counted(cls, *counts: Any) -> "Usage":
        """As a server says it; what is no count, as some servers send, is 0."""
        return cls(*(n if isinstance(n, int) and 0 <= n <= MOST_TOKENS else 0 for n in counts))

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))


NOTHING = Usage()


class ProviderError(Exception):
    """No reply came. The text is one sentence for people and never holds a key; `attempts` counts the calls made,
    `usage` what they cost all the same."""

    retry: ClassVar[bool] = False

    def __init__(self, sentence: str, *, wait: float | None = None, usage: Usage | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait
        self.attempts = 0
        self.usage = usage or NOTHING


class MisconfiguredError(ProviderError):
    """The provider or its settings make no sense; no call was made. `field`: where in a profile that stands."""

    def __init__(self, sentence: str, field: str = "settings") -> None:
        super().__init__(sentence)
        self.field = field


class NoKeyError(MisconfiguredError):
    """The environment variable that should hold the key is empty."""


class RefusedError(ProviderError):
    """The API said no: a wrong key, an unknown model, a bad request."""


class StructureRefusedError(RefusedError):
    """The API takes no JSON schema, or not this one."""


class SpendingError(ProviderError):
    """What may be spent on models is spent; no call was made."""


class SummaryRefusedError(RefusedError):
    """The API gives no summary of this model's reasoning."""


class StreamRefusedError(RefusedError):
    """The API sends its replies whole only."""


class NoAnswerError(ProviderError):
    """The API answered without any words."""

    retry = True


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Reading a reply of which the SDK checked nothing; a compatible server may send anything."""
    try:
        yield
    except (AttributeError, TypeError) as error:
        raise NoAnswerError(f"{name} sent an answer that cannot be read.") from error


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
class Question:
    """One call. way: which of `Provider.structures` holds the model to the schema; on_piece: see `Provider`."""

    messages: list[Message]
    model: str
    settings: dict[str, Any]
    schema: dict[str, Any] | None
    way: str | None
    on_piece: OnPiece | None


@dataclass(frozen=True)
class Answer:
    """What one call gave: the words, what they cost, the name that the API gave its model, and why it stopped
    ("stop", "length", "refused" or the API's own word). thought: reasoning that the API gives apart from the words."""

    text: str
    usage: Usage
    model: str
    finish: str
    thought: str = ""


@dataclass(frozen=True)
class Completion:
    """A model's reply.

    text: its words. thought: its reasoning, or the summary of it, where the API gives one apart from them. data: the
    parsed JSON object, where a schema was asked for and the API held the model to it. structured: whether the API did.
    usage: of all attempts together. ms: from the first attempt to the reply, pauses included. attempts: calls made.
    model: the name that the API gave. finish: "stop", "length", "refused" or the API's own word. cost: US dollars, once
    it is priced.
    """

    text: str
    data: dict[str, Any] | None = None
    usage: Usage = NOTHING
    ms: int = 0
    attempts: int = 1
    model: str = ""
    finish: str = "stop"
    structured: bool = False
    cost: float = 0.0
    thought: str = ""

    def priced(self, cost: float) -> "Completion":
        return replace(self, cost=cost)


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
        usage += answer.usage
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
            ms=round((time.monotonic() - started) * 1000),
        )

    def checked(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """These settings; raises `MisconfiguredError` with a sentence for some that cannot be."""
        for name, value in settings.items():
            _check(name, value)
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


WORD = re.compile(r"[a-z][a-z0-9_.]{0,39}")
STREAM = re.compile(r"\bstream", re.IGNORECASE)
STRUCTURE = re.compile(
    r"response_format|text\.format|json_schema|structured output|output_config|\btool", re.IGNORECASE
)


def refusal(
    name: str, status: int, said: str, body: Any, way: str | None, streamed: bool, wait: float | None
) -> ProviderError:
    """The error for an HTTP status, in a sentence. `said` is the server's own text, of which nothing is repeated: an
    address may lead anywhere. Of its `body`, as parsed, the protocol's own words for the error are; `way` tells how
    structure was asked for, if it was."""
    if status in (401, 403):
        return RefusedError(f"{name} did not accept the key.")
    if status == 429:
        return TooBusyError(f"{name} gets too many requests just now.", wait=wait)
    reason = _reason(body)
    if streamed and status in (400, 422, 501) and STREAM.search(said):
        return StreamRefusedError(f"{name} does not stream.")
    param = _error(body).get("param")  # of what the API says is wrong with something else, structure is no part
    of_structure = STRUCTURE.search(str(param or said)) is not None
    if way is not None and (
        (status in (400, 422) and not param) or (status in (400, 404, 422, 500, 501) and of_structure)
    ):
        return StructureRefusedError(f"{name} takes no JSON schema.")
    if status == 408 or status >= 500:
        return TooBusyError(f"{name} is out of order (status {status}).", wait=wait)
    return RefusedError(f"{name} refused the request (status {status}{reason}).")


def _reason(body: Any) -> str:
    """What the protocols call an error: its code, its type and the parameter that is wrong, if these are such words."""
    words = [_error(body).get(name) for name in ("code", "type", "param")]
    return "".join(f", {word}" for word in words if isinstance(word, str) and WORD.fullmatch(word))


def _error(body: Any) -> Mapping[str, Any]:
    error = body.get("error", body) if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


WORDED = {"effort": EFFORTS, "api": APIS}
"""Settings that are one of some words."""


def _check(name: str, value: Any) -> None:
    if name in NUMBERS:
        _check_number(name, value)
    elif name in WORDED:
        if value not in WORDED[name]:
            raise MisconfiguredError(f"The model setting {name} is one of: {', '.join(WORDED[name])}.")
    elif name == "extra":
        if not isinstance(value, dict):
            raise MisconfiguredError("The model setting extra must be an object of further fields.")
    else:
        raise MisconfiguredError(f"Unknown model setting: {name}.")


def _check_number(name: str, value: Any) -> None:
    kinds, low, high = NUMBERS[name]
    if type(value) not in (int, float):
        raise MisconfiguredError(f"The model setting {name} must be a number.")
    if kinds is WHOLE and type(value) is not int:
        raise MisconfiguredError(f"The model setting {name} must be a whole number.")
    if not low <= value <= high:
        raise MisconfiguredError(f"The model setting {name} must be from {low:g} to {high:g}.")


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
