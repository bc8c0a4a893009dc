"""Exports as people have them: who may ask for one and take it away, how it comes, and what becomes of it when a person
is erased, a worker dies, or the disk is full."""

from __future__ import annotations

import errno
import io
import json
import resource
import zipfile
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth.models import Group, User
from django.db import OperationalError
from django.template.defaultfilters import filesizeformat
from django.test import Client
from django.urls import reverse

from evaluation.desk.selection import Selection
from evaluation.exports import exporting, writing
from evaluation.exports.collections import COLLECTIONS
from evaluation.exports.models import Export, Ids
from evaluation.web.pages import exports
from games.audit import Audited
from games.jobs import jobs, sweeper
from games.jobs.jobs import Run
from games.match import erasing
from games.models import Job, Match, Piece
from games.room.models import AccountKey
from magic_site import clock
from tests.games.matches import dealt, play_on, stored

pytestmark = pytest.mark.django_db

CHOSEN = {"content": ["roles", "thoughts", "polls", "calls"], "formats": ["jsonl", "csv"]}


@pytest.fixture
def match() -> Match:
    return stored(play_on(dealt("undercover", "magic", 3)))


@pytest.fixture
def user(researcher) -> User:
    return User.objects.get(username="ada")


@pytest.fixture
def made(match, user, workers, monkeypatch):
    """An export that is made, in pieces of a few bytes."""
    monkeypatch.setattr(exporting, "PIECE", 1000)
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    workers.work("export")
    export.refresh_from_db()
    return export


def address(export: Export) -> str:
    return reverse("evaluation:export_file", args=[export.pk])


def body(answer) -> bytes:
    return b"".join(answer.streaming_content)


# Asking and taking away ----------------------------------------------------------------------------------------------


def test_who_asks_sees_how_many_there_are_and_then_what_the_file_holds(researcher, match, workers):
    stored(play_on(dealt("avalon", "recon", 6), 3))
    page = reverse("evaluation:new_export")
    assert "2 matches" in (shown := researcher.get(page).content.decode()) and "1 of which is still running" in shown
    assert "1 match" in researcher.get(f"{page}?game=undercover").content.decode()
    export = researcher.post(f"{page}?game=undercover", CHOSEN).url
    assert "The file is being made." in researcher.get(export).content.decode()
    workers.work("export")
    shown = researcher.get(f"{export}?part=progress").content.decode()
    found = Export.objects.get()
    assert "Download the zip" in shown and found.sha256 in shown and found.rows["seats"] == 3
    assert "<dt>Seats</dt><dd>3</dd>" in shown and shown.lower().count("<dt>matches</dt>") == 1
    assert not any(f"<dt>{name}</dt>" in shown for name in COLLECTIONS)
    assert {"matches", *exports.COUNTED} == set(COLLECTIONS)
    assert "Game: Undercover" in researcher.get(reverse("evaluation:exports")).content.decode()
    note = Audited.objects.get(what="exported")
    assert note.details["selection"] == {"game": "undercover"} and note.account.username == "ada"


def test_only_researchers_ask_for_exports_and_take_them_away(made):
    pages = [reverse("evaluation:exports"), reverse("evaluation:new_export"), address(made)]
    pages.append(reverse("evaluation:export", args=[made.pk]))
    rater = User.objects.create_user("rita", password="r")
    rater.groups.add(Group.objects.get(name="rater"))
    for who, codes in ((None, {302}), (rater, {403}), (User.objects.create_user("paul"), {403})):
        client = Client()
        if who:
            client.force_login(who)
        assert {client.get(page).status_code for page in pages} == codes
        assert client.post(pages[1], CHOSEN).status_code in codes
    assert Export.objects.count() == 1


def test_names_take_a_right_and_a_reason(researcher, match, user, workers):
    page, named = reverse("evaluation:new_export"), CHOSEN | {"names": "on"}
    researcher.post(page, named | {"reason": "x"})
    assert "names" not in Export.objects.get().content, "without the right it is no choice"
    user.groups.add(Group.objects.get(name="admin"))
    assert "Say why people are to be named" in researcher.post(page, named).content.decode()
    export = researcher.post(page, named | {"reason": "they agreed"}).url
    workers.work("export")
    assert Audited.objects.filter(what="exported").first().details["reason"] == "they agreed"
    file = Export.objects.get(reason="they agreed")
    assert b"Ann" in zipfile.ZipFile(io.BytesIO(body(researcher.get(address(file))))).read("csv/seats.csv")
    user.groups.remove(Group.objects.get(name="admin"))
    assert researcher.get(address(file)).status_code == 403
    assert "You may not have this file" in researcher.get(export).content.decode()


def test_a_right_that_is_taken_away_before_the_file_is_made_ends_it_with_a_sentence(match, user, workers):
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    user.groups.clear()
    workers.work("export")
    assert "No match fits this choice" in Job.objects.get(key=str(export.pk)).error
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    user.delete()
    workers.work("export")
    assert "may not have it any more" in Job.objects.get(key=str(export.pk)).error


def test_who_plays_a_match_of_it_does_not_get_the_file_while_it_runs(researcher, user, workers):
    running = stored(play_on(dealt("undercover", "magic", 3), 2))
    other = User.objects.create_superuser("root")
    export = exporting.ask(exporting.Order(Selection.of({}, other)), other)
    workers.work("export")
    assert researcher.get(address(export)).status_code == 200
    export.refresh_from_db()
    counts = [filesizeformat(export.size), export.sha256, f"<dd>{export.rows['events']}</dd>"]
    pages = [reverse("evaluation:exports"), reverse("evaluation:export", args=[export.pk])]
    assert all(any(count in researcher.get(page).content.decode() for page in pages) for count in counts)
    AccountKey.objects.update_or_create(user=user, defaults={"key": "key-ada"})
    running.sitters.filter(seat=1).update(person="key-ada")
    Match.objects.filter(pk=running.pk).update(seating=1)
    assert researcher.get(address(export)).status_code == 403
    assert not any(count in researcher.get(page).content.decode() for page in pages for count in counts)
    mine = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    workers.work("export")
    assert "No match fits this choice" in Job.objects.get(key=str(mine.pk)).error


# The file -----------------------------------------------------------------------------------------------------------


def test_a_download_that_broke_off_is_gone_on_with(researcher, made):
    whole = body(answer := researcher.get(address(made)))
    assert (answer["Accept-Ranges"], answer["Content-Length"]) == ("bytes", str(len(whole)))
    assert Piece.objects.count() > 3 and len(whole) == made.size
    assert zipfile.ZipFile(io.BytesIO(whole)).testzip() is None
    for asked, start, end in (("bytes=0-9", 0, 10), ("bytes=990-2010", 990, 2011), ("bytes=1000-", 1000, made.size),
                              ("bytes=-7", made.size - 7, made.size), (f"bytes=5-{10**12}", 5, made.size)):  # fmt: skip
        part = researcher.get(address(made), headers={"Range": asked, "If-Range": answer["ETag"]})
        assert (part.status_code, body(part)) == (206, whole[start:end])
        assert part["Content-Range"] == f"bytes {start}-{end - 1}/{made.size}"
    for header in ({"Range": "bytes=0-9", "If-Range": '"another"'}, {"Range": "bytes=0-1,5-6"}, {"Range": "lines=1-2"}):
        assert researcher.get(address(made), headers=header).status_code == 200
    for asked in (f"bytes={made.size}-", "bytes=9-3", "bytes=-0"):
        refused = researcher.get(address(made), headers={"Range": asked})
        assert (refused.status_code, refused["Content-Range"]) == (416, f"bytes */{made.size}")


@pytest.mark.parametrize("how", ["erased", "deleted"])
def test_a_file_goes_when_a_person_or_a_match_in_it_goes_also_while_it_is_taken_away(researcher, made, match, how):
    answer = researcher.get(address(made))
    parts = iter(answer.streaming_content)
    next(parts)
    if how == "erased":
        for change in erasing.also:
            change(match, lambda text: text)
    else:
        match.delete()
    with pytest.raises(Piece.DoesNotExist):
        list(parts)
    assert not Piece.objects.exists() and researcher.get(address(made)).status_code == 302
    page = researcher.get(reverse("evaluation:export", args=[made.pk])).content.decode()
    assert f"in it was {how}" in page
    assert exporting.holding([match.pk or next(iter(ids(made)))]) == [made], "who had it is still known"


def ids(export: Export) -> list[UUID]:
    data = bytes(export.holds)
    return [UUID(bytes=data[place : place + 16]) for place in range(0, len(data), 16)]


def test_a_file_that_is_being_made_while_somebody_is_erased_is_made_anew(match, user, workers, monkeypatch):
    write, times = writing.write, []

    def while_it_is_erased(*given, **more):
        held = write(*given, **more)
        times.append(held)
        if len(times) == 1:
            exporting.forget(match)
        return held

    monkeypatch.setattr(writing, "write", while_it_is_erased)
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    workers.work("export")
    assert (len(times), Job.objects.get().state, Piece.objects.exists()) == (2, "done", True)
    export.refresh_from_db()
    assert export.gone == "" and export.sha256


def test_files_are_kept_for_some_days_and_what_they_held_is_known_afterwards(researcher, made):
    Job.objects.update(ended_at=clock.after(timedelta(days=-8)))
    sweeper.tidy()
    assert not Piece.objects.exists()
    assert "not kept any more" in researcher.get(reverse("evaluation:export", args=[made.pk])).content.decode()
    assert made.held(Match.objects.get().pk)


def test_the_ids_of_an_export_take_sixteen_bytes_each():
    keys = [UUID(int=99), *(UUID(int=n) for n in range(20))]
    held = Ids.of(keys)
    assert len(held) == 16 * 21 and all(key in held for key in keys)
    assert UUID(int=21) not in held and "x" not in held


# What goes wrong ----------------------------------------------------------------------------------------------------


@contextmanager
def no_larger_files():
    """The system lets no file grow beyond a few bytes, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("where", ["folder", "database"])
def test_a_full_disk_is_said_and_nothing_is_left_of_the_file(match, user, workers, monkeypatch, where):
    create = Piece.objects.create

    def full(**piece):
        if piece["number"]:
            raise OperationalError("database or disk is full")
        return create(**piece)

    monkeypatch.setattr(exporting, "PIECE", 1000)
    if where == "database":
        monkeypatch.setattr(Piece.objects, "create", full)
    else:
        write = writing.write

        def limited(*given, **more):
            with no_larger_files():
                return write(*given, **more)

        monkeypatch.setattr(writing, "write", limited)
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    workers.work("export")
    job = Job.objects.get(key=str(export.pk))
    assert (job.state, job.tries) == ("failed", 1) and "There is no room for this file" in job.error
    assert not Piece.objects.exists()
    export.refresh_from_db()
    assert not export.sha256 and match.events.exists()


def test_other_errors_of_files_are_tried_again(match, user, workers, monkeypatch):
    def broken(*given, **more):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(writing, "write", broken)
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    workers.work("export")
    assert Job.objects.get(key=str(export.pk)).state == "waiting"


def test_a_worker_that_has_lost_the_job_writes_no_more_of_it(match, user, workers):
    export = exporting.ask(exporting.Order(Selection.of({}, user)), user)
    job = jobs.claim(workers.jobs["export"].pop())
    Job.objects.filter(pk=job.pk).update(tries=2)
    with pytest.raises(jobs.Lost):
        exporting.make(Run(job), str(export.pk))
    assert not Piece.objects.exists()


def test_an_export_without_a_page_is_refused_with_a_sentence(researcher):
    answer = researcher.get(reverse("evaluation:new_export") + "?competition=nonsense")
    assert answer.status_code == 422 and "There is no competition of that id." in answer.content.decode()
    answer = researcher.post(reverse("evaluation:new_export"), {"content": ["prompts"], "formats": ["jsonl"]})
    assert answer.status_code == 422 and "would tell of" in answer.content.decode()
    assert json.dumps(list(Export.objects.values_list("pk"))) == "[]"
