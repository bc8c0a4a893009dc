"""Finds, by reading the source alone, which texts for people are marked (`games.rules.sentences`) and which are not."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

ROOT = Path(__file__).parents[2]
MARKERS = {"sentence": 1, "counted": 2, "word": 1}
"""Each with how many texts it marks."""
TOLD = {
    "Impossible": {"sentence": 0},
    "Refusal": {"sentence": 1},
    "Malformed": {"sentence": 0},
    "Kind": {"about": 0},
    "Preset": {"about": 1, "title": 4},
    "option": {"about": 1, "label": None, "choices": None},
    "polls_option": {"magic": None, "wiu": None},
    "said": {"label": 1},
}
"""Where a text stands that a person reads: by call, by the name of what it takes, and its place."""


@cache
def sources() -> dict[str, ast.AST]:
    """All code that may refuse something or declare what people read, by its path."""
    paths = [path for folder in ("games", "evaluation", "agents") for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    tells = re.compile(rf"\b(?:{'|'.join((*TOLD, *MARKERS))})\(")
    return {place: ast.parse(text) for place, text in texts.items() if tells.search(text)}


def calls(tree: ast.AST):
    """(name, call) of every call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def told(name: str, call: ast.Call):
    """What of a call a person reads."""
    named = {item.arg: item.value for item in call.keywords}
    for key, place in TOLD.get(name, {}).items():
        if key in named:
            yield named[key]
        elif place is not None and len(call.args) > place:
            yield call.args[place]


def bare(node: ast.AST, known: dict[str, list[ast.AST]]):
    """The texts within an expression that no marker holds, also where a name stands for them."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKERS:
        return
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        if getattr(node, "value", "text"):
            yield node
    elif isinstance(node, ast.Name):
        for value in known.pop(node.id, ()):
            yield from bare(value, known)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from bare(value, known)
    elif isinstance(node, ast.IfExp | ast.BinOp | ast.DictComp):
        parts = {"IfExp": ("body", "orelse"), "BinOp": ("left", "right"), "DictComp": ("value",)}
        for part in parts[type(node).__name__]:
            yield from bare(getattr(node, part), known)


def assigned(tree: ast.AST) -> dict[str, list[ast.AST]]:
    """By name all that is assigned to it in a file."""
    found: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.setdefault(getattr(target, "id", ""), []).append(node.value)
    return found


def imported(tree: ast.AST) -> set[str]:
    """The markers that a file takes from the rules."""
    taken = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "sentences" in (node.module or "")]
    return {item.name for node in taken for item in node.names}


def unmarked(tree: ast.AST) -> list[int]:
    """The lines of texts that people read and no marker holds."""
    names = assigned(tree)
    return [text.lineno for name, call in calls(tree) for node in told(name, call) for text in bare(node, dict(names))]


def wrongly_marked(tree: ast.AST) -> list[str]:
    """Markers whose text cannot be found by reading the source, or names something else than is put in."""
    wrong = []
    for name, call in calls(tree):
        texts = call.args[: MARKERS.get(name, 0)]
        if not texts or not isinstance(call.func, ast.Name) or name not in imported(tree):
            continue
        if not all(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in texts):
            wrong.append(f"{call.lineno}: a text is written out, and what changes is put in by name")
            continue
        put_in = {item.arg for item in call.keywords} | ({"n"} if name == "counted" else set())
        for text in texts if put_in else ():
            fields = {field for _, field, _, _ in Formatter().parse(text.value) if field is not None}
            if not fields <= put_in or (name == "sentence" and fields != put_in):
                wrong.append(f"{call.lineno}: {text.value}")
    return wrong


@cache
def marked() -> frozenset[str]:
    """Every text that a marker holds."""
    return frozenset(
        text.value
        for tree in sources().values()
        for name, call in calls(tree)
        for text in call.args[: MARKERS.get(name, 0)]
        if isinstance(text, ast.Constant)
    )
