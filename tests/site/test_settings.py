import os
import subprocess
import sys

import pytest
from django.core.checks import run_checks

from magic_site.parts import BASE_DIR

CHECKED = ("manage.py", "check")
pytestmark = pytest.mark.slow

READ = ("-c", "import magic_site.settings")


@pytest.fixture
def start(tmp_path):
    """Python in a process of its own, with an environment of its own."""

    def start(arguments: tuple[str, ...], **env: str) -> subprocess.CompletedProcess:
        unset = {"DATABASE_URL", "SECRET_KEY", "REDIS_URL"}
        inherited = {name: value for name, value in os.environ.items() if name not in unset}
        own = {"DJANGO_SETTINGS_MODULE": "magic_site.settings", "VAR_DIR": str(tmp_path)}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=BASE_DIR, env=inherited | own | env, capture_output=True, text=True)

    return start


def test_it_starts_with_nothing_set(start):
    assert start(CHECKED).returncode == 0


def test_a_value_that_cannot_be_understood_stops_the_start(start):
    done = start(CHECKED, DEBUG="perhaps")
    assert done.returncode != 0
    assert "DEBUG must be 1 or 0, not 'perhaps'." in done.stderr


def test_a_shared_database_needs_a_shared_key(start):
    database = "postgres://name@127.0.0.1/magic"
    done = start(READ, DATABASE_URL=database)
    assert done.returncode != 0
    assert "Set SECRET_KEY" in done.stderr
    assert start(READ, DATABASE_URL=database, SECRET_KEY="long and random").returncode == 0


def test_the_key_of_one_machine_is_made_once_and_only_its_owner_reads_it(start, tmp_path):
    start(READ)
    file = tmp_path / "secret_key"
    key = file.read_text()
    start(READ)
    assert file.read_text() == key and len(key) > 50
    assert file.stat().st_mode & 0o077 == 0


def test_an_empty_file_of_the_key_is_filled(start, tmp_path):
    (tmp_path / "secret_key").touch()
    assert start(READ).returncode == 0
    assert len((tmp_path / "secret_key").read_text()) > 50


def test_a_browser_in_another_language_gets_english_that_says_so(client, db):
    german = {"accept-language": "de-DE,de;q=0.9"}
    assert '<html lang="en">' in client.get("/", headers=german).content.decode()
    assert "This field is required." in client.post("/admin/login/", {}, headers=german).content.decode()


def test_the_in_memory_channel_layer_is_refused(settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    assert [message.id for message in run_checks()] == ["magic_site.E001"]


def test_every_page_forbids_inline_scripts_and_styles(client, db):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("seconds", [0.0, -9.0, float("nan")])
def test_leases_that_end_before_they_are_renewed_are_refused(settings, seconds):
    settings.LEASE_SECONDS = seconds
    assert [message.id for message in run_checks()] == ["magic_site.E002"]
