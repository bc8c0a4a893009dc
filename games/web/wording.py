"""Words of records as people read them: names, values, and what changed from one text to the next."""

import json
from difflib import SequenceMatcher
from typing import Any

from django.utils.translation import gettext

Runs = tuple[tuple[str, bool], ...]


def in_words(name: str) -> str:
    """A name from a log as a person reads it, in their language: 'team_vote' is a team vote."""
    return gettext(name).replace("_", " ") if name else ""


def plain(value: Any) -> str:
    """A value from JSON without its signs: a text as it is, a fraction with two digits, the only entry as that, several
    by line."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, dict):
        if len(value) == 1:
            return plain(next(iter(value.values())))
        return "\n".join(f"{in_words(str(name))}: {plain(item)}" for name, item in value.items())
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        return ", ".join(plain(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


def runs(old: str, new: str) -> Runs:
    """The new words in runs, each with whether the old ones lack it."""
    before, after = old.split(), new.split()
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    return tuple(
        (" ".join(after[start:end]), kind != "equal") for kind, _, _, start, end in matcher.get_opcodes() if end > start
    )
