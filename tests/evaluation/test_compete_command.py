"""The command `compete` as a process of its own: broken off by a person or killed, and gone on with."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from magic_site.settings import BASE_DIR
from tests.stack import new_database, until

pytestmark = pytest.mark.slow
STATES = """
import json
from evaluation.models import Competition
competition = Competition.objects.latest("created_at")
print(json.dumps([competition.status, *competition.bouts.order_by("number").values_list("status", flat=True)]))
"""
MATCHES = 120


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """A database of its own, and no site that would play along."""
    folder = tmp_path_factory.mktemp("alone")
    database = new_database(folder)
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "magic_site.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": database.url,
        "REDIS_URL": f"unix://{folder}/none.sock",
    }
    database.make()
    for command in ("migrate", "load_fixtures"):
        assert manage(env, command, "--verbosity=0").wait(60) == 0
    yield env
    database.drop()


def manage(env, *arguments) -> subprocess.Popen:
    """In a session of its own, as at a terminal: a signal to it reaches all of its processes."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=BASE_DIR, env=env, start_new_session=True, **out)


def states(env) -> list[str]:
    """The newest competition's state, and its matches'."""
    return json.loads(manage(env, "shell", "--no-imports", "-c", STATES).communicate(timeout=60)[0].splitlines()[-1])


def begun(env) -> tuple[subprocess.Popen, str]:
    """A competition that is being played, and its id."""
    playing = manage(env, "compete", "own", "house", "--game", "avalon", "--preset", "official", "--matches", MATCHES)
    key = re.search(r": (\S+)$", playing.stdout.readline()).group(1)
    until(lambda: "done" in states(env), "a match has been played", seconds=30)
    return playing, key


def test_what_was_being_played_when_it_was_killed_is_played_by_who_goes_on_at_once(env):
    playing, key = begun(env)
    os.killpg(playing.pid, signal.SIGKILL)
    playing.wait(10)
    assert "playing" in states(env), "all was played before it could be killed"
    said, _ = manage(env, "compete", "--resume", key).communicate(timeout=120)
    assert f"{MATCHES} matches played, 0 failed" in said
    assert states(env) == ["finished"] + ["done"] * MATCHES


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice at the same moment"])
def test_ctrl_c_pauses_after_the_matches_that_have_begun(env, times):
    playing, key = begun(env)
    for _ in range(times):
        os.killpg(playing.pid, signal.SIGINT)
    said, _ = playing.communicate(timeout=60)
    assert playing.returncode != 0
    assert f"Paused. Go on with: manage.py compete --resume {key}" in said
    status, *bouts = states(env)
    assert status == "paused"
    assert "playing" not in bouts and "failed" not in bouts, "what had begun was played to its end"
    assert "waiting" in bouts, "and nothing after it"
