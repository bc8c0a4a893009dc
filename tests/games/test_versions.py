"""Files of version 1 of the format are read for ever: whole prompts, no numbers of thoughts, no origin."""

from __future__ import annotations

import json

import pytest

from games.match import importing
from games.match.rows import ATTEMPT_FIELDS, THOUGHT_FIELDS, Attempt, PromptText, Thought
from games.match.view import whole
from games.models import Match
from games.rules import logfile, schema
from games.rules.pool import Pool
from games.rules.values import LogError
from tests.games.matches import dealt, exported, play_on, stored

PROMPT = "THE RULES\nSay something about your word.\n\nWHAT HAPPENED SO FAR\nAnn: it is warm"


def version_1(lines: list[str], prompt: str = PROMPT) -> list[str]:
    """A file as version 1 wrote it."""
    found = []
    for record in map(json.loads, lines):
        if record["type"] == "match":
            record["format"] = "magic-match/1"
            record.pop("origin")
        if record["type"] == "thought":
            record["prompt"] = prompt
            record.pop("n")
        if record["type"] != "text":
            found.append(json.dumps(record))
    return found


@pytest.mark.django_db
def test_a_file_of_version_1_is_the_same_match_in_version_2():
    match = stored(play_on(dealt("undercover", "magic", 3)))
    old = version_1(exported(match))
    log = logfile.read(old)
    assert log.thoughts and {thought["prompt"] for thought in log.thoughts} == {PROMPT}
    assert all(thought["n"] == 1 for thought in log.thoughts)
    match.delete()
    copy = importing.import_log(old)
    new = exported(copy)
    assert json.loads(new[0])["format"] == "magic-match/2"
    assert logfile.read(new).events == log.events
    assert [t["prompt"] for t in whole(copy).thoughts] == [PROMPT] * len(log.thoughts)
    assert PromptText.objects.filter(match=copy).count() == 1
    with pytest.raises(LogError, match="already"):
        importing.import_log(old)
    copy.delete()
    assert exported(importing.import_log(new))[1:] == new[1:]


@pytest.mark.django_db
def test_where_a_match_comes_from_is_told_by_its_file_and_kept_by_its_import():
    match = stored(play_on(dealt("undercover", "magic", 3)), origin=Match.Origin.COMPETITION)
    lines = exported(match)
    assert json.loads(lines[0])["origin"] == "competition"
    assert "origin" not in json.loads(exported(match, 1)[0])
    match.delete()
    copy = importing.import_log(lines)
    assert copy.origin == Match.Origin.IMPORT
    assert json.loads(exported(copy)[0])["origin"] == "competition"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"prompt": [[9, 0, 0]]}, "no lines 0 to 0 of text 9"),
        ({"prompt": [[0, 1, 0]]}, "no lines 1 to 0"),
        ({"prompt": [[0, 0]]}, "'prompt' in the thought must be"),
        ({"n": 0}, "'n' in the thought must be"),
    ],
)
@pytest.mark.django_db
def test_pieces_that_are_not_there_are_refused(change, reason):
    lines = exported(stored(play_on(dealt("undercover", "magic", 3))))
    at = next(n for n, line in enumerate(lines) if '"type":"thought"' in line)
    lines[at] = json.dumps(json.loads(lines[at]) | change)
    with pytest.raises(LogError, match=reason):
        logfile.read(lines)


def test_a_pool_gives_back_what_was_put_in_and_keeps_shared_lines_once():
    pool = Pool()
    texts = [
        "",
        "a",
        f"{PROMPT}\n\nNOW\nmove",
        f"{PROMPT}\nBen: it is cold\n\nNOW\nmove",
        "\n\n",
        PROMPT,
        "NOW\nmove\n",
    ]
    pieces = [pool.put(text) for text in texts]
    assert [pool.get(piece) for piece in pieces] == texts
    assert [Pool("\n".join(lines) for lines in pool.texts).get(piece) for piece in pieces] == texts
    assert sum("it is warm" in line for text in pool.texts for line in text) == 1


@pytest.mark.parametrize(("row", "kind"), [(Thought, schema.Thought), (Attempt, schema.Attempt)])
def test_rows_have_the_fields_of_the_schema_and_hold_what_a_file_may_say(row, kind):
    columns = {field.name: field for field in row._meta.get_fields()}
    named = set(schema.names(kind))
    assert named - {"prompt"} <= columns.keys() and set(THOUGHT_FIELDS) | set(ATTEMPT_FIELDS) >= named
    for name, shape in schema.shapes(kind).items():
        longest = getattr(columns.get(name), "max_length", None)
        assert not longest or shape.words == f"a text of at most {longest} characters", name
