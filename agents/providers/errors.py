"""Why a model API gave no reply."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from .values import NOTHING, Usage


class ProviderError(Exception):
    """No reply came. The text is one sentence for people and never holds a key; `attempts` counts the calls made,
    `usage` what they cost all the same."""

    retry: ClassVar[bool] = False

    def __init__(self, sentence: str, *, wait: float | None = None, usage: Usage | None = None) -> None:
        super().__init__(sentence)
        self.wait = wait
        self.attempts = 0
        self.usage = usage or NOTHING


class MisconfiguredError(ProviderError):
    """The provider or its settings make no sense; no call was made. `field`: where in a profile that stands."""

    def __init__(self, sentence: str, field: str = "settings") -> None:
        super().__init__(sentence)
        self.field = field


class NoKeyError(MisconfiguredError):
    """The environment variable that should hold the key is empty."""


class RefusedError(ProviderError):
    """The API said no: a wrong key, an unknown model, a bad request."""


class StructureRefusedError(RefusedError):
    """The API takes no JSON schema, or not this one."""


class SpendingError(ProviderError):
    """What may be spent on models is spent; no call was made."""


class SummaryRefusedError(RefusedError):
    """The API gives no summary of this model's reasoning."""


class StreamRefusedError(RefusedError):
    """The API sends its replies whole only."""


class NoAnswerError(ProviderError):
    """The API answered without any words."""

    retry = True


class TooBusyError(ProviderError):
    """The API asked for patience (429) or broke down (5xx)."""

    retry = True


class TimedOutError(ProviderError):
    """No reply within the timeout."""

    retry = True


class UnreachableError(ProviderError):
    """No connection, or it broke off in the middle of the reply."""

    retry = True


WORD = re.compile(r"[a-z][a-z0-9_.]{0,39}")
STREAM = re.compile(r"\bstream", re.IGNORECASE)
STRUCTURE = re.compile(
    r"response_format|text\.format|json_schema|structured output|output_config|\btool", re.IGNORECASE
)


def refusal(
    name: str, status: int, said: str, body: Any, way: str | None, streamed: bool, wait: float | None
) -> ProviderError:
    """The error for an HTTP status, in a sentence. `said` is the server's own text, of which nothing is repeated: an
    address may lead anywhere. Of its `body`, as parsed, the protocol's own words for the error are; `way` tells how
    structure was asked for, if it was."""
    if status in (401, 403):
        return RefusedError(f"{name} did not accept the key.")
    if status == 429:
        return TooBusyError(f"{name} gets too many requests just now.", wait=wait)
    reason = _reason(body)
    if streamed and status in (400, 422, 501) and STREAM.search(said):
        return StreamRefusedError(f"{name} does not stream.")
    param = _error(body).get("param")  # of what the API says is wrong with something else, structure is no part
    of_structure = STRUCTURE.search(str(param or said)) is not None
    if way is not None and (
        (status in (400, 422) and not param) or (status in (400, 404, 422, 500, 501) and of_structure)
    ):
        return StructureRefusedError(f"{name} takes no JSON schema.")
    if status == 408 or status >= 500:
        return TooBusyError(f"{name} is out of order (status {status}).", wait=wait)
    return RefusedError(f"{name} refused the request (status {status}{reason}).")


def _reason(body: Any) -> str:
    """What the protocols call an error: its code, its type and the parameter that is wrong, if these are such words."""
    words = [_error(body).get(name) for name in ("code", "type", "param")]
    return "".join(f", {word}" for word in words if isinstance(word, str) and WORD.fullmatch(word))


def _error(body: Any) -> Mapping[str, Any]:
    error = body.get("error", body) if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the Retry-After header asks for; None where it is absent or names a date."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


@contextmanager
def readable(name: str) -> Iterator[None]:
    """Reading a reply of which the SDK checked nothing; a compatible server may send anything."""
    try:
        yield
    except (AttributeError, TypeError) as error:
        raise NoAnswerError(f"{name} sent an answer that cannot be read.") from error
