"""What must not reach the table by a player's mouth: an agent's instructions and its thoughts.

What the rules forbid, such as the own word, the rules themselves refuse; this stands beside them for every game. Texts
are compared as they look, letter by letter, so that neither missing spaces nor look-alikes nor turning hides anything.
"""

import re
from collections.abc import Iterable, Iterator

from games.rules.clues import tokens
from games.rules.disguise import decoded
from games.rules.skeleton import skeletons

RUN = 8
"""So many words in a row from the instructions are a quotation, not a coincidence."""

PIECE, IN_A_ROW, IN_PIECES = 20, 40, 70
"""So many letters in common are a piece; so many in a row, or in pieces together, are a quotation too."""

LEAST, SHARE = 20, 0.8
"""A thought of at least so many words must not be given away to this share. Less: a speech drafted in it is legal."""

QUOTES_INSTRUCTIONS = "Your words repeat your instructions. Say something that a player would say."
GIVES_THOUGHT_AWAY = "Your words give your private thoughts away. Say only what the others should hear."

_MARKS = re.compile(r"</?(?:said|told|notes)\b", re.IGNORECASE)


def objection(text: str, *, instructions: Iterable[str], thoughts: Iterable[str]) -> str:
    """Why these words stay away from the table, in one sentence for the model; empty if they may be said."""
    heard = list(_heard(text))
    if _MARKS.search(text) or any(_quotes(text, heard, each) for each in instructions):
        return QUOTES_INSTRUCTIONS
    if any(_gives_away(heard, thought) for thought in thoughts):
        return GIVES_THOUGHT_AWAY
    return ""


def _quotes(text: str, heard: list[str], source: str) -> bool:
    if _runs(tokens(text)) & _runs(tokens(source)):
        return True
    pieces = _Pieces(_letters(source))
    return any(sum(rows) >= IN_PIECES or max(rows, default=0) >= IN_A_ROW for rows in map(pieces.found_in, heard))


def _gives_away(heard: list[str], thought: str) -> bool:
    if len(tokens(thought)) < LEAST:
        return False
    own = _letters(thought)
    return any(sum(_Pieces(said).found_in(own)) >= SHARE * len(own) for said in heard)


def _heard(text: str) -> Iterator[str]:
    """The letters of a text, as it stands and decoded, forwards and backwards, and with its words in reverse."""
    for said in (text, *decoded(text)):
        yield _letters(said)
        yield _letters(said)[::-1]
        yield _letters(" ".join(reversed(said.split())))


def _letters(text: str) -> str:
    return "".join(tokens(skeletons(text)[0]))


def _runs(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[start : start + RUN] for start in range(len(words) - RUN + 1)}


class _Pieces:
    """All pieces of a text."""

    def __init__(self, letters: str):
        self.all = {letters[start : start + PIECE] for start in range(len(letters) - PIECE + 1)}

    def found_in(self, letters: str) -> list[int]:
        """How many letters of another text are in common with this one, row by row."""
        rows: list[int] = []
        end = 0
        for start in range(len(letters) - PIECE + 1):
            if letters[start : start + PIECE] in self.all:
                fresh = start + PIECE - max(start, end)
                if rows and start <= end:
                    rows[-1] += fresh
                else:
                    rows.append(fresh)
                end = start + PIECE
        return rows
