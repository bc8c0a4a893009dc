"""The house agent of the game: `agent.py` decides, `answers.py` answers."""

from games.avalon.house.agent import decide
from games.avalon.house.answers import AvalonAnswers as Speaker
