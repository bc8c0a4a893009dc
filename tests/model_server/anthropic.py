"""The Anthropic messages protocol: POST /v1/messages."""

import json
from collections.abc import Iterator
from typing import Any

from .calls import TRUE, Call, count_tokens, text_of

PATH = "/v1/messages"
ERRORS = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}
STOPS = {"stop": "end_turn", "length": "max_tokens"}


def has_key(headers: dict[str, str]) -> bool:
    """The SDK sends a bearer token; other clients send the key in a header of its own."""
    return any(headers.get(name, "").removeprefix("Bearer ").strip() for name in ("x-api-key", "authorization"))


def read(body: dict[str, Any], headers: dict[str, str]) -> Call:
    system = [("system", text_of(body["system"]))] if body.get("system") else []
    call = Call(
        protocol="anthropic",
        model=body["model"],
        messages=system + [(m["role"], text_of(m["content"])) for m in body["messages"]],
        stream=bool(body.get("stream")),
        headers=headers,
        body=body,
    )
    output_format = (body.get("output_config") or {}).get("format") or {}
    if output_format.get("type") == "json_schema":
        call.structure, call.schema = "output_config", output_format["schema"]
    elif body.get("tools"):
        tool = body["tools"][0]
        call.structure, call.tool, call.schema = "tool", tool["name"], tool["input_schema"]
    return call


def reply(call: Call, text: str, finish: str) -> dict[str, Any]:
    return _message(call, [*_thought(call, call.thought), _block(call, text)], _stop(call, finish), count_tokens(text))


def stream(call: Call, text: str, finish: str) -> Iterator[bytes]:
    """The reply as server-sent events: a content block, after one for what was thought; a word a delta."""
    yield _event("message_start", message=_message(call, [], None, 0))
    if call.structure == "tool":
        start, deltas = _block(call, "{}"), [{"type": "input_json_delta", "partial_json": text}]
    else:
        start = {"type": "text", "text": ""}
        words = text.split(" ")
        deltas = [{"type": "text_delta", "text": w} for w in words[:1] + [f" {w}" for w in words[1:]]]
    blocks = [(block, [{"type": "thinking_delta", "thinking": call.thought}]) for block in _thought(call, "")]
    for index, (block, pieces) in enumerate([*blocks, (start, deltas)]):
        yield _event("content_block_start", index=index, content_block=block)
        for delta in pieces:
            yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    stop = {"stop_reason": _stop(call, finish), "stop_sequence": None}
    yield _event("message_delta", delta=stop, usage=_usage(call, count_tokens(text)))
    yield _event("message_stop")


def error(status: int, message: str, param: str | None = None) -> dict[str, Any]:
    return {"type": "error", "error": {"type": ERRORS.get(status, "api_error"), "message": message}}


def _stop(call: Call, finish: str) -> str:
    return "tool_use" if call.structure == "tool" else STOPS[finish]


def _thought(call: Call, text: str) -> list[dict[str, Any]]:
    return [{"type": "thinking", "thinking": text, "signature": ""}] if call.thought else []


def _block(call: Call, text: str) -> dict[str, Any]:
    if call.structure == "tool":
        return {"type": "tool_use", "id": "toolu_1", "name": call.tool, "input": json.loads(text)}
    return {"type": "text", "text": text}


def _message(call: Call, content: list[dict[str, Any]], stop: str | None, said: int) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": call.called or call.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": _usage(call, said),
    }


def _usage(call: Call, said: int) -> Any:
    if call.usage != TRUE:
        return call.usage
    kept = {"cache_read_input_tokens": call.cached, "cache_creation_input_tokens": call.stored}
    return {"input_tokens": count_tokens(call.prompt) - call.cached - call.stored, "output_tokens": said} | kept


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | fields)}\n\n".encode()
