"""What the players of an Avalon table say of one another, read from their words: whom they doubt and whom they trust.

A plain reading by words, for people as for agents: each sentence that names a seat is weighed by the words of doubt and
of trust in it, and a "not" before such a word turns it round.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agents.house.avalon_posterior import Remark

_DOUBT = frozenset(
    "accuse against avoid bad betray betrayed doubt doubts dangerous dirty distrust evil exclude eye fail failed fails "
    "fishy guilty leave liar lie lied lies lying minion mistrust mordred morgana oberon odd reject sabotage sabotaged "
    "scum shady spy strange suspect suspects suspicious suspicion traitor uneasy untrustworthy villain weird worried "
    "worries worry wrong".split()
)
_TRUST = frozenset(
    "add believe believes clean clear confirmed decent fine good helped honest innocent like loyal ok okay percival "
    "reliable safe sense servant sound support sure trust trusts trusted trustworthy vouch win won".split()
)
_NEGATION = frozenset(
    "not no never nobody neither nor cannot can't cant don't dont doesn't doesnt isn't isnt wasn't wasnt "
    "won't wont wouldn't wouldnt hardly without".split()
)
_REACH = 4
"""How many words before a word of doubt or trust a negation still turns it round."""
_WORD = re.compile(r"[\w']+")
_SENTENCE_END = re.compile(r"[.!?;\n]+|\bbut\b", re.IGNORECASE)


Names = tuple[tuple[int, str], ...]


@lru_cache(maxsize=1024)
def remarks(speaker: int, text: str, names: Names) -> tuple[Remark, ...]:
    """What ``speaker`` says of others in ``text``: one remark for each seat that a sentence names with doubt or trust.

    A seat is named by its name, where no other seat has the same, or as "seat 3" or "player 3".
    """
    for seat, pattern in _patterns(names):
        text = pattern.sub(f" {_mark(seat)} ", text)
    found = []
    for sentence in _SENTENCE_END.split(text.replace("’", "'")):
        named = [seat for seat, _ in names if seat != speaker and _mark(seat) in sentence]
        tone = _tone(sentence) if named else 0
        if tone:
            found.extend(Remark(speaker, seat, doubts=tone < 0) for seat in named)
    return tuple(found)


def _mark(seat: int) -> str:
    """A character for a seat that no player can type: the table takes private ones out of what is said."""
    return chr(0xE000 + seat)


@lru_cache(maxsize=64)
def _patterns(names: Names) -> tuple[tuple[int, re.Pattern], ...]:
    """Each seat with what it may be called; the longest names first, so that none is read as a part of another."""
    called = [name.casefold() for _, name in names]
    patterns = []
    for seat, name in sorted(names, key=lambda entry: -len(entry[1])):
        ways = [rf"(?:seat|player) {seat}"]
        if called.count(name.casefold()) == 1:
            ways.append(re.escape(name))
        patterns.append((seat, re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE)))
    return tuple(patterns)


def _tone(sentence: str) -> int:
    """Positive for trust, negative for doubt, 0 for neither or both alike."""
    words = _WORD.findall(sentence.casefold())
    tone = 0
    for place, word in enumerate(words):
        leaning = (word in _TRUST) - (word in _DOUBT)
        if leaning and not _NEGATION.isdisjoint(words[max(0, place - _REACH) : place]):
            leaning = -leaning
        tone += leaning
    return tone
