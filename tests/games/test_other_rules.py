"""Matches of other rules than those of today: what these do not come to is said, and nothing of it is lost."""

from __future__ import annotations

import json

import pytest
from asgiref.sync import sync_to_async as on_thread
from django.core.management import call_command
from django.test import Client

from evaluation.counting.stored import records
from evaluation.metrics.measuring import measure
from games.files import log_files
from games.match import cache as mirrors
from games.match import changes, importing, store
from games.match.erasing import erase, erase_seat
from games.match.rows import Event
from games.match.view import whole
from games.models import Match, Room
from games.registry import RULES
from games.rules import kit
from games.rules.play import Play
from games.rules.values import ERASED, Impossible, LogError
from games.web.sockets import NOT_YOURS
from tests.games.matches import dealt, exported, play_on, stored
from tests.games.pages import Page
from tests.games.tables import match_at, play_out, room_of

pytestmark = pytest.mark.django_db


CHANGED = {
    "a kind that is no more": ("clue", {"kind": "riddle"}),
    "a sealed kind that is no more": ("vote", {"kind": "riddle"}),
    "fields that are no more": ("clue", {"data": {}}),
}


@pytest.fixture(params=CHANGED.values(), ids=CHANGED)
def match(request) -> Match:
    found = stored(play_on(dealt("undercover", "magic", 3)), room=Room.objects.create(game="undercover", host="ann"))
    kind, change = request.param
    Event.objects.filter(match=found, kind=kind).update(**change)
    Match.objects.filter(pk=found.pk).update(rules_version=99)
    return Match.objects.get(pk=found.pk)


def test_its_pages_say_why_it_cannot_be_shown(match):
    pages = [f"/m/{match.pk}/", f"/m/{match.pk}/?as=all", f"/t/{match.room.code}/", f"/m/{match.pk}/thoughts/?seat=3"]
    answers = [Client().get(page) for page in pages]
    assert [answer.status_code for answer in answers] == [409] * len(pages)
    assert all("played under other rules" in answer.content.decode() for answer in answers)
    assert Client().get("/matches/").status_code == 200


@pytest.mark.parametrize("watching", ["live", "delayed"])
def test_so_do_those_of_one_that_is_still_played(watching):
    found = match_at(room_of(watching=watching))
    play_out(found, stop=3)
    Match.objects.filter(pk=found.pk).update(rules_version=99)
    Event.objects.filter(match=found, kind="clue").update(kind="riddle")
    for page in (f"/m/{found.pk}/", f"/t/{found.room.code}/"):
        answer = Client().get(page)
        assert answer.status_code == 409 and "played under other rules" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["", "/ws/m/{match.pk}/?as=public"], ids=["table", "replay"])
async def test_an_open_page_of_it_is_sent_there_to_read_why(path, caplog):
    """A page that was open when the rules changed fetches itself anew."""
    found = await on_thread(match_at)(await on_thread(room_of)())
    await on_thread(play_out)(found, stop=3)
    page = await Page(found.room, path=path.format(match=found)).open()
    await Match.objects.filter(pk=found.pk).aupdate(rules_version=99)
    await Event.objects.filter(match=found, kind="clue").aupdate(kind="riddle")
    mirrors._mirrors.clear()
    await on_thread(changes.tell)(found.room.code, "room")
    assert await page.closed() == NOT_YOURS
    assert page.texts[-1] == '{"kind": "leave"}' and "Traceback" not in caplog.text
    again = Page(found.room, path=path.format(match=found))
    await again.socket.connect(timeout=5)
    assert await again.closed() == NOT_YOURS


def test_all_of_it_can_be_taken_away(match):
    file = whole(match).file()
    assert [event.seq for event in file.events] == list(range(1, match.events.count() + 1))
    assert (file.outcome.status, file.outcome.result) == ("finished", match.result) and file.outcome.winners
    answer = Client().get(f"/m/{match.pk}/export/?as=all")
    assert answer.status_code == 200 and len(answer.content.splitlines()) > len(file.events)
    public = Client().get(f"/m/{match.pk}/export/?as=public")
    shown = [json.loads(line) for line in public.content.decode().splitlines()]
    assert public.status_code == 200 and all(line.get("audience") is None or line["data"] is None for line in shown)


def test_who_played_it_can_be_erased(match):
    said = match.events.filter(seat=1, request__endswith=":vote").get()
    said.kind, said.data = "riddle", {"riddle": "what is round and red"}
    said.save()
    erase("ann")
    file = whole(Match.objects.get(pk=match.pk)).file()
    assert file.events[said.seq - 1].data == {"riddle": ERASED}
    assert file.header.seats[0].name == "Player 1"


def test_who_wants_to_move_in_it_is_told_which_rules_it_had(match, capsys):
    with pytest.raises(LogError, match="version 99 of Undercover"):
        store.load(match)
    call_command("rebuild_seats")
    assert str(match.pk) in capsys.readouterr().err


def test_a_fault_in_a_log_of_todays_rules_is_not_taken_for_old_age(match):
    match.rules_version = 2
    with pytest.raises((KeyError, TypeError)):
        whole(match)


def test_what_is_counted_leaves_it_out_and_says_so(match):
    stored(play_on(dealt("undercover", "magic", 3, seed=8)))
    (old, new) = sorted(records(Match.objects.all()), key=lambda record: record.finished)
    assert (old.id, old.finished, new.finished) == (str(match.pk), False, True)
    counted = measure([old, new], lambda record, seat: "all")
    assert (counted.records, counted.left_out) == (2, 1)
    assert repr(counted.values) == repr(measure([new], lambda record, seat: "all").values)


# Brought from elsewhere ---------------------------------------------------------------------------------------------


def elsewhere(play: Play, **changes) -> list[str]:
    """The file of a match under rules that are not here. changes: by event kind, what its data says there."""
    lines = [json.loads(line) for line in kit.file_of(play).splitlines()]
    lines[0] |= {"rules_version": 99, "labels": {"setting": "1", "challenger": "house", "suite": "wiu"}}
    for line in lines:
        line |= {"at": "2026-01-01T00:00:00Z"} if line["type"] == "event" else {}
        line.get("data", {}).update(changes.get(line.get("kind"), {}))
        if line["type"] == "outcome":
            line.update({key: value for key, value in changes.get("finished", {}).items() if key in line})
    return [json.dumps(line) for line in lines]


def brought(lines: list[str]) -> tuple[Match, str]:
    log = log_files.read_log(lines)
    return importing.take_in(log), " ".join(importing.remarks(log))


def counts(match: Match) -> bool:
    (record,) = records(Match.objects.filter(pk=match.pk))
    assert measure([record], lambda record, seat: "all").left_out == (not record.finished)
    return record.finished


def test_what_todays_rules_come_to_counts_and_is_marked(researcher):
    match, remarks = brought(elsewhere(play_on(dealt("undercover", "wiu", 5))))
    assert "Not re-derived" in remarks and "so that it counts" in remarks
    assert counts(match) and match.sitters.exclude(role="").exists()
    assert json.loads(exported(match)[0])["rederived"] is False
    for page in ("/matches/", f"/m/{match.pk}/"):
        assert "not re-derived" in researcher.get(page).content.decode(), page


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
def test_an_ending_that_todays_rules_do_not_come_to_is_kept_and_counts_nowhere(researcher, rules):
    play = kit.play_through(next(kit.kit_cases(rules)))
    others = [seat.seat for seat in play.header.seats if seat.seat not in play.state.outcome.winners]
    lines = elsewhere(play, finished={"winners": others})
    match, remarks = brought(lines)
    assert "counts in no number" in remarks
    assert not counts(match) and not match.sitters.exclude(role="", won=None).exists()
    call_command("rebuild_seats")
    assert not match.sitters.exclude(won=None).exists()
    assert "not re-derived" in researcher.get("/matches/").content.decode()
    for page in (f"/m/{match.pk}/", f"/m/{match.pk}/?as=all"):
        answer = researcher.get(page)
        assert answer.status_code == 409 and "do not lead to it" in answer.content.decode()
    assert researcher.get("/numbers/cases/").status_code == 200
    again = exported(match)
    assert json.loads(again[0])["rederived"] is False
    assert [json.loads(line) for line in again[1:]] == [json.loads(line) for line in lines[1:]]
    with pytest.raises(LogError, match="already"):
        brought(again)
    match.delete()
    assert exported(brought(again)[0])[1:] == again[1:]


def test_a_kind_that_is_not_here_is_kept_with_all_that_stands_beside_it():
    match = stored(play_on(dealt("undercover", "wiu", 5)))
    lines = [line.replace('"clue"', '"riddle"').replace(":clue", ":riddle") for line in exported(match)]
    lines[0] = lines[0].replace('"rules_version":2', '"rules_version":99')
    match.delete()
    kept = importing.import_log(lines)
    assert kept.thoughts.exists() and not counts(kept)
    assert exported(kept)[1:] == lines[1:]
    erase_seat(kept, 1)
    assert ERASED in "".join(exported(kept))


def test_an_end_that_says_less_than_todays_is_kept_exported_and_erased():
    *lines, end, outcome = map(json.loads, elsewhere(play_on(dealt("undercover", "magic", 3))))
    lines += [end | {"data": {"result": "even"}}, outcome | {"result": "even", "winners": [], "returns": {}}]
    match, _remarks = brought(list(map(json.dumps, lines)))
    assert json.loads(exported(match)[-1]) == lines[-1]
    with pytest.raises(LogError, match="already"):
        brought(exported(match))
    erase_seat(match, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda lines: lines[1].update(seat=9), "Event 1 names a seat that is not at the table"),
        (lambda lines: lines[1].update(audience=[9]), "Event 1 names a seat that is not at the table"),
        (lambda lines: lines[-3].update(request="7:1:clue"), "7:1:clue, which is answered already"),
        (lambda lines: lines[3].update(kind="finished"), "Event 3 .* ends the match, and events come after it"),
        (lambda lines: lines[-2]["data"].update(winners="all"), "is no end: 'winners' in the outcome must be"),
        (lambda lines: lines[-2]["data"].update(status="running"), "is no end: the match is 'running'"),
        (lambda lines: lines[-2]["data"].update(returns={"9": 1}), "The end of the log names a seat"),
        (lambda lines: lines[-1].update(result="nobody"), "says 'nobody' as result; its events give"),
        (lambda lines: lines[-1].update(winners=[3]), r"as winners; its events give \("),
        (lambda lines: lines[-2].update(kind="ended"), "is no end"),
        (lambda lines: lines[-2].update(kind="over"), "ends before its match does|its events give"),
        (lambda lines: lines.pop(), "ends before its match does"),
        (lambda lines: lines[0].update(game="chess"), "There is no game 'chess' here"),
    ],
)
def test_a_log_of_other_rules_that_no_rules_can_have_made_is_refused(change, reason):
    lines = list(map(json.loads, elsewhere(play_on(dealt("undercover", "magic", 3)))))
    change(lines)
    with pytest.raises((LogError, Impossible), match=reason):
        importing.import_log(map(json.dumps, lines))
    assert not Match.objects.exists()


def test_the_commands_say_what_they_take(tmp_path, capsys):
    file, label = tmp_path / "log.jsonl", {"scheme": "s", "version": 1, "on": {}, "labels": ["x"], "rater": "R1"}
    *lines, end = elsewhere(play_on(dealt("undercover", "wiu", 5)), finished={"result": "even"})
    file.write_text("\n".join([*lines, json.dumps({"type": "label"} | label), end]))
    with pytest.raises(SystemExit):
        call_command("play", str(file), "--save")
    assert "version 99 of Undercover" in capsys.readouterr().out and not Match.objects.exists()
    call_command("import", str(file))
    told = capsys.readouterr().err
    assert "counts in no number" in told
    assert whole(Match.objects.get()).file().annotations == [label]
