"""`make run`: start all that the site needs, keep it running, end all of it."""

import fcntl
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connections

from magic_site.parts import Part, embedded_server, end, site_parts

FIRST_ANSWER_SECONDS = 60
LONGEST_PAUSE_SECONDS = 30
STEADY_SECONDS = 60


class LaunchError(Exception):
    """The site cannot start; the message is for the person who started it."""


def launch(host: str, port: int) -> None:
    """Run the site until SIGINT, SIGTERM or SIGHUP, then end every process that was started.

    Raises LaunchError when it cannot start.
    """
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stop.set())

    logs = settings.VAR_DIR / "log"
    with only_one_in(settings.VAR_DIR), tempfile.TemporaryDirectory(prefix="magic-") as folder:
        refuse_a_busy_port(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("load_fixtures", verbosity=0)
        connections.close_all()

        env = os.environ | {"PYTHONUNBUFFERED": "1"}
        servers = []
        if not os.environ.get("REDIS_URL"):
            # In a folder of its own: the path of a socket may have no more than about 100 letters.
            path = Path(folder) / "redis.sock"
            env["REDIS_URL"] = f"unix://{path}"
            servers = [embedded_server(path, logs)]
        parts = site_parts(env, host, port, logs)
        try:
            for part in servers + parts:
                part.start()
            wait_for_the_first_answer(address(host, port), parts, stop)
            if not stop.is_set():
                print(f"Open {address(host, port)}   (Ctrl-C ends it; logs are in {logs})", flush=True)
                keep_running(servers + parts, stop)
                print("Ending ...", flush=True)
        finally:
            end(parts, within=6)
            end(servers, within=2)


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds the site."""
    return f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/"  # noqa: S104 (compared, not bound)


@contextmanager
def only_one_in(folder: Path) -> Iterator[None]:
    """Refuse a second launcher on the same data."""
    with (folder / "run.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError(f"It runs already, with its data in {folder}. End that one first.") from None
        yield


def refuse_a_busy_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror.lower()
            raise LaunchError(f"Port {port} cannot be used ({reason}). Choose another: make run PORT=8001") from None
        except OverflowError:
            raise LaunchError(f"There is no port {port}. Choose one from 1024 to 65535.") from None


def wait_for_the_first_answer(url: str, parts: list[Part], stop: threading.Event) -> None:
    """Return when `url` is answered, by whatever status; raise LaunchError if a part dies or nothing answers."""
    until = time.monotonic() + FIRST_ANSWER_SECONDS
    while not stop.is_set() and not answers(url):
        for part in parts:
            if not part.alive:
                raise LaunchError(f"{part.name} did not start. The end of {part.log}:\n{part.last_words()}")
        if time.monotonic() > until:
            raise LaunchError(f"{url} did not answer within {FIRST_ANSWER_SECONDS} seconds. See {parts[0].log.parent}.")
        stop.wait(0.1)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10):  # noqa: S310 (built from host and port)
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def keep_running(parts: list[Part], stop: threading.Event) -> None:
    """Start again each part that dies, after a pause that doubles while it keeps dying."""
    pauses = dict.fromkeys((part.name for part in parts), 1)
    started = dict.fromkeys((part.name for part in parts), time.monotonic())
    due: dict[str, float] = {}
    while not stop.wait(0.3):
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
