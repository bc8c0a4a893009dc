"""The same match is here once: a log that comes again is refused with the place where it is."""

import io
import json
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from games.match import beginning, importing, store
from games.match.erasing import erase
from games.models import Match
from games.registry import RULES
from games.rules import logfile
from games.rules.values import Event, Header, LogError, SeatInfo
from tests.games.matches import dealt, exported, play_on, stored
from tests.games.test_play_command import script

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return stored(play_on(dealt("undercover", "wiu", 5)))


def lines_of(match: Match) -> list[str]:
    return exported(match, -1)


def renamed(lines: list[str]) -> list[str]:
    """The same log with other names, other words of people and another id."""
    head, *rest = map(json.loads, lines)
    head |= {"id": "elsewhere", "seats": [seat | {"name": f"Somebody {seat['seat']}"} for seat in head["seats"]]}
    for line in rest:
        if line.get("by") == "person" and "text" in line["data"]:
            line["data"] = {"text": "[erased]"}
    return list(map(json.dumps, [head, *rest]))


def test_a_match_played_here_is_not_imported(match):
    with pytest.raises(LogError, match=f"is here already: {match.pk}"):
        importing.import_log(lines_of(match))
    assert Match.objects.count() == 1


def test_one_log_counts_once(match):
    lines = lines_of(match)
    match.delete()
    copy = importing.import_log(lines)
    for again in (lines, renamed(lines), lines_of(copy)):
        with pytest.raises(LogError, match=f"is here already: {copy.pk}"):
            importing.import_log(again)
    assert (copy.origin, Match.objects.count()) == ("import", 1)


def test_a_log_without_its_times_is_known_too(match):
    head, *rest = map(json.loads, lines_of(match))
    for stripped in (rest[:1], rest):
        for line in stripped:
            line.pop("at", None)
        with pytest.raises(LogError, match=f"is here already: {match.pk}"):
            importing.import_log(map(json.dumps, [head, *rest]))
    assert Match.objects.count() == 1


def test_a_match_is_known_again_after_words_and_names_are_erased(match):
    before = lines_of(match)
    erase("ann")
    match.refresh_from_db()
    assert lines_of(match) != before
    for lines in (before, lines_of(match)):
        with pytest.raises(LogError, match="is here already"):
            importing.import_log(lines)


def test_a_match_of_an_older_release_is_known_too(match):
    Match.objects.update(digest="")
    with pytest.raises(LogError, match="is here already"):
        importing.import_log(lines_of(match))


def test_a_running_match_is_not_imported_beside_itself():
    running = stored(play_on(dealt("undercover", "wiu", 5), 4))
    earlier = lines_of(running)
    request = next(iter(store.load(running).state.open.values()))
    store.act(running.pk, request.seat, request.id, {"text": "quite another clue"})
    for lines in (earlier, lines_of(running)):
        with pytest.raises(LogError, match="is here already"):
            importing.import_log(lines, unfinished=True)


def test_matches_that_differ_are_all_taken():
    lines = []
    for seed in (7, 8):
        match = stored(play_on(dealt("undercover", "wiu", 5, seed=seed)))
        lines.append(lines_of(match))
        match.delete()
    assert {importing.import_log(one).seed for one in lines} == {7, 8}


def test_the_database_holds_it_too(match):
    lines = lines_of(match)
    match.delete()
    copy = importing.import_log(lines)
    with pytest.raises(IntegrityError), transaction.atomic():
        beginning.keep(store.load(copy), origin="import", digest=copy.digest)


def test_the_command_says_it(match, tmp_path):
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines_of(match)))
    with pytest.raises(CommandError, match="Here already, or twice in the file: 1"):
        call_command("import", str(file))


def test_a_script_is_stored_once(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(script()))
    said = []
    for _ in range(2):
        out = io.StringIO()
        call_command("play", str(file), save=True, stdout=out)
        said.append(out.getvalue().splitlines())
    match = Match.objects.get()
    assert said == [
        ["1 stored", "1 games, 1 agree"],
        [f"game 1: This match is here already: {match.pk}.", "0 stored", "1 games, 1 agree"],
    ]
    with pytest.raises(LogError, match="is here already"):
        importing.import_log(lines_of(match))  # its times are those of when it was stored


def test_the_mark_of_a_log_stays_as_it_is():
    """A change here makes every log that is stored or exported unknown."""
    seats = (SeatInfo(1, "Ann"), SeatInfo(2, "Bo", "agent", "house"))
    header = Header("undercover", "magic", {"rounds": 2}, {"civilian_word": "tea"}, 7, seats, 1, id="x")
    events = [
        Event(1, "opened", None, None, {"seats": 2}, "moderator", None),
        Event(2, "dealt", 1, (1,), {"word": "tea"}, "moderator", None),
        Event(3, "clue", 1, None, {"text": "a warm drink"}, "person", "2:1:clue"),
    ]
    log = logfile.LogFile(header, events, {seq: f"2026-01-01T00:00:0{seq}.5Z" for seq in (1, 2, 3)})
    mark = logfile.digest(RULES["undercover"], log)
    assert mark == "e6731f573645837199d4a441e8da95ec7e7382c7a069ee67010d3659918ddaa9"
    said = events[2]._replace(data={"text": "[erased]"})
    assert logfile.digest(RULES["undercover"], replace(log, events=[*events[:2], said])) == mark
    moved = events[2]._replace(seat=2)
    assert logfile.digest(RULES["undercover"], replace(log, events=[*events[:2], moved])) != mark
