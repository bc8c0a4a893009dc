"""What a clue may not hold: the word itself, or an earlier clue again.

Compared are whole words after NFKC, without invisible characters and accents, casefolded, in the singular or a simple
plural. Where a script writes words without spaces, the word may not stand inside the clue at all. A word in disguise is
the word: with letters of other scripts that look like its own, with digits for letters, or spelled letter by letter.
"""

import re
from functools import lru_cache

from .skeleton import skeletons, visible

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_TOKEN = re.compile(r"[^\W_]+")
_DIGITS = str.maketrans("34578", "eastb")
_SPELLED = 3
"""A word of at least so many letters may not be spelled with single letters."""
_WRITTEN = 3
"""A word is found within another one from so many letters on, where as many are left of the other one."""
_ARTICLES = ("a", "an", "the")
_LONG = 5
_SIMPLE_ES = ("s", "x", "z", "ch", "sh", "o")


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared."""
    return tuple(_TOKEN.findall(visible(text).casefold()))


@lru_cache(maxsize=4096)
def singulars(token: str) -> frozenset[str]:
    """A word, and what it may be the simple plural of."""
    forms = {token}
    if len(token) > 3 and token.endswith("s") and not token.endswith("ss"):
        forms.add(token[:-1])
        if token.endswith("es") and token[:-2].endswith(_SIMPLE_ES):
            forms.add(token[:-2])
        if token.endswith("ies"):
            forms.add(token[:-3] + "y")
    return frozenset(forms)


def same_word(one: str, other: str) -> bool:
    """Whether two words are one, singular or plural."""
    return one in singulars(other) or other in singulars(one)


def holds_word(clue: str, word: str) -> bool:
    """Whether a clue says the word; a word of several parts counts in one piece, spaced, hyphened or run together."""
    parts = tokens(word)
    return bool(parts) and any(_says(said, parts, word) or spells(said, "".join(parts)) for said in readings(clue))


def written_within(word: str, text: str) -> bool:
    """Whether a longer word of the text begins or ends with this word ("cat" in "catfish")."""
    short = "".join(tokens(word))
    return len(short) >= _WRITTEN and any(
        len(long) >= len(short) + _WRITTEN and (long.startswith(short) or long.endswith(short)) for long in tokens(text)
    )


@lru_cache(maxsize=1024)
def readings(clue: str) -> tuple[tuple[str, ...], ...]:
    """The words of a clue as they stand, and as they look when they are in disguise; each reading once."""
    looks = (
        tuple(token if token.isalpha() or token.isdigit() else token.translate(_DIGITS) for token in tokens(look))
        for look in skeletons(clue)
    )
    return tuple(dict.fromkeys((tokens(clue), *looks)))


def spells(said: tuple[str, ...], joined: str) -> bool:
    """Whether single letters in a row spell the word; an "I" or "a" before them hides nothing."""
    return len(joined) >= _SPELLED and joined in _letters(said)


@lru_cache(maxsize=1024)
def _letters(said: tuple[str, ...]) -> str:
    """Its single letters, with a space for each longer word."""
    return "".join(token if len(token) == 1 else " " for token in said)


@lru_cache(maxsize=1024)
def _forms(said: tuple[str, ...]) -> frozenset[str]:
    """Its words, and what they may be the plurals of."""
    return frozenset().union(*map(singulars, said))


def _says(said: tuple[str, ...], parts: tuple[str, ...], word: str) -> bool:
    if _UNSPACED.search(word):
        return "".join(parts) in "".join(said)
    joined = "".join(parts)
    if joined in _forms(said) or not singulars(joined).isdisjoint(said):
        return True
    if len(parts) == 1:
        return False
    windows = (said[start : start + len(parts)] for start in range(len(said) - len(parts) + 1))
    return any(window[:-1] == parts[:-1] and same_word(window[-1], parts[-1]) for window in windows)


def repeats(clue: str, earlier: str) -> bool:
    """Whether a clue says the same as an earlier one, whatever its case, spaces and punctuation."""
    said = tokens(clue)
    return said == tokens(earlier) if said else clue == earlier


def holds(clue: str, earlier: str) -> bool:
    """Whether a clue has all words of an earlier one in a row."""
    said, sought = tokens(clue), tokens(earlier)
    return any(said[start : start + len(sought)] == sought for start in range(len(said) - len(sought) + 1))


def is_answer(guess: str, word: str) -> bool:
    """Whether a guess is the word, whatever its case, spaces and articles."""
    return _answer(guess) == _answer(word)


def same_answer(guess: str, word: str) -> bool:
    """Whether a guess is the word, or it in the singular or plural."""
    return same_word(_answer(guess), _answer(word))


def near_answer(guess: str, word: str) -> bool:
    """Whether a guess is the word, in the singular or plural, with at most one slip in it. A short word, or one with
    another first letter, is another word ("bat" and "cat")."""
    meant = _answer(word)
    forms = [form for form in singulars(_answer(guess)) if form[:1] == meant[:1]]
    return same_answer(guess, word) or any(
        min(len(form), len(meant)) >= _LONG and one_slip(form, meant) for form in forms
    )


def _answer(text: str) -> str:
    """The words of a guess run together, without articles; an article alone is a word."""
    words = tokens(text)
    return "".join([word for word in words if word not in _ARTICLES] or words)


def one_slip(said: str, meant: str) -> bool:
    """Whether at most one slip makes the one word of the other: a letter too many, too few, wrong, or two that changed
    places."""
    start = next((i for i, (a, b) in enumerate(zip(said, meant, strict=False)) if a != b), min(len(said), len(meant)))
    left, right = said[start:], meant[start:]
    swapped = left[1:2] + left[:1] + left[2:]
    return left[1:] == right or left == right[1:] or left[1:] == right[1:] or swapped == right
