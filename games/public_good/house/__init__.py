"""The house agent of the game; `agent.py` decides, `talk.py` speaks."""

from games.public_good.house.agent import STRATEGIES, USUAL, decide
from games.public_good.house.talk import Talker as Speaker
