"""The house agent of the game; `agent.py` decides."""

from games.undercover.house.agent import decide
