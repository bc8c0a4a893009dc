"""Numbers, labels, exports, imports and the audit by the API: as their pages have them."""

from __future__ import annotations

import io
import json
import zipfile
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.imports import checking, imports, pieces
from evaluation.labelling import rounds, schemes
from evaluation.labelling.models import Final, Given, Task
from evaluation.models import Export, Import
from games import audit
from games.audit import Audited
from games.jobs import jobs
from games.match import beginning
from games.models import Match, Room
from games.room import accounts, api_keys, chairs, rooms
from tests.evaluation import labelled
from tests.evaluation.test_imports import log_of, text
from tests.games.matches import dealt, play_on, stored
from tests.games.tables import play_out, room_of
from tests.programs import Program

pytestmark = pytest.mark.django_db


def program(user: User, *scopes: str) -> Program:
    person = accounts.person_of(user, None)
    return Program(api_keys.make(person, user, "a test", scopes or tuple(api_keys.SCOPES), 1)[1])


@pytest.fixture
def ada() -> Program:
    """A researcher's program."""
    return program(labelled.user("ada", "researcher"))


# Numbers ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(fixtures) -> list[Match]:
    cache.clear()
    return [stored(play_on(dealt("undercover", "magic", 3, seed=seed))) for seed in (1, 2, 3)]


def test_each_number_has_its_numerator_its_denominator_and_the_events_that_they_are_the_sums_of(ada, played):
    boards = {board["name"]: board for board in ada.ask("numbers/").json()}
    table = ada.ask("numbers/wins/").json()
    assert table["title"] == boards["wins"]["title"] and table["matches"] == 3 and table["fresh"]
    own = [row for row in table["rows"] if not row["source"]]
    numbers = [number for row in own for number in row["numbers"] if number["behind"]]
    assert own and numbers
    for number in numbers:
        behind = ada.get(number["behind"]).json()
        assert behind["next"] is None and {event["match"] for event in behind["events"]} <= {str(m.pk) for m in played}
        if number["denominator"] is None:
            continue
        assert number["value"] == pytest.approx(number["numerator"] / number["denominator"])
        assert sum(event["value"] for event in behind["events"]) == pytest.approx(number["numerator"])
        assert sum(event["weight"] for event in behind["events"]) == pytest.approx(number["denominator"])


def test_numbers_of_a_choice_are_told_once_and_are_then_known(ada, played):
    whole = ada.ask("numbers/wins/")
    known = {"headers": {"If-None-Match": whole["ETag"]}}
    assert ada.get("/api/v1/numbers/wins/", **known).status_code == 304
    assert ada.get("/api/v1/numbers/wins/?game=avalon", **known).json()["matches"] == 0
    stored(play_on(dealt("undercover", "magic", 3, seed=4)))
    assert ada.get("/api/v1/numbers/wins/", **known).json()["matches"] == 4
    assert ada.ask("numbers/none/").status_code == 404
    behind = "/api/v1/numbers/wins/behind/"
    for query in ("", "?column=none"):
        assert ada.get(behind + query).json()["fields"] == {"column": ["This is the name of no metric."]}
    for row in ("{", quote('"\\ud800"')):
        assert ada.get(f"{behind}?column=ours.own_moves&row={row}").status_code == 404


# Labels -------------------------------------------------------------------------------------------------------------


def test_a_rater_labels_by_a_program_and_the_owner_sees_how_far_raters_agree(ada):
    labelled.played(1)
    ann, ben = labelled.raters("ann", "ben")
    task = labelled.task(people=[ann, ben], many=2, per_item=2)
    path = f"labels/{task.pk}/"
    one, other = program(ann), program(ben)
    (row,) = one.ask("labels/").json()["results"]
    assert row["id"] == str(task.pk) and row["rates"] and not row["runs"]
    waiting = one.ask(path + "next/").json()
    assert (waiting["round"], waiting["done"], waiting["total"]) == (1, 0, 2) and waiting["items"][0]["words"]
    first, second = (item["id"] for item in waiting["items"])
    for rater in (one, other):
        answer = rater.put(
            f"/api/v1/{path}items/{first}/", json.dumps({"labels": ["a"], "note": "sure"}), "application/json"
        )
        assert answer.status_code == 204
    assert Given.objects.filter(item=first).count() == 2
    one.put(f"/api/v1/{path}items/{second}/", json.dumps({"labels": ["a"]}), "application/json")
    assert (
        one.delete(f"/api/v1/{path}items/{second}/").status_code == 204 and one.ask(path + "next/").json()["done"] == 1
    )
    wrong = one.put(f"/api/v1/{path}items/{second}/", json.dumps({"labels": ["nope"]}), "application/json")
    assert (wrong.status_code, wrong.json()["detail"]) == (422, "This scheme has no label nope.")
    assert one.ask(path).json()["rounds"][0]["raters"] == [], "how far others are is the owner's to know"
    (part,) = ada.ask(path).json()["rounds"]
    assert [rater["given"] for rater in part["raters"]] == [1, 1] and "ann" not in json.dumps(part)
    whole = ada.ask(path + "rounds/1/agreement/").json()[0]
    assert whole["label"] is None and whole["percent"]["value"] == 1.0 and whole["given"] == 2
    matrix = ada.ask(path + "rounds/1/matrix/").json()
    assert set(matrix["raters"]) == {task.pseudonym(ann), task.pseudonym(ben)}
    assert [set(map(tuple, item["given"].values())) for item in matrix["items"]] == [{("a",)}, set()]
    rounds.close(task.last)
    late = one.put(f"/api/v1/{path}items/{second}/", json.dumps({"labels": ["a"]}), "application/json")
    assert late.status_code == 409 and "closed" in late.json()["detail"] and Final.objects.count() == 1
    assert one.ask(path + "next/").json() == {"round": None, "done": 0, "total": 0, "items": []}


def test_nobody_is_told_what_others_gave_in_an_open_round_in_which_they_rate():
    labelled.played(1)
    eve = labelled.user("eve", "rater", "researcher")
    task = labelled.task(people=[eve], many=1, per_item=1)
    for rest in ("agreement", "matrix"):
        answer = program(eve).ask(f"labels/{task.pk}/rounds/1/{rest}/")
        assert answer.status_code == 403 and "what raters give is shown when it is closed" in answer.json()["detail"]


# Exports and imports ------------------------------------------------------------------------------------------------


def test_an_export_is_asked_for_followed_and_taken_away_in_parts(ada, played, workers):
    made = ada.send("exports/", selection={"game": "undercover", "sample": 2}, formats=["jsonl"], content=[])
    assert made.status_code == 201 and made.json()["standing"]["waiting"] == 1 and made.json()["file"] == ""
    path = f"exports/{made.json()['id']}/"
    assert (early := ada.ask(path + "file/")).status_code == 409 and early.json()["detail"]
    workers.work("export")
    told = ada.ask(path).json()
    assert told["matches"] == 2 and told["standing"] is None and told["file"] == f"/api/v1/{path}file/"
    whole = b"".join(ada.get(told["file"]).streaming_content)
    assert len(whole) == told["size"] and zipfile.ZipFile(io.BytesIO(whole)).testzip() is None
    part = ada.get(told["file"], headers={"Range": "bytes=10-19"})
    assert part.status_code == 206 and b"".join(part.streaming_content) == whole[10:20]
    assert ada.ask("exports/").json()["results"][0]["id"] == told["id"]
    assert Audited.objects.filter(what="exported", account__username="ada").count() == 3


def test_who_loses_a_right_between_two_calls_is_refused_at_the_second(ada, played, workers):
    made = ada.send("exports/", selection={"game": "undercover"}, formats=["jsonl"], content=[]).json()
    workers.work("export")
    file = f"exports/{made['id']}/file/"
    assert ada.ask(file).status_code == ada.ask("profiles/").status_code == 200
    User.objects.get(username="ada").groups.clear()
    assert ada.ask(f"matches/{played[0].pk}/thoughts/").status_code == 404
    for path in (file, "profiles/", "competitions/"):
        assert ada.ask(path).json()["code"] == "not_allowed", path
    assert ada.send("exports/", formats=["jsonl"]).status_code == 403


def test_an_export_of_a_fork_of_a_table_that_hid_agents_hides_them(ada, fixtures, workers):
    room = room_of(2, agents_named=False)
    chairs.fill(room, "key-1", "house")
    match = rooms.start(Room.objects.get(pk=room.pk), "key-1")
    play_out(match)
    fork = beginning.fork(Match.objects.get(pk=match.pk), 7)
    play_out(fork)
    made = ada.send("exports/", selection={"origin": "fork"}, formats=["jsonl", "csv"], content=[]).json()
    workers.work("export")
    packed = zipfile.ZipFile(io.BytesIO(b"".join(ada.ask(f"exports/{made['id']}/file/").streaming_content)))
    told = {name: packed.read(name).decode() for name in packed.namelist() if name.endswith((".jsonl", ".csv"))}
    assert any(str(fork.pk) in text for text in told.values())
    told.pop("dictionary.csv")
    lines = [(name, line) for name, text in told.items() for line in text.splitlines()[name.endswith(".csv") :]]
    telling = ("agent:house", '"agent"', ",agent,", ",house,")
    assert [(name, line) for name, line in lines if any(word in line for word in telling)] == []


def test_a_long_list_asks_no_more_than_a_short_one(ada, django_assert_max_num_queries):
    user = User.objects.get(username="ada")
    task = Task.objects.create(name="one", scheme=schemes.make("steps", labelled.content()))
    for path, make in {
        "exports/": lambda: Export.objects.create(name="x", created_by=user),
        "imports/": lambda: Import.objects.create(name="x", size=1, received=True, created_by=user),
        "labels/": lambda: Task.objects.create(name="x", scheme=task.scheme),
        "audit/": lambda: audit.note("exported", by=user, about="x"),
    }.items():
        caller = program(labelled.user("root", "admin"))
        make()
        with CaptureQueriesContext(connection) as few:
            assert caller.ask(path).json()["results"]
        for _one in range(5):
            make()
        with django_assert_max_num_queries(len(few)):
            assert len(caller.ask(path).json()["results"]) > 5


def test_what_makes_no_sense_in_an_export_is_told_by_field(ada):
    for wrong, field, named in (
        ({"selection": {"since": "yesterday"}, "formats": ["jsonl"]}, "since", "since: "),
        ({"selection": {"gmae": "avalon"}, "formats": ["jsonl"]}, "selection", "selection: "),
        ({"selection": {"game": ["avalon"]}, "formats": ["jsonl"]}, "selection.game", "selection.game: "),
        ({"selection": {}, "formats": []}, "formats", "formats: "),
        ({"formats": ["jsonl", "none"]}, "formats.1", "formats.1: "),
        ({"content": ["thoughts"], "formats": ["jsonl"]}, "body", ""),
    ):
        answer = ada.send("exports/", **wrong)
        assert answer.status_code == 422, wrong
        assert answer.json()["detail"] == named + answer.json()["fields"][field][0]
    named = ada.send("exports/", formats=["jsonl"], names=True, reason="to know")
    assert named.status_code == 403 and not Export.objects.exists()


def test_a_file_of_logs_is_brought_in_pieces_read_and_told_of(ada, monkeypatch):
    monkeypatch.setattr(checking, "LARGE", imports.MOST_BYTES)
    monkeypatch.setattr(pieces, "PIECE", 2000)
    content = text(log_of(1))
    found = ada.send("imports/", name="logs.jsonl", size=len(content)).json()
    path = f"/api/v1/imports/{found['id']}/"
    cut = [content[start : start + found["piece"]] for start in range(0, len(content), found["piece"])]
    assert len(cut) > 1
    for number, piece in enumerate(cut):
        missing = ada.send(f"imports/{found['id']}/read/")
        assert missing.status_code == 409 and "missing" in missing.json()["detail"]
        assert ada.put(f"{path}pieces/{number}/", piece, "application/octet-stream").status_code == 204
    assert ada.put(f"{path}pieces/0/", b"short", "application/octet-stream").status_code == 409
    assert ada.send(f"imports/{found['id']}/read/").json()["standing"]["waiting"] == 1
    jobs.work(jobs.Job.objects.get(kind=imports.KIND).pk)
    told = ada.get(path).json()
    assert told["new"] == 1 and told["came"] == [str(Match.objects.get().pk)] and told["published_at"]
    assert [one["id"] for one in ada.ask("imports/").json()["results"]] == [found["id"]]


def test_what_is_wrong_with_a_file_is_told_by_line(ada, monkeypatch):
    monkeypatch.setattr(checking, "LARGE", imports.MOST_BYTES)
    found = ada.send("imports/", name="logs.jsonl", size=4).json()
    path = f"/api/v1/imports/{found['id']}/"
    ada.put(f"{path}pieces/0/", b"nope", "application/octet-stream")
    ada.send(f"imports/{found['id']}/read/")
    jobs.work(jobs.Job.objects.get(kind=imports.KIND).pk)
    told = ada.get(path).json()
    assert told["wrong"] == 1 and told["faults"][0]["line"] == 1 and told["standing"]["error"]
    other = program(labelled.user("bob", "researcher"))
    unread = Import.objects.create(name="x", size=4, created_by=User.objects.get(username="ada"))
    assert other.get(f"/api/v1/imports/{unread.pk}/").status_code == 404


# The audit ----------------------------------------------------------------------------------------------------------


def test_the_audit_is_read_by_admins_as_on_its_page(ada, played):
    ada.ask(f"matches/{played[0].pk}/log/")
    root = program(labelled.user("root", "admin"))
    (row,) = root.ask("audit/", what="exported").json()["results"]
    assert (row["who"], row["match"], row["about"]) == ("ada", str(played[0].pk), "log")
    for name, value, sentence in (
        ("match", "x", "A match is named by its id"),
        ("since", "yesterday", "A day is written like 2026-01-31."),
        ("until", "9999-12-31", "This is the last day that there is."),
    ):
        wrong = root.ask("audit/", **{name: value})
        assert wrong.status_code == 422 and wrong.json()["detail"].startswith(f"{name}: {sentence}")
    assert ada.ask("audit/").status_code == 403
