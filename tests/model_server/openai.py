"""The OpenAI chat completions protocol: POST /v1/chat/completions."""

import json
import time
from collections.abc import Iterator
from typing import Any

from .calls import TRUE, Call, count_tokens, text_of

PATH = "/v1/chat/completions"


def has_key(headers: dict[str, str]) -> bool:
    return headers.get("authorization", "").removeprefix("Bearer ").strip() != ""


def read(body: dict[str, Any], headers: dict[str, str]) -> Call:
    call = Call(
        protocol="openai",
        model=body["model"],
        messages=[(m["role"], text_of(m.get("content"))) for m in body["messages"]],
        stream=bool(body.get("stream")),
        headers=headers,
        body=body,
    )
    response_format = body.get("response_format") or {}
    if response_format.get("type") == "json_schema":
        call.structure, call.schema = "response_format", response_format["json_schema"]["schema"]
        call.strict = bool(response_format["json_schema"].get("strict"))
    elif body.get("tools"):
        function = body["tools"][0]["function"]
        call.structure, call.tool, call.schema = "tool", function["name"], function.get("parameters")
        call.strict = bool(function.get("strict"))
    return call


def reply(call: Call, text: str, finish: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None} | _thought(call)
    if call.structure == "tool":
        function = {"name": call.tool, "arguments": text}
        message |= {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
        finish = "tool_calls"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": call.called or call.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": _usage(call, text),
    }


def stream(call: Call, text: str, finish: str) -> Iterator[bytes]:
    """The reply as server-sent events, a word a chunk, the usage in a last chunk where it was asked for."""
    first, *rest = [*([_thought(call)] if call.thought else []), *_deltas(call, text)]
    yield _chunk(call, [{"index": 0, "delta": {"role": "assistant"} | first, "finish_reason": None}])
    for delta in rest:
        yield _chunk(call, [{"index": 0, "delta": delta, "finish_reason": None}])
    finish = "tool_calls" if call.structure == "tool" else finish
    yield _chunk(call, [{"index": 0, "delta": {}, "finish_reason": finish}])
    if (call.body.get("stream_options") or {}).get("include_usage"):
        yield _chunk(call, [], usage=_usage(call, text))
    yield b"data: [DONE]\n\n"


def error(status: int, message: str, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "error", "param": param, "code": str(status)}}


def _usage(call: Call, text: str) -> Any:
    if call.usage != TRUE:
        return call.usage
    asked, said = count_tokens(call.prompt), count_tokens(text)
    details = {"prompt_tokens_details": {"cached_tokens": call.cached, "cache_write_tokens": call.stored}}
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said} | details


def _thought(call: Call) -> dict[str, str]:
    return {call.body.get("thought_field", "reasoning_content"): call.thought} if call.thought else {}


def _deltas(call: Call, text: str) -> list[dict[str, Any]]:
    if call.structure == "tool":
        function = {"name": call.tool, "arguments": text}
        return [{"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}]
    return [{"content": word} for word in text.split(" ")[:1]] + [{"content": f" {w}"} for w in text.split(" ")[1:]]


def _chunk(call: Call, choices: list[dict[str, Any]], **more: Any) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": call.called or call.model,
        "choices": choices,
    }
    return b"data: " + json.dumps(chunk | more).encode() + b"\n\n"
