"""My evenings: what a person played by the key of their browser, told to nobody else, taken away and erased."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from games.jobs import jobs
from games.match import notebooks
from games.models import Job, Match
from tests.games.tables import browser, match_at, play_out, room_of

pytestmark = pytest.mark.django_db
PAGE = "/evenings/"


@pytest.fixture
def over() -> Match:
    match = match_at(room_of())
    play_out(match)
    return Match.objects.get(pk=match.pk)


def page(person: str = "key-1") -> str:
    answer = browser(person).get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def test_who_has_played_nothing_is_led_to_a_table(over):
    told = page("key-9")
    assert "You have played nothing here yet." in told and str(over.pk) not in told
    assert browser("key-9").post(PAGE, {"sure": "1"}).status_code == 422


def test_a_match_is_told_to_who_played_it_with_role_result_and_best_moment(over):
    for sitter in over.sitters.all():
        told = " ".join(page(sitter.person).split())
        assert str(over.pk) in told and f"You were {sitter.name}, {sitter.role}." in told
        assert ("won" if sitter.won else "lost") in told
    assert f'<td class="number">{int(over.sitters.get(seat=1).won)}</td>' in page("key-1").replace("\n", "")


def test_a_running_match_tells_no_role():
    match = match_at(room_of())
    told = page("key-3")
    assert str(match.pk) in told and "being played" in told
    assert "civilian" not in told and ", undercover." not in told


def test_marks_are_right_where_the_sides_are_as_they_said(over):
    sides = {sitter.seat: sitter.side for sitter in over.sitters.all()}
    steps = {seat: "trust" if side == sides[1] else "doubt" for seat, side in sides.items() if seat != 1}
    notebooks.keep(over, "key-1", "my words", steps, (), 5)
    told = " ".join(page().split())
    assert "Whom you trusted in the end was on your side 1 of 1 times." in told
    assert "Whom you doubted was against you 1 of 1 times." in told
    assert "times." not in page("key-2")


def test_it_is_taken_away_as_one_file_of_what_its_player_may_see(over):
    notebooks.keep(over, "key-1", "my words", {}, (), 5)
    running = match_at(room_of())
    archive = zipfile.ZipFile(io.BytesIO(browser("key-1").get(f"{PAGE}mine.zip").content))
    rows = {row["match"]: row for row in json.loads(archive.read("evenings.json"))}
    assert rows[str(over.pk)]["notes"] == "my words" and rows[str(over.pk)]["role"] == over.sitters.get(seat=1).role
    assert rows[str(running.pk)]["role"] is None
    log = archive.read(f"{running.pk}.jsonl").decode()
    assert "coffee" in log and "tea" not in log and "key-" not in log
    other = zipfile.ZipFile(io.BytesIO(browser("key-9").get(f"{PAGE}mine.zip").content))
    assert other.namelist() == ["evenings.json"]


def test_a_person_has_themselves_erased_once_they_are_sure(over, workers):
    client = browser("key-1")
    answer = client.post(PAGE)
    assert answer.status_code == 422 and "Say that you are sure" in answer.content.decode()
    assert client.post(PAGE, {"sure": "1"}).status_code == 302
    assert "worker" in page() and "You have played nothing" in page("key-9")
    jobs.work(Job.objects.get().pk)
    assert "You have played nothing here yet." in page()
    assert not Match.objects.filter(sitters__person="key-1").exists() and str(over.pk) in page("key-2")


def test_nobody_is_erased_while_they_play(over):
    match_at(room_of())
    answer = browser("key-1").post(PAGE, {"sure": "1"})
    assert answer.status_code == 422 and "You still play a match." in answer.content.decode()
    assert not Job.objects.exists()
