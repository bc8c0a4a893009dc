"""A table's own words: what is said of their lines before they are played with, and what a match is dealt from."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.clues import holds_word, written_within
from games.rules.core import Rules
from games.rules.own_words import FAR, MOST_CHARACTERS, NEAR, OWN, Compared, OwnLine, read_lines
from games.translation import translated

TOO_NEAR, TOO_FAR = 0.75, 0.25
"""How alike in meaning two words are, from 0 to 1: of the pairs that come with the project nearly all are between."""
MOST_REMARKS = 30
"""So many remarks are made at most: more are not read."""
SHOWN = 60
"""So many characters of a line are shown that cannot be played with."""


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
class Said:
    """What is said of lines, once for all of which it holds. bad: they cannot be played with; lines: by number what in
    them it is about."""

    sentence: str
    bad: bool
    lines: list[tuple[int, str]]


@dataclass
class Checked:
    """What somebody pasted. lines: how many; settings: what a match may be dealt from, empty where something must be
    mended first. trouble: of all lines together."""

    lines: int
    settings: list[dict[str, Any]]
    said: list[Said]
    trouble: str = ""
    by_meaning: bool = False

    @property
    def bad(self) -> bool:
        return any(said.bad for said in self.said)

    @property
    def remarked(self) -> bool:
        return any(not said.bad for said in self.said)


def check(rules: Rules, text: str) -> Checked:
    """What is to be said of these words, and of which lines."""
    if len(text) > MOST_CHARACTERS:
        sentence = _("These are %(given)d characters; at most %(most)d are taken.")
        return Checked(0, [], [], sentence % {"given": len(text), "most": MOST_CHARACTERS})
    read = read_lines(rules, text)
    settings = [(line.number, setting) for line in read for setting in line.settings]
    troubles = [(translated(line.trouble), line.number, f"“{_short(line.text)}”") for line in read if line.trouble]
    remarks = [remark for compared in rules.own_compared(settings) for remark in _remarks(compared)]
    remarks += _unknown(rules, read, reads_meaning())
    said = [*_together(troubles, bad=True), *_together(remarks[:MOST_REMARKS], bad=False)]
    checked = Checked(len(read), [setting for _number, setting in settings], said, by_meaning=reads_meaning())
    playable = sum(bool(line.settings) for line in read)
    if not checked.bad and playable < rules.own_least:
        checked.trouble = ngettext(
            "This game takes at least %(least)d line.", "This game takes at least %(least)d lines.", rules.own_least
        ) % {"least": rules.own_least}
    if checked.bad or checked.trouble:
        checked.settings = []
    return checked


Remark = tuple[str, int, str]
"""A sentence, the number of a line of which it holds, and what in the line it is about."""


def _together(remarks: Sequence[Remark], bad: bool) -> list[Said]:
    """Each sentence once, with its lines."""
    found: dict[str, Said] = {}
    for sentence, number, about in remarks:
        found.setdefault(sentence, Said(sentence, bad, [])).lines.append((number, about))
    return [*found.values()]


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()} …"


def _remarks(compared: Compared) -> list[Remark]:
    where = compared.line, f"“{compared.one}”, “{compared.other}”"
    if holds_word(compared.one, compared.other) or holds_word(compared.other, compared.one):
        return [(_("These hold one another: who speaks of the one gives away the other."), *where)]
    if NEAR in compared.too and (
        written_within(compared.one, compared.other) or written_within(compared.other, compared.one)
    ):
        return [(_("One of these is written within the other: who has the longer one may guess the other."), *where)]
    alike = likeness(compared.one, compared.other)
    if alike is not None and NEAR in compared.too and alike >= TOO_NEAR:
        return [(_("These mean nearly the same: hardly a clue will tell them apart."), *where)]
    if alike is not None and FAR in compared.too and alike < TOO_FAR:
        return [(_("These have little in common: one clue may give everything away."), *where)]
    return []


def _unknown(rules: Rules, lines: Sequence[OwnLine], by_meaning: bool) -> list[Remark]:
    """What house agents would not know, as remarks on the lines where it stands first."""
    first: dict[str, int] = {}
    for line in reversed(lines):
        first |= {setting[name]: line.number for setting in line.settings for name in rules.own_fields}
    sentence = (
        _("House agents do not know this and take it for what is nearest to it in meaning.")
        if by_meaning
        else _("House agents do not know this and will be vague about it.")
    )
    unknown_words = sorted(unknown(rules.name, [*first]), key=lambda word: first[word])
    return [(sentence, first[word], f"“{word}”") for word in unknown_words]


def drawn(rules: Rules, options: Any, settings: Sequence[dict[str, Any]], seed: int, typed_by: int) -> dict[str, Any]:
    """One of the settings of a table's own words, drawn by the seed. typed_by: the seat of who typed them, or 0. Raises
    `Impossible` where none can be played with these options."""
    shuffled = list(settings)
    random.Random(f"{seed}:setting").shuffle(shuffled)
    for setting in shuffled:
        rules.check_setting(options, setting)
        return rules.drawn(setting, settings) | {OWN: typed_by}
    return {}
