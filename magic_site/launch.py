"""`make run`: start all that the site needs, keep it running, end all of it."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from magic_site.health import ALIVE, READY
from magic_site.own_redis import FILE, keep_address
from magic_site.parts import Part, embedded_server, end, site_parts

FIRST_ANSWER_SECONDS = 60
LONGEST_PAUSE_SECONDS = 30
STEADY_SECONDS = 60
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (compared, not bound)


class LaunchError(Exception):
    """The site cannot start; the message is for the person who started it."""


def launch(host: str, port: int, parts_of: Callable[..., list[Part]] = site_parts) -> None:
    """Run the site until SIGINT, SIGTERM or SIGHUP, then end every process that was started.

    parts_of: what gives the parts beside the Redis-protocol server.

    Raises LaunchError when it cannot start.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())

    logs = settings.VAR_DIR / "log"
    with only_one_in(settings.VAR_DIR), tempfile.TemporaryDirectory(prefix="magic-") as folder:
        refuse_a_busy_port(host, port)
        call_command("prepare", verbosity=0)
        connections.close_all()

        env = os.environ | {"PYTHONUNBUFFERED": "1"}
        if not os.environ.get("ALLOWED_HOSTS"):
            env["ALLOWED_HOSTS"] = ",".join({*settings.ALLOWED_HOSTS, bracketed(own_address(host))})
        servers = []
        if not os.environ.get("REDIS_URL"):
            # In a folder of its own: the path of a socket may have no more than about 100 letters.
            path = Path(folder) / "redis.sock"
            env["REDIS_URL"] = f"unix://{path}"
            servers = [embedded_server(path, logs)]
            keep_address(settings.VAR_DIR, path)
        parts = parts_of(env, host, port, logs)
        try:
            for part in servers + parts:
                part.start()
            near = f"http://{'127.0.0.1' if host in EVERYWHERE else bracketed(host)}:{port}"
            wait_until_ready(near, parts, stop)
            if not stop.is_set():
                print(f"{welcome(host, port)}   (Ctrl-C ends it; logs are in {logs})", flush=True)
                web = next(part for part in parts if part.name == "daphne")
                keep_running(servers + parts, stop, Pulse(web, near + ALIVE), Held(settings.VAR_DIR / FILE))
                print("Ending ...", flush=True)
        finally:
            end(parts, within=6)
            end(servers, within=2)


def welcome(host: str, port: int) -> str:
    """Where a person finds the site. One that speaks HTTPS is found at its proxy, whose address nobody here knows."""
    address = f"http://{bracketed(own_address(host))}:{port}/"
    return f"Ready for the proxy at {address}" if settings.HTTPS else f"Open {address}"


def own_address(host: str) -> str:
    """The address by which others find this machine, if the site listens everywhere; else what it listens on."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: asks the system which of its addresses it would use
            return probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def only_one_in(folder: Path) -> Iterator[None]:
    """Refuse a second launcher on the same data."""
    with (folder / FILE).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError(f"The site is already running, with its data in {folder}. End it first.") from None
        yield


def refuse_a_busy_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise LaunchError(f"Port {port} cannot be used ({reason}). Choose another: make run PORT=8001") from None
        except OverflowError:
            raise LaunchError(f"There is no port {port}. Choose one from 1024 to 65535.") from None


def wait_until_ready(url: str, parts: list[Part], stop: threading.Event) -> None:
    """Return when the site at `url` says that it is ready; raise LaunchError if a part dies or it never says so."""
    until = time.monotonic() + FIRST_ANSWER_SECONDS
    while not stop.is_set() and not answers(url + READY):
        for part in parts:
            if not part.alive:
                raise LaunchError(f"{part.name} did not start. The end of {part.log}:\n{part.last_words()}")
        if time.monotonic() > until:
            logs = parts[0].log.parent
            raise LaunchError(f"{url}{READY} was not ready within {FIRST_ANSWER_SECONDS} seconds. See {logs}.")
        stop.wait(0.1)


def answers(url: str, seconds: float = 10) -> bool:
    """Whether `url` is answered, with a good status."""
    try:
        with urllib.request.urlopen(url, timeout=seconds):  # noqa: S310 (built from host and port)
            return True
    except (OSError, HTTPException):
        return False


class Held:
    """A file that this process holds. Once it is removed, whatever lies in its folder belongs to nobody."""

    def __init__(self, path: Path) -> None:
        self.path, self.inode = path, path.stat().st_ino

    def gone(self) -> bool:
        try:
            return self.path.stat().st_ino != self.inode
        except FileNotFoundError:
            return True


class Pulse:
    """Asks a web process at intervals whether it lives, in a thread; a process may be there and answer nothing."""

    def __init__(self, part: Part, url: str, every: float = 5, patience: float = 10, misses: int = 3) -> None:
        self.part, self.url, self.every, self.patience, self.misses = part, url, every, patience, misses
        self.missed, self.heard = 0, False
        self.asked: subprocess.Popen | None = None

    def watch(self, stop: threading.Event) -> None:
        """Kill the process after so many silences in a row; whoever keeps it running starts it again. One that has
        only just been started is given time for its first answer."""
        while not stop.wait(self.every):
            process = self.part.process
            if process is not self.asked:
                self.asked, self.missed, self.heard = process, 0, False
                begins = time.monotonic()
            if answers(self.url, self.patience):
                self.missed, self.heard = 0, True
            elif self.heard or time.monotonic() > begins + FIRST_ANSWER_SECONDS:
                self.missed += 1
            if self.missed >= self.misses and self.part.alive and self.part.process is process:
                print(f"{self.part.name} has not answered {self.missed} times and is ended.", file=sys.stderr)
                self.part.kill()


def keep_running(parts: list[Part], stop: threading.Event, pulse: Pulse, data: Held) -> None:
    """Start again each part that dies, after a pause that doubles while it keeps dying. Raises LaunchError when the
    data folder is gone."""
    threading.Thread(target=pulse.watch, args=[stop], daemon=True).start()
    pauses = dict.fromkeys((part.name for part in parts), 1)
    started = dict.fromkeys((part.name for part in parts), time.monotonic())
    due: dict[str, float] = {}
    while not stop.wait(0.3):
        if data.gone():
            stop.set()
            raise LaunchError(f"{data.path.parent} was removed while the site ran, so the site ends. Start it again.")
        now = time.monotonic()
        for part in parts:
            if part.alive:
                continue
            if part.name not in due:
                if now - started[part.name] > STEADY_SECONDS:
                    pauses[part.name] = 1
                due[part.name] = now + pauses[part.name]
                print(f"{part.name} stopped; it starts again in {pauses[part.name]} s. See {part.log}", file=sys.stderr)
                pauses[part.name] = min(2 * pauses[part.name], LONGEST_PAUSE_SECONDS)
            elif now >= due[part.name]:
                del due[part.name]
                started[part.name] = now
                part.start()
