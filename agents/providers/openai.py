"""OpenAI, and every endpoint that speaks one of its protocols (set the base URL): chat completions, or responses."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import openai

from . import openai_chat, openai_responses
from .base import (
    Answer,
    Clock,
    Message,
    NoAnswerError,
    Provider,
    ProviderError,
    SummaryRefusedError,
    TimedOutError,
    Told,
    UnreachableError,
    readable,
    refusal,
    retry_after,
)

PROTOCOLS = {"chat": openai_chat, "responses": openai_responses}
"""By the setting `api`. Each says what a request holds (`body`), how it is made (`create`), and what came of it
(`whole`, or `pieces` of a stream)."""


class OpenAIProvider(Provider):
    kind = "openai"
    name = "OpenAI"
    default_key_env = "OPENAI_API_KEY"
    structures = {api: protocol.STRUCTURES for api, protocol in PROTOCOLS.items()}

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
        protocol = PROTOCOLS[settings.get("api", "chat")]
        request = protocol.body(messages, settings, schema, way, own=not self.base_url)
        if model in self._unsummed:
            request.get("reasoning", {}).pop("summary", None)
        request |= {"model": model, "extra_body": settings.get("extra")}
        create = protocol.create(self._client)
        try:
            if told is None:
                reply = create(timeout=clock.whole, **request)
                with readable(self.name):
                    return self._answer(protocol.whole(reply, way), model)
            pieces = create(
                timeout=openai.Timeout(clock.whole, read=clock.silence), stream=True, **protocol.STREAMED, **request
            )

            def watched():
                for piece in pieces:
                    clock.check(self.name)
                    told()
                    yield piece

            with pieces, readable(self.name):
                return self._answer(protocol.pieces(watched(), way), model)
        except openai.APIError as error:
            failure = self._error(error, way, clock, told is not None, "summary" in request.get("reasoning", {}))
        # Outside of the except block: the SDK's exception carries the request with its key.
        raise failure

    def _answer(self, answer: Answer | None, model: str) -> Answer:
        if answer is None:
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        if not answer.text:
            raise NoAnswerError(f"{self.name} sent an empty message.", usage=answer.usage)
        return answer if answer.model else replace(answer, model=model)

    def _error(
        self, error: openai.APIError, way: str | None, clock: Clock, streamed: bool, summed: bool
    ) -> ProviderError:
        if isinstance(error, openai.APITimeoutError):
            return TimedOutError(
                f"{self.name} did not answer within {clock.silence if streamed else clock.whole:g} seconds."
            )
        if isinstance(error, openai.APIStatusError):
            if summed and error.status_code == 400 and str(error.param).startswith("reasoning"):
                return SummaryRefusedError(f"{self.name} gives no summary of this model's reasoning.")
            wait = retry_after(error.response.headers)
            return refusal(self.name, error.status_code, error.message, error.body, way, streamed, wait)
        return UnreachableError(f"The connection to {self.name} failed.")
