"""Whatever a file holds, its reader takes it whole or refuses it in a sentence, soon."""

import gzip
import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.files import log_files, paper_settings, setting_files
from games.registry import RULES
from games.rules import kit
from games.rules.lines import LONGEST_LINE
from games.rules.strict_json import DEEPEST, loads
from games.rules.values import Impossible, LogError
from magic_site.json_text import StrictJSONField
from tests.games.test_play_command import script

NASTY = [
    *("9" * 5000, "-" + "9" * 25, "1e999", "NaN", "-Infinity", "1.5", "-1", "0", "99", "true", "null"),
    *('"\\ud800"', '"\\udc00x"', '"\\u0000"', '""', '"x"', '"[erased]"', '"agent:"', '"person"', '"6:1:clue"'),
    *("[" * 3000 + "]" * 3000, '{"a":' * 60 + "1" + "}" * 60, "[]", "{}", "[1]", '["x"]', '{"1": null}', '{"": [[]]}'),
]
HOLE = "what stands here is spoiled"

fuzzed = settings(max_examples=int(os.environ.get("FUZZ", "40")), suppress_health_check=list(HealthCheck))


@st.composite
def spoiled(draw, text: str) -> str:
    """A text of JSON in which one value, at any depth, is another, is gone, or has a name that nobody knows."""
    value = json.loads(text)
    where, at = None, value
    for _ in range(draw(st.integers(1, 6))):
        keys = list(at) if isinstance(at, dict) else range(len(at)) if isinstance(at, list) else ()
        if not keys:
            break
        where, key = at, draw(st.sampled_from(list(keys)))
        at = at[key]
    what = draw(st.sampled_from(["change", "change", "drop", "add"]))
    if what == "drop" or not isinstance(where, dict):
        if isinstance(where, dict):
            del where[key]
        else:
            where[key] = HOLE
    else:
        where[key if what == "change" else draw(st.text(max_size=5))] = HOLE
    return json.dumps(value).replace(f'"{HOLE}"', draw(st.sampled_from(NASTY)))


def logs() -> list[list[str]]:
    found = []
    for rules in RULES.values():
        trial = min(kit.kit_cases(rules), key=lambda trial: trial.seats)
        found.append(kit.file_of(kit.play_through(trial)).split("\n"))
    return found


LOGS = logs()


@fuzzed
@given(st.data())
def test_a_log_is_read_or_refused(data):
    lines = list(data.draw(st.sampled_from(LOGS)))
    place = data.draw(st.one_of(st.just(0), st.just(len(lines) - 1), st.integers(0, len(lines) - 1)))
    lines[place] = data.draw(spoiled(lines[place]))
    try:
        log_files.read_log(lines, unfinished=data.draw(st.booleans()))
    except (LogError, Impossible) as error:
        assert 0 < len(str(error)) < 1000


@fuzzed
@given(st.data())
def test_a_script_is_read_or_refused(data):
    line = data.draw(spoiled(json.dumps(script())))
    try:
        log_files.read_script(line)
    except (LogError, Impossible) as error:
        assert str(error)


DEALS = {
    "undercover": {"civilian_word": "tea", "undercover_word": "milk", "undercovers": [1], "openings": {"1": []}},
    "chameleon": {"topic": "Drinks", "word": "tea", "chameleon": 1},
    "spygame": {"place": "museum", "places": ["museum", "zoo"], "roles": ["guide", "guest"], "spy": 2},
    "avalon": {"roles": ["merlin", "servant", "servant", "minion", "morgana"], "assassin": 4, "first_leader": 1},
    "public_good": {"points": 10, "rounds": 3, "multiplier": 2},
}
PUBLISHED = json.dumps({"part": [{"word": "tea", "relationships": {"similar_to": ["milk"]}, "meanings": {}}]})


@fuzzed
@given(st.data())
def test_settings_are_read_or_refused(data):
    game = data.draw(st.sampled_from(sorted(DEALS)))
    rows = json.dumps([{"game": game, "name": "one", "origin": "ours", "active": True, "data": DEALS[game]}])
    try:
        for setting in setting_files.read(data.draw(spoiled(rows)).encode(), "x.json"):
            json.dumps(setting.data, allow_nan=False).encode()
    except setting_files.UnreadableError as error:
        assert error.troubles


@fuzzed
@given(head=st.sampled_from(["game,name,civilian_word,undercover_word\n", ""]), rest=st.binary(max_size=60))
def test_a_table_of_settings_is_read_or_refused(head, rest):
    try:
        setting_files.read(head.encode() + b"undercover,a," + rest, "x.csv")
    except setting_files.UnreadableError as error:
        assert error.troubles


@fuzzed
@given(st.data())
def test_published_words_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "words.json"
    path.write_text(data.draw(spoiled(PUBLISHED)), encoding="utf-8")
    try:
        list(paper_settings.read_wiu(path))
    except paper_settings.UnpublishedError as error:
        assert "words.json" in str(error)


@pytest.mark.parametrize(
    "text", [text for text in NASTY if text in ("NaN", "1e999") or len(text) > 20 or "\\u" in text]
)
def test_what_cannot_be_kept_is_no_json_to_us(text):
    field = StrictJSONField()
    with pytest.raises(json.JSONDecodeError):
        loads(text)
    with pytest.raises(Exception, match="This is not JSON"):
        field.clean(f'{{"a": {text}}}')


def test_the_limits_themselves_are_taken():
    deepest = "[" * DEEPEST + "]" * DEEPEST
    assert loads(deepest) == json.loads(deepest)
    assert loads(str(2**63 - 1)) == 2**63 - 1
    assert loads('"\\ud83d\\ude00"') == "\U0001f600"


def test_of_many_bad_rows_only_the_first_are_checked():
    rows = "game,name,civilian_word,undercover_word\n" + "undercover,drinks,tea,tea\n" * 40_000
    with pytest.raises(setting_files.UnreadableError) as refused:
        setting_files.read(rows.encode(), "x.csv")
    assert len(refused.value.troubles) == setting_files.MOST_TROUBLES + 1
    assert "no more was read" in str(refused.value.troubles[-1])


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"\x1f\x8b cut off", "log.jsonl.gz"),
        (gzip.compress(b"{}" * 5000, mtime=0)[:40], "log.jsonl.gz"),
        (b"no gzip", "log.jsonl.gz"),
        (b"\xff\xfe", "log.jsonl"),
        (b'{"a":"' + b"x" * LONGEST_LINE + b'"}', "log.jsonl"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, content, name):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(LogError):
        log_files.read_log(log_files.lines_of(file))


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nothing.jsonl", tmp_path / "nothing.jsonl.gz"):
        with pytest.raises(LogError, match="cannot be read"):
            log_files.read_log(log_files.lines_of(path))
