"""The command `compete` as a process of its own: broken off by a person or killed, and gone on with."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from magic_site.settings import BASE_DIR
from tests.databases import new_database
from tests.forks import Forks
from tests.stack import until

pytestmark = pytest.mark.processes
STATES = """
from evaluation.models import Competition
competition = Competition.objects.latest("created_at")
result = [competition.status, *competition.bouts.order_by("number").values_list("status", flat=True)]
"""
MATCHES = 10
"""So many, two at once, that they are still being played when the command is killed."""


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    """A database of its own, and no site that would play along."""
    folder = tmp_path_factory.mktemp("alone")
    database = new_database(folder)
    database.make()
    yield os.environ | {
        "DJANGO_SETTINGS_MODULE": "magic_site.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": database.url,
        "REDIS_URL": f"unix://{folder}/none.sock",
    }
    database.drop()


@pytest.fixture(scope="module")
def states(env):
    """The newest competition's state, and its matches'."""
    forks = Forks(env)
    forks.ask(manage=["prepare", "--verbosity=0"])
    yield lambda: forks.ask(code=STATES)
    forks.end()


def manage(env, *arguments) -> subprocess.Popen:
    """In a session of its own, as at a terminal: a signal to it reaches all of its processes."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=BASE_DIR, env=env, start_new_session=True, **out)


def begun(env, states) -> tuple[subprocess.Popen, str]:
    """A competition that is being played, and its id."""
    avalon = ("--game", "avalon", "--preset", "official", "--matches", MATCHES, "--at-once", 2)
    playing = manage(env, "compete", "own", "house", *avalon)
    key = next(found.group(1) for line in playing.stdout if (found := re.search(r"^[^:]+: (\S{36})$", line)))
    until(lambda: "done" in states(), "a match has been played", seconds=30)
    return playing, key


def is_held_at_a_match(playing: subprocess.Popen, states) -> bool:
    """Whether it stands still now, with a match begun; if none is, it goes on."""
    os.killpg(playing.pid, signal.SIGSTOP)
    if "playing" in states():
        return True
    os.killpg(playing.pid, signal.SIGCONT)
    return False


def test_it_plays_a_competition_to_its_end(env, states):
    dilemma = ("--game", "prisoners_dilemma", "--preset", "magic", "--matches", 6, "--at-once", 3)
    said, _ = manage(env, "compete", "own", "house", *dilemma).communicate(timeout=60)
    assert "6 matches played, 0 failed" in said
    assert states() == ["finished"] + ["done"] * 6


def test_what_was_being_played_when_it_was_killed_is_played_by_who_goes_on_at_once(env, states):
    playing, key = begun(env, states)
    until(lambda: is_held_at_a_match(playing, states), "it is stopped while a match is played")
    os.killpg(playing.pid, signal.SIGKILL)
    playing.wait(10)
    assert "playing" in states()
    said, _ = manage(env, "compete", "--resume", key).communicate(timeout=120)
    assert f"{MATCHES} matches played, 0 failed" in said
    assert states() == ["finished"] + ["done"] * MATCHES


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice at the same moment"])
def test_ctrl_c_pauses_after_the_matches_that_have_begun(env, states, times):
    playing, key = begun(env, states)
    for _ in range(times):
        os.killpg(playing.pid, signal.SIGINT)
    said, _ = playing.communicate(timeout=60)
    assert playing.returncode != 0
    assert f"Paused. Go on with: manage.py compete --resume {key}" in said
    status, *bouts = states()
    assert status == "paused"
    assert "playing" not in bouts and "failed" not in bouts, "what had begun was played to its end"
    assert "waiting" in bouts, "and nothing after it"
