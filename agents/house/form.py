"""How long what is said is, drawn before anybody thinks of what to say: so that the length tells nothing of a role."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from agents.situation import Situation
from games.rules.values import Refusal

NEAR = 2
"""Texts that differ by so many characters from the length that was drawn are as long as that."""
CHOICE = 3
"""But there are at least so many to choose from: the nearest ones."""


def first_allowed(situation: Situation, texts: Iterable[str]) -> dict[str, Any] | None:
    """The first of these texts that the rules take, as an action; None where they take none."""
    for text in texts:
        action = {"text": text[0].upper() + text[1:]}
        if not isinstance(situation.rules.act(situation.state, situation.request, action), Refusal):
            return action
    return None


def of_drawn_length(
    texts: Sequence[str], usual: Sequence[str], chance: random.Random, choice: int = CHOICE
) -> list[int]:
    """The places of those among ``texts`` that are about as long as a text drawn from ``usual``, at least so many
    (``choice``); both are to be the same for every role. The first draw of ``chance``."""
    length = len(chance.choice(usual))
    apart = [abs(len(text) - length) for text in texts]
    within = max(NEAR, sorted(apart)[min(choice, len(texts)) - 1]) if texts else NEAR
    return [place for place, far in enumerate(apart) if far <= within]
