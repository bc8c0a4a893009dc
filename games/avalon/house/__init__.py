"""The house agent of the game; `agent.py` decides."""

from games.avalon.house.agent import decide
