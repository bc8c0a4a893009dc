"""OpenAI, and every endpoint that speaks its chat completions protocol (set the base URL)."""

from functools import cached_property
from typing import Any

import openai

from .base import Message, NoAnswerError, Provider, ProviderError, TimedOutError, UnreachableError, refusal, retry_after

FINISHES = {"content_filter": "refused"}


class OpenAIProvider(Provider):
    name = "OpenAI"
    default_key_env = "OPENAI_API_KEY"

    @cached_property
    def _client(self) -> openai.OpenAI:
        return openai.OpenAI(
            api_key=self.key(),
            base_url=self.base_url,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def _ask(
        self, messages: list[Message], model: str, settings: dict[str, Any], schema: dict[str, Any] | None
    ) -> dict[str, Any]:
        # OpenAI's newer models take only the longer name; many compatible endpoints know only the older one.
        limit = "max_tokens" if self.base_url else "max_completion_tokens"
        request: dict[str, Any] = {limit: settings["max_tokens"]}
        request |= {name: settings[name] for name in ("temperature", "top_p", "seed") if name in settings}
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        try:
            reply = self._client.chat.completions.create(
                model=model,
                messages=[{"role": m.role, "content": m.content} for m in messages],
                timeout=settings["timeout"],
                extra_body=settings.get("extra"),
                **request,
            )
        except openai.APIError as error:
            failure = self._error(error, schema is not None, settings["timeout"])
        else:
            return self._read(reply, model)
        # Outside of the except block: the SDK's exception carries the request with its key.
        raise failure

    def _read(self, reply: openai.types.chat.ChatCompletion, model: str) -> dict[str, Any]:
        if not getattr(reply, "choices", None):
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        choice = reply.choices[0]
        refused = choice.message.refusal
        if not (choice.message.content or refused):
            raise NoAnswerError(f"{self.name} sent an empty message.")
        return {
            "text": choice.message.content or refused,
            "tokens_in": reply.usage.prompt_tokens if reply.usage else 0,
            "tokens_out": reply.usage.completion_tokens if reply.usage else 0,
            "model": reply.model or model,
            "finish": "refused" if refused else FINISHES.get(choice.finish_reason, choice.finish_reason or "stop"),
        }

    def _error(self, error: openai.APIError, structured: bool, timeout: float) -> ProviderError:
        if isinstance(error, openai.APITimeoutError):
            return TimedOutError(f"{self.name} did not answer within {timeout:g} seconds.")
        if isinstance(error, openai.APIStatusError):
            wait = retry_after(error.response.headers)
            return refusal(self.name, error.status_code, error.message, self._client.api_key, structured, wait)
        return UnreachableError(f"The connection to {self.name} failed.")
