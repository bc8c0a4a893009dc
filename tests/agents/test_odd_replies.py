"""Odd replies, and what they mean: each is read as that or asked again, and never as anything else.

`odd_replies.jsonl` has a line a reply: the request, the reply, its meaning (null: it states none). `read`: it has to be
read at once. The folder that MAGIC_DATA names holds more of them, and others than those that the grammar was made with.
"""

import json
import os
from pathlib import Path

import pytest

from agents.reading import read_action
from games.rules import fields
from games.rules.fields import Choice, Flag, Number, OneSeat, SomeSeats, Split, Text
from games.rules.values import Request

NAMES = {1: "Ada", 2: "Mo", 3: "Eve", 4: "Sam Poe", 5: "Morris"}
OTHERS = (2, 3, 4, 5)
ASKED = {
    "vote": (OneSeat("seat", seats=OTHERS),),
    "team": (SomeSeats("seats", seats=(1, *OTHERS), count=2),),
    "team_vote": (Flag("approve"),),
    "quest": (Flag("success"),),
    "choice": (Choice("choice", options=("cooperate", "defect")),),
    "points": (Number("points", high=100),),
    "split": (Split("split", parts=3, total=100),),
    "clue": (Text("text"),),
    "guess": (Text("text"),),
    "lead": (OneSeat("seat", seats=OTHERS), Text("text", optional=True), Flag("accuse")),
    "reveal": (Flag("reveal"), Text("guess", optional=True), Number("certainty", high=100, optional=True)),
    "assassinate": (OneSeat("seat", seats=OTHERS),),
    "speech": (Text("text", limit=600),),
}
ODD = [json.loads(line) for line in (Path(__file__).parent / "odd_replies.jsonl").read_text("utf-8").splitlines()]
RIGHT_BEFORE = 40
"""So many replies of the folder's were read rightly at once by the reading before this one."""


def read(kind, asked, reply, names):
    """What is read, without what is left out; None where the reply is asked again."""
    found = read_action(reply, Request(f"1:1:{kind}", kind, 1, asked, 1), structured=False, names=names)
    assert (found.value is None) == bool(found.problem)
    return found.value and {name: value for name, value in found.value.items() if value is not None}


def meaning(meant, asked):
    return meant if meant is None or isinstance(meant, dict) else {asked[0].name: meant}


@pytest.mark.parametrize("kind", ASKED)
def test_an_odd_reply_is_read_as_it_was_meant_or_asked_again(kind):
    asked, wrong = ASKED[kind], []
    lines = [line for line in ODD if line["asked"] == kind]
    for line in lines:
        found = read(kind, asked, line["reply"], NAMES)
        if found != meaning(line["meant"], asked) and (found is not None or "read" in line):
            wrong.append((line["reply"], found))
    assert wrong == []
    assert any("read" in line for line in lines) and any(line["meant"] is None for line in lines)


def recorded():
    """The replies of the folder. One is left out: `{"reveal": false, "guess": ...}` has the form that the spy is asked
    for, though it is said there to mean nothing."""
    folder = os.environ.get("MAGIC_DATA")
    if not folder or not (Path(folder) / "replies.jsonl").exists():
        pytest.skip("MAGIC_DATA does not name the folder of recorded replies.")
    names = {1: "Ann", 2: "Al", 3: "Alice", 4: "Bob", 5: "Dora Li", 6: "May"}
    for line in (Path(folder) / "replies.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        kinds = ({key: tuple(v) if isinstance(v, list) else v for key, v in item.items()} for item in row["fields"])
        asked = tuple(_field(item.pop("field"), **item) for item in kinds)
        if not row["reply"].startswith('{"reveal": false, "guess"'):
            yield row, read(row["kind"], asked, row["reply"], names), meaning(row["meant"], asked)


def _field(kind, *, optional=False, **values):
    """A field as it was recorded; yes or no was optional at that time."""
    return getattr(fields, kind)(optional=optional and kind != "Flag", **values)


def test_of_the_recorded_replies_none_is_read_wrongly_and_as_many_at_once_as_before():
    rows = list(recorded())
    assert [row for row, found, meant in rows if found is not None and found != meant] == []
    assert sum(found is not None for _, found, _ in rows) >= RIGHT_BEFORE
