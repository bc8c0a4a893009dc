"""The kinds of slow work. An app declares its own when it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.jobs.models import Job


@dataclass(frozen=True)
class Expected:
    """What a job will take, as far as that can be told before it begins."""

    seconds: float | None = None
    dollars: float | None = None


@dataclass(frozen=True)
class Kind:
    """One kind of slow work.

    title: what is being done, for people. queue: of which workers (`magic_site.parts`). work: does it, told the run and
    what was given with the job, and gives the result, as JSON; it may be begun again by another worker at any time, and
    has to end once all the same (`Run.confirm`). longest: seconds that one run may take. tries: how often it is begun
    at most. again: who asks for it while it runs wants it once more afterwards. expected: what it will take. failed:
    told, in the same transaction, that it has failed, with the sentence why. ended: told afterwards, however it ended,
    unless somebody stopped it. kept: how long it is remembered.
    """

    name: str
    title: Any
    queue: str
    work: Callable[..., Any]
    longest: float = 3600.0
    tries: int = 3
    again: bool = False
    expected: Callable[..., Expected] = lambda **given: Expected()
    failed: Callable[[Job, str], None] = lambda job, sentence: None
    ended: Callable[[Job], None] = lambda job: None
    kept: timedelta = timedelta(days=7)


KINDS: dict[str, Kind] = {}
"""All kinds, by name."""


def declare(*kinds: Kind) -> None:
    """Let jobs of these kinds be asked for."""
    KINDS.update({kind.name: kind for kind in kinds})


def of_queue(queue: str) -> list[str]:
    """The names of the kinds that the workers of a queue do."""
    return [kind.name for kind in KINDS.values() if kind.queue == queue]
