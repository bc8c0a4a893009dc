"""What a guess names: the answer itself, or the answer in a sentence that does nothing but give it.

The sentence is read whole: whatever the grammar does not know stays part of the answer, which then is no word. So a
denial, a second candidate or a reason never counts as the answer in it.
"""

import re
from typing import Any, Protocol

from .options import option
from .sentences import sentence

_OPENING = r"(?:(?:well|ok|okay|so|then|now|hm+|alright|all\s+right|thus|therefore)\b[\s,.:!\u2026-]*)*"
_SAYS = (
    r"(?:i|we)(?:['\u2019](?:d|ll|m)|\s+(?:will|would|shall|must|am|do|can\s+only))?(?:\s+(?:now|still|going\s+to|have\s+to|"
    r"like\s+to|want\s+to|finally))*\s+(?:guess(?:ing)?|say|think|believe|bet|suspect|suppose|reckon|answer|choose|pick|"
    r"conclude|(?:go|going)\s+(?:with|for)|settle\s+on)(?:\s+that)?(?:\s+on)?\s*[:,]?\s*"
)
_THING = (
    r"(?:(?:the|my|your|our|their|this)\s+)?(?:(?:final|best|last|secret|hidden|common|civilians?['\u2019]?s?|code|key)\s+)*"
    r"(?:guess|answer|word|code\s?word|code|secret|place|location|choice|pick)(?:\s+(?:here|now))?"
)
_BE = r"(?:is|was|(?:must|might|may|could|should|would|will|has\s+to)\s+be)\b"
_IS = rf"(?:\s+{_BE}\s*[:,]?|\s*[:=]|\s+[\u2013\u2014-]\s)"
_IT_IS = rf"(?:it|this|that)(?:['\u2019]s\b|\s+{_BE})\s*[:,]?"
_WE_ARE = r"we(?:['\u2019]re|\s+(?:are|must\s+be|might\s+be|could\s+be))\s+(?:all\s+)?(?:at|in|on)\b"
_HEDGE = r"(?:probably|possibly|perhaps|maybe|(?:most\s+|very\s+)?likely|surely|definitely|certainly|clearly|obviously)"
_SURE = rf"(?:{_HEDGE}\b[,:]?\s*)?"
_CARRIER = re.compile(
    rf"{_OPENING}{_SURE}(?:{_SAYS}(?:{_THING}{_IS}|{_IT_IS}|{_WE_ARE})?|{_THING}{_IS}|{_IT_IS}|{_WE_ARE})?\s*{_SURE}",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"(?:\s*[,.;\u2013\u2014-]\s*(?:i\s+(?:guess|think|believe|suppose|bet|say)|final\s+answer|"
    r"(?:that|this)(?:['\u2019]s|\s+is)\s+my\s+(?:final\s+)?(?:guess|answer))|\s+is\s+my\s+(?:final\s+)?(?:guess|answer)|"
    rf",?\s+{_HEDGE})"
    r"[\s.!]*$",
    re.IGNORECASE,
)


def sentence_option() -> Any:
    """The option `guess_in_sentence` of a game."""
    return option(True, sentence("A guess may stand in a sentence that gives it ('The word is ...')."), hidden=True)


def named(guess: str) -> str:
    """The answer that a guess gives, without the sentence that carries it."""
    bare = _TRAILER.sub("", guess.strip(" \t\n*_"))
    carrier = _CARRIER.match(bare)
    return (bare[carrier.end() :] if carrier else bare).strip(" \t\n*_") or guess


class GuessOptions(Protocol):
    """The options of a game with guesses."""

    @property
    def guess_in_sentence(self) -> bool: ...


def readings(guess: str, options: GuessOptions) -> tuple[str, ...]:
    """The texts of which one must be the answer: the guess, and what it names where a sentence may carry it."""
    return (guess, named(guess)) if options.guess_in_sentence else (guess,)
