"""What the SDKs of model APIs have in common: one client, a call answered whole or in pieces, and its errors."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

import httpx2

from .base import Clock, Provider
from .errors import ProviderError, TimedOutError, UnreachableError, readable, refusal, retry_after
from .values import Answer, OnPiece, Question


class SdkProvider(Provider):
    """Subclasses say what a request holds (`_request`), and what comes of it, whole (`_whole`) or streamed
    (`_pieces`)."""

    sdk: ClassVar[ModuleType]
    client: ClassVar[Callable[..., Any]]

    @cached_property
    def _client(self) -> Any:
        http = self.sdk.DefaultHttpxClient(follow_redirects=False)
        return type(self).client(api_key=self.key(), base_url=self.address, max_retries=0, http_client=http)

    def _request(self, asked: Question) -> tuple[Callable[..., Any], dict[str, Any]]:
        """The SDK's function to call, and with what."""
        raise NotImplementedError

    def _whole(self, reply: Any, asked: Question) -> Answer:
        raise NotImplementedError

    def _pieces(self, pieces: Iterable[Any], asked: Question) -> Answer:
        raise NotImplementedError

    def _ask(self, asked: Question) -> Answer:
        clock = Clock(asked.settings)
        create, request = self._request(asked)
        try:
            if asked.on_piece is None:
                reply = create(timeout=clock.whole, **request)
                with readable(self.name):
                    return self._whole(reply, asked)
            pieces = create(timeout=self.sdk.Timeout(clock.whole, read=clock.silence), stream=True, **request)
            with pieces, readable(self.name):
                return self._pieces(self._watched(pieces, asked.on_piece, clock), asked)
        # The SDKs give the errors of their HTTP client a name of their own, but not always while they stream.
        except (self.sdk.APIError, httpx2.HTTPError) as error:
            failure = self._failure(error, asked, clock)
        # Outside of the except block: the SDK's exception carries the request with its key.
        raise failure

    def _watched(self, pieces: Iterable[Any], on_piece: OnPiece, clock: Clock) -> Iterator[Any]:
        for piece in pieces:
            clock.check(self.name)
            on_piece()
            yield piece

    def _failure(self, error: Any, asked: Question, clock: Clock) -> ProviderError:
        """What an SDK's error means; `usage` of it: what was paid for all the same."""
        usage, streamed = getattr(error, "usage", None), asked.on_piece is not None
        if isinstance(error, (self.sdk.APITimeoutError, httpx2.TimeoutException)):
            seconds = clock.silence if streamed else clock.whole
            return TimedOutError(f"{self.name} did not answer within {seconds:g} seconds.", usage=usage)
        if isinstance(error, self.sdk.APIStatusError):
            wait = retry_after(error.response.headers)
            return refusal(self.name, error.status_code, error.message, error.body, asked.way, streamed, wait)
        return UnreachableError(f"The connection to {self.name} failed.", usage=usage)
