"""OpenAI's chat completions: what a request holds, and what its reply says."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import openai

from .base import TOOL, called
from .errors import StreamRefusedError
from .values import Answer, Message, Usage

STRUCTURES = ("response_format", "tool")
STREAMED = {"stream_options": {"include_usage": True}}
FINISHES = {"content_filter": "refused", "tool_calls": "stop"}


def create(client: openai.OpenAI) -> Callable[..., Any]:
    return client.chat.completions.create


def body(
    messages: list[Message], settings: dict[str, Any], schema: dict[str, Any] | None, way: str | None, *, own: bool
) -> dict[str, Any]:
    """own: the request goes to OpenAI itself, not to an endpoint that only speaks its protocol."""
    return {
        "messages": _in_turns(messages),
        # OpenAI's newer models take only the longer name; many compatible endpoints know only the older one.
        "max_completion_tokens" if own else "max_tokens": settings["max_tokens"],
        **{name: settings[name] for name in ("temperature", "top_p", "seed") if name in settings},
        **({"reasoning_effort": settings["effort"]} if "effort" in settings else {}),
        **_structure(way, schema),
    }


def whole(reply: openai.types.chat.ChatCompletion, way: str | None) -> Answer | None:
    """What a reply says; None where there is nothing in it. An empty text is no answer either."""
    if not getattr(reply, "choices", None):
        return None
    choice = reply.choices[0]
    message = choice.message
    calls = [call.function for call in message.tool_calls or () if call.type == "function"]
    text = message.content or "".join(called(call.name, call.arguments, way) for call in calls)
    return _answer(text, _reasoning(message), message.refusal, choice.finish_reason, _usage(reply.usage), reply.model)


def pieces(stream: Iterable[openai.types.chat.ChatCompletionChunk], way: str | None) -> Answer:
    text, thought, refused, finish, usage, model, came = "", "", "", None, Usage(), "", False
    calls: dict[int, list[str]] = {}
    for piece in stream:
        came, model = True, piece.model or model
        if piece.usage:
            usage = _usage(piece.usage)
        for choice in piece.choices[:1]:
            delta = choice.delta
            text += delta.content or ""
            thought += _reasoning(delta)
            for call in delta.tool_calls or ():
                if call.function:
                    parts = calls.setdefault(call.index, ["", ""])
                    parts[0] += call.function.name or ""
                    parts[1] += call.function.arguments or ""
            refused += delta.refusal or ""
            finish = choice.finish_reason or finish
    if not came:
        raise StreamRefusedError("OpenAI does not stream.")
    text = text or "".join(called(name, arguments, way) for name, arguments in calls.values())
    return _answer(text, thought, refused, finish, usage, model)


def _in_turns(messages: list[Message]) -> list[dict[str, str]]:
    """Several messages of one side in a row as one: the templates of some models want both sides to take turns."""
    return [
        {"role": role, "content": "\n\n".join(message.content for message in some)}
        for role, some in groupby(messages, key=lambda message: message.role)
    ]


def _answer(text: str, thought: str, refused: str | None, finish: str | None, usage: Usage, model: str) -> Answer:
    stopped = "refused" if refused else FINISHES.get(finish or "stop", finish or "stop")
    return Answer(text or refused or "", usage, model, stopped, thought)


def _reasoning(message: Any) -> str:
    """What a compatible endpoint gives of the model's reasoning, in a field that the protocol does not know."""
    found = [getattr(message, name, None) for name in ("reasoning_content", "reasoning")]
    return next((text for text in found if isinstance(text, str) and text), "")


def _structure(way: str | None, schema: dict[str, Any] | None) -> dict[str, Any]:
    """The fields of a request that hold the model to a schema."""
    if way == "response_format":
        form = {"name": TOOL, "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": form}}
    if way == "tool":
        function = {"name": TOOL, "description": "Give the answer.", "parameters": schema}
        tool = {"type": "function", "function": function}
        return {"tools": [tool], "tool_choice": {"type": "function", "function": {"name": TOOL}}}
    return {}


def _usage(usage: openai.types.CompletionUsage | None) -> Usage:
    details = getattr(usage, "prompt_tokens_details", None)
    read, written = (getattr(usage, name, 0) for name in ("prompt_tokens", "completion_tokens"))
    return Usage.counted(
        read, written, *(getattr(details, name, 0) for name in ("cached_tokens", "cache_write_tokens"))
    )
