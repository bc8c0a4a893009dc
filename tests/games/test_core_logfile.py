"""The log file: what is written is read back, what is read is played again, and what cannot have been is refused."""

import dataclasses
import json
import random
import re

import pytest

from games.registry import RULES
from games.rules import kit, logfile, replay
from games.rules.play import Play, agents_and_people, new_header
from games.rules.values import Impossible, LogError

from .toy import HARBOUR

SETTING = {"purses": [5, 6, 7], "smuggler": 2}


@pytest.fixture
def play() -> Play:
    """A match with a takeover, a pause, a kept refusal, defaults, polls and talk."""
    header = new_header(
        HARBOUR, "plain", seats=agents_and_people(3, 0), seed=3, options={"polls": "smuggler"}, setting=SETTING, id="m"
    )
    play = Play(HARBOUR, header)
    play.note("taken_over", 1, {"by": "house"})
    play.act(1, "6:1:stake", {"coins": 8})
    play.act(1, "6:1:stake", {"coins": 5}, by="agent:house")
    play.act(3, "6:3:say", {"text": "My name is Zoë."})
    play.note("paused")
    play.note("resumed")
    play.expire("6:2:stake")
    play.expire("6:3:stake")
    play.act(2, "6:2:bribe", {"bribe": True})
    for request in list(play.state.open.values()):
        play.skip(request.seat, request.id)
    for request in list(play.state.open.values()):
        if request.waits:
            play.expire(request.id)
    for request in list(play.state.open.values()):
        play.act(request.seat, request.id, {"smuggler": 2})
    assert play.over
    return play


def lines_of(play: Play) -> list[str]:
    thought = {"request": "6:1:stake", "seat": 1, "method": "cot", "stage": "think", "reply": "All in."}
    attempts = [dataclasses.asdict(attempt) for attempt in play.attempts]
    times = {event.seq: f"2026-01-01T00:00:{event.seq:02}Z" for event in play.log}
    log = logfile.LogFile(play.header, play.log, times, [thought], attempts, play.state.outcome)
    return list(logfile.write(log))


def test_a_file_is_read_and_written_again_byte_for_byte(play):
    lines = lines_of(play)
    assert list(logfile.write(logfile.read(lines))) == lines
    assert "Zoë" in "".join(lines)


def test_thoughts_and_attempts_stand_before_the_event_of_their_request(play):
    records = [json.loads(line) for line in lines_of(play)]
    at = next(n for n, record in enumerate(records) if record.get("kind") == "stake")
    assert [record["type"] for record in records[at - 2 : at + 1]] == ["thought", "attempt", "event"]
    assert (records[0]["type"], records[-1]["type"]) == ("match", "outcome")


def test_a_replay_comes_to_the_same_match(play):
    log = logfile.read(lines_of(play))
    again = replay.replay(HARBOUR, log.header, log.events)
    assert again.log == play.log and again.state.outcome == play.state.outcome


def test_chance_is_taken_from_the_record_and_not_from_the_seed(play):
    header = dataclasses.replace(play.header, seed=12345)
    assert replay.replay(HARBOUR, header, play.log).log == play.log


def test_a_running_match_is_replayed_to_where_it_stands(play):
    fork = play.fork(9)
    assert replay.replay(HARBOUR, fork.header, fork.log).log == fork.log


def test_erased_words_are_taken_as_recorded(play):
    log = [
        event._replace(data={"text": "[erased]"}) if event.kind == "say" and event.data["text"] else event
        for event in play.log
    ]
    again = replay.replay(HARBOUR, play.header, log)
    assert [event.data for event in again.log if event.kind == "say"] == [{"text": "[erased]"}]


def changed(play: Play, kind: str, **values):
    at = next(n for n, event in enumerate(play.log) if event.kind == kind)
    return [*play.log[:at], play.log[at]._replace(**values), *play.log[at + 1 :]]


@pytest.mark.parametrize(
    ("kind", "values", "reason"),
    [
        ("counted", {"data": {"round": 1, "stakes": {"1": 9, "2": 0, "3": 0}}}, "the rules give"),
        ("round", {"data": {"round": 1, "weather": "hail"}}, "'round.weather' cannot have been 'hail'"),
        ("round", {"data": {"round": 1}}, "does not say what was drawn"),
        ("stake", {"data": {"coins": 9}}, "is not legal: Your purse holds 5"),
        ("stake", {"data": {"coins": -1}}, "is not legal"),
        ("stake", {"seat": 2}, "answers nothing that was asked"),
        ("stake", {"request": "6:9:stake"}, "answers nothing that was asked"),
        ("stake", {"audience": None}, "the log has audience None"),
        ("dealt", {"data": {"purse": 9, "smuggler": False}}, "the rules give"),
        ("finished", {"data": {"result": "stakes", "winners": [3], "returns": {}, "deal": {}}}, "the rules give"),
    ],
)
def test_a_log_that_cannot_have_happened_is_refused_and_says_where(play, kind, values, reason):
    with pytest.raises(LogError, match=reason):
        replay.replay(HARBOUR, play.header, changed(play, kind, **values))


def test_a_default_that_could_not_be_drawn_is_refused(play):
    at = next(n for n, event in enumerate(play.log) if event.by == "default" and event.kind == "stake")
    log = [*play.log[:at], play.log[at]._replace(data={"coins": 9}), *play.log[at + 1 :]]
    with pytest.raises(LogError, match=r"'stake\.coins' cannot have been 9"):
        replay.replay(HARBOUR, play.header, log)


def test_a_log_that_goes_on_after_the_end_or_stops_within_a_move_is_refused(play):
    with pytest.raises(LogError):
        replay.replay(HARBOUR, play.header, [*play.log, play.log[-1]._replace(seq=len(play.log) + 1)])
    at = next(event.seq for event in play.log if event.kind == "counted")
    with pytest.raises(LogError, match="The log stops before"):
        replay.replay(HARBOUR, play.header, play.log[: at - 1])
    with pytest.raises(LogError, match="no events"):
        replay.replay(HARBOUR, play.header, [])


@pytest.mark.parametrize("deal", [{}, {"purses": [9, 9, 9], "smuggler": 1}])
def test_an_early_end_with_another_deal_is_refused(play, deal):
    fork = play.fork(9)
    fork.end("void", "Enough.")
    assert replay.replay(HARBOUR, fork.header, fork.log).log == fork.log
    ended = fork.log[-1]._replace(data=fork.log[-1].data | {"deal": deal})
    with pytest.raises(LogError, match="the rules give"):
        replay.replay(HARBOUR, fork.header, [*fork.log[:-1], ended])


def test_a_setting_or_seats_that_cannot_be_played_are_refused(play):
    with pytest.raises(Impossible, match="Openings are a list"):
        replay.replay(HARBOUR, dataclasses.replace(play.header, setting=SETTING | {"openings": 3}), play.log)
    seats = tuple(dataclasses.replace(seat, seat=seat.seat + 1) for seat in play.header.seats)
    with pytest.raises(Impossible, match="Seats are numbered from 1"):
        replay.replay(HARBOUR, dataclasses.replace(play.header, seats=seats), play.log)


def test_a_log_of_other_rules_stands_where_these_come_to_it(play):
    with pytest.raises(LogError, match="version 2"):
        replay.must_stand(HARBOUR, dataclasses.replace(play.header, rules_version=2), play.log[:-1])
    replay.must_stand(HARBOUR, dataclasses.replace(play.header, rules_version=2), play.log)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda lines: [], "The file is empty"),
        (lambda lines: lines[1:], "Line 1: the first line must be the match line"),
        (lambda lines: [*lines, lines[0]], "a second match begins"),
        (lambda lines: [lines[0], *lines[2:]], "event 2 stands where 1 is due"),
        (lambda lines: [lines[0], "{", *lines[1:]], "Line 2: this is not a line of a match log"),
        (lambda lines: [lines[0], "[]"], "Line 2: this is not a line of a match log"),
        (lambda lines: [lines[0], '{"type":"song"}'], "'song' is no kind of line"),
        (lambda lines: [lines[0].replace("magic-match/2", "magic-match/9")], "the format is 'magic-match/9'"),
        (
            lambda lines: [lines[0].replace('"setting":{', '"setting":[],"x":{')],
            "'setting' in the match must be an object",
        ),
        (
            lambda lines: [lines[0], lines[1].replace('"audience":null', '"audience":7')],
            "'audience' in the event must be a list",
        ),
    ],
)
def test_a_broken_file_is_refused_by_line(play, spoil, reason):
    with pytest.raises(LogError, match=reason):
        logfile.read(spoil(lines_of(play)))


def test_a_viewers_file_holds_no_hidden_word(play):
    text = kit.file_of(play.fork(9), 1)
    assert '"purse":5' in text
    assert '"purse":6' not in text and "purses" not in text and '"seed":3' not in text


JUNK = (None, 0, -1, 99, True, 1.5, "", "x", "6:1:clue", [], [1], [[1]], {}, {"a": 1}, {"1": None})


def spoiled(value, rng: random.Random):
    """The value with something in it dropped or replaced by junk."""
    if isinstance(value, dict) and value and rng.random() < 0.7:
        name = rng.choice(list(value))
        rest = {key: kept for key, kept in value.items() if key != name}
        return rest if rng.random() < 0.2 else value | {name: spoiled(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.6:
        at = rng.randrange(len(value))
        return [*value[:at], spoiled(value[at], rng), *value[at + 1 :]]
    return rng.choice(JUNK)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
def test_whatever_a_file_holds_it_is_taken_whole_or_refused_in_a_sentence(rules):
    rng = random.Random(rules.name)
    trials = [trial for trial in kit.kit_cases(rules) if trial.seats < 7]
    files = [kit.file_of(kit.play_through(rng.choice(trials))).split("\n") for _ in range(10)]
    refused = 0
    for _ in range(150):
        lines = list(rng.choice(files))
        at = rng.choice((0, rng.randrange(len(lines)), rng.randrange(len(lines))))
        lines[at] = json.dumps(spoiled(json.loads(lines[at]), rng))
        try:
            log = logfile.read(lines)
            play = replay.whole(rules, log, unfinished=True)
        except (LogError, Impossible) as error:
            assert str(error)
            refused += 1
        else:
            assert play is None or play.log == log.events
    assert refused > 75


# Labels of raters ---------------------------------------------------------------------------------------------------

LABEL = {"scheme": "seed 004", "version": 1, "on": {"event": 2}, "labels": ["exposure", 3], "rater": "R2"}
LABELS = [
    LABEL | {"span": [0, 5], "note": "He says it.", "seconds": 2.5},
    LABEL | {"on": {"request": "6:1:stake", "thought": 1}},
    LABEL | {"on": {"seat": 2}},
    LABEL | {"on": {}},
]


def labelled(play, *labels) -> list[str]:
    *lines, outcome = lines_of(play)
    return [*lines, *(json.dumps({"type": "label"} | label, separators=(",", ":")) for label in labels), outcome]


def test_labels_are_read_checked_and_written_again(play):
    lines = labelled(play, *LABELS)
    log = logfile.read(lines)
    assert log.annotations == LABELS
    replay.check(log)
    assert logfile.read(logfile.write(log)).annotations == LABELS


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"on": {"event": 999}}, "on what is not in the log: {'event': 999}"),
        ({"on": {"seat": 9}}, "on what is not in the log"),
        ({"on": {"request": "1:1:none", "thought": 1}}, "on what is not in the log"),
        ({"on": {"event": 1, "seat": 1}}, "'on' in the label must be {seat}"),
        ({"on": {"request": "1:1:none"}}, "'on' in the label must be {seat}"),
        ({"on": {"event": "1"}}, "'on' in the label must be {seat}"),
        ({"labels": []}, "'labels' in the label must be 1 to 40"),
        ({"labels": [None]}, "'labels' in the label must be 1 to 40"),
        ({"labels": [2**40]}, "'labels' in the label must be 1 to 40"),
        ({"version": 0}, "'version' in the label must be a whole number"),
        ({"span": [5, 5]}, "'span' in the label must be two whole numbers"),
        ({"seconds": -1}, "'seconds' in the label must be a number"),
        ({"rater": "x" * 81}, "'rater' in the label must be a text of at most 80"),
        ({"mood": 1}, "the label has an unknown 'mood'"),
    ],
)
def test_a_label_that_is_none_is_refused(play, change, reason):
    with pytest.raises(LogError, match=re.escape(reason)):
        replay.check(logfile.read(labelled(play, LABEL | change)))
