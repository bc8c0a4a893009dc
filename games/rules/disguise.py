"""Whether a word hides in a text: in pieces, glued to another word, backwards, with one slip in it, in letters that
only look like its own, or in a code. What is said in plain words is for `clues` to find.
"""

import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from . import clues
from .clues import one_slip, singulars, spells, tokens
from .options import option
from .sentences import sentence

NEIGHBOURS = frozenset(
    re.sub("(?m)^#.*$", "", Path(__file__).with_name("neighbours.txt").read_text(encoding="ascii")).split()
)
"""Words one slip away from a noun or a word of the games (`scripts/word_tables.py`)."""

SHORT, LONG, LONGEST = 4, 5, 40
"""A word is heard backwards from so many letters on, glued to another word or with a slip in it from so many, and in
pieces up to so many."""

GLUE = frozenset(
    "the my your his our this that these those it its is are and but yes word clue secret answer say says said "
    "called means thing things animal bird fish food drink fruit place person people man woman men women child boy "
    "girl friend big small little large tiny old new good bad nice red blue green white black brown yellow grey pink "
    "hot cold not you who what which when where from them they then than was were would could should did does have has "
    "had".split()
)
"""Words that are run together with another one to hide it."""

FUNCTION = frozenset(
    "a about all am an and any are as at be been but by can could did do does for from get got had has have he her "
    "here him his how i if in into is it its just like may me more most my no not now of off on one or our out over "
    "she so some than that the their them then there these they this those to too up us was we were what when where "
    "which who will with you your".split()
)
"""Words that sentences are made of; side by side they are themselves, whatever their letters make together."""

_BASE64 = re.compile("[A-Za-z0-9+/_-]{4,}")
_URL_SAFE = str.maketrans("-_", "+/")
_HEX = re.compile("[0-9a-f]{6,}")
_HEX_MARKS = re.compile(r"0x|\\x|\\u00|u\+00|&#x|[%\s:,;-]")
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


def disguise_option() -> Any:
    """The option `disguises` of a game."""
    return option(
        True, sentence("A word in disguise is the word: in pieces, backwards, with one slip, in a code."), hidden=True
    )


def hides(text: str, word: str) -> bool:
    """Whether this word is said in this text, in whatever disguise."""
    meant = "".join(tokens(word))
    if not meant:
        return False
    heard = _heard(text)
    return (
        not heard.runs.isdisjoint(singulars(meant))
        or any(spells(words, meant) or spells(words, meant[::-1]) for words in heard.readings)
        or (len(meant) >= LONG and any(_glued(token, meant) or _slipped(token, meant) for token in heard.unknown))
    )


class _Heard(NamedTuple):
    """A text as it may be heard. runs: its words and neighbours run together, forwards and backwards, as they are and
    in the singular; unknown: its longer words that are no words of the language."""

    readings: tuple[tuple[str, ...], ...]
    runs: frozenset[str]
    unknown: frozenset[str]


@lru_cache(maxsize=8)  # a text is asked about many words in a row, and then no more; one of 280 letters takes 0.25 MB
def _heard(text: str) -> _Heard:
    plain = clues.readings(text)
    coded = tuple(words for said in decoded(text) for words in clues.readings(said))
    runs = {run for words in (*plain, *coded) for run in _runs(words)}
    runs |= {run[::-1] for run in runs if len(run) >= SHORT}
    forms = [singulars(token) for token in {token for words in plain for token in words}]
    unknown = {form for each in forms if NEIGHBOURS.isdisjoint(each) and min(map(len, each)) >= LONG for form in each}
    return _Heard(plain + coded, frozenset().union(*map(singulars, runs)), frozenset(unknown))


def _runs(said: tuple[str, ...]) -> Iterator[str]:
    """The words of a text, and neighbours run together unless they are words that every sentence is made of."""
    for start, run in enumerate(said):
        yield run
        for end in range(start + 1, len(said)):
            run += said[end]
            if len(run) > LONGEST:
                break
            if not FUNCTION.issuperset(said[start : end + 1]):
                yield run


def decoded(text: str) -> Iterator[str]:
    """What a text says in base64, in hexadecimal digits, or in the alphabet turned by half."""
    runs = {*_BASE64.findall(text), *_BASE64.findall("".join(text.split()))}
    codes = [binascii.a2b_base64(run.translate(_URL_SAFE) + "=" * (-len(run) % 4)) for run in runs if len(run) % 4 != 1]
    hexed = _HEX.findall(_HEX_MARKS.sub("", text.casefold()))
    codes += [bytes.fromhex(run[: len(run) // 2 * 2]) for run in hexed]
    for code in codes:
        said = code.decode(errors="replace")
        if said.isprintable() and "\ufffd" not in said:
            yield said
    yield text.casefold().translate(_ROT13)


def _slipped(token: str, word: str) -> bool:
    return abs(len(token) - len(word)) < 2 and one_slip(token, word)


def _glued(token: str, word: str) -> bool:
    """Whether a token is the word with words that are known, or with itself, before or after it."""
    before, found, after = token.partition(word)
    known = GLUE | {"", word}
    return bool(found) and before in known and (after in known or after.removeprefix("s") in known)
