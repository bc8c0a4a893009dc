"""Logs that cannot have been: what a replay does not derive anew is checked for what is impossible."""

import json
import random

import pytest

from games.files import log_files
from games.registry import RULES
from games.rules import kit
from games.rules.logfile import LogFile
from games.rules.values import ERASED, LogError
from tests.games.matches import dealt, play_on, thoughts_of

REFUSED = pytest.raises(LogError)


def log_of(play, thoughts=(), attempts=()) -> list[dict]:
    """The lines of a match's file, as objects."""
    records = [json.loads(line) for line in kit.file_of(play).split("\n")]
    beside = [{"type": "thought"} | one for one in thoughts] + [{"type": "attempt"} | one for one in attempts]
    return [*records[:-1], *beside, records[-1]]


def read(records: list[dict], **options):
    return log_files.read_log(map(json.dumps, records), **options)


@pytest.fixture(scope="module")
def match() -> list[dict]:
    """People on the first two seats, house agents with thoughts on the others."""
    play = play_on(dealt("undercover", "wiu", 5))
    return log_of(play, thoughts_of(play))


def changed(records: list[dict], place: int, **values) -> list[dict]:
    return [*records[:place], records[place] | values, *records[place + 1 :]]


def first(records: list[dict], **values) -> int:
    return next(n for n, one in enumerate(records) if values.items() <= one.items())


def test_the_log_itself_is_taken(match):
    assert len(read(match).thoughts) > 3


# Erased words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
def test_only_what_a_person_said_can_be_erased(rules):
    rng = random.Random(rules.name)
    play = kit.play_through(min(kit.kit_cases(rules), key=lambda trial: trial.seats))
    records = log_of(play)
    places = [(n, name) for n, one in enumerate(records) if one["type"] == "event" for name in one["data"]]
    for place, name in rng.sample(places, min(30, len(places))):
        event = records[place]
        if event["by"] == "person" and name in rules.all_kinds[event["kind"]].words:
            continue
        with REFUSED:
            read(changed(records, place, data=event["data"] | {name: ERASED}))
        if isinstance(event["data"][name], (dict, list)):
            with REFUSED:
                read(changed(records, place, data=event["data"] | {"note": ERASED}))


def test_an_erased_answer_is_checked_in_all_else():
    plays = [play_on(dealt("spygame", "party", 5, seed=seed)) for seed in range(20)]
    leads = [(play, event) for play in plays for event in play.log if event.kind == "lead" and event.data["text"]]
    play, lead = next((play, event) for play, event in leads if event.by == "person")

    records = log_of(play)
    place = first(records, type="event", seq=lead.seq)

    def told(**data) -> LogFile:
        return read(changed(records, place, data=lead.data | {"text": ERASED} | data))

    assert told().events[lead.seq - 1].data["text"] == ERASED
    for lie in ({"accuse": True}, {"seat": lead.seat}, {"seat": 99}, {"why": 1}):
        with REFUSED:
            told(**lie)


def test_words_of_several_seats_that_are_erased_do_not_repeat_one_another(match):
    erased = [
        one | {"data": {"text": ERASED}} if one.get("kind") == "clue" and one["by"] == "person" else one
        for one in match
    ]
    assert sum(one.get("data") == {"text": ERASED} for one in erased) >= 2
    read(erased)


# The end ------------------------------------------------------------------------------------------------------------


def test_a_log_without_its_last_line_is_taken_as_unfinished_only(match):
    with pytest.raises(LogError, match="unfinished"):
        read(match[:-1])
    read(match[:-1], unfinished=True)


def test_a_running_match_is_taken_as_unfinished_only():
    running = log_of(play_on(dealt("undercover", "wiu", 5), 4))
    with pytest.raises(LogError, match="unfinished"):
        read(running)
    read(running, unfinished=True)


def test_nothing_stands_after_the_end(match):
    for line in (match[-1], match[-2], match[1]):
        with pytest.raises(LogError, match="has ended before this line"):
            read([*match, line])


@pytest.mark.parametrize("change", [{"status": "void"}, {"result": "nobody"}, {"winners": [1]}, {"returns": {}}])
def test_another_end_is_refused(match, change):
    with REFUSED:
        read([*match[:-1], match[-1] | change])


# Who did it ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seat": 9}, "never asked"),
        ({"request": "1:3:clue"}, "never asked"),
        ({"request": "nonsense"}, "never asked"),
    ],
)
def test_a_thought_about_what_was_not_asked_is_refused(match, change, reason):
    with pytest.raises(LogError, match=reason):
        read(changed(match, first(match, type="thought"), **change))


def test_a_person_has_no_thoughts_of_an_agent(match):
    asked = first(match, type="event", kind="clue", by="person")
    of_a_person = {name: match[asked][name] for name in ("request", "seat")}
    with pytest.raises(LogError, match="no agent played it"):
        read(changed(match, first(match, type="thought"), data={}, **of_a_person))


BELIEFS = {"owner": 3, "labels": ["a", "b"], "suspects": ["b"], "shared": "labels", "rows": {"3": {"1": [0.5, 0.5]}}}


def with_beliefs(records: list[dict], beliefs) -> list[dict]:
    """The log, its first thought of seat 3 with these beliefs."""
    return changed(records, first(records, type="thought", seat=3), data={"beliefs": beliefs})


@pytest.mark.parametrize(
    "change",
    [
        {"owner": 4},
        {"owner": "3"},
        {"labels": None},
        {"labels": ["a", {}]},
        {"labels": ["a", "a"]},
        {"suspects": ["c"]},
        {"shared": None},
        {"rows": 0},
        {"rows": {}},
        {"rows": {"3": []}},
        {"rows": {"3": {"1": [1]}}},
        {"rows": {"3": {"1": [0.5, None]}}},
        {"rows": {"3": {"1": [2, -1]}}},
        {"rows": {"3": {"9": [0.5, 0.5]}}},
        {"rows": {"3": {}, "x": {}}},
    ],
)
def test_beliefs_that_no_page_could_show_and_no_number_count_are_refused(match, change):
    assert read(with_beliefs(match, BELIEFS)).thoughts
    with REFUSED:
        read(with_beliefs(match, BELIEFS | change))


@pytest.mark.parametrize("beliefs", [[1], "x", {"rows": {}}])
def test_nor_what_is_no_matrix(match, beliefs):
    with REFUSED:
        read(with_beliefs(match, beliefs))


def test_an_attempt_about_what_was_not_asked_is_refused(match):
    attempt = {
        "request": "7:9:clue",
        "seat": 9,
        "by": "person",
        "code": "x",
        "sentence": "x",
        "action": 1,
        "instead": "x",
    }
    with pytest.raises(LogError, match="never asked"):
        read([*match[:-1], {"type": "attempt"} | attempt, match[-1]])


@pytest.mark.parametrize("by", ["agent:house", "moderator", "opening"])
def test_a_persons_seat_is_played_by_the_person(match, by):
    with pytest.raises(LogError, match=r"cannot be by|the log has by"):
        read(changed(match, first(match, kind="clue", by="person"), by=by))


def test_an_agents_seat_is_played_by_no_person(match):
    with pytest.raises(LogError, match="cannot be by"):
        read(changed(match, first(match, kind="clue", by="agent:house"), by="person"))


@pytest.mark.parametrize(
    ("seat", "change"), [(1, {"agent": "house"}), (3, {"kind": "person"}), (1, {"kind": "agent"}), (3, {"agent": ""})]
)
def test_a_seat_is_a_persons_or_an_agents(match, seat, change):
    seats = [one | change if one["seat"] == seat else one for one in match[0]["seats"]]
    with pytest.raises(LogError):
        read([match[0] | {"seats": seats}, *match[1:]])


def test_a_fork_of_more_than_there_is_is_refused(match):
    with pytest.raises(LogError, match="no such event"):
        read([match[0] | {"forked_from": {"match": "x", "seq": 9999}}, *match[1:]])


# Notes of the table -------------------------------------------------------------------------------------------------


def noted(*notes) -> list[dict]:
    play = play_on(dealt("undercover", "wiu", 5), 3)
    for kind, seat, data in notes:
        play.note(kind, seat, data)
    return log_of(play)


@pytest.mark.parametrize(
    "notes",
    [
        [("resumed", None, {})],
        [("paused", None, {}), ("paused", None, {})],
        [("paused", None, {"why": "tea"})],
        [("paused", 1, {})],
        [("returned", 1, {})],
        [("taken_over", None, {"by": "house"})],
        [("taken_over", 1, {"by": "house"}), ("taken_over", 1, {"by": "house"})],
    ],
)
def test_a_note_that_cannot_have_been_then_is_refused(notes):
    with REFUSED:
        read(noted(*notes), unfinished=True)


def test_notes_that_can_have_been_are_taken():
    notes = [("taken_over", 1, {"by": "house"}), ("returned", 1, {}), ("paused", None, {}), ("resumed", None, {})]
    read(noted(*notes), unfinished=True)
