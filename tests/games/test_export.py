"""Logs as files: what is written is read back, plays again to the same end, and is written the same once more."""

import io
import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from games.match import beginning, importing, store
from games.match.erasing import erase
from games.match.view import whole
from games.models import Match, Room
from games.room import rooms
from games.rules.values import ERASED, PUBLIC, Attempt
from tests.games.matches import PRESETS, dealt, exported, exported_text, play_on, prompted, stored

pytestmark = pytest.mark.django_db


def written(match: Match) -> list[str]:
    """The lines of a match's file, without its own id."""
    head, *rest = exported_text(match).splitlines()
    return [json.dumps(json.loads(head) | {"id": ""}), *rest]


def again(match: Match, **options) -> Match:
    """The match that comes of importing an export where the match itself is not."""
    lines = exported(match, -1)
    match.delete()
    return importing.import_log(lines, **options)


@pytest.mark.parametrize("moves", [0, 1, 5, None])
@pytest.mark.parametrize(("game", "preset", "seats"), PRESETS)
def test_exported_imported_and_exported_again_is_the_same_but_for_its_id(game, preset, seats, moves):
    match = stored(play_on(dealt(game, preset, seats), moves))
    before, key = written(match), match.pk
    copy = again(match, unfinished=moves is not None)
    assert copy.pk != key
    assert written(copy) == before


def test_thoughts_and_attempts_stand_before_the_event_that_they_led_to():
    play = play_on(dealt("undercover", "magic", 3), 4)
    answered = next(event for event in play.log if event.by.startswith("agent:"))
    waiting = next(iter(play.state.open.values()))
    attempts = [
        Attempt(request, seat, "agent:house", "malformed", "This is no JSON.", {"text": "x"})
        for request, seat in ((answered.request, answered.seat), (waiting.id, waiting.seat))
    ]
    match = stored(play, attempts=attempts)
    lines = [json.loads(line) for line in written(match)]
    place = next(n for n, line in enumerate(lines) if line.get("seq") == answered.seq)
    assert [line["type"] for line in lines[place - 2 : place]] == ["thought", "attempt"]
    assert lines[-2]["request"] == waiting.id  # unanswered: last, before the outcome
    before = written(match)
    assert written(again(match, unfinished=True)) == before


def test_a_running_match_is_exported_as_running_and_goes_on_after_its_import():
    match = stored(play_on(dealt("undercover", "magic", 3), 2))
    copy = again(match, unfinished=True)
    assert json.loads(written(copy)[-1])["status"] == copy.status == "running"
    request = next(iter(store.load(copy).state.open.values()))
    assert store.act(copy.pk, request.seat, request.id, {"text": "a clue that is new"})


def test_a_fork_keeps_where_it_came_from():
    match = stored(play_on(dealt("avalon", "recon", 6)))
    fork = beginning.fork(match, 20)
    assert json.loads(written(fork)[0])["forked_from"] == {"match": str(match.pk), "seq": 20}
    before = written(fork)
    assert written(again(fork, unfinished=True)) == before


def test_a_takeover_a_pause_and_an_early_end_come_back():
    match = stored(play_on(dealt("undercover", "wiu", 5), 3))
    store.take_over(match.pk, 1)
    store.pause(match.pk)
    store.resume(match.pk)
    store.end(match.pk, "abandoned", "Everybody left.")
    match.refresh_from_db()
    before = written(match)
    copy = again(match)
    assert copy.status == "abandoned"
    assert written(copy) == before


def test_an_import_that_contradicts_the_rules_is_refused_with_its_place():
    lines = exported(stored(play_on(dealt("undercover", "magic", 3))), -1)
    place = next(n for n, line in enumerate(lines) if json.loads(line).get("kind") == "tally")
    tally = json.loads(lines[place])
    tally["data"]["votes"] = dict.fromkeys(tally["data"]["votes"], 2)
    lines[place] = json.dumps(tally)
    with pytest.raises(ValueError, match=f"Event {tally['seq']}"):
        importing.import_log(lines)
    assert Match.objects.count() == 1


@pytest.mark.parametrize(
    ("kind", "field", "value", "reason"),
    [
        ("match", "options", True, "must be an object"),
        ("match", "preset", {}, "must be a text"),
        ("match", "preset", "party", "is for 4 to 12 seats"),
        ("match", "seats", [{"seat": 2, "name": "Ann", "kind": "person"}], "the seats in their order"),
        ("match", "setting", {"civilian_word": 7, "undercover_word": "tea"}, "'civilian_word' is missing"),
        ("match", "seed", 2**63, "a number is too large"),
        ("match", "seed", -1, "must be a whole number"),
        ("event", "at", [1], "a time with its zone"),
        ("event", "at", "2026-01-01T00:00:00", "a time with its zone"),
        ("event", "data", "[erased]", "must be an object"),
        ("event", "request", {"a": 1}, "or null"),
        ("thought", "tokens_in", 2**31, "must be a whole number"),
        ("thought", "note", "x", "has an unknown 'note'"),
        ("outcome", "returns", {"one": 1}, "points by seat"),
    ],
)
def test_a_line_of_another_shape_is_refused_in_a_sentence(kind, field, value, reason):
    lines = exported(stored(play_on(dealt("undercover", "magic", 3))), -1)
    place = next(n for n, line in enumerate(lines) if json.loads(line)["type"] == kind)
    lines[place] = json.dumps(json.loads(lines[place]) | {field: value})
    with pytest.raises(ValueError, match=reason) as refused:
        importing.import_log(lines)
    assert str(refused.value).endswith(".")
    assert Match.objects.count() == 1


# Commands -----------------------------------------------------------------------------------------------------------


def test_the_commands_write_and_read_a_file(tmp_path):
    match = stored(play_on(dealt("avalon", "official", 7)))
    file, out = tmp_path / "match.jsonl", io.StringIO()
    call_command("export_match", str(match.pk), "--out", str(file), stderr=io.StringIO())
    assert file.read_text() == exported_text(match)
    before = written(match)
    match.delete()
    call_command("import", str(file), stdout=out)
    assert written(Match.objects.get(pk=out.getvalue().strip())) == before


def test_an_export_without_a_file_goes_to_the_terminal():
    match, out = stored(play_on(dealt("undercover", "magic", 3))), io.StringIO()
    call_command("export_match", str(match.pk), stdout=out)
    assert out.getvalue() == exported_text(match)


@pytest.mark.parametrize("content", ["", "no JSON", '{"type": "event"}', "\xff"])
def test_a_file_that_is_no_log_is_refused_in_a_sentence(tmp_path, content):
    file = tmp_path / "match.jsonl"
    file.write_bytes(content.encode("latin1"))
    with pytest.raises(CommandError, match=r"\.$"):
        call_command("import", str(file))


def test_an_unknown_match_is_said():
    with pytest.raises(CommandError, match="There is no match"):
        call_command("export_match", str(uuid4()))


# What a viewer may take away ----------------------------------------------------------------------------------------


def test_a_viewers_file_holds_what_the_viewer_saw_and_nothing_else():
    match = stored(play_on(dealt("avalon", "recon", 6), 9))
    for viewer in (PUBLIC, 1, 2):
        head, *rest = [json.loads(line) for line in exported(match, viewer)]
        seen = store.load(match).visible(viewer)
        events = [line for line in rest if line["type"] == "event"]
        assert [(e["seq"], e["data"]) for e in events] == [(e.seq, e.data) for e in seen]
        assert head["seed"] == 0
        assert head["setting"] == {}
        assert all("agent" not in seat for seat in head["seats"])
        assert not any(line["type"] == "thought" for line in rest)
        assert {line["by"] for line in events} <= {"moderator", "seat"}


def test_where_agents_are_not_named_a_viewers_file_does_not_tell_them():
    match = stored(play_on(dealt("undercover", "wiu", 5), 9))
    match.kinds_named = False
    head = json.loads(exported(match, 1)[0])
    assert {seat["kind"] for seat in head["seats"]} == {""}


def test_a_seats_file_holds_its_own_attempts_only():
    play = play_on(dealt("undercover", "magic", 3), 2)
    attempts = [
        Attempt(f"7:{seat}:clue", seat, "person", "own_word", f"No {seat}.", {"text": "tea"}) for seat in (1, 2)
    ]
    match = stored(play, attempts=attempts)
    kept = [json.loads(line) for line in exported(match, 1) if '"attempt"' in line]
    assert [attempt["sentence"] for attempt in kept] == ["No 1."]
    assert not any('"attempt"' in line for line in exported(match, PUBLIC))


# Erasing ------------------------------------------------------------------------------------------------------------


def quoted(match: Match, text: str, seat: int) -> None:
    """Let an agent have read and repeated what a person said."""
    match.thoughts.filter(seat=seat).update(
        pieces=prompted(match, f"Ann said: {text}. Annika did not."), reply=text, data={"why": f"Ann's '{text}'"}
    )


@pytest.mark.parametrize(("game", "preset", "seats"), [("undercover", "wiu", 5), ("avalon", "recon", 6)])
def test_a_persons_words_and_name_are_gone_and_the_log_still_comes_back(game, preset, seats):
    match = stored(play_on(dealt(game, preset, seats)))
    said = [e.data["text"] for e in store.load(match).log if e.seat == 1 and e.by == "person" and "text" in e.data]
    others = [e.data["text"] for e in store.load(match).log if e.seat != 1 and "text" in (e.data or {})]
    quoted(match, said[0], 3)
    erased = erase("ann")
    match.refresh_from_db()
    log = store.load(match).log
    assert erased.words == len(said)
    assert {e.data["text"] for e in log if e.seat == 1 and "text" in (e.data or {})} == {ERASED}
    assert [e.data["text"] for e in log if e.seat != 1 and "text" in (e.data or {})] == others
    assert match.names()[1] == "Player 1"
    assert match.seat_of("ann") is None
    thought = next(thought for thought in whole(match).thoughts if thought["seat"] == 3)
    assert thought["prompt"] == f"Player 1 said: {ERASED}. Annika did not."
    assert said[0] not in thought["reply"] + str(thought["data"])
    before = written(match)
    assert written(again(match)) == before


def test_a_right_guess_is_the_tables_word_and_stays():
    setting = {"civilian_word": "coffee", "undercover_word": "tea", "undercovers": [3], "blanks": [1]}
    play = dealt("undercover", "party", 5, setting=setting, undercovers=1, blanks=1)
    while not play.over:
        for request in list(play.state.open.values()):
            move = {"clue": {"text": f"clue {play.state.seq}"}, "vote": {"seat": 1 if request.seat != 1 else 2}}
            by = "person" if request.seat < 3 else "agent:house"
            play.act(request.seat, request.id, move.get(request.kind, {"text": "coffee"}), by)
    assert play.state.outcome.result == "blank"
    match = stored(play)
    erase("ann")
    match.refresh_from_db()
    texts = {e.kind: e.data["text"] for e in store.load(match).log if e.seat == 1 and e.kind in ("clue", "guess")}
    assert texts == {"clue": ERASED, "guess": "coffee"}
    before = written(match)
    assert written(again(match)) == before


def test_no_table_knows_an_erased_person():
    room = rooms.open_room(game="undercover", preset="magic", seats=3, person="ann", name="Ann")
    Room.objects.create(game="undercover", preset="magic", host="ben", kicked=["ann", "cleo"])
    erase("ann")
    assert not room.seats.exclude(person="", name="").exists()
    assert list(Room.objects.order_by("pk").values_list("host", "kicked")) == [("", []), ("ben", ["cleo"])]


def test_who_still_plays_is_not_erased():
    match = stored(play_on(dealt("undercover", "magic", 3), 2))
    with pytest.raises(CommandError, match="still play"):
        call_command("erase_person", str(match.pk), "1")
    assert match.seat_of("ann") == 1


def test_an_agent_cannot_be_erased():
    match = stored(play_on(dealt("undercover", "magic", 3)))
    with pytest.raises(CommandError, match="No person"):
        call_command("erase_person", str(match.pk), "3")
