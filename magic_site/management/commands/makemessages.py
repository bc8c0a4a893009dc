"""Django's command, which also collects the sentences of the rules (`games.rules.sentences`), what registries declare,
and what the rows that come with the site say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

from agents.methods import METHODS
from games.registry import RULES
from games.rules.sentences import DECLARED

MARKERS = ("sentence", "counted:1,2", "word")

TOLD = ("title", "about")
"""Fields of rows that people read."""

FOUND = "told_by_rows.py"
"""A file that is there while the command runs."""


class Command(makemessages.Command):
    help = f"{makemessages.Command.help} Sentences of the rules and what is declared are among them."
    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={marker}" for marker in MARKERS)]

    def handle(self, *args: Any, **options: Any) -> None:
        found = Path(FOUND)
        found.write_text("".join(f"_({text!r})\n" for text in sorted(DECLARED.union(rows(), words()) - {""})), "utf-8")
        try:
            super().handle(*args, **options)
        finally:
            found.unlink()


def rows() -> Iterator[str]:
    """What the rows in fixtures say."""
    for file in sorted((settings.BASE_DIR / "fixtures").glob("*.json")):
        for row in json.loads(file.read_text("utf-8"))["rows"]:
            yield from (row[name] for name in TOLD if row.get(name))


def words() -> Iterator[str]:
    """Names of logs and switches that pages show as words."""
    for rules in RULES.values():
        yield from (*rules.kinds, *rules.results)
    for method in METHODS.values():
        yield from (switch.name for switch in method.switches)
