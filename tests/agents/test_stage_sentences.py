"""Each stage of each way of thinking is told in a sentence to who reads thoughts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from agents import methods
from games.web import stages

FOLDER = Path(methods.__file__).parent


def names_in(path):
    """The names of all stages that a file makes, with 2 in place of a seat and nothing in place of other parts."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Stage", "forced") and node.args:
            yield from texts(node.args[0])


def texts(node):
    if isinstance(node, ast.Constant):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    if isinstance(node, ast.JoinedStr):
        found = [""]
        for part in node.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            told = texts(inner) if isinstance(inner, ast.Constant | ast.IfExp | ast.JoinedStr) else None
            if told is None:
                told = ["2"] if isinstance(inner, ast.Name) else [""]
            found = [before + after for before in found for after in told]
        return found
    return []


NAMES = sorted({name for path in [*FOLDER.glob("*.py"), FOLDER.parent / "recall.py"] for name in names_in(path)})


@pytest.mark.parametrize("name", [*NAMES, "recall", "verdict", "forced"])
def test_every_stage_has_a_sentence(name):
    assert stages.about(name).endswith((".", "?"))


def test_stages_were_found():
    assert {"first_order", "self_perspective", "view", "view_of_2", "write"} <= set(NAMES)


def test_a_view_of_a_seat_is_a_view_through_its_eyes():
    assert stages.about("view_of_2") == "It puts itself into seat 2: whom does seat 2 suspect, as it sees it?"
    assert stages.about("view_of_2", {2: "Bo"}.get) == "It puts itself into Bo: whom does Bo suspect, as it sees it?"
    assert stages.about("view_of_2_after_3", {2: "Bo"}.get).endswith("as it sees it? After clue 3.")
    assert stages.about("view_after_1") == "Its own view: whom does it suspect? After clue 1."
    assert stages.about("team") == stages.about("") == ""
