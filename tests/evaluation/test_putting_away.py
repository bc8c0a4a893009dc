"""Logs of a finished competition are put away into one file beside the database: read from there as before, erased
there too, and back by one click; whatever breaks off loses nothing."""

from __future__ import annotations

import lzma
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from evaluation.competitions import putting_away, running
from evaluation.counting import boards
from evaluation.models import MatchSums
from evaluation.suites import Entry
from games.audit import Audited
from games.jobs import jobs
from games.match import archive, beginning, bulk, changes, store, view
from games.match.erasing import erase_seat
from games.match.rows import Attempt, Event, PromptText, Thought
from games.models import Archive, Away, Job, Match
from magic_site import clock
from tests.games.matches import dealt, exported, play_on, stored

pytestmark = pytest.mark.django_db

ROWS = (Event, Thought, PromptText, Attempt)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(settings, "ARCHIVES", str(tmp_path / "archives"))
    return tmp_path / "archives"


@pytest.fixture
def competition(workers):
    """One whose matches are played, three of them; a person once played in the last."""
    call_command("load_fixtures", verbosity=0)
    more = {"game": "prisoners_dilemma", "preset": "magic"}
    made = running.make("Dilemmas", "own", Entry(("house",), matches=3, more=more))
    running.start(made)
    workers.play()
    made.refresh_from_db()
    bout = made.bouts.last()
    bout.match.delete()
    bout.match = stored(play_on(dealt("undercover", "wiu", 5)))
    bout.save()
    return made


@pytest.fixture
def away(competition, workers):
    before = {match.pk: exported(match) for match in putting_away.matches_of(competition)}
    rows = [list(model.objects.order_by("pk").values()) for model in ROWS]
    putting_away.ask(competition, None)
    workers.work(putting_away.KIND)
    assert not any(model.objects.exists() for model in ROWS)
    for kept in changes.Kept.every:
        kept.clear()
    return before, rows


def file_of(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def text_of(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes())


def test_a_log_reads_the_same_from_the_file_wherever_it_is_asked_for(competition, away, folder, researcher):
    before, _rows = away
    assert text_of(file_of(folder)).count(b"\n") == len(before)
    keys = list(before)
    readers = {
        "export": lambda key: exported(Match.objects.get(pk=key)) == before[key],
        "load": lambda key: store.load(Match.objects.get(pk=key)).state.outcome.status == "finished",
        "many": lambda key: bool(view.everything([key])[key].events),
        "bulk": lambda key: next(bulk.logs([key])).log.events == view.log_of(Match.objects.get(pk=key)).events,
        "thoughts": lambda key: bool(view.thinkers(Match.objects.get(pk=key), view.OMNISCIENT)),
        "first": lambda key: view.first_thought(Match.objects.get(pk=key)) > 0,
        "own": lambda key: bool(view.own_thoughts(Match.objects.get(pk=key))),
        "fork": lambda key: beginning.fork(Match.objects.get(pk=key), 3) is not None,
        "replay": lambda key: researcher.get(f"/m/{key}/?as=all").status_code == 200,
        "page": lambda key: researcher.get(f"/m/{key}/thoughts/?as=all&seq=5").status_code in (200, 404),
    }
    thinking = competition.bouts.last().match_id
    for name, reads in readers.items():
        archive.let_go(putting_away.matches_of(competition))
        assert Match.objects.filter(away=True).count() == len(keys), name
        assert reads(thinking), name
        assert not Match.objects.get(pk=thinking).away, name


def test_sums_stay_and_numbers_are_the_same(competition, workers):
    choice = boards.Choice(competition=str(competition.pk))
    before = boards.board(choice)
    kept = set(MatchSums.objects.values_list("pk", flat=True))
    putting_away.ask(competition, None)
    workers.work(putting_away.KIND)
    assert set(MatchSums.objects.values_list("pk", flat=True)) == kept != set()
    assert boards.board(choice) == before and not Event.objects.exists()
    MatchSums.objects.all().delete()  # counted anew, from the file
    assert str(boards.board(choice)) == str(before)


def test_one_click_brings_all_rows_back_as_they_were(competition, away, folder, researcher, workers):
    _before, rows = away
    address = reverse("evaluation:competition", args=[competition.pk])
    page = researcher.get(address).content.decode()
    assert "The logs of 3 matches are put away" in page and "Bring them back" in page
    researcher.post(reverse("evaluation:move_logs", args=[competition.pk]), {"back": "1"})
    workers.work(putting_away.KIND)
    assert [list(model.objects.order_by("pk").values()) for model in ROWS] == rows
    assert not Archive.objects.exists() and not Match.objects.filter(away=True).exists()
    assert "Put the logs away" in researcher.get(address).content.decode()
    assert [row.details["way"] for row in Audited.objects.filter(what="archived").order_by("pk")] == ["away", "back"]


def test_who_is_erased_is_erased_in_the_file_too(competition, away, folder):
    match = competition.bouts.last().match
    assert "Ann" in match.names()[1] and b'"person"' in text_of(file_of(folder))
    said = [e.data["text"] for e in store.load(match).log if e.seat == 1 and e.by == "person" and "text" in e.data]
    erase_seat(match, 1)
    assert not any(word in "".join(exported(Match.objects.get(pk=match.pk))) for word in map('"{}"'.format, said))
    content = b"".join(text_of(path) for path in folder.iterdir() if path.name in names())
    assert not any(word.encode() in content for word in said) and content.count(b"\n") == 2
    putting_away.ask(competition, None)  # and the others are still there
    for other in putting_away.matches_of(competition).exclude(pk=match.pk):
        assert exported(other) == away[0][other.pk]


def names() -> set[str]:
    return set(Archive.objects.values_list("name", flat=True))


class Killed(BaseException):
    """A process that is gone in the middle."""


@pytest.mark.parametrize("after", range(6))
def test_whatever_breaks_off_loses_nothing_and_goes_on(competition, monkeypatch, after):
    before = {match.pk: exported(match) for match in putting_away.matches_of(competition)}
    putting_away.ask(competition, None)
    (job,) = Job.objects.filter(kind=putting_away.KIND)
    steps = []

    def dying(step):
        def dies(*given, **more):
            steps.append(1)
            if len(steps) == after + 1:
                raise Killed
            return step(*given, **more)

        return dies

    with monkeypatch.context() as patch:
        for name in ("_packed", "_let_go", "_stream"):
            patch.setattr(archive, name, dying(getattr(archive, name)))
        patch.setattr(archive.os, "fsync", dying(archive.os.fsync))
        with pytest.raises(Killed):
            jobs.work(job.pk)
    Job.objects.update(lease_until=clock.after(timedelta(days=-1)))
    assert {match.pk: exported(match) for match in putting_away.matches_of(competition)} == before
    jobs.work(job.pk)
    assert Match.objects.filter(away=True).count() == 3 and Away.objects.count() == 3
    assert {match.pk: exported(match) for match in putting_away.matches_of(competition)} == before


def test_what_was_read_is_let_go_of_again_after_a_while_and_files_of_nobody_are_deleted(competition, away, folder):
    exported(putting_away.matches_of(competition).first())
    stray = folder / "stray.xz"
    stray.write_bytes(b"x")
    archive.sweep()
    assert Match.objects.filter(away=True).count() == 2 and stray.exists()  # it may be being written
    Away.objects.update(back_at=clock.after(timedelta(hours=-2)))
    import os

    os.utime(stray, (0, 0))
    archive.sweep()
    assert Match.objects.filter(away=True).count() == 3 and not stray.exists()
    assert {path.name for path in folder.iterdir()} == names()


def test_logs_of_a_competition_that_goes_on_stay(competition, workers):
    competition.status = "running"
    competition.save()
    putting_away.ask(competition, None)
    workers.work(putting_away.KIND)
    assert Job.objects.get(kind=putting_away.KIND).error == "This competition is not over: its logs stay."
    assert Event.objects.exists()
