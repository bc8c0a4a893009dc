"""What stands beside the files of an export: a data card, and a dictionary of all columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from evaluation.counting.sums import version
from evaluation.exports import croissant
from evaluation.exports.content import PARTS, Content
from games.registry import RULES
from games.rules.values import FORMAT

if TYPE_CHECKING:
    from evaluation.exports.writing import Written

README, DICTIONARY, CROISSANT = "README.md", "dictionary.csv", "croissant.json"


@dataclass(frozen=True)
class About:
    """What a card says of an export. choice: which matches were chosen, for people; licence: as its owner names it."""

    id: str
    made_at: datetime
    choice: str
    licence: str = ""


def files(about: About, content: Content, written: Written) -> Iterator[tuple[str, str]]:
    """The names of these files, and what they hold."""
    yield DICTIONARY, dictionary(written)
    yield CROISSANT, croissant.text(about, written)
    yield README, readme(about, content, written)


def dictionary(written: Written) -> str:
    """Every column of every flat file. A column of the same file in another format is the same."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["collection", "column", "type", "meaning", "source", "only with", "key", "escaped"])
    for collection in {file.collection.name: file.collection for file in written.files if file.collection}.values():
        for column in collection.columns:
            key = "yes" if column.name in collection.key else ""
            escaped = "in CSV" if column.type in ("text", "json") else ""
            writer.writerow([collection.name, *column, key, escaped])
    return out.getvalue()


def readme(about: About, content: Content, written: Written) -> str:
    """The data card, for people."""
    context = {
        "about": about,
        "content": content,
        "parts": {title: name in content.chosen for name, title in PARTS.items()},
        "written": written,
        "made_at": f"{about.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "format": FORMAT,
        "counted": version() if content.metrics else "",
        "games": [(rules.title, name, rules.version) for name, rules in RULES.items() if name in written.games],
        "collections": {file.collection.name: file for file in written.files if file.collection}.values(),
    }
    return render_to_string("reference/export_card.md", context)
