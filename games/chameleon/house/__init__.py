"""The house agent of the game; `agent.py` decides."""

from games.chameleon.house.agent import decide
