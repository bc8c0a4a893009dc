"""The plain way: the model is shown what the seat knows and asked for the move."""

from .base import Method, Stage, Steps, Turn
from .readers import Move


class Direct(Method):
    name = "direct"
    title = "Direct"
    about = "One call: the move is asked for at once."

    def think(self, turn: Turn) -> Steps:
        yield Stage("answer", Move(), final=True)
