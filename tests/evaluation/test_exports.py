"""What files of matches hold: all of it whole, or what was chosen, and nothing of what was left out."""

from __future__ import annotations

import csv
import gc
import io
import json
import zipfile

import pandas
import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection
from hypothesis import example, given
from hypothesis import strategies as some

from evaluation.exports import second, told
from evaluation.exports.collections import COLLECTIONS
from evaluation.exports.content import Content, Pseudonyms
from evaluation.exports.formats.flat import cell, line, value_of
from evaluation.exports.models import Export
from evaluation.exports.writing import uncollected
from evaluation.models import Final, Given, Item, Round, Scheme, Task
from evaluation.tables.sheets import RISKY
from games.audit import Audited
from games.match import beginning, importing, writer
from games.models import Match
from games.registry import RULES
from games.rules.logfile import Encoded
from tests.games.matches import PRESETS, dealt, exported_text, play_on, prompted, stored

pytestmark = pytest.mark.django_db

NAME = "Quixotica"
QUICK = {game: next(row for row in PRESETS if row[0] == game) for game in RULES}


@pytest.fixture
def matches() -> list[Match]:
    """One of each game, played to the end or broken off, with thoughts; two of them of the same people."""
    found = [stored(play_on(dealt(*QUICK[game], seed=n + 1), None if n % 3 else 4)) for n, game in enumerate(RULES)]
    for match in found:
        match.thoughts.all().update(pieces=prompted(match, f"{NAME} sits beside you.\nHear quixotica."))
        writer.reseat(match, 1, name=NAME)
    return found


@pytest.fixture
def exported(tmp_path):
    """Writes an export by the command, and opens it."""

    def write(**options) -> zipfile.ZipFile:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.zip"
        call_command("export", out=path, **options)
        return zipfile.ZipFile(path)

    return write


def table(archive: zipfile.ZipFile, name: str) -> pandas.DataFrame:
    return pandas.read_csv(io.BytesIO(archive.read(f"csv/{name}.csv")))


def logs(archive: zipfile.ZipFile) -> dict[str, list[str]]:
    """The lines of each log, by the id of its match."""
    lines = archive.read("matches.jsonl").decode().splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith('{"type":"match"')]
    parts = [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return {json.loads(part[0])["id"]: part for part in parts}


def everything(archive: zipfile.ZipFile) -> str:
    return "".join(archive.read(name).decode() for name in archive.namelist()).casefold()


def test_without_more_everything_is_written_and_the_files_say_what_they_hold(matches, exported):
    archive = exported()
    assert archive.testzip() is None
    names = {"matches.jsonl", "dictionary.csv", "README.md", "croissant.json"}
    assert set(archive.namelist()) == names | {f"csv/{name}.csv" for name in COLLECTIONS}
    export = Export.objects.get()
    assert (export.matches, export.running) == (len(matches), sum(m.status == "running" for m in matches))
    assert all(export.held(match.pk) for match in matches)
    assert {name: len(table(archive, name)) for name in COLLECTIONS} == export.rows
    assert export.rows["events"] == sum(match.events.count() for match in matches)
    assert export.rows["thoughts"] == sum(match.thoughts.count() for match in matches)
    assert min(export.rows[name] for name in ("votes", "seats", "metric_values", "matches")) > 0
    told = list(csv.DictReader(io.StringIO(archive.read("dictionary.csv").decode())))
    assert {(row["collection"], row["column"]) for row in told} == {
        (one.name, column.name) for one in COLLECTIONS.values() for column in one.columns
    }
    card = archive.read("README.md").decode()
    assert f"Matches: {len(matches)}, of which {export.running} were still running" in card
    assert Audited.objects.get(what="exported").about == f"export {export.pk}"


def test_logs_are_those_that_are_downloaded_one_by_one_and_come_back_whole(matches, exported):
    found = logs(exported(names="for a test"))
    assert {match: "".join(f"{line}\n" for line in lines) for match, lines in found.items()} == {
        str(match.pk): exported_text(match) for match in matches
    }
    for match in matches:
        over, lines = match.status != "running", found[str(match.pk)]
        match.delete()
        copy = importing.import_log(lines, unfinished=not over)
        again = exported(names="for a test", match=str(copy.pk))
        assert logs(again)[str(copy.pk)][1:] == lines[1:]


ALIKE = {"match", "item", "task", "person"}
"""Columns that hold ids, or pseudonyms of one export."""


def test_an_export_that_came_in_again_gives_the_same_export_but_for_ids(matches, exported, tmp_path):
    play = [match for match in matches if match.status != "running"]
    labelled = labels_on(play[0])
    chosen = {"names": "for a test", "status": "over"}
    before = exported(**chosen)
    labelled.delete()
    Match.objects.all().delete()
    call_command("import", before.filename)
    after = exported(**chosen)
    assert [
        [json.loads(lines[0]) | {"id": ""}, *lines[1:]] for lines in logs(before).values()
    ] == [[json.loads(lines[0]) | {"id": ""}, *lines[1:]] for lines in logs(after).values()]  # fmt: skip
    for name in COLLECTIONS:
        one, other = (table(archive, name).drop(columns=ALIKE, errors="ignore") for archive in (before, after))
        pandas.testing.assert_frame_equal(one, other)
    assert len(table(after, "labels")) == 4


def labels_on(match: Match) -> Task:
    """Three raters' labels on its first thought, and what holds."""
    scheme = Scheme.objects.create(name="s", title="s", labels=[{"name": "a"}, {"name": "b"}])
    task = Task.objects.create(scheme=scheme, name="t")
    part = Round.objects.create(task=task, number=1, scheme=scheme, status=Round.Status.CLOSED)
    thought = match.thoughts.first()
    item = Item.objects.create(round=part, number=1, match=match, anchor={"request": thought.request, "thought": 1})
    for rater, label in (("r1", "a"), ("r2", "a"), ("r3", "b")):
        Given.objects.create(item=item, pseudonym=rater, labels=[label], note="so", seconds=2.5)
    Final.objects.create(item=item, labels=["a"], how="adjudicated")
    return task


def test_people_have_pseudonyms_that_hold_in_one_export_and_in_no_other(matches, exported):
    one, other = exported(), exported()
    for archive in (one, other):
        assert NAME.casefold() not in everything(archive)
        seats = table(archive, "seats")
        assert seats[seats.seat == 1].name.nunique() == seats[seats.seat == 1].person.nunique() == 1
        assert seats[seats.kind == "agent"].person.isna().all()
        assert set(seats[seats.kind == "person"].name) == set(seats[seats.kind == "person"].person)
    assert not set(table(one, "seats").person.dropna()) & set(table(other, "seats").person.dropna())
    key = bytes(Export.objects.first().key)
    assert not any(part in other.read(name) for name in other.namelist() for part in (key, key.hex().encode()))
    named = exported(names="they agreed")
    assert set(table(named, "seats").name) >= {NAME} and set(table(named, "seats").person.dropna()) != {NAME}
    assert Audited.objects.first().details["reason"] == "they agreed"


def test_who_plays_on_at_a_persons_seat_bears_their_pseudonym(matches, exported):
    talked = next(match for match in matches if match.status != "running" and match.names()[1] == NAME)
    agents = beginning.fork(talked, talked.events.count() // 2)
    again = beginning.fork(agents, agents.events.count())
    assert agents.names()[1] == again.names()[1] == NAME
    archive = exported()
    seats = table(archive, "seats")
    names = {match: dict(zip(rows.seat, rows.name, strict=True)) for match, rows in seats.groupby("match")}
    assert names[str(talked.pk)][1] == names[str(agents.pk)][1] == names[str(again.pk)][1]
    assert NAME.casefold() not in everything(archive)


def test_nothing_of_what_is_left_out_is_in_any_file(matches, exported):
    words = {"thoughts": ("reply ", "why "), "prompts": ("sits beside you",), "calls": ('"ms":12',)}
    whole = everything(exported())
    for part, traces in words.items():
        chosen = [name for name in Content().chosen if name != part and (part, name) != ("thoughts", "prompts")]
        without = everything(exported(content=",".join(chosen), match=str(matches[0].pk)))
        assert [trace in whole for trace in traces] == [True] * len(traces)
        assert not any(trace in without for trace in traces), part


def hidden_exchanged(match: Match) -> None:
    """Let all that is hidden of a match be something else; what everybody at its table saw stays as it was."""
    for event in match.events.exclude(audience=None):
        event.data = dict.fromkeys(event.data, "exchanged")
        event.save()
    for event in match.events.filter(kind__in=("finished", "ended")):
        event.data |= {"deal": {"exchanged": 1}, "winners": [2], "returns": {"1": 99}}
        event.save()
    match.sitters.update(role="exchanged", side="exchanged", won=None, agent="other")
    match.thoughts.update(reply="exchanged")
    Match.objects.filter(pk=match.pk).update(seed=1, setting={"exchanged": 1}, labels={"challenger": "other"})


def test_an_export_without_roles_is_the_same_whatever_was_hidden(matches, exported, monkeypatch):
    monkeypatch.setattr("evaluation.exports.models.secrets.token_bytes", lambda n: b"same")
    match = next(match for match in matches if match.game == "avalon" and match.status == "finished")
    writer.reseat(match, 3, name="Drawn")
    Match.objects.filter(pk=match.pk).update(kinds_named=False)

    def files() -> dict[str, bytes]:
        archive = exported(content="")
        return {name: archive.read(name) for name in archive.namelist() if name.startswith(("csv/", "matches"))}

    before = files()
    for one in matches:
        hidden_exchanged(Match.objects.get(pk=one.pk))
    match.sitters.filter(seat=4).update(kind="person", agent="", person="somebody")
    assert files() == before
    assert set(before) == {"matches.jsonl", "csv/matches.csv", "csv/seats.csv", "csv/events.csv"}
    seats = [line for line in before["csv/seats.csv"].decode().splitlines() if str(match.pk) in line]
    assert len(seats) == match.sitters.count() and "erson" not in "".join(seats)


def test_the_arms_of_a_suite_are_told_apart_where_one_challenger_plays_both(matches, exported):
    for match, arm in zip(matches[:2], ("good", "evil"), strict=True):
        Match.objects.filter(pk=match.pk).update(origin="import", labels={"challenger": "house", "arm": arm})
    told = table(exported(), "matches").set_index("match").arm
    assert [told[str(match.pk)] for match in matches[:2]] == ["house · good", "house · evil"]


def test_what_would_tell_of_what_is_left_out_is_refused():
    for chosen in (["thoughts"], ["roles", "prompts"], ["labels"], ["polls"], ["metrics"], ["calls"]):
        with pytest.raises(ValidationError, match="would tell of"):
            Content.of(chosen)


@pytest.mark.parametrize(
    "text", [*(f"{sign}1+cmd" for sign in sorted(RISKY)), "''", "", "plain", "tea = hot", "\u2019"]
)
def test_cells_that_look_like_formulas_are_made_safe_and_read_back(text):
    out = io.StringIO()
    csv.writer(out).writerow([cell(text), "x"])
    ((read, _x),) = csv.reader(io.StringIO(out.getvalue()))
    assert read[:1] not in RISKY - {"'"} and value_of(read) == text


@given(some.lists(some.none() | some.booleans() | some.integers() | some.floats() | some.text(), min_size=2))
@example(['a "b"', "c,d", "e\nf", "g\rh", "=i", "", None, True, -0.0, 1e300, Encoded('{"a":"b"}')])
def test_lines_are_those_of_the_standard_library(row):
    out = io.StringIO()
    csv.writer(out).writerow([cell(value) for value in row])
    assert line(row) == out.getvalue()


def test_words_in_files_are_the_words_that_were_said(exported):
    play = play_on(dealt("prisoners_dilemma", "magic", 3, table_talk=True), 2)
    said = ["=SUM(A1)", "'quoted'", 'two, and "more"', "-1"]
    for text in said:
        assert isinstance(play.talk(1, "chat", {"text": text, "to": "all"}), list)
    match = stored(play)
    for excel in (False, True):
        archive = exported(excel=excel)
        data = archive.read("csv/events.csv")
        assert data.startswith(b"\xef\xbb\xbf") == excel and data.endswith(b"\r\n")
        found = pandas.read_csv(io.BytesIO(data), keep_default_na=False, encoding="utf-8-sig")
        assert [value_of(text) for text in found[found.kind == "chat"].words] == said
    assert match.events.filter(kind="chat").count() == len(said)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"content": "secrets"}, "There is no content secrets"),
        ({"formats": "docx"}, "Choose at least one format"),
        ({"game": "chess"}, "--game"),
        ({"game": "avalon", "role": "nobody"}, "No match fits this choice"),
        ({"content": "prompts"}, "would tell of"),
    ],
)
def test_the_command_says_what_is_wrong_and_leaves_nothing(matches, tmp_path, options, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("export", out=tmp_path / "x.zip", **options)
    assert list(tmp_path.iterdir()) == [] and not Export.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="the other process finds the test's database by its file")
def test_two_processes_write_the_same_file_as_one(exported, monkeypatch):
    for seed in range(4):
        stored(play_on(dealt("undercover", "magic", 3, seed=seed)))
    monkeypatch.setattr("evaluation.exports.models.secrets.token_bytes", lambda n: b"same")
    monkeypatch.setattr(told, "CHUNK", 1)
    alone = exported(excel=True)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "tests.site_settings")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{connection.settings_dict['NAME']}")
    monkeypatch.setattr(second, "worth", lambda matches: True)
    together = exported(excel=True)
    assert Export.objects.first().rows == Export.objects.last().rows and Export.objects.first().matches == 4
    for name in alone.namelist():
        if name.startswith(("csv/", "matches")):
            assert together.read(name) == alone.read(name)
    monkeypatch.setattr(second, "MODULE", "nowhere")
    with pytest.raises(RuntimeError, match="second process of an export ended with 1"):
        exported()


def test_what_was_written_is_not_kept_in_memory(monkeypatch):
    for seed in range(12):
        stored(play_on(dealt("undercover", "magic", 3, seed=seed)))
    monkeypatch.setattr(told, "CHUNK", 4)
    keys = list(Match.objects.values_list("pk", flat=True))
    gc.collect()
    before, most = matches_in_memory(), 0
    with uncollected():
        for _one in told.told(keys, Content(metrics=False), Pseudonyms(b"k")):
            most = max(most, matches_in_memory() - before)
    assert most <= 4 + 2, "those of a chunk, and the last one of each before it"


def matches_in_memory() -> int:
    return sum(isinstance(one, Match) for one in gc.get_objects())
