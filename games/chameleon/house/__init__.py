"""The house agent of the game; `agent.py` decides."""

from agents.house.words import network
from games.chameleon.house.agent import decide


def knows(word: str) -> bool:
    """Whether it knows anything of this word by itself."""
    return network().place(word) is not None
