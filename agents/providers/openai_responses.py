"""OpenAI's responses: what a request holds, and what its reply says. Nothing is kept there (`store`: false)."""

from collections.abc import Callable, Iterable
from typing import Any

import openai
from openai.types.responses import Response, ResponseStreamEvent

from .base import TOOL
from .errors import StreamRefusedError, TooBusyError, UnreachableError
from .values import Answer, Message, Usage

STRUCTURES = ("text.format",)
STREAMED: dict[str, Any] = {}
STOPS = {"max_output_tokens": "length", "content_filter": "refused"}


def create(client: openai.OpenAI) -> Callable[..., Any]:
    return client.responses.create


def body(
    messages: list[Message], settings: dict[str, Any], schema: dict[str, Any] | None, way: str | None, *, own: bool
) -> dict[str, Any]:
    """A summary of the reasoning is asked for; this API takes no seed."""
    form = {"type": "json_schema", "name": TOOL, "strict": True, "schema": schema}
    return {
        "input": [{"role": message.role, "content": message.content} for message in messages],
        "store": False,
        "max_output_tokens": settings["max_tokens"],
        "reasoning": {"summary": "auto"} | ({"effort": settings["effort"]} if "effort" in settings else {}),
        **{name: settings[name] for name in ("temperature", "top_p") if name in settings},
        **({"text": {"format": form}} if way else {}),
    }


def whole(reply: Response, way: str | None) -> Answer | None:
    """What a reply says; None where there is nothing in it. An empty text is no answer either."""
    if getattr(reply, "status", None) == "failed":
        raise TooBusyError("OpenAI could not finish its answer.", usage=_usage(reply.usage))
    items = getattr(reply, "output", None)
    if not items:
        return None
    parts = [part for item in items if item.type == "message" for part in item.content]
    text = "".join(part.text for part in parts if part.type == "output_text")
    refused = "".join(part.refusal for part in parts if part.type == "refusal")
    thoughts = [
        piece.text for item in items if item.type == "reasoning" for piece in item.summary or item.content or ()
    ]
    why: str = getattr(reply.incomplete_details, "reason", None) or "stop"
    stopped = "refused" if refused else STOPS.get(why, why)
    return Answer(text or refused, _usage(reply.usage), reply.model, stopped, "\n\n".join(thoughts))


def pieces(stream: Iterable[ResponseStreamEvent], way: str | None) -> Answer | None:
    """The last event holds the whole reply."""
    event = None
    for event in stream:
        if event.type == "response.completed" or event.type == "response.incomplete" or event.type == "response.failed":
            return whole(event.response, way)
    if event is None:
        raise StreamRefusedError("OpenAI does not stream.")
    raise UnreachableError("The connection to OpenAI failed.")


def _usage(usage: Any) -> Usage:
    details = getattr(usage, "input_tokens_details", None)
    read, written = (getattr(usage, name, 0) for name in ("input_tokens", "output_tokens"))
    return Usage.counted(
        read, written, *(getattr(details, name, 0) for name in ("cached_tokens", "cache_write_tokens"))
    )
