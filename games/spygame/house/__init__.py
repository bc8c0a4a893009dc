"""The house agent of the game; `agent.py` decides."""

from games.spygame.house.agent import decide
