"""What house agents can say of a table's own words before they are played with."""

from collections.abc import Sequence

from agents.house import embedding
from agents.house.words import network
from games.registry import RULES

CLOSE = 0.6
"""From here on the sentence model alone tells how alike words are; below, what is true of both tells it better."""


def likeness(one: str, other: str) -> float | None:
    """How alike two words are, from 0 to 1, by the sentence model and what is known of both; None without the model."""
    alike = embedding.likeness(one, other)
    known = [network().place(word) for word in (one, other)]
    if alike is None or alike >= CLOSE or None in known:
        return alike
    return (alike + float(network().similarities[known[0], known[1]])) / 2


def reads_meaning() -> bool:
    """Whether texts are compared by their meaning here, and not only as they are written."""
    return embedding.installed() is not None


def unknown(game: str, words: Sequence[str]) -> list[str]:
    """Those of these words of which the house agent of a game knows nothing by itself."""
    house = RULES[game].part("house")
    return [word for word in words if not house.knows(word)]
