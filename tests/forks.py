"""Parts of a site, management commands and code on its database, forked from one process that has Django already.

A start of Python with Django costs two seconds of a processor, and a test run would make hundreds of them.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from magic_site.parts import BASE_DIR, Part

LONGEST = 120  # seconds for one order


class Forks:
    """The process of tests/shell.py with this environment; started when it is first asked for something."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        self._process: subprocess.Popen | None = None
        self._one_at_a_time = threading.Lock()

    def ask(self, **order: Any) -> Any:
        """See tests/shell.py for the orders. An AssertionError tells how one failed."""
        with self._one_at_a_time:
            process = self._process = self._process or self._started()
            late = threading.Timer(LONGEST, process.kill)
            late.start()
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline() or f'{{"failed": "It took over {LONGEST} seconds."}}')
            late.cancel()
        assert "failed" not in answer, answer["failed"]
        return answer["result"]

    def _started(self) -> subprocess.Popen:
        command = [sys.executable, "-m", "tests.shell"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return subprocess.Popen(command, cwd=BASE_DIR, env=self.env, text=True, **pipes)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


class Fork:
    """A forked process as its Popen would be; it is nobody's child here, and nobody has to collect it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._file = os.pidfd_open(pid)

    def __del__(self) -> None:
        os.close(self._file)

    def poll(self) -> int | None:
        """None while it runs."""
        return 0 if select.select([self._file], [], [], 0)[0] else None

    def wait(self, timeout: float | None = None) -> int:
        if not select.select([self._file], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return 0

    def terminate(self) -> None:
        signal.pidfd_send_signal(self._file, signal.SIGTERM)

    def kill(self) -> None:
        signal.pidfd_send_signal(self._file, signal.SIGKILL)


@dataclass
class ForkedPart(Part):
    """A part whose command is Python's."""

    forks: Forks = field(kw_only=True)

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.process = Fork(self.forks.ask(part=self.command[1:], env=dict(self.env), log=str(self.log)))


def forked(part: Part, forks: Forks) -> Part:
    """The same part, to be forked where the system can (Linux)."""
    if not hasattr(os, "pidfd_open"):
        return part
    return ForkedPart(part.name, part.command, part.env, part.log, forks=forks)
