"""Files of logs come in whole or not at all: as they were exported, once, seen by nobody before all is there, and
without the words of who was erased here."""

from __future__ import annotations

import gzip
import io
import json
import random
import struct
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from uuid import UUID

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.urls import reverse

from evaluation.counting import boards
from evaluation.desk.selection import Selection
from evaluation.imports import checking, imports, pieces, reading
from evaluation.labelling import labels
from evaluation.models import Import, ImportPiece, Scheme, Task
from games.audit import Audited
from games.jobs import jobs
from games.match import importing, store
from games.match.erasing import erase
from games.match.rows import Event, stamp
from games.models import ErasedSeat, Job, Match
from games.rules import logfile
from games.rules.random_play import random_action
from tests.games.matches import WORDS, dealt, exported, play_on, stored, thoughts_of

pytestmark = pytest.mark.django_db

LABEL = {"scheme": "exposure", "version": 1, "on": {"event": 5}, "labels": ["none"], "rater": "r1"}


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    """No other process sees what a test has stored."""
    monkeypatch.setattr(checking, "LARGE", imports.MOST_BYTES)


def log_of(seed: int, *, label: bool = False) -> list[str]:
    """The log of a match that was never here."""
    play = play_on(dealt("undercover", "wiu", 5, seed=seed))
    start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=seed)
    times = {event.seq: stamp(start + timedelta(seconds=event.seq)) for event in play.log}
    log = logfile.LogFile(play.header, play.log, times, thoughts_of(play), outcome=play.state.outcome)
    log.annotations = [LABEL] if label else []
    return list(logfile.write(log))


def text(*logs: list[str]) -> bytes:
    return "".join(f"{line}\n" for log in logs for line in log).encode()


def packed(**files: bytes) -> bytes:
    """A zip of JSON Lines; in their names __ stands for a slash."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/") + ".jsonl", content)
    return found.getvalue()


def brought(content: bytes, name: str = "logs.jsonl", **options) -> Import:
    """An import that has ended."""
    found = imports.bring(name, len(content), io.BytesIO(content), **options)
    job = imports.begin(found, send=False)
    jobs.work(job.pk)
    found.refresh_from_db()
    return found


def job_of(found: Import) -> Job:
    return Job.objects.get(kind=imports.KIND, key=str(found.pk))


def nothing_is_left() -> bool:
    rows = (Match.staged_too, Event.objects, ImportPiece.objects, Task.objects.filter(imported=True))
    return not any(one.exists() for one in rows)


def without_ids(match: Match) -> list[str]:
    head, *rest = exported(match)
    return [json.dumps(json.loads(head) | {"id": ""}), *rest]


# What comes in ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("logs.jsonl", lambda logs: text(*logs)),
        ("logs.jsonl", lambda logs: b"\xef\xbb\xbf" + text(*logs).replace(b"\n", b"\r\n")),
        ("logs.jsonl.gz", lambda logs: gzip.compress(text(*logs))),
        ("export.zip", lambda logs: packed(matches=text(*logs), plan=b'{"number": 1}\n')),
        ("export.zip", lambda logs: packed(**{f"matches__{n}": text(log) for n, log in enumerate(logs)})),
        ("logs.zip", lambda logs: packed(one=text(logs[0]), two=text(*logs[1:]))),
    ],
)
def test_logs_come_in_from_every_kind_of_file(name: str, pack: Callable[[list[list[str]]], bytes]):
    found = brought(pack([log_of(1), log_of(2), log_of(3)]), name)
    assert (found.matches, found.new, found.here, found.faults) == (3, 3, 0, [])
    assert {(match.origin, match.seed) for match in found.came} == {("import", seed) for seed in (1, 2, 3)}
    assert len(found.sha256) == 64 and not ImportPiece.objects.exists()
    assert set(found.aside) <= {"plan.jsonl"}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the other process finds the test's database by its file")
def test_two_processes_take_in_the_same_as_one_and_say_the_same_of_what_is_wrong(monkeypatch):
    logs, wrong = [log_of(1), log_of(2), log_of(1)], log_of(3)
    wrong[4] = wrong[4].replace('"by":"', '"by":"nobody ')
    right = packed(matches=text(*logs), plan=b'{"number": 1}\n')
    bad = text(log_of(4), wrong, log_of(5)[:-2], log_of(6))

    def tried() -> list[object]:
        found = []
        for content, name in ((right, "x.zip"), (bad, "x.jsonl")):
            one = brought(content, name)
            came = [without_ids(match) for match in one.came.order_by("seed")]
            sitters = [(sitter.role, sitter.side, sitter.won) for match in one.came for sitter in match.sitters.all()]
            found += [(one.new, one.here, one.aside, one.wrong, one.faults), came, sorted(sitters, key=str)]
            one.came.all().delete()
        return found

    alone = tried()
    assert alone[0] == (2, 1, ["plan.jsonl"], 0, []) and alone[3][3] == 2
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.site_settings")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{connection.settings_dict['NAME']}")
    monkeypatch.setattr(checking, "LARGE", 0)
    assert tried() == alone
    monkeypatch.setattr(checking, "SECOND", "nowhere")
    found = brought(right, "x.zip")
    assert job_of(found).state == "waiting" and not Match.objects.exists()


def test_what_is_exported_deleted_and_imported_is_exported_the_same_but_for_ids():
    lines = log_of(1, label=True)
    head = json.loads(lines[0])
    found = brought(text(lines))
    (match,) = found.came
    before = without_ids(match)
    assert [line for line in before if '"label"' in line[:20]] == [lines[-2]]
    assert json.loads(before[0]) == head | {"id": "", "origin": "import"}
    assert (match.created_at.year, match.ended_at > match.created_at) == (2026, True)  # when it was played
    export = text(exported(match))
    match.delete()
    (again,) = brought(export).came
    assert without_ids(again) == before
    assert next(labels.given([again.pk])).labels == ["none"]
    assert [sitter.role for sitter in again.sitters.all()] != [""] * 5  # found by role and result, like all others
    assert Selection.of({"role": again.sitters.first().role}, None).matches().get() == again


def test_a_file_that_comes_twice_counts_once():
    content = text(log_of(1), log_of(2))
    first, second = brought(content), brought(content + text(log_of(3), log_of(3)))
    assert (first.new, first.here) == (2, 0)
    assert (second.matches, second.new, second.here) == (4, 1, 3)
    assert Match.objects.count() == 3 and not importing.staged()


def test_the_same_file_twice_at_once_counts_once(monkeypatch):
    """Both have staged all of it before the first is published."""
    content, publish = text(log_of(1), log_of(2)), importing.publish
    found: list[Import] = []

    def meanwhile(key, then):
        if not found:
            found.append(Import())
            found[0] = brought(content, "other.jsonl")
        publish(key, then)

    monkeypatch.setattr(importing, "publish", meanwhile)
    slower = brought(content)
    assert (found[0].new, found[0].here, slower.new, slower.here) == (2, 0, 0, 2)
    assert Match.staged_too.count() == 2


def test_a_match_that_had_not_ended_comes_in_if_that_is_asked_for():
    match = stored(play_on(dealt("undercover", "wiu", 5), 4))
    content = text(exported(match))
    match.delete()
    refused = brought(content)
    assert "ends before its match does" in refused.faults[0]["sentence"] and nothing_is_left()
    assert brought(content, unfinished=True).came.get().status == "running"


# All or nothing -----------------------------------------------------------------------------------------------------


def test_one_broken_match_at_the_end_leaves_nothing_and_is_told_by_file_line_and_sentence():
    good, bad = log_of(1, label=True), log_of(2)
    place = next(n for n, line in enumerate(bad) if json.loads(line).get("kind") == "tally")
    tally = json.loads(bad[place])
    tally["data"]["votes"] = dict.fromkeys(tally["data"]["votes"], 2)
    bad[place] = json.dumps(tally)
    found = brought(packed(matches__1=text(good), matches__2=text(bad)), "x.zip")
    (fault,) = found.faults
    assert (fault["file"], fault["line"]) == ("matches/2.jsonl", place + 1)
    assert fault["sentence"].startswith(f"Event {tally['seq']}: the log has data")
    assert job_of(found).error == "Nothing was taken in: 1 thing in this file is wrong."
    assert nothing_is_left() and not Scheme.objects.filter(imported=True).exists()


def test_after_something_wrong_the_next_matches_are_checked_too():
    broken = [line.replace('"by":"person"', '"by":"somebody"') for line in log_of(1)]
    unclear = ["no JSON", *log_of(2)[3:]]
    found = brought(text(broken, log_of(3), log_of(4)[:4] + unclear, log_of(5)[:-1], ['{"type": "match"}']))
    assert all(fault["line"] for fault in found.faults)
    assert [fault["sentence"] for fault in found.faults] == [
        "'by' in the event must be person, agent:<profile>, default, opening or moderator.",
        "This is not a line of a match log: Expecting value.",
        "This log ends before its match does. It is taken only if it is asked for as unfinished.",
        "'format' is missing in the match.",
    ]
    assert nothing_is_left()


def test_at_most_a_hundred_things_are_told_then_how_many_there_are(researcher):
    found = brought(text(*(['{"type": "match"}'] for _ in range(130))))
    assert (found.wrong, len(found.faults)) == (130, 100)
    page = researcher.get(reverse("evaluation:import", args=[found.pk])).content.decode()
    assert "130 things in this file are wrong" in page and "And 30 more." in page


class Killed(BaseException):
    """A process that is gone in the middle: nothing of its own runs any more."""


def killed(found: Import) -> None:
    with pytest.raises(Killed):
        jobs.work(job_of(found).pk)
    Job.objects.update(lease_until=datetime(2020, 1, 1, tzinfo=UTC))  # and nobody renews its lease


@pytest.fixture
def staged(monkeypatch) -> Import:
    """An import whose worker was killed when it had staged two of three matches."""
    content, stage, count = text(log_of(1), log_of(2), log_of(3)), importing.stage, []

    def dies(*given):
        count.append(1)
        if len(count) == 3:
            raise Killed
        return stage(*given)

    monkeypatch.setattr(importing, "stage", dies)
    found = imports.bring("logs.jsonl", len(content), io.BytesIO(content))
    imports.begin(found, send=False)
    killed(found)
    assert Match.staged_too.count() == 2
    return found


def test_nobody_sees_what_is_staged(staged, researcher, admin_client):
    key = Match.staged_too.first().pk
    assert not Match.objects.exists() and not Selection.of({}, None).matches().exists()
    assert boards.Choice().imported == 0
    assert researcher.get(f"/m/{key}/").status_code == 404
    pages = [
        researcher.get("/matches/"),
        *(admin_client.get(f"/admin/games/{n}/") for n in ("match", "event", "thought")),
    ]
    assert not any(str(key)[:8] in page.content.decode() for page in pages)
    assert "civilian_word" not in pages[2].content.decode()


def test_an_import_that_was_killed_while_it_staged_goes_on(staged):
    jobs.work(job_of(staged).pk)
    staged.refresh_from_db()
    assert (staged.new, staged.here, Match.objects.count(), Match.staged_too.count()) == (3, 0, 3, 3)


def test_an_import_that_was_killed_while_it_published_has_published_nothing_and_goes_on(monkeypatch):
    content = text(log_of(1), log_of(2))
    found = imports.bring("logs.jsonl", len(content), io.BytesIO(content))
    imports.begin(found, send=False)

    def dies(*given, **more):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(imports.audit, "note", dies)  # the last thing of the publishing transaction
        killed(found)
    assert not Match.objects.exists() and Match.staged_too.count() == 2
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "_end", dies)  # all is published, and nobody has written down that the job is done
        killed(found)
    assert Match.objects.count() == 2
    jobs.work(job_of(found).pk)
    found.refresh_from_db()
    assert (found.new, found.here, job_of(found).state) == (2, 0, "done")
    assert Audited.objects.filter(what="imported").count() == 1


def test_what_a_stopped_import_has_staged_is_deleted(staged):
    jobs.stop(imports.KIND, key=str(staged.pk))
    for _round in range(3):
        imports.sweep()
    assert nothing_is_left()


def test_a_full_disk_is_said_and_leaves_nothing(monkeypatch):
    from django.db import OperationalError

    def full(*given):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(importing, "publish", full)
    found = brought(text(log_of(1)))
    assert job_of(found).error.startswith("The disk is full.") and nothing_is_left()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_table_plays_and_pages_answer_while_an_import_runs(researcher):
    content, results = text(*map(log_of, range(60))), []

    def take() -> None:
        try:
            results.append(brought(content).new)
        finally:
            connections.close_all()

    play = dealt("undercover", "wiu", 5)
    table, rng = stored(play), random.Random(1)
    importing_it = Thread(target=take)
    importing_it.start()
    waited = []
    while importing_it.is_alive():
        begin, now = time.monotonic(), store.load(table)
        if now.over:
            table = stored(dealt("undercover", "wiu", 5, seed=rng.getrandbits(30)))
            continue
        request = next(one for one in now.state.open.values() if one.waits)
        by = "person" if request.seat < 3 else "agent:house"
        assert store.act(table.pk, request.seat, request.id, random_action(now, request, rng, WORDS), by)
        page = researcher.get(f"/m/{table.pk}/")
        assert page.status_code == 200
        waited.append(time.monotonic() - begin)
    assert results == [60] and len(waited) > 5
    assert sorted(waited)[len(waited) // 2] < 1


# Files that are not as they should be -------------------------------------------------------------------------------


def locked() -> bytes:
    """A zip that says of its file that it is locked."""
    content = bytearray(packed(matches=text(log_of(1))))
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = content.index(mark) + offset
        content[place] |= 1
    return bytes(content)


def many() -> bytes:
    content = bytearray(packed(matches=text(log_of(1))))
    place = content.rindex(b"PK\5\6")
    struct.pack_into("<HH", content, place + 8, 65000, 65000)
    return bytes(content)


def bomb() -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("matches.jsonl", "w") as file:
        for _ in range(30):
            file.write(b" " * 100_000 + b"\n")
    return found.getvalue()


FILES = {
    "broken.zip": (lambda: packed(matches=text(log_of(1)))[:-40], "This zip cannot be opened"),
    "cut.zip": (lambda: packed(matches=text(log_of(1))).replace(b"\x00\x01", b"\x01\x00", 1), None),
    "cut.jsonl.gz": (lambda: gzip.compress(text(log_of(1)))[:900], "It cannot be unpacked from here on"),
    "locked.zip": (locked, "It is locked with a password."),
    "many.zip": (many, "This zip has more than 60000 files."),
    "bomb.zip": (bomb, "It unpacks to more than"),
    "outside.zip": (lambda: packed(**{"..__matches": text(log_of(1))}), "Its name leads out of the zip."),
    "sheet.xlsx": (lambda: packed(sheet=b"<xml/>"), "There is no log of a match in this zip."),
    "empty.zip": (lambda: packed(), "There is no log of a match in this zip."),
    "blank.jsonl": (lambda: b"\n\n", "There is no match in this file."),
    "utf16.jsonl": (lambda: text(log_of(1)).decode().encode("utf-16"), "This is a text in UTF-16."),
    "latin.jsonl": (lambda: text(log_of(1)).replace(b"Ann", b"Ann\xe9", 1), "This is not a text in UTF-8."),
    "picture.jsonl": (lambda: b"\x89PNG\r\n\x1a\n", "This is not a text in UTF-8."),
    "table.jsonl": (lambda: b"a,b\n1,2\n", "This is not a line of a match log"),
    "long.jsonl": (lambda: b'{"' + b"a" * 4_100_000 + b'":1}\n', "A line has at most 4,000,000 characters."),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read_is_said_in_a_sentence(name, monkeypatch):
    monkeypatch.setattr(reading, "MOST_FILES", 60_000)
    monkeypatch.setattr(reading, "LEAST_UNPACKED", 1_000_000)
    make, sentence = FILES[name]
    found = brought(make(), name)
    if sentence is None:
        assert found.faults or found.new
    else:
        assert found.faults[0]["sentence"].startswith(sentence)
        assert all(fault["sentence"].endswith(".") for fault in found.faults)
        assert job_of(found).state == "failed" and nothing_is_left()


def test_a_file_is_too_large_or_has_nothing():
    for size, sentence in ((0, "empty"), (imports.MOST_BYTES + 1, "at most 20 GB")):
        with pytest.raises(imports.Refused, match=sentence):
            imports.announce("x", size)


# Who was erased here ------------------------------------------------------------------------------------------------


def test_an_old_file_does_not_bring_back_an_erased_persons_words_and_name():
    match = stored(play_on(dealt("undercover", "wiu", 5)))
    said = [e.data["text"] for e in store.load(match).log if e.seat == 1 and e.by == "person" and "text" in e.data]
    half = stored(play_on(dealt("undercover", "wiu", 5, seed=8), 6))
    store.end(half.pk, "abandoned", "x")
    old = text(exported(match), [line for line in exported(half) if '"ended"' not in line][:-1])
    erase("ann")
    Match.objects.all().delete()
    found = brought(old, unfinished=True)
    assert (found.new, found.erased) == (2, 2)
    for one in found.came:
        words = "\n".join(exported(one))
        assert "Ann" not in one.names()[1] and '"Ann"' not in words
        assert not any(f'"{word}"' in words for word in said)
    assert store.load(found.came.get(status="finished")).state.outcome.status == "finished"


def test_who_is_erased_while_their_match_is_staged_is_not_published(monkeypatch):
    match = stored(play_on(dealt("undercover", "wiu", 5)))
    old, publish = text(exported(match)), importing.publish

    def meanwhile(key, then):
        ErasedSeat.objects.create(begun="x", dealt="x", digest=Match.staged_too.get().digest, seat=1)
        publish(key, then)

    match.delete()
    monkeypatch.setattr(importing, "publish", meanwhile)
    assert brought(old).came.get().names()[1] == "Player 1"


# By hand ------------------------------------------------------------------------------------------------------------


def test_a_file_is_sent_in_pieces_by_the_page(researcher, workers, monkeypatch):
    monkeypatch.setattr(pieces, "PIECE", 1000)
    content = text(log_of(1), log_of(2))
    page = reverse("evaluation:imports")
    address = researcher.post(page, {"name": "a.jsonl", "size": len(content)}).json()["address"]
    assert researcher.get(address).status_code == 404  # nobody sees it before it is here
    assert "is missing" in researcher.post(f"{address}read/").json()["error"]
    for number in (*range(len(content) // 1000 + 1), 0):  # one comes twice
        piece = content[number * 1000 : (number + 1) * 1000]
        assert researcher.post(f"{address}pieces/{number}/", piece, content_type="").json() == {}
    assert "no piece" in researcher.post(f"{address}pieces/0/", b"x", content_type="").json()["error"]
    assert researcher.post(f"{address}read/").json() == {}
    assert "It waits for a worker." in researcher.get(address).content.decode()
    workers.work(imports.KIND)
    said = researcher.get(address).content.decode()
    assert "2 of 2 matches are new" in said and "a.jsonl" in researcher.get(page).content.decode()
    assert Audited.objects.get(what="imported").details == {"file": "a.jsonl", "new": 2, "here": 0}


def test_without_scripts_a_small_file_is_sent_whole(researcher, workers):
    file = io.BytesIO(text(log_of(1)))
    file.name = "a.jsonl"
    answer = researcher.post(reverse("evaluation:imports"), {"file": file})
    workers.work(imports.KIND)
    assert "1 of 1 matches is new" in researcher.get(answer.url).content.decode()
    assert researcher.post(reverse("evaluation:imports")).status_code == 422


def test_only_who_may_brings_files_and_only_their_own(client, researcher):
    address = researcher.post(reverse("evaluation:imports"), {"name": "a", "size": 3}).json()["address"]
    key = UUID(address.split("/")[-2])
    pages = [reverse("evaluation:imports"), address, f"{address}pieces/0/", f"{address}read/", f"{address}stop/"]
    client.force_login(User.objects.create_user("bob", password="b"))
    answers = [client.get(address), *(client.post(page) for page in pages if page != address)]
    assert {answer.status_code for answer in answers} == {403}
    other = User.objects.create_user("cleo", password="c")
    other.user_permissions.add(Permission.objects.get(codename="import_logs"))
    client.force_login(other)
    assert {client.post(page).status_code for page in pages[2:4]} == {404}
    assert not ImportPiece.objects.filter(brought=key).exists()


def test_the_command_takes_a_file_and_says_what_came_of_it(tmp_path: Path):
    file, out, told = tmp_path / "logs.jsonl", io.StringIO(), io.StringIO()
    file.write_bytes(text(log_of(1), log_of(2)))
    call_command("import", str(file), stdout=out, stderr=told)
    assert set(out.getvalue().split()) == {str(match.pk) for match in Match.objects.all()}
    assert "New: 2 of 2 matches" in told.getvalue()
    with pytest.raises(CommandError, match=r"New: 0 of 2 matches\. Here already, or twice in the file: 2\."):
        call_command("import", str(file), stdout=out, stderr=told)
    file.write_text("no JSON\n")
    with pytest.raises(CommandError, match="1 thing in this file is wrong"):
        call_command("import", str(file), stdout=out, stderr=told)
    assert "logs.jsonl, line 1: This is not a line of a match log" in told.getvalue()
