"""The house agent of the game; `agent.py` decides, `talk.py` speaks."""

from games.prisoners_dilemma.house.agent import STRATEGIES, USUAL, decide
from games.prisoners_dilemma.house.talk import Talker as Speaker
