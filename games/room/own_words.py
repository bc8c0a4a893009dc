"""A table's own words: what is said of each line before they are played with, and what a match is dealt from."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.clues import holds_word
from games.rules.core import Rules
from games.rules.own_words import FAR, MOST_CHARACTERS, NEAR, OWN, Compared, OwnLine, read_lines
from games.translation import translated

TOO_NEAR, TOO_FAR = 0.75, 0.25
"""How alike in meaning two words are, from 0 to 1: of the pairs that come with the project nearly all are between."""
MOST_REMARKS = 30
"""So many remarks are made at most: more are not read."""


def untold(one: str, other: str) -> float | None:
    """How alike two texts are in meaning, where that cannot be told."""
    return None


def nothing(game: str, words: Sequence[str]) -> list[str]:
    """What agents do not know, where there are none."""
    return []


# The agents app puts here how alike two texts are in meaning, from 0 to 1 (None where that cannot be told), whether
# meaning can be told here at all, and the words that house agents of a game would not know.
likeness: Callable[[str, str], float | None] = untold
reads_meaning: Callable[[], bool] = bool
unknown: Callable[[str, Sequence[str]], list[str]] = nothing


@dataclass
class Told:
    """A line with what is said of it. trouble: why it cannot be played with; remarks: what is worth a second look."""

    number: int
    text: str
    trouble: str = ""
    remarks: list[str] = field(default_factory=list)


@dataclass
class Checked:
    """What somebody pasted. settings: what a match may be dealt from; empty where something must be mended first.
    trouble: of all lines together."""

    lines: list[Told]
    settings: list[dict[str, Any]]
    trouble: str = ""
    by_meaning: bool = False

    @property
    def bad(self) -> list[Told]:
        return [line for line in self.lines if line.trouble]

    @property
    def remarked(self) -> list[Told]:
        return [line for line in self.lines if line.remarks]


def check(rules: Rules, text: str) -> Checked:
    """What is to be said of these words, line by line."""
    if len(text) > MOST_CHARACTERS:
        sentence = _("These are %(given)d characters; at most %(most)d are taken.")
        return Checked([], [], sentence % {"given": len(text), "most": MOST_CHARACTERS})
    read = read_lines(rules, text)
    told = {
        line.number: Told(line.number, line.text, translated(line.trouble) if line.trouble else "") for line in read
    }
    settings = [(line.number, setting) for line in read for setting in line.settings]
    checked = Checked([*told.values()], [setting for _number, setting in settings], by_meaning=reads_meaning())
    playable = sum(bool(line.settings) for line in read)
    if not checked.bad and playable < rules.own_least:
        checked.trouble = ngettext(
            "This game takes at least %(least)d line.", "This game takes at least %(least)d lines.", rules.own_least
        ) % {"least": rules.own_least}
    if checked.bad or checked.trouble:
        checked.settings = []
    remarks = [(compared.line, remark) for compared in rules.own_compared(settings) for remark in _remarks(compared)]
    remarks += _unknown(rules, read, checked.by_meaning)
    for number, remark in remarks[:MOST_REMARKS]:
        told[number].remarks.append(remark)
    return checked


def _remarks(compared: Compared) -> list[str]:
    words = {"one": compared.one, "other": compared.other}
    if holds_word(compared.one, compared.other) or holds_word(compared.other, compared.one):
        return [_("“%(one)s” and “%(other)s” hold one another: who speaks of the one gives away the other.") % words]
    alike = likeness(compared.one, compared.other)
    if alike is not None and NEAR in compared.too and alike >= TOO_NEAR:
        return [_("“%(one)s” and “%(other)s” mean nearly the same: hardly a clue will tell them apart.") % words]
    if alike is not None and FAR in compared.too and alike < TOO_FAR:
        return [_("“%(one)s” and “%(other)s” have little in common: one clue may give everything away.") % words]
    return []


def _unknown(rules: Rules, lines: Sequence[OwnLine], by_meaning: bool) -> list[tuple[int, str]]:
    """What house agents would not know, as remarks on the lines where it stands first."""
    first: dict[str, int] = {}
    for line in reversed(lines):
        first |= {setting[name]: line.number for setting in line.settings for name in rules.own_fields}
    sentence = (
        _("House agents do not know “%(word)s” and take it for what is nearest to it in meaning.")
        if by_meaning
        else _("House agents do not know “%(word)s” and will be vague about it.")
    )
    return [
        (first[word], sentence % {"word": word})
        for word in sorted(unknown(rules.name, [*first]), key=lambda word: first[word])
    ]


def drawn(rules: Rules, options: Any, settings: Sequence[dict[str, Any]], seed: int, typed_by: int) -> dict[str, Any]:
    """One of the settings of a table's own words, drawn by the seed. typed_by: the seat of who typed them, or 0. Raises
    `Impossible` where none can be played with these options."""
    shuffled = list(settings)
    random.Random(f"{seed}:setting").shuffle(shuffled)
    for setting in shuffled:
        rules.check_setting(options, setting)
        return rules.drawn(setting, settings) | {OWN: typed_by}
    return {}
