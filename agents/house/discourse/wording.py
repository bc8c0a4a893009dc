"""Ways to say one thing, and the three temperaments by which a seat chooses among them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

_CHOICE = re.compile(r"\(([^()]*)\)")


class Temper(NamedTuple):
    """How somebody talks. sentences: how many one speech has at most; needs: how many times the usual chance of being
    on the other side a seat needs before it is accused aloud."""

    name: str
    sentences: int
    needs: float


BLUNT = Temper("blunt", 2, 1.05)
CAREFUL = Temper("careful", 3, 1.3)
WARM = Temper("warm", 3, 1.15)
TEMPERS = (BLUNT, CAREFUL, WARM)


def temper_of(nature: int) -> Temper:
    """The temper of a seat whose nature (`Situation.nature`) was drawn so."""
    return TEMPERS[nature % len(TEMPERS)]


class Ways:
    """Ways to say one thing: those of everybody, and those of each temper.

    A way is a text with the parts that it needs in braces, and with alternatives in round brackets:
    "I (like|trust) {name}." stands for two ways. means: what a listener takes from it; `says` only where it matters.
    """

    def __init__(
        self,
        *everybody: str,
        blunt: tuple[str, ...] = (),
        careful: tuple[str, ...] = (),
        warm: tuple[str, ...] = (),
        means: str = "",
    ):
        self.means = means
        common = _all(everybody)
        self._of = {temper: common + _all(own) for temper, own in zip(TEMPERS, (blunt, careful, warm), strict=True)}

    def of(self, temper: Temper) -> tuple[str, ...]:
        """The ways that are open to this temper."""
        return self._of[temper]

    @property
    def every(self) -> tuple[str, ...]:
        """All ways, each once."""
        return tuple(dict.fromkeys(itertools.chain(*self._of.values())))

    def turned(self, words: Mapping[str, str]) -> Ways:
        """The same with other words in place of these."""
        any_of = re.compile(rf"\b({'|'.join(words)})\b")
        turned = Ways(means=self.means)
        for temper, ways in self._of.items():
            turned._of[temper] = tuple(any_of.sub(lambda found: words[found[1]], way) for way in ways)
        return turned

    def drawn(self, temper: Temper, chance: Random) -> str:
        return chance.choice(self._of[temper])


def _all(ways: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for way in ways for text in expanded(way))


def expanded(way: str) -> tuple[str, ...]:
    """The texts that a way with alternatives stands for."""
    pieces = _CHOICE.split(way)
    options = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    return tuple("".join(chosen) for chosen in itertools.product(*options))


def listed(names: tuple[str, ...] | list[str], last: str = "and") -> str:
    """Names as in a sentence: "A", "A and B", "A, B and C"."""
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


@lru_cache(maxsize=8192)
def shape(text: str, names: tuple[str, ...]) -> str:
    """A sentence without its names and numbers: two that say the same of different seats have one shape."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "N", text)
    return re.sub(r"\d+", "#", re.sub(r"N(?:, N)*(?: and N| or N)?", "N", text)).casefold()


@lru_cache(maxsize=8192)
def sentences(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of what somebody said; a full stop in a name ends none."""
    for place, name in enumerate(names):
        if "." in name or "!" in name or "?" in name:
            text = text.replace(name, chr(0xE000 + place))
    found = [part.strip() for part in re.findall(r"[^.!?]+[.!?]*", text)]
    for place, name in enumerate(names):
        found = [part.replace(chr(0xE000 + place), name) for part in found]
    return tuple(part for part in found if part)


_QUOTED = re.compile(r"(“[^”]*”)")
_OF_YOU = {
    "is": "are", "has": "have", "was": "were", "does": "do", "worries": "worry", "asks": "ask", "comes": "come",
    "forgets": "forget", "gives": "give", "knows": "know", "leads": "lead", "looks": "look", "proposes": "propose",
    "risks": "risk", "seems": "seem", "sounds": "sound", "stays": "stay", "wonders": "wonder",
}  # fmt: skip
"""Verbs that follow a name, and the same after "you"."""


def told_to(name: str, text: str) -> str:
    """What is said of somebody, said to them: "Zoe has answered" becomes "You have answered". What is quoted stays, and
    so does a name by which they are called: "Not you, Zoe"."""
    pieces = _QUOTED.split(text)
    return "".join(piece if place % 2 else _second_person(name, piece) for place, piece in enumerate(pieces))


def _second_person(name: str, text: str) -> str:
    them, kept = rf"(?<!\w){re.escape(name)}(?!\w)", "\0"
    text = re.sub(rf"(?<=, ){them}(?=[,.;:!?])|(?:^|(?<=[.!?] )){them}(?=,)", kept, text)
    text = re.sub(rf"{them}’s", "your", text)
    text = re.sub(rf"\bThat of {them}", "yours", text)
    text = re.sub(rf"\b[Tt]he (\w+) of {them}(?! and\b)", r"your \1", text)
    verb = rf"(?<!by )(?<!After ){them}( still)? ({'|'.join(_OF_YOU)})\b"
    text = re.sub(verb, lambda found: f"you{found[1] or ''} {_OF_YOU[found[2]]}", text)
    text = re.sub(them, "you", text)
    return re.sub(r"(?:^|(?<=[.!?] ))you", lambda found: found[0].capitalize(), text).replace(kept, name)
