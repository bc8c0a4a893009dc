"""The file for containers: the one list of parts, and commands that do run, tried here without an engine."""

import os
import sys
from contextlib import ExitStack

import pytest
from django.core.management import CommandError, call_command

from magic_site import compose
from magic_site.health import READY
from magic_site.launch import answers
from magic_site.parts import BASE_DIR, Part, embedded_server, end
from tests.databases import new_database
from tests.forks import Forks, forked
from tests.site.test_launch import BEGIN
from tests.stack import UNTIL_OVER, free_port, until


def test_the_file_is_written_from_the_list_of_parts():
    assert compose.FILE.read_text("utf-8") == compose.text(), "run: manage.py compose_file"


def test_no_part_is_left_out_and_an_unknown_one_is_refused_with_a_sentence():
    with pytest.raises(CommandError, match=r"There is no part nobody\. Choose one of .*\.") as refused:
        call_command("part", "nobody")
    known = str(refused.value).rpartition(" of ")[2].rstrip(".")
    assert {command[3] for command in compose.services().values()} == set(known.split(", "))


def test_no_file_of_secrets_comes_into_the_image():
    left_out = (BASE_DIR / "deploy" / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {"**/.env", "var"} <= set(left_out)  # deploy/.env holds the passwords, var/ the site's key


@pytest.mark.processes
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
    forks = Forks(env)
    ports = {name: free_port() for name in compose.services() if name.startswith("web-")}
    parts = [embedded_server(tmp_path / "redis.sock", tmp_path)]
    for name, (_, *arguments) in compose.services().items():
        own = env | ({"PORT": str(ports[name])} if name in ports else {})
        parts.append(forked(Part(name, [sys.executable, *arguments], own, tmp_path / f"{name}.log"), forks))
    with ExitStack() as cleanup:
        database.make()
        cleanup.callback(database.drop)
        cleanup.callback(forks.end)
        forks.ask(manage=["prepare", "--verbosity=0"])
        cleanup.callback(end, parts, 6)
        for part in parts:
            part.start()
        for port in ports.values():
            until(lambda port=port: answers(f"http://127.0.0.1:{port}{READY}"), "both web processes are ready", 60)
        forks.ask(code=BEGIN.format(pace=0) + UNTIL_OVER)
        assert [part.name for part in parts if not part.alive] == []
