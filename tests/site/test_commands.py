"""Each command ends with a sentence and a code of its own, whatever it is given; nothing done is no success."""

import io
import json
import logging
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.db import OperationalError

from evaluation.management.commands import compete
from evaluation.models import Competition
from magic_site import own_redis
from magic_site.commands import PREPARE, SiteCommand

DJANGOS = {"makemessages"}  # with markers of our own
OURS = {
    name for name, app in get_commands().items() if app in ("games", "agents", "evaluation", "magic_site")
} - DJANGOS
NOTHING, SOMEBODY = "/nowhere/at/all", str(uuid4())
HUGE = "9" * 40
BAD = ("-3", HUGE, "x")

WRONG: dict[str, list[list[str]]] = {
    "balance_settings": [
        *(["chameleon", "--out", "x.json", flag, value] for flag in ("--matches", "--keep", "--seed") for value in BAD),
        ["avalon", "--out", "x.json"],
        ["chameleon", "--out", "x.json", "--agent", "nobody"],
        ["chameleon"],
        [],
    ],
    "compete": [
        *(["magic", "house", flag, value] for flag in ("--matches", "--take", "--seed") for value in BAD),
        *(["magic", "house", flag, "0"] for flag in ("--at-once", "--processes", "--topics")),
        ["chess", "house"],
        ["magic"],
        [],
        ["magic", "nobody"],
        ["magic", "house", "--defender", "x"],
        ["--resume", "x"],
        ["--resume", SOMEBODY],
        ["human_study", "house"],
        ["human_study", "house", "--source", SOMEBODY],
        ["own", "house", "--game", "chess"],
        ["own", "house", "--game", "undercover", "--preset", "x"],
    ],
    "compose_file": [["--nonsense"]],
    "derive_pairs": [["--to", NOTHING]],
    "embed_words": [["--nonsense"]],
    "erase_person": [["x", "1"], [SOMEBODY, "1"], [SOMEBODY, "-1"], [SOMEBODY, HUGE], [SOMEBODY, "x"], []],
    "export": [
        *(["--out", "x.zip", *more] for more in (["--content", "x"], ["--formats", "x"], ["--game", "chess"])),
        ["--out", NOTHING],
        [],
    ],
    "export_match": [["x"], [SOMEBODY], []],
    "export_settings": [["chess"], ["avalon"], ["undercover", "--out", "x.txt"], []],
    "import": [[NOTHING], ["."], []],
    "import_settings": [[NOTHING], ["."], [NOTHING, "--magic"], [NOTHING, "--wiu"], [".", "--wiu"], []],
    "lab": [
        *([SOMEBODY, "1", "--arm", "1=house", "--rollouts", value] for value in (*BAD, "1")),
        *([SOMEBODY, value] for value in BAD),
        ["x", "1"],
        [SOMEBODY, "1"],
        [SOMEBODY],
        [],
    ],
    "load_examples": [["--nonsense"]],
    "load_fixtures": [["--folder", NOTHING]],
    "local_model": [["--port", "0"], ["--port", "99999"], ["--port", "x"]],
    "log_reference": [["--nonsense"]],
    "metric_reference": [["--nonsense"]],
    "part": [["nonsense"], ["daphne", "--port", "99999"], ["daphne", "--port", "x"], []],
    "play": [[NOTHING], ["."], []],
    "prepare": [["--nonsense"]],
    "prompt_reference": [["--nonsense"]],
    "rebuild_seats": [["--nonsense"]],
    "recount": [["--nonsense"]],
    "reproduce": [
        *(["wiu", flag, value] for flag in ("--matches", "--take", "--seed") for value in BAD),
        ["wiu", "--at-once", "0"],
        ["wiu", "--arm", "MPTT"],
        ["wiu", "--arm", "nobody=house"],
        ["wiu", "--arm", "MPTT=nobody"],
        ["spygame", "--defender", "x=house"],
        ["chess"],
        [],
    ],
    "rerun": [["x"], [SOMEBODY], []],
    "run": [["--port", "0"], ["--port", "99999"], ["--port", "x"]],
    "scrub": [[NOTHING], ["."], [NOTHING, "--with", NOTHING], []],
    "simulate": [
        *(["avalon", "recon", flag, value] for flag in ("--matches", "--seats", "--seed") for value in BAD),
        ["avalon", "recon", "--matches", "0"],
        ["avalon", "recon", "--seed", str(2**63 - 1)],
        ["avalon", "recon", "--seats", "99", "--matches", "1"],
        ["avalon", "x"],
        ["chess", "x"],
        ["avalon", "recon", "--agents", "nobody"],
        [],
    ],
    "sweep": [["--every", "0"], ["--every", "-1"], ["--every", "nan"], ["--every", "x"]],
}
"""What is wrong to say to each command. A new one has its line here."""


@pytest.fixture(autouse=True)
def nothing_of_a_command_stays(monkeypatch):
    """A command has a process of its own, and sets in it what it likes; here it is set back."""
    log = logging.getLogger("games.match.changes")
    monkeypatch.setattr(log, "level", log.level)


def test_each_command_is_tried_and_fails_as_all_do():
    assert WRONG.keys() == OURS
    for name in OURS:
        assert isinstance(load_command_class(get_commands()[name], name), SiteCommand), name


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "arguments"), [(name, arguments) for name, every in WRONG.items() for arguments in every]
)
def test_what_is_wrong_is_said_in_a_sentence(name, arguments, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError) as refused:
        call_command(name, *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    assert len(str(refused.value)) > 8 and "Traceback" not in str(refused.value)
    assert refused.value.returncode != 0


CONTENTS = [b"", b"\n\n", b"\x00", b"\xff\xfe", b"{}", b"[]", b"null", b"[" * 5000, b"9" * 5000, b'{"a": "\\ud800"}']
READERS = [
    ("play", []),
    ("play", ["--save"]),
    ("import", []),
    ("import_settings", []),
    ("import_settings", ["--wiu"]),
]


@pytest.mark.django_db
@pytest.mark.parametrize("suffix", [".json", ".csv", ".jsonl.gz"])
@pytest.mark.parametrize(("name", "flags"), READERS)
def test_a_file_that_holds_nothing_is_said_in_a_sentence(name, flags, suffix, tmp_path):
    for content in CONTENTS:
        file = tmp_path / f"file{suffix}"
        file.write_bytes(content)
        try:
            call_command(name, str(file), *flags, stdout=io.StringIO(), stderr=io.StringIO())
        except CommandError as refused:
            assert str(refused)
        except SystemExit as ended:
            assert ended.code == 1
        else:
            raise AssertionError(f"{name} took {content[:20]!r}")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda competition: competition.bouts.update(status="failed", error="No."), "4 of 4 matches failed"),
        (
            lambda competition: Competition.objects.update(status="paused", paused_because="Away."),
            "Paused, since no answer came. Away.",
        ),
    ],
)
def test_a_competition_that_was_not_played_is_no_success(change, sentence, monkeypatch):
    call_command("load_fixtures", verbosity=0)
    monkeypatch.setattr(compete.Command, "play", lambda self, competition, processes: change(competition))
    own = ("own", "house", "--game", "prisoners_dilemma", "--preset", "magic", "--matches", "4")
    with pytest.raises(CommandError, match=sentence):
        call_command("compete", *own, stdout=io.StringIO())


@pytest.mark.django_db
def test_a_folder_of_fixtures_that_are_none_is_said(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(CommandError, match="is not a fixture"):
        call_command("load_fixtures", folder=tmp_path)


@pytest.mark.django_db
def test_settings_that_cannot_be_written_are_said(tmp_path):
    call_command("load_fixtures", verbosity=0)
    for out in (tmp_path / "no" / "x.csv", tmp_path):
        with pytest.raises(CommandError):
            call_command("export_settings", "undercover", out=Path(out))
    call_command("export_settings", "undercover", out=tmp_path / "x.json", stdout=io.StringIO())
    assert json.loads((tmp_path / "x.json").read_text())["rows"]


# The Redis of the site that runs -------------------------------------------------------------------------------------


def test_commands_find_the_redis_of_the_site_that_runs(tmp_path, settings):
    socket = Path(settings.REDIS_URL.removeprefix("unix://"))
    assert own_redis.kept_address(tmp_path) is None
    own_redis.keep_address(tmp_path, socket)
    assert own_redis.kept_address(tmp_path) == f"unix://{socket}"


def test_what_a_site_that_ended_has_left_is_not_believed(tmp_path):
    own_redis.keep_address(tmp_path, tmp_path / "gone.sock")
    assert own_redis.kept_address(tmp_path) is None
    (tmp_path / own_redis.FILE).write_text("redis://elsewhere.example")
    assert own_redis.kept_address(tmp_path) is None


def test_a_database_that_cannot_be_used_is_said_with_what_prepares_it():
    class Asking(SiteCommand):
        def handle(self, *args, **options):
            raise OperationalError("no such table: agents_agentprofile")

    with pytest.raises(CommandError, match=re.escape(PREPARE)):
        call_command(Asking())
