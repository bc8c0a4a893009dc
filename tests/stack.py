"""The real site on a free port, with a fresh file database: what the browser and crash tests play against."""

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from magic_site.health import READY
from magic_site.launch import answers
from magic_site.parts import Part, embedded_server, end, site_parts
from tests.databases import new_database
from tests.forks import Forks, forked


class Stack:
    """Embedded server, workers, sweeper and Daphne as real processes, each of which can be killed and started again.

    The parts are named redis, models, house, bouts, counts, files, daphne, sweeper. `env` adds to the environment of
    all. A part that dies by itself stays dead: no test passes thanks to a restart that it did not ask for.
    """

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="magic-stack-"))
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.database = new_database(self.folder)
        self.env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.site_settings",
            "VAR_DIR": str(self.folder),
            "DATABASE_URL": self.database.url,
            "REDIS_URL": f"unix://{self.folder}/redis.sock",
            "PYTHONUNBUFFERED": "1",
            "LEASE_SECONDS": "8",
            # All visitors of a benchmark, too, come from one address.
            **dict.fromkeys(("MOST_TABLES_OF_AN_ADDRESS", "MOST_TABLES"), "0"),
            **dict.fromkeys(("MOST_SOCKETS_OF_AN_ADDRESS", "MOST_SOCKETS"), "0"),
            **(env or {}),
        }
        logs = self.folder / "log"
        server = embedded_server(self.folder / "redis.sock", logs)
        self.forks = Forks(self.env)
        parts = [forked(part, self.forks) for part in site_parts(self.env, "127.0.0.1", self.port, logs)]
        self.parts = {part.name: part for part in [server, *parts]}

    def __enter__(self) -> "Stack":
        try:
            self.database.make()
            self.manage("prepare", "--verbosity=0")
            for part in self.parts.values():
                part.start()
            self.wait_for_daphne()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception) -> None:
        end(list(self.parts.values()), within=6)
        self.forks.end()
        self.database.drop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self, name: str) -> None:
        """kill -9, as a power cut would."""
        self.parts[name].kill()

    def start(self, name: str) -> None:
        """Start a killed part; Daphne is back when this returns."""
        self.parts[name].start()
        if name == "daphne":
            self.wait_for_daphne()

    def wait_for_daphne(self) -> None:
        daphne: Part = self.parts["daphne"]
        until(lambda: not daphne.alive or answers(self.base_url + READY), "Daphne answers", seconds=60)
        assert daphne.alive, f"Daphne did not start:\n{daphne.last_words(40)}"

    def researcher(self, name: str = "ada") -> str:
        """Who may sign in with PASSWORD, whichever test used the name before; gives back the name."""
        self.shell(RESEARCHER.format(name=name, password=PASSWORD))
        return name

    def log(self, name: str) -> str:
        """All that a part has said so far."""
        return self.parts[name].last_words(1_000_000)

    def said_since(self) -> Callable[[str], str]:
        """From now on: what a part has said since. The tests of a process share one site and its logs."""
        before = {name: len(self.log(name)) for name in self.parts}
        return lambda name: self.log(name)[before[name] :]

    def manage(self, *arguments: str) -> str:
        """What `manage.py` prints, run beside the site on its database; a failure shows what it said."""
        return self.forks.ask(manage=arguments)

    def shell(self, code: str) -> Any:
        """Run Python on the site's database in a process of its own; gives back what the code leaves in `result`.

        A browser test may not use the ORM itself: Playwright's loop runs in the test's thread.
        """
        return self.forks.ask(code=code)


PASSWORD = "correct horse"

UNTIL_OVER = """
from games.models import Match
from tests.stack import until
match = Match.objects.order_by("-created_at").first()
until(lambda: match.refresh_from_db() or match.status == "finished", "the match ends", seconds=110)
"""
"""For `shell`: wait there until the newest match is over."""

RESEARCHER = """
from django.contrib.auth.models import Group, User
user, _ = User.objects.get_or_create(username={name!r})
user.set_password({password!r})
user.save()
user.groups.add(Group.objects.get(name="researcher"))
"""


def free_port() -> int:
    """A port that nobody used a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition: Callable[[], Any], what: str, seconds: float = 30) -> Any:
    """Wait for a true value and give it back; fail with `what` was waited for."""
    pause = threading.Event()
    end_at = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end_at, f"waited {seconds} s in vain: {what}"
        pause.wait(0.05)
    return value
