"""The voice of one seat: it says nothing twice in a match, and seldom in a form that it has used before."""

from collections.abc import Iterable
from random import Random
from typing import Any

from .wording import Temper, Ways, sentences, shape, told_to

TRIES = 40
"""So many wordings are tried before one is taken of which the form was used before."""


class Voice:
    """What a seat says, word by word. said: its own earlier utterances, from the log; listener: the name of whom it
    answers, who is spoken to as "you"; "" where it speaks to all."""

    def __init__(self, names: tuple[str, ...], temper: Temper, chance: Random, said: Iterable[str]):
        self.names, self.temper, self.chance = names, temper, chance
        self.listener = ""
        own = [sentence for text in said for sentence in sentences(text, names)]
        self._said = {sentence.casefold() for sentence in own}
        self._shapes = {shape(sentence, names) for sentence in own}

    def say(self, *ways: Ways, **parts: Any) -> str:
        """One of these ways that this seat has not used; a part may itself be `Ways`, of which one is taken. Nothing
        ("") where all has been said."""
        texts = [text for some in ways for text in some.of(self.temper)]
        self.chance.shuffle(texts)
        inner = {name: part for name, part in parts.items() if isinstance(part, Ways)}
        fallback = ""
        for _, text in zip(range(TRIES), texts * (TRIES if inner else 1), strict=False):
            chosen = {name: part.drawn(self.temper, self.chance).format(**parts) for name, part in inner.items()}
            sentence = text.format(**{**parts, **chosen})
            if self.listener:
                sentence = told_to(self.listener, sentence)
            sentence = sentence[0].upper() + sentence[1:]
            pieces = sentences(sentence, self.names)
            if any(piece.casefold() in self._said for piece in pieces):
                continue
            if all(shape(piece, self.names) not in self._shapes for piece in pieces):
                return self._kept(sentence)
            fallback = fallback or sentence
        return self._kept(fallback)

    def _kept(self, text: str) -> str:
        pieces = sentences(text, self.names)
        self._said |= {piece.casefold() for piece in pieces}
        self._shapes |= {shape(piece, self.names) for piece in pieces}
        return text


def within(texts: Iterable[str], limit: int) -> str:
    """These sentences as one text, as many as there is room for."""
    whole = ""
    for text in texts:
        longer = f"{whole} {text}".strip()
        whole = longer if text and len(longer) <= limit else whole
    return whole
