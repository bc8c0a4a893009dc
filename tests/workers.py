"""The workers as a test in one process has them: none runs, and what would be sent to them is kept."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest

from evaluation import kinds
from games.jobs import jobs, news
from games.match import pending
from games.models import Job


@dataclass
class Workers:
    """moves: (queue, delay) of each nudge; jobs: by kind the keys of the jobs that were given out."""

    patch: pytest.MonkeyPatch
    moves: list[tuple[str, float]] = field(default_factory=list)
    jobs: dict[str, list[UUID]] = field(default_factory=lambda: defaultdict(list))
    _at_once: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.patch.setattr(pending, "dispatch", lambda *nudge: self.moves.append(nudge))
        self.patch.setattr(jobs, "tell_workers", lambda keys, queue: self._take(keys))
        self.patch.setattr(jobs, "send", lambda keys, queue: self._take(keys))
        self.patch.setattr(news, "tell", lambda key: None)
        self.patch.setattr(kinds, "threads", lambda: None)  # another thread would not see what a test has not committed

    def _take(self, keys: list[UUID]) -> bool:
        kinds = dict(Job.objects.filter(pk__in=keys).values_list("pk", "kind"))
        for key in keys:
            self.jobs[kinds[key]].append(key)
        for kind in self._at_once:
            self.work(kind)
        return True

    @property
    def bouts(self) -> list[UUID]:
        """The jobs of bouts that were given out."""
        return self.jobs["bout"]

    @property
    def counts(self) -> list[UUID]:
        """The jobs of counts that were given out."""
        return self.jobs["count"]

    def given(self, kind: str) -> list[dict[str, Any]]:
        """What the jobs of a kind that were given out were given, in order."""
        return [Job.objects.get(pk=key).given for key in self.jobs[kind]]

    def at_once(self, kind: str) -> None:
        """Let jobs of this kind be done there and then."""
        self._at_once.add(kind)

    def work(self, kind: str) -> None:
        """Do the jobs of a kind that were given out, and those that come of them."""
        while self.jobs[kind]:
            jobs.work(self.jobs[kind].pop(0))

    def play(self) -> None:
        """Play the bouts that were given out."""
        self.work("bout")
