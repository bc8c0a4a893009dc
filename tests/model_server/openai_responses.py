"""The OpenAI responses protocol: POST /v1/responses."""

import json
import time
from collections.abc import Iterator
from typing import Any

from . import openai
from .calls import TRUE, Call, count_tokens, text_of

PATH = "/v1/responses"
has_key, error = openai.has_key, openai.error


def read(body: dict[str, Any], headers: dict[str, str]) -> Call:
    call = Call(
        protocol="responses",
        model=body["model"],
        messages=[(m["role"], text_of(m["content"])) for m in body["input"]],
        stream=bool(body.get("stream")),
        headers=headers,
        body=body,
    )
    text_format = (body.get("text") or {}).get("format") or {}
    if text_format.get("type") == "json_schema":
        call.structure, call.schema = "text.format", text_format["schema"]
        call.strict = bool(text_format.get("strict"))
    return call


def reply(call: Call, text: str, finish: str) -> dict[str, Any]:
    """With a summary of the reasoning, if there is one and it was asked for."""
    summed = call.thought and (call.body.get("reasoning") or {}).get("summary")
    summary = [{"type": "summary_text", "text": call.thought}]
    content = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed" if finish == "stop" else "incomplete",
        "incomplete_details": None if finish == "stop" else {"reason": "max_output_tokens"},
        "error": None,
        "model": call.called or call.model,
        "output": [*([{"type": "reasoning", "id": "rs_1", "summary": summary}] if summed else []), message],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "store": call.body.get("store", True),
        "usage": _usage(call, text),
    }


def stream(call: Call, text: str, finish: str) -> Iterator[bytes]:
    """The reply as server-sent events: its words one by one, then all of it in the last event."""
    whole = reply(call, text, finish)
    yield _event(0, "response.created", response=whole | {"status": "in_progress", "output": []})
    words = text.split(" ")
    for number, word in enumerate(words[:1] + [f" {w}" for w in words[1:]], 1):
        place = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "logprobs": []}
        yield _event(number, "response.output_text.delta", delta=word, **place)
    yield _event(len(words) + 1, f"response.{whole['status']}", response=whole)


def _usage(call: Call, text: str) -> Any:
    if call.usage != TRUE:
        return call.usage
    asked, said = count_tokens(call.prompt), count_tokens(text)
    details = {
        "input_tokens_details": {"cached_tokens": call.cached, "cache_write_tokens": call.stored},
        "output_tokens_details": {"reasoning_tokens": count_tokens(call.thought)},
    }
    return {"input_tokens": asked, "output_tokens": said, "total_tokens": asked + said} | details


def _event(number: int, kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': number} | fields)}\n\n".encode()
