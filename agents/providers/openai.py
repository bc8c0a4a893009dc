"""OpenAI, and every endpoint that speaks its chat completions protocol (set the base URL)."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import openai

from .base import (
    TOOL,
    Answer,
    Clock,
    Message,
    NoAnswerError,
    Provider,
    ProviderError,
    StreamRefusedError,
    TimedOutError,
    Told,
    UnreachableError,
    Usage,
    called,
    refusal,
    retry_after,
)

FINISHES = {"content_filter": "refused", "tool_calls": "stop"}


class OpenAIProvider(Provider):
    kind = "openai"
    name = "OpenAI"
    default_key_env = "OPENAI_API_KEY"
    structures = ("response_format", "tool")

    @cached_property
    def _client(self) -> openai.OpenAI:
        return openai.OpenAI(
            api_key=self.key(),
            base_url=self.address,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def _ask(
        self,
        messages: list[Message],
        model: str,
        settings: dict[str, Any],
        schema: dict[str, Any] | None,
        way: str | None,
        told: Told | None,
    ) -> Answer:
        clock = Clock(settings)
        request: dict[str, Any] = {
            "model": model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "extra_body": settings.get("extra"),
            # OpenAI's newer models take only the longer name; many compatible endpoints know only the older one.
            "max_tokens" if self.base_url else "max_completion_tokens": settings["max_tokens"],
            **{name: settings[name] for name in ("temperature", "top_p", "seed") if name in settings},
            **({"reasoning_effort": settings["effort"]} if "effort" in settings else {}),
            **_structure(way, schema),
        }
        try:
            if told is None:
                reply = self._client.chat.completions.create(timeout=clock.whole, **request)
                return self._whole(reply, model, way)
            pieces = self._client.chat.completions.create(
                timeout=openai.Timeout(clock.whole, read=clock.silence),
                stream=True,
                stream_options={"include_usage": True},
                **request,
            )
            with pieces:
                return self._pieces(pieces, model, way, clock, told)
        except openai.APIError as error:
            failure = self._error(error, way, clock, told is not None)
        # Outside of the except block: the SDK's exception carries the request with its key.
        raise failure

    def _whole(self, reply: openai.types.chat.ChatCompletion, model: str, way: str | None) -> Answer:
        if not getattr(reply, "choices", None):
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        choice = reply.choices[0]
        message = choice.message
        calls = [call.function for call in message.tool_calls or () if call.type == "function"]
        text = message.content or "".join(called(call.name, call.arguments, way) for call in calls)
        return self._answer(
            text, _reasoning(message), message.refusal, choice.finish_reason, _usage(reply.usage), reply.model or model
        )

    def _pieces(
        self,
        pieces: Iterable[openai.types.chat.ChatCompletionChunk],
        model: str,
        way: str | None,
        clock: Clock,
        told: Told,
    ) -> Answer:
        text, thought, refused, finish, usage, came = "", "", "", None, Usage(), False
        calls: dict[int, list[str]] = {}
        for piece in pieces:
            clock.check(self.name)
            told()
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
            raise StreamRefusedError(f"{self.name} does not stream.")
        text = text or "".join(called(name, arguments, way) for name, arguments in calls.values())
        return self._answer(text, thought, refused, finish, usage, model)

    def _answer(
        self, text: str, thought: str, refused: str | None, finish: str | None, usage: Usage, model: str
    ) -> Answer:
        if not (text or refused):
            raise NoAnswerError(f"{self.name} sent an empty message.", usage=usage)
        stopped = "refused" if refused else FINISHES.get(finish, finish or "stop")
        return Answer(text or refused, usage, model, stopped, thought)

    def _error(self, error: openai.APIError, way: str | None, clock: Clock, streamed: bool) -> ProviderError:
        if isinstance(error, openai.APITimeoutError):
            return TimedOutError(
                f"{self.name} did not answer within {clock.silence if streamed else clock.whole:g} seconds."
            )
        if isinstance(error, openai.APIStatusError):
            wait = retry_after(error.response.headers)
            return refusal(self.name, error.status_code, error.message, error.body, way, streamed, wait)
        return UnreachableError(f"The connection to {self.name} failed.")


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
    names = ("prompt_tokens", "completion_tokens")
    details = getattr(usage, "prompt_tokens_details", None)
    return Usage.counted(*(getattr(usage, name, 0) for name in names), getattr(details, "cached_tokens", 0))
