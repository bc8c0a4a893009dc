"""The house agent of the game; `agent.py` decides, `talk.py` speaks."""

from games.cost_sharing.house.agent import decide
from games.cost_sharing.house.bargain import STRATEGIES, USUAL
from games.cost_sharing.house.talk import Talker as Speaker
