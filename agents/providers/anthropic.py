"""Anthropic's messages API."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any, ClassVar

import anthropic
import httpx2

from .base import TOOL, called
from .errors import NoAnswerError, StreamRefusedError, TimedOutError
from .sdk import SdkProvider
from .values import Answer, Message, Question, Usage

FINISHES = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "refusal": "refused",
}


class AnthropicProvider(SdkProvider):
    kind = "anthropic"
    name = "Anthropic"
    default_key_env = "ANTHROPIC_API_KEY"
    structures: ClassVar = {"messages": ("output_config", "tool")}
    sdk: ClassVar = anthropic
    client: ClassVar = anthropic.Anthropic

    def _request(self, asked: Question) -> tuple[Callable[..., Any], dict[str, Any]]:
        messages, settings = asked.messages, asked.settings
        # The SDK has no arguments for these any more: the newest models take neither.
        sampling = {name: settings[name] for name in ("temperature", "top_p") if name in settings}
        request: dict[str, Any] = {
            "model": asked.model,
            "max_tokens": settings["max_tokens"],
            "messages": _turns([m for m in messages if m.role != "system"]),
            "extra_body": sampling | settings.get("extra", {}),
            **_structure(asked.way, asked.schema, settings.get("effort")),
        }
        if system := [m.content for m in messages if m.role == "system"]:
            request["system"] = [_block("\n\n".join(system), lasts=True)]
        return self._client.messages.create, request

    def _whole(self, reply: anthropic.types.Message, asked: Question) -> Answer:
        stopped = getattr(reply, "stop_reason", None)
        if not getattr(reply, "content", None) and stopped != "refusal":
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        text = "".join(
            called(block.name, json.dumps(block.input, ensure_ascii=False), asked.way)
            if block.type == "tool_use"
            else block.text
            for block in reply.content
            if block.type in ("text", "tool_use")
        )
        thought = "\n".join(block.thinking for block in reply.content if block.type == "thinking")
        return self._answer(text, thought, stopped, _usage(reply.usage), reply.model or asked.model)

    def _pieces(self, pieces: Iterable[anthropic.types.RawMessageStreamEvent], asked: Question) -> Answer:
        model = asked.model
        text, thought, stopped, usage, came = "", "", None, Usage(), False
        calls: dict[int, list[str]] = {}
        try:
            for piece in pieces:
                came = True
                if piece.type == "message_start":
                    usage, model = _usage(piece.message.usage), piece.message.model or model
                elif piece.type == "content_block_start" and piece.content_block.type == "tool_use":
                    calls[piece.index] = [piece.content_block.name, ""]
                elif piece.type == "content_block_delta":
                    text += getattr(piece.delta, "text", "")
                    thought += getattr(piece.delta, "thinking", "")
                    if piece.index in calls:
                        calls[piece.index][1] += getattr(piece.delta, "partial_json", "")
                elif piece.type == "message_delta":
                    stopped = piece.delta.stop_reason
                    usage = replace(usage, tokens_out=_usage(piece.usage).tokens_out)
        except (anthropic.APIError, httpx2.HTTPError, TimedOutError) as error:
            vars(error)["usage"] = usage  # what was read is paid for, even if the line is cut
            raise
        if not came:
            raise StreamRefusedError(f"{self.name} does not stream.")
        text += "".join(called(name, arguments, asked.way) for name, arguments in calls.values())
        return self._answer(text, thought, stopped, usage, model)

    def _answer(self, text: str, thought: str, stopped: str | None, usage: Usage, model: str) -> Answer:
        finish = FINISHES.get(stopped or "stop", stopped or "stop")
        if not text and finish != "refused":
            raise NoAnswerError(f"{self.name} sent an empty message.", usage=usage)
        return Answer(text, usage, model, finish, thought)


def _turns(messages: list[Message]) -> list[dict[str, Any]]:
    """The messages, those of one side in a row as parts of one. All but the last of these begin later requests too, as
    the record of a match does, which only grows."""
    turns = []
    for role, some in groupby(messages, key=lambda message: message.role):
        *lasting, last = [message.content for message in some]
        turns.append({"role": role, "content": [*(_block(text, lasts=True) for text in lasting), _block(last)]})
    return turns


def _block(text: str, *, lasts: bool = False) -> dict[str, Any]:
    """A part of a message; lasts: the API keeps in its cache all that is read up to its end."""
    return {"type": "text", "text": text} | ({"cache_control": {"type": "ephemeral"}} if lasts else {})


def _structure(way: str | None, schema: dict[str, Any] | None, effort: str | None) -> dict[str, Any]:
    """The fields of a request that hold the model to a schema, and those of its effort, which stand among them."""
    config: dict[str, Any] = {} if effort is None else {"effort": effort}
    fields: dict[str, Any] = {}
    if schema is not None and way is not None:
        # The API takes no bounds on numbers and lengths; the SDK turns them into words.
        form = anthropic.transform_schema(schema)
        if way == "output_config":
            config["format"] = {"type": "json_schema", "schema": form}
        else:
            fields["tools"] = [{"name": TOOL, "description": "Give the answer.", "input_schema": form}]
            fields["tool_choice"] = {"type": "tool", "name": TOOL}
    return fields | ({"output_config": config} if config else {})


def _usage(usage: anthropic.types.Usage | anthropic.types.MessageDeltaUsage | None) -> Usage:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    asked, said, cached, stored = (getattr(usage, name, 0) for name in names)
    return Usage.counted(asked, said, cached, stored) + Usage.counted(cached) + Usage.counted(stored)
