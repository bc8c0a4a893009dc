"""The file for containers: the one list of parts, and commands that do run, tried here without an engine."""

import os
import subprocess
import sys
from contextlib import ExitStack

import pytest

from magic_site import compose
from magic_site.health import READY
from magic_site.launch import answers
from magic_site.parts import BASE_DIR, Part, embedded_server, end
from tests.databases import new_database
from tests.forks import Forks
from tests.site.test_launch import BEGIN
from tests.stack import free_port, until


def test_the_file_is_written_from_the_list_of_parts():
    assert compose.FILE.read_text("utf-8") == compose.text(), "run: manage.py compose_file"


def test_no_part_is_left_out_and_an_unknown_one_is_refused_with_a_sentence():
    done = manage("part", "nobody", env=os.environ)
    assert done.returncode != 0
    known = done.stderr.strip().removeprefix("CommandError: There is no part nobody. Choose one of ").rstrip(".")
    assert {command[3] for command in compose.services().values()} == set(known.split(", "))


def test_no_file_of_secrets_comes_into_the_image():
    left_out = (BASE_DIR / "deploy" / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {"**/.env", "var"} <= set(left_out)  # deploy/.env holds the passwords, var/ the site's key


def manage(*arguments: str, env) -> subprocess.CompletedProcess:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=BASE_DIR, env=env, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_the_services_commands_make_a_site_whose_agents_play(tmp_path):
    database = new_database(tmp_path)
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "magic_site.settings",
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": database.url,
        "REDIS_URL": f"unix://{tmp_path}/redis.sock",
        "SECRET_KEY": "shared",
        "SEALED_SECONDS": "",
    }
    ports = {name: free_port() for name in compose.services() if name.startswith("web-")}
    parts = [embedded_server(tmp_path / "redis.sock", tmp_path)]
    for name, (_, *arguments) in compose.services().items():
        own = env | ({"PORT": str(ports[name])} if name in ports else {})
        parts.append(Part(name, [sys.executable, *arguments], own, tmp_path / f"{name}.log"))
    with ExitStack() as cleanup:
        database.make()
        cleanup.callback(database.drop)
        assert manage("prepare", "--verbosity=0", env=env).returncode == 0
        cleanup.callback(end, parts, 6)
        for part in parts:
            part.start()
        for port in ports.values():
            until(lambda port=port: answers(f"http://127.0.0.1:{port}{READY}"), "both web processes are ready", 60)
        forks = Forks(env)
        cleanup.callback(forks.end)
        forks.ask(code=BEGIN.format(pace=0))
        finished = "from games.models import Event; result = Event.objects.filter(kind='finished').count()"
        until(lambda: forks.ask(code=finished) == 1, "it ends", 120)
        assert [part.name for part in parts if not part.alive] == []
