"""`manage.py run` as a person has it: started, broken, ended."""

import os
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from magic_site.health import ALIVE, READY
from magic_site.launch import Held, LaunchError, Pulse, answers, keep_running, refuse_a_busy_port
from magic_site.parts import BASE_DIR, Part, site_parts
from tests.forks import Forks
from tests.stack import free_port, until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="these tests read Linux's list of processes"),
    pytest.mark.processes,
]


PARTS = 1 + len(site_parts({}, "127.0.0.1", 0, Path()))  # and the Redis-protocol server
BEGIN = """
from games.match import beginning, store
from games.models import Room
room = Room.objects.create(game="undercover", preset="wiu", host="host", pace={pace})
seats = [dict(seat=n, name=f"Player {{n}}", kind="agent", agent="house") for n in range(1, 6)]
beginning.begin(game=room.game, preset=room.preset, seats=seats, room=room)
"""


class Launcher:
    """A launcher in a folder of its own, and the processes that it started."""

    def __init__(self, folder: Path, port: int, command: Sequence[str] = (), **more: str) -> None:
        own = {"REDIS_URL", "DATABASE_URL", "ALLOWED_HOSTS", "SECRET_KEY", "HTTPS", "HOST"}
        env = {name: value for name, value in os.environ.items() if name not in own}
        env |= {"DJANGO_SETTINGS_MODULE": "magic_site.settings", "VAR_DIR": str(folder), "PYTHONUNBUFFERED": "1"} | more
        self.folder, self.env = folder, env
        self.url = f"http://127.0.0.1:{port}/"
        self.output = folder.with_name(secrets.token_hex(4) + ".txt")
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, *(command or ("manage.py", "run", f"--port={port}"))],
                cwd=BASE_DIR,
                env=env,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def said(self) -> str:
        return self.output.read_text()

    def begin_a_match(self) -> None:
        """Let five agents play; the workers learn of it from the sweeper, as after any loss of a message."""
        forks = Forks(self.env)
        forks.ask(code=BEGIN.format(pace=0.4))
        forks.end()

    def hurry(self) -> None:
        """Let the agents move at once from now on."""
        with closing(sqlite3.connect(f"{self.folder}/magic.sqlite3", timeout=20)) as database, database:
            database.execute("UPDATE games_room SET pace = 0")

    def log_of_the_match(self) -> list[tuple[int, str, str | None]]:
        """Seq, kind and answered request of each event of the match that was begun here; examples are no such ones."""
        matches = "(SELECT id FROM games_match WHERE room_id IS NOT NULL)"
        asked = f"SELECT seq, kind, request FROM games_event WHERE match_id IN {matches} ORDER BY seq"  # noqa: S608
        with closing(sqlite3.connect(f"file:{self.folder}/magic.sqlite3?mode=ro", uri=True)) as database:
            return database.execute(asked).fetchall()

    def children(self) -> dict[int, str]:
        """Process ids of the parts that run, with their commands."""
        return {pid: command for pid, (parent, command) in processes().items() if parent == self.process.pid}

    def wait_until_open(self) -> None:
        until(lambda: "Ctrl-C ends it" in self.said() or self.process.poll() is not None, "the address", 180)
        assert self.process.poll() is None, self.said()


@pytest.fixture
def launch(tmp_path: Path) -> Iterator:
    launchers = []

    def start(port: int | None = None, **more: str) -> Launcher:
        launchers.append(Launcher(tmp_path / "var", port or free_port(), **more))
        return launchers[-1]

    yield start
    for launcher in launchers:
        launcher.process.terminate()
        launcher.process.wait(15)


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command of each process that runs; one that ended and waits to be collected is left out."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (FileNotFoundError, ProcessLookupError):  # it ended while we looked
            continue
        if state != "Z":
            found[int(folder.name)] = (int(parent), command)
    return found


def test_a_site_is_kept_running_goes_on_after_it_was_killed_and_ends_whole(launch):
    """One site through all that befalls it; a start takes too long for a site a sentence."""
    first = launch(HOST="0.0.0.0")  # noqa: S104
    first.wait_until_open()
    assert_it_accepts_the_address_that_it_prints(first)
    assert_a_second_launcher_is_refused(launch())
    assert_a_part_that_dies_is_started_again(first)
    first.begin_a_match()
    until(lambda: any(request for _, _, request in first.log_of_the_match()), "an agent moves", 30)
    assert_a_killed_launcher_leaves_no_process_behind(first)

    second = launch(HTTPS="1")
    second.wait_until_open()
    assert f"Ready for the proxy at {second.url}" in second.said()
    assert_the_open_match_goes_on(second)
    assert_ctrl_c_ends_every_process(second)


def assert_it_accepts_the_address_that_it_prints(launcher: Launcher) -> None:
    printed = re.search(r"Open (http://\S+)", launcher.said()).group(1)
    asked = HTTPConnection(urlsplit(launcher.url).netloc)
    asked.request("GET", "/", headers={"Host": urlsplit(printed).netloc})
    assert asked.getresponse().status == 200


def assert_a_second_launcher_is_refused(launcher: Launcher) -> None:
    assert launcher.process.wait(30) != 0
    assert "The site is already running" in launcher.said()


def assert_a_part_that_dies_is_started_again(launcher: Launcher) -> None:
    daphne = next(pid for pid, command in launcher.children().items() if "daphne" in command)
    os.kill(daphne, signal.SIGKILL)
    until(lambda: "daphne stopped" in launcher.said(), "a line about it")
    until(lambda: answers(launcher.url), "the site answers again", 30)


def assert_a_killed_launcher_leaves_no_process_behind(launcher: Launcher) -> None:
    children = launcher.children()
    assert len(children) == PARTS
    launcher.process.kill()
    launcher.process.wait()
    until(lambda: not children.keys() & processes().keys(), "all parts are gone")


def assert_the_open_match_goes_on(launcher: Launcher) -> None:
    kept = launcher.log_of_the_match()
    until(lambda: len(launcher.log_of_the_match()) > len(kept), "an agent moves again", 40)
    launcher.hurry()
    until(lambda: launcher.log_of_the_match()[-1][1] == "finished", "the match ends", 120)
    log = launcher.log_of_the_match()
    assert log[: len(kept)] == kept
    assert [seq for seq, _, _ in log] == list(range(1, len(log) + 1))
    requests = [request for _, _, request in log if request]
    assert len(requests) == len(set(requests))


def assert_ctrl_c_ends_every_process(launcher: Launcher) -> None:
    children = launcher.children()
    assert len(children) == PARTS
    launcher.process.send_signal(signal.SIGINT)
    assert launcher.process.wait(180) == 0
    assert not children.keys() & processes().keys()


def test_removed_data_end_the_site_with_a_sentence(launch, tmp_path):
    for path in (READY, ALIVE):
        (tmp_path / path.strip("/")).touch()
    port = free_port()
    launcher = launch(port, command=("-m", "tests.small_site", str(port), str(tmp_path)))
    launcher.wait_until_open()
    assert f"Open {launcher.url}" in launcher.said()
    children = launcher.children()
    assert len(children) == 2
    shutil.rmtree(launcher.folder)
    assert launcher.process.wait(15) != 0
    assert f"{launcher.folder} was removed while the site ran" in launcher.said()
    assert "Traceback" not in launcher.said()
    assert not children.keys() & processes().keys()


def test_a_busy_port_is_said_in_a_sentence(launch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        launcher = launch(port)
        assert launcher.process.wait(30) != 0
    assert f"Port {port} cannot be used (address already in use)." in launcher.said()
    assert "Traceback" not in launcher.said()


def test_a_web_process_that_is_there_and_answers_nothing_is_started_again(tmp_path):
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    web = Part("web", command, os.environ, tmp_path / "web.log")
    url = f"http://127.0.0.1:{port}/"
    stop = threading.Event()
    (tmp_path / "run.lock").touch()
    pulse = Pulse(web, url, every=0.05, patience=0.2, misses=2)
    keeper = threading.Thread(target=keep_running, args=[[web], stop, pulse, Held(tmp_path / "run.lock")])
    web.start()
    keeper.start()
    try:
        until(lambda: pulse.heard, "it answers")
        stopped = web.process.pid
        os.kill(stopped, signal.SIGSTOP)
        until(lambda: answers(url, 0.2), "it answers again", 20)
        assert web.process.pid != stopped
    finally:
        stop.set()
        keeper.join()
        web.kill()


def test_an_address_of_the_newer_kind_can_be_listened_on():
    try:
        taken = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6")
    port = taken.getsockname()[1]
    with taken, pytest.raises(LaunchError, match="in use"):
        refuse_a_busy_port("::1", port)
    refuse_a_busy_port("::1", port)
