"""Words that a table brings itself: pasted by a person, a line each, and read into settings of the game.

A game that takes them says what a line holds (`Rules.own_lines`) and reads one (`Rules.own_settings`). The setting that
a match is drawn from them says so, and who had typed it: `OWN` holds their seat, 0 for somebody who only watches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .clues import tokens
from .fields import plain
from .sentences import Sentence, sentence
from .values import Impossible

if TYPE_CHECKING:
    from .core import Rules

OWN = "own_words"
MOST_LINES = 100
MOST_CHARACTERS = 8000
LONGEST_LINE = 400
NEAR, FAR = "near", "far"

_BETWEEN = re.compile(r"\s*[,;/|\t]\s*|\s+[-–—]\s+|\s+vs\.?\s+", re.IGNORECASE)


class Compared(NamedTuple):
    """Two texts of own words that a player has to tell apart. line: where the first stands; too: by what they would be
    hard or pointless to play with, some of `NEAR` and `FAR`."""

    line: int
    one: str
    other: str
    too: tuple[str, ...]


class OwnLine(NamedTuple):
    """A line that somebody typed: its number, its settings, or why it cannot be played with."""

    number: int
    text: str
    settings: tuple[dict[str, Any], ...] = ()
    trouble: Sentence | str = ""


def read_lines(rules: Rules, text: str) -> list[OwnLine]:
    """The lines of a text that are not empty, each read on its own; what stands on an earlier line already is a
    trouble."""
    lines: list[OwnLine] = []
    seen: dict[tuple, int] = {}
    typed = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if plain(line)]
    for number, line in typed[:MOST_LINES]:
        try:
            settings = _read(rules, line)
        except Impossible as error:
            lines.append(OwnLine(number, line, trouble=error.sentence))
            continue
        earlier = seen.setdefault(_key(settings), number)
        again = sentence("This stands on an earlier line already.") if earlier != number else ""
        lines.append(OwnLine(number, line, () if again else settings, again))
    if len(typed) > MOST_LINES:
        number, line = typed[MOST_LINES]
        lines.append(OwnLine(number, line, trouble=sentence("More than {most} lines are not taken.", most=MOST_LINES)))
    return lines


def _read(rules: Rules, line: str) -> tuple[dict[str, Any], ...]:
    if len(line) > LONGEST_LINE:
        raise Impossible(sentence("A line has at most {most} characters.", most=LONGEST_LINE))
    return tuple(rules.own_settings(line))


def _key(settings: tuple[dict[str, Any], ...]) -> tuple:
    """The same for lines that mean the same."""
    return tuple(sorted({" ".join(tokens(text)) for setting in settings for text in texts_of(setting)}))


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a setting, names of fields left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)


def parts_of(line: str) -> list[str]:
    """The parts of a line, between which stands a comma, a slash or a dash: "cat, dog", "cat / dog", "cat - dog"."""
    return [plain(part) for part in _BETWEEN.split(line) if plain(part)]
