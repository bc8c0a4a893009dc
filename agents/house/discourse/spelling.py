"""Words as people type them, made into the few words that are looked for: short forms, slips of the keyboard, names."""

import json
import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from typing import Any

Names = tuple[tuple[int, str], ...]


WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
_LONG: dict[str, str] = WORDS["short"]
"""Short forms, and words that mean the same as another one."""

_COUNTED_OUT = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_ORDINALS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}

COMMON = frozenset(" ".join(WORDS["common"]).split())
"""Words that are spelled right, however near they are to one that is looked for."""


def folded(text: str) -> str:
    """Small letters, plain signs, no accents."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("`", "'").replace("‘", "'"))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()


def marked(text: str, names: Names) -> str:
    """A folded text with "@3" in place of whatever names seat 3: its name, "seat 3", "player 3", "p3", "#3"."""
    seats = {seat for seat, _ in names}
    for seat, pattern in _patterns(names):
        text = pattern.sub(f" @{seat} ", text)

    def number(found: re.Match) -> str:
        return f" @{found[1]} " if int(found[1]) in seats else found[0]

    def numbers(found: re.Match) -> str:
        return re.sub(r"\d+", lambda one: f" @{one[0]} " if int(one[0]) in seats else one[0], found[1])

    text = re.sub(r"\b(?:seats|players)\s+((?:\d{1,2}(?:\s*(?:,|&|and|or)\s*)*)+)", numbers, text)
    text = re.sub(r"(?<![@\w])(?:(?:seat|player|number|no\.|nr)\s*#?\s*|[ps]|#)(\d{1,2})(?!\w)", number, text)
    # A number by itself is a seat, unless a word beside it says what it counts.
    text = _SUBJECT.sub(lambda found: found[0].replace(found[1], f"#{found[1]}"), text)
    text = re.sub(r"#(\d{1,2})(?!\w)", number, text)
    return _ALONE.sub(number, text)


_COUNTED = (
    "fails?|votes?|people|of us|evils?|bad|good|players?|seats?|quests?|missions?|times?|minutes?|cards?|success\\w*|"
    "rounds?|more|left|plus"
)
_SUBJECT = re.compile(
    r"\b(?:is|was|think|that|if|why|about|trust|suspect|did|does)\s+(\d{1,2})\b(?=\s*(?:[?,.!]|$)|\s+(?!it\b)[a-z]+)"
    r"(?!\s+(?:fails?|votes?|people|of|players?|seats?|quests?|times?|cards?|teams?|more|left|minutes?)\b)"
)
"""Where a number is a seat, whatever is said of it: "is 6 bad"."""
_ALONE = re.compile(
    r"(?<![@\w.])(?<!quest )(?<!mission )(?<!round )(?<!team )(?<!least )(?<!proposal )(?<!attempt )(?<!try )"
    rf"(?<!turn )(?<!score )(?<!is it )(\d{{1,2}})(?![\w%:'/-])(?!\.\d)(?!\s+(?:{_COUNTED})\b)"
)


@lru_cache(maxsize=64)
def _patterns(names: Names) -> tuple[tuple[int, re.Pattern], ...]:
    """Each seat with what it may be called, the longest first; a part of a name where only one seat has it."""
    called: dict[str, set[int]] = {}
    for seat, name in names:
        whole = folded(name)
        parts = [part for part in re.findall(r"\w+", whole) if len(part) > 2 and part not in COMMON]
        names_of_it = {whole, whole.replace(" ", ""), *parts}
        possessive = {f"{way}s" for way in names_of_it if len(way) > 2} - COMMON
        for way in names_of_it | possessive:
            called.setdefault(way, set()).add(seat)
    ways = sorted((way for way, seats in called.items() if len(seats) == 1), key=len, reverse=True)
    return tuple(
        (min(called[way]), re.compile(rf"(?<![@\w]){re.escape(way)}(?:'s\b|(?!\w))")) for way in ways if way.strip()
    )


def compared(word: str, known: Collection[str]) -> str:
    """The known word that a superlative is made of: "odd" for "oddest"; "" for any other word."""
    if not word.endswith("est") or word in COMMON:
        return ""
    stem = word[:-3]
    return next((base for base in (stem, f"{stem}e", f"{stem[:-1]}y", stem[:-1]) if base in known), "")


@lru_cache(maxsize=4096)
def respelled(word: str, known: frozenset[str]) -> str:
    """The known word that was meant by one with a slip in it; the word itself where there is none."""
    if word in known or word in COMMON or len(word) < 4 or not word.isalpha():
        return word
    stretched = re.sub(r"(.)\1{2,}", r"\1", word)
    if stretched in known:
        return stretched
    near = sorted(one for one in known if len(one) > 3 and one[0] == word[0] and _one_slip(word, one))
    return near[0] if near else word


def named_by_slip(word: str, names: Names) -> int | None:
    """The one seat whose name was meant by a word with a slip in it."""
    near = [seat for seat, name in names if len(name) > 3 and _one_slip(word, folded(name))]
    return near[0] if len(near) == 1 and len(word) > 3 and word not in COMMON else None


def _one_slip(one: str, other: str) -> bool:
    """Whether one letter too many, too few or wrong, or two exchanged, part these words."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:] and len(a) > 1)


def words(text: str, names: Names, known: Collection[str]) -> list[str]:
    """What was typed as plain words: "@3" for a seat, signs of punctuation by themselves, no short forms."""
    known = frozenset(known)
    found: list[str] = []
    for token in re.findall(r"@\d+|[a-z]+(?:'[a-z]+)?|\d+|[?!.;:,]", marked(_spelled_out(folded(text)), names)):
        if token.isalpha() and token not in known:
            seat = named_by_slip(token, names)
            if seat is not None:
                token = f"@{seat}"
            elif base := compared(token, known):
                token = f"most {base}"
            else:
                token = respelled(token, known)
        found += token.removesuffix("'s").split()
    return found


def _spelled_out(text: str) -> str:
    def longer(found: re.Match) -> str:
        return _LONG.get(found[0], found[0])

    text = re.sub(r"[a-z]+\d?'?[a-z]*|\d[a-z]{2}", longer, re.sub(r"[&+]", " and ", text))
    text = re.sub(
        r"\b(first|second|third|fourth|fifth) (quest|team|round)\b", lambda f: f"quest {_ORDINALS[f[1]]}", text
    )
    text = re.sub(rf"\bquest ({'|'.join(_COUNTED_OUT)})\b", lambda found: f"quest {_COUNTED_OUT[found[1]]}", text)
    return re.sub(r"\bquest\s*#?\s*(\d)", r"quest \1", text)
