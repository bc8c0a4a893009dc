"""Anthropic's messages API."""

from functools import cached_property
from typing import Any

import anthropic

from .base import Message, NoAnswerError, Provider, ProviderError, TimedOutError, UnreachableError, refusal, retry_after

FINISHES = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "refusal": "refused"}


class AnthropicProvider(Provider):
    name = "Anthropic"
    default_key_env = "ANTHROPIC_API_KEY"

    @cached_property
    def _client(self) -> anthropic.Anthropic:
        return anthropic.Anthropic(
            api_key=self.key(),
            base_url=self.base_url,
            max_retries=0,
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
        )

    def _ask(
        self, messages: list[Message], model: str, settings: dict[str, Any], schema: dict[str, Any] | None
    ) -> dict[str, Any]:
        request: dict[str, Any] = {}
        system = "\n\n".join(m.content for m in messages if m.role == "system")
        if system:
            request["system"] = system
        # The SDK has no arguments for these any more: the newest models take neither.
        sampling = {name: settings[name] for name in ("temperature", "top_p") if name in settings}
        if schema is not None:
            # The API takes no bounds on numbers and lengths; the SDK turns them into words.
            form = {"type": "json_schema", "schema": anthropic.transform_schema(schema)}
            request["output_config"] = {"format": form}
        try:
            reply = self._client.messages.create(
                model=model,
                max_tokens=settings["max_tokens"],
                messages=[{"role": m.role, "content": m.content} for m in messages if m.role != "system"],
                timeout=settings["timeout"],
                extra_body=sampling | settings.get("extra", {}),
                **request,
            )
        except anthropic.APIError as error:
            failure = self._error(error, schema is not None, settings["timeout"])
        else:
            return self._read(reply, model)
        # Outside of the except block: the SDK's exception carries the request with its key.
        raise failure

    def _read(self, reply: anthropic.types.Message, model: str) -> dict[str, Any]:
        if not getattr(reply, "content", None) and getattr(reply, "stop_reason", None) != "refusal":
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        text = "".join(block.text for block in reply.content if block.type == "text")
        finish = FINISHES.get(reply.stop_reason, reply.stop_reason or "stop")
        if not text and finish != "refused":
            raise NoAnswerError(f"{self.name} sent an empty message.")
        usage = reply.usage
        cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
        return {
            "text": text,
            "tokens_in": usage.input_tokens + cached,
            "tokens_out": usage.output_tokens,
            "model": reply.model or model,
            "finish": finish,
        }

    def _error(self, error: anthropic.APIError, structured: bool, timeout: float) -> ProviderError:
        if isinstance(error, anthropic.APITimeoutError):
            return TimedOutError(f"{self.name} did not answer within {timeout:g} seconds.")
        if isinstance(error, anthropic.APIStatusError):
            wait = retry_after(error.response.headers)
            return refusal(self.name, error.status_code, error.message, self._client.api_key, structured, wait)
        return UnreachableError(f"The connection to {self.name} failed.")
