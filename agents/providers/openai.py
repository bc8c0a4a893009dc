"""OpenAI, and every endpoint that speaks one of its protocols (set the base URL): chat completions, or responses."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar

import openai

from . import openai_chat, openai_responses
from .base import Clock
from .errors import NoAnswerError, ProviderError, SummaryRefusedError
from .sdk import SdkProvider
from .values import Answer, Question

PROTOCOLS = {"chat": openai_chat, "responses": openai_responses}
"""By the setting `api`. Each says what a request holds (`body`), how it is made (`create`), and what came of it
(`whole`, or `pieces` of a stream)."""


class OpenAIProvider(SdkProvider):
    kind = "openai"
    name = "OpenAI"
    default_key_env = "OPENAI_API_KEY"
    structures: ClassVar = {api: protocol.STRUCTURES for api, protocol in PROTOCOLS.items()}
    sdk: ClassVar = openai
    client: ClassVar = openai.OpenAI

    def _request(self, asked: Question) -> tuple[Callable[..., Any], dict[str, Any]]:
        protocol = _protocol(asked)
        request = protocol.body(asked.messages, asked.settings, asked.schema, asked.way, own=not self.base_url)
        if not self._summed(asked):
            request.get("reasoning", {}).pop("summary", None)
        request |= {"model": asked.model, "extra_body": asked.settings.get("extra")}
        return protocol.create(self._client), request | (protocol.STREAMED if asked.on_piece else {})

    def _whole(self, reply: Any, asked: Question) -> Answer:
        return self._checked(_protocol(asked).whole(reply, asked.way), asked)

    def _pieces(self, pieces: Iterable[Any], asked: Question) -> Answer:
        return self._checked(_protocol(asked).pieces(pieces, asked.way), asked)

    def _checked(self, answer: Answer | None, asked: Question) -> Answer:
        if answer is None:
            raise NoAnswerError(f"{self.name} sent an answer without a message.")
        if not answer.text:
            raise NoAnswerError(f"{self.name} sent an empty message.", usage=answer.usage)
        return answer if answer.model else replace(answer, model=asked.model)

    def _summed(self, asked: Question) -> bool:
        """Whether a summary of the reasoning is asked for."""
        return _protocol(asked) is openai_responses and asked.model not in self._unsummed

    def _failure(self, error: Any, asked: Question, clock: Clock) -> ProviderError:
        bad = isinstance(error, openai.APIStatusError) and error.status_code == 400
        if bad and self._summed(asked) and str(error.param).startswith("reasoning"):
            return SummaryRefusedError(f"{self.name} gives no summary of this model's reasoning.")
        return super()._failure(error, asked, clock)


def _protocol(asked: Question) -> Any:
    return PROTOCOLS[asked.settings.get("api", "chat")]
