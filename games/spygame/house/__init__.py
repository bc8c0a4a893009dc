"""The house agent of the game; `agent.py` decides."""

from games.spygame.house.agent import decide
from games.spygame.house.places import places


def knows(place: str) -> bool:
    """Whether it knows anything of this place by itself."""
    return place in places().names
