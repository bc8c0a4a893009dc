"""The workers as a test in one process has them: none runs, and what would be sent to them is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest

from evaluation.competitions import running
from evaluation.counting import boards
from evaluation.judging import judge
from evaluation.studies import trials
from evaluation.web import live
from games.match import pending


@dataclass
class Workers:
    """moves: (queue, delay) of each nudge; bouts: keys; counts: choices of matches; asked: the same, each with its
    part; trials: keys; prompts: (judging, number of the prompt)."""

    patch: pytest.MonkeyPatch
    moves: list[tuple[str, float]] = field(default_factory=list)
    bouts: list[int] = field(default_factory=list)
    counts: list[dict[str, str]] = field(default_factory=list)
    asked: list[tuple[dict[str, str], tuple[str, ...]]] = field(default_factory=list)
    trials: list[UUID] = field(default_factory=list)
    prompts: list[tuple[UUID, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.do(pending, lambda *nudge: self.moves.append(nudge))
        self.do(running, self.bouts.append)
        self.do(boards, self._counted)
        self.do(trials, self.trials.append)
        self.do(judge, lambda *prompt: self.prompts.append(prompt))
        self.patch.setattr(live, "tell", lambda key: None)

    def _counted(self, choice: dict[str, str], *part: str) -> None:
        self.counts.append(choice)
        self.asked.append((choice, part))

    def do(self, work: ModuleType, how: Callable[..., Any]) -> None:
        """Let this kind of work be done there and then, by `how`."""
        self.patch.setattr(work, "dispatch", how)

    def play(self) -> None:
        """Play the bouts that were given out."""
        for key in self.bouts:
            running.play(key)
        self.bouts.clear()
