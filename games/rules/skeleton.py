"""How a text looks: what of it can be seen, and in which plain letters it reads. Names and clues are compared by it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from .look_alikes import ALIKE, LOOK_ALIKES

_FILLERS = dict.fromkeys(map(ord, "\u115f\u1160\u3164\uffa0\u2800\U0001d159"))
_EITHER = "\0"
"""What may be an I or an l."""
_PLAIN = {ord(form): group[0] for group in ALIKE for char in group for form in {char, char.upper()} if len(form) == 1}
_PLAIN |= {ord(char): plain for plain, chars in LOOK_ALIKES.items() for char in chars}
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
