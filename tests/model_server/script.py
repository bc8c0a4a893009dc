"""What the server does with each request, in a form that a test, a JSON file or a callable can give."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from .calls import TRUE, Call


@dataclass(frozen=True)
class Behaviour:
    """One answer. As it stands it answers well: the built-in player reads the schema and replies legally.

    text: the reply's words; None leaves them to the built-in player.
    status, message, retry_after: an HTTP error with its sentence and, in seconds, the Retry-After header.
    latency_ms: how long the server thinks first.
    location: for a redirect, where to.
    cut: the connection is dropped in the middle of the reply.
    garbled: the body is not of the protocol, and no JSON.
    refuses: what is answered with 400, as by an endpoint that does not know it: ways to ask for structure
    ("response_format", "text.format", "output_config", "tool"), "stream", "reasoning.summary".
    whole: a request for a stream is answered by a whole reply, as by an endpoint that ignores it.
    gap_ms: how long a stream is silent between its pieces.
    cached, stored: how many of the tokens read the API says it had in its cache, and put into it.
    called: the name that the API gives its model; the one that was asked for where empty.
    usage: what the API says it counted, in place of the true count.
    finish: why the model stopped, "stop" or "length".
    tool: another tool than the one that was offered, which is called in its place.
    thought: reasoning that stands in a field of its own.
    """

    kind: str = "good"
    text: str | None = None
    status: int = 200
    message: str = ""
    retry_after: float | None = None
    latency_ms: int = 0
    location: str | None = None
    cut: bool = False
    garbled: bool = False
    refuses: tuple[str, ...] = ()
    whole: bool = False
    gap_ms: int = 0
    cached: int = 0
    stored: int = 0
    called: str = ""
    usage: Any = TRUE
    finish: str = "stop"
    tool: str = ""
    thought: str = ""


def good(text: str | None = None) -> Behaviour:
    return Behaviour(text=text)


def malformed(text: str = '{"clue": "it is round', finish: str = "stop") -> Behaviour:
    return Behaviour("malformed", text=text, finish=finish)


def slow(latency_ms: int, text: str | None = None) -> Behaviour:
    return Behaviour("slow", text=text, latency_ms=latency_ms)


def busy(retry_after: float | None = 0.01) -> Behaviour:
    return Behaviour("busy", status=429, message="Too many requests.", retry_after=retry_after)


def broken(status: int = 500) -> Behaviour:
    return Behaviour("broken", status=status, message="The server had an error.")


def cut(text: str | None = None) -> Behaviour:
    return Behaviour("cut", text=text, cut=True)


def unauthorised() -> Behaviour:
    return Behaviour("unauthorised", status=401, message="The key was not accepted.")


def schemaless(text: str | None = None) -> Behaviour:
    return Behaviour("schemaless", text=text, refuses=("response_format", "text.format", "output_config", "tool"))


KINDS: dict[str, Behaviour] = {
    b.kind: b for b in (good(), malformed(), slow(1000), busy(), broken(), cut(), unauthorised(), schemaless())
}


def named(step: "str | dict[str, Any] | Behaviour") -> Behaviour:
    """A behaviour from its name, or from a JSON object that names its kind and changes some of its fields."""
    if isinstance(step, Behaviour):
        return step
    if isinstance(step, str):
        step = {"kind": step}
    fields = dict(step)
    return replace(KINDS[fields.pop("kind", "good")], **fields)


class Script:
    """Behaviours in the order of the requests; when they are used up, `then` for ever.

    `steps` is a list, or a callable from a Call to a Behaviour or to the reply's text.
    """

    def __init__(
        self,
        steps: "Iterable[Behaviour | str | dict[str, Any]] | Callable[[Call], Behaviour | str]" = (),
        then: "Behaviour | str | dict[str, Any]" = "good",
        latency_ms: int = 0,
    ) -> None:
        self._answer = steps if callable(steps) else None
        self._steps = [] if callable(steps) else [named(step) for step in steps]
        self._then = named(then)
        self._latency_ms = latency_ms
        self._lock = threading.Lock()

    def next(self, call: Call) -> Behaviour:
        if self._answer is not None:
            answer = self._answer(call)
            behaviour = answer if isinstance(answer, Behaviour) else good(answer)
        else:
            with self._lock:
                behaviour = self._steps.pop(0) if self._steps else self._then
        return replace(behaviour, latency_ms=behaviour.latency_ms or self._latency_ms)
