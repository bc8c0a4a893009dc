"""What calls of models took is worked out, added up and written as money in one place each."""

import re

from django.conf import settings

from games.rules.schema import Cost, Thought
from games.templatetags.money import dollars

ADDED = re.compile(r"tokens_(in|out)\s*\+[^=]|sum\([^()]*\.cost\b")
WRITTEN = re.compile(r"\$\{[^{}]*:,?\.|(cost|cost_left|dollars)\|floatformat")
PLACES = {
    "games/rules/schema.py": ADDED,  # `Cost`
    "agents/calls.py": ADDED,  # `Price`
    "games/templatetags/money.py": WRITTEN,
}


def test_no_source_adds_up_or_writes_a_cost_by_itself():
    found = set()
    for app in ("games", "agents", "evaluation", "magic_site", "templates"):
        for path in (settings.BASE_DIR / app).rglob("*.*"):
            if path.suffix in (".py", ".html", ".txt") and "prompts" not in path.parts:
                name = str(path.relative_to(settings.BASE_DIR))
                found |= {(name, way) for way in (ADDED, WRITTEN) if way.search(path.read_text())}
    assert found == set(PLACES.items())


def test_thoughts_are_added_up_whatever_they_are():
    thoughts = [Thought("1:1:clue", 1, "cot", "a", tokens_in=n, tokens_out=1, cost=0.5, ms=3) for n in (10, 20)]
    assert (Cost.of(*thoughts), Cost.of(*thoughts).tokens, Cost.of()) == (Cost(30, 2, 1.0, 6), 32, Cost())
    assert (dollars(1234.5), dollars(0.00012), dollars(2, 2)) == ("$1,234.5000", "$0.0001", "$2.00")
