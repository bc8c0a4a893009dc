"""How a text looks: what of it can be seen, and in which plain letters it reads. Names and clues are compared by it."""

import json
import unicodedata
from functools import lru_cache
from pathlib import Path

_LETTERS = json.loads(Path(__file__).with_name("look_alikes.json").read_text(encoding="ascii"))
"""plain: from each plain letter or digit to all that look like it; alike: other small letters that look like one
another, in each group any like any (`scripts/word_tables.py`)."""

_FILLERS = dict.fromkeys(map(ord, "\u115f\u1160\u3164\uffa0\u2800\U0001d159"))
_EITHER = "\0"
"""What may be an I or an l."""
_FORMS = ((form, group[0]) for group in _LETTERS["alike"] for char in group for form in {char, char.upper()})
_PLAIN = {ord(form): first for form, first in _FORMS if len(form) == 1}
_PLAIN |= {ord(char): plain for plain, chars in _LETTERS["plain"].items() for char in chars}
_PLAIN |= {char: _EITHER for char, plain in _PLAIN.items() if plain == "l"}
_PLAIN |= dict.fromkeys(map(ord, "I1|"), _EITHER) | {ord("0"): "o"}
_UNSEEN = ("Mn", "Me", "Cc", "Cf", "Cs", "Co", "Cn")


def visible(text: str) -> str:
    """A text without what cannot be seen, in compatible forms and without accents; it may come to nothing."""
    compatible = unicodedata.normalize("NFKC", text).translate(_FILLERS)
    bare = (ch for ch in unicodedata.normalize("NFD", compatible) if unicodedata.category(ch) not in _UNSEEN)
    return unicodedata.normalize("NFC", "".join(bare))


@lru_cache(maxsize=4096)
def skeletons(text: str) -> tuple[str, ...]:
    """How a text looks, in plain small letters: twice where an I may be an l. Texts with one in common look alike."""
    drawn = visible(text).translate(_PLAIN)
    return tuple(dict.fromkeys(drawn.replace(_EITHER, letter).casefold() for letter in "il"))
