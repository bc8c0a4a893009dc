"""The house agent of the game; `agent.py` decides, `talk.py` speaks."""

from games.spygame.house.agent import decide
from games.spygame.house.places import places
from games.spygame.house.talk import Talker as Speaker


def knows(place: str) -> bool:
    """Whether it knows anything of this place by itself."""
    return place in places().names
