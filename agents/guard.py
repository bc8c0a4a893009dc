"""What must not reach the table by a player's mouth: an agent's instructions and its thoughts.

What the rules forbid, such as the own word, the rules themselves refuse; this stands beside them for every game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

RUN = 8
"""So many words in a row from the instructions are a quotation, not a coincidence."""

LEAST, SHARE = 20, 0.8
"""A thought of at least so many words must not be given away to this share. Less: a speech drafted in it is legal."""

QUOTES_INSTRUCTIONS = "Your words repeat your instructions. Say something that a player would say."
GIVES_THOUGHT_AWAY = "Your words give your private thoughts away. Say only what the others should hear."

_MARKS = re.compile(r"</?said\b", re.IGNORECASE)


def objection(text: str, *, instructions: Iterable[str], thoughts: Iterable[str]) -> str:
    """Why these words stay away from the table, in one sentence for the model; empty if they may be said."""
    said = _words(text)
    if _MARKS.search(text) or any(_runs(said, RUN) & _runs(_words(each), RUN) for each in instructions):
        return QUOTES_INSTRUCTIONS
    if any(_gives_away(said, _words(thought)) for thought in thoughts):
        return GIVES_THOUGHT_AWAY
    return ""


def _gives_away(said: list[str], thought: list[str]) -> bool:
    if len(thought) < LEAST:
        return False
    told = _runs(said, 4)
    runs = [tuple(thought[start : start + 4]) for start in range(len(thought) - 3)]
    return sum(run in told for run in runs) >= SHARE * len(runs)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _runs(words: list[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}
