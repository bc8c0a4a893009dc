"""What rules say to people: English sentences that a page can say in the language of who reads it.

Each is marked where it is written, by `sentence`, `counted` or `word`; `manage.py makemessages` finds them by these
names. Logs, files and prompts hold the English. `games.translation` says them in another language.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

DECLARED: set[str] = set()
"""All that was declared."""

shown: Callable[[Sentence], str] = html.escape
"""How a page shows a sentence, as HTML. The app puts its own here."""


class Sentence(str):
    """The English sentence, which remembers how it is made.

    message: the words without what is put in, by which a translation is found. many: the same for any number `n` but
    one; "" where no number decides. params: what is put in, by name; a `Seat` is told by name where names are told.
    """

    __slots__ = ("many", "message", "params")

    message: str
    many: str
    params: Mapping[str, Any]

    def __html__(self) -> str:
        return shown(self)


class Seat(int):
    """A seat within a sentence."""

    def __format__(self, spec: str) -> str:
        return f"seat {int(self)}"


def sentence(message: str, /, **params: Any) -> Sentence:
    """A sentence, with `params` put in where it has their names in braces."""
    return _made(message, message, "", params) if params else _as_written(message)


def counted(one: str, many: str, /, n: int, **params: Any) -> Sentence:
    """A sentence that is another one for one `n` than for more."""
    return _made(one if n == 1 else many, one, many, params | {"n": n})


def declared(text: str) -> Sentence:
    """A text that a registry holds, such as the title of a metric. `manage.py makemessages` takes it from there: all
    that is declared is known once everything is loaded (`DECLARED`)."""
    DECLARED.add(text)
    return _as_written(text)


def word(name: str) -> str:
    """A word of a closed list, as logs and models have it, which pages say in the reader's language."""
    return name


@cache
def _as_written(message: str) -> Sentence:
    """Sentences into which nothing is put: they are asked for at every fold, and stay the same."""
    return _made(message, message, "", {})


def _made(english: str, message: str, many: str, params: Mapping[str, Any]) -> Sentence:
    made = Sentence(english.format_map(params) if params else english)
    made.message, made.many, made.params = message, many, params
    return made
