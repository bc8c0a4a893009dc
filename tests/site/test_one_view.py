"""Only `games.match` reads rows of matches and what hides who is an agent; all else takes a view."""

from __future__ import annotations

import ast

import pytest
from django.conf import settings

ROWS = {"events", "thoughts", "attempts", "sitters", "texts", "methods"}
READ = {"all", "annotate", "count", "each", "exclude", "filter", "first", "get", "order_by", "plain", "timed", "values"}
HIDDEN = {"agents_named", "kinds_named"}
HERE = ("games/match/", "games/rules/", "games/room/models.py")
SOURCES = [
    path.relative_to(settings.BASE_DIR)
    for app in ("games", "agents", "evaluation", "magic_site")
    for path in (settings.BASE_DIR / app).rglob("*.py")
    if "migrations" not in path.parts and not str(path.relative_to(settings.BASE_DIR)).startswith(HERE)
]


def around(source: str) -> list[str]:
    """Where a source goes around the view."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute):
            continue
        inner = node.value
        if node.attr in READ and isinstance(inner, ast.Attribute) and inner.attr in ROWS:
            found.append(f"{node.lineno}: .{inner.attr}.{node.attr}")
        if (node.attr in HIDDEN and isinstance(node.ctx, ast.Load)) or node.attr == "visible":
            found.append(f"{node.lineno}: .{node.attr}")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_no_source_goes_around_the_view(path):
    allowed = {"evaluation/metrics/beliefs.py": {".visible"}}.get(str(path), set())
    assert [one for one in around((settings.BASE_DIR / path).read_text()) if one.split()[1] not in allowed] == []


@pytest.mark.parametrize(
    "source",
    ["match.events.filter(seq=1)", "self.match.sitters.all()", "if room.agents_named: pass", "play.visible(1)"],
)
def test_going_around_it_is_seen(source):
    assert around(source)
