"""The house agent of the game: `agent.py` decides, `talk.py` speaks."""

from agents.house.words import network
from games.chameleon.house.agent import decide
from games.chameleon.house.talk import Talker as Speaker


def knows(word: str) -> bool:
    """Whether it knows anything of this word by itself."""
    return network().place(word) is not None
