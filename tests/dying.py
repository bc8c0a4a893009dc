"""Workers that are killed in the middle of each job: an app of the sites that tests run as processes.

Where DIES is set, the process that runs a job kills itself the first time in the middle of it, the second time after
all of it is done and before that is written down; the third time it lives. Each kind has a queue of its own there.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db import connection

from games.jobs.kinds import KINDS

if TYPE_CHECKING:
    from games.jobs.jobs import Run

MIDDLE = 6
"""So many queries are made of a job before its worker dies for the first time."""


class Dying(AppConfig):
    name = "tests.dying"

    def ready(self) -> None:
        for name, kind in KINDS.items():
            KINDS[name] = replace(kind, queue=name, work=_dying(kind.work))


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dying(work: Callable[..., Any]) -> Callable[..., Any]:
    def dying(run: Run, **given: Any) -> Any:
        if "DIES" not in os.environ or run.tries > 2:
            return work(run, **given)
        left = MIDDLE

        def die_at_last(execute: Callable[..., Any], *query: Any) -> Any:
            nonlocal left
            left -= 1
            if run.tries == 1 and left < 0:
                _die()
            return execute(*query)

        with connection.execute_wrapper(die_at_last):
            work(run, **given)
        return _die()

    return dying
