"""Chain of thought: the model reasons in words first, then gives the move with that reasoning before it."""

from .base import Method, Stage, Steps, Turn
from .readers import Move, Words


class Cot(Method):
    name = "cot"
    title = "Chain of thought"
    about = "Two calls: reasoning in words, which nobody at the table sees, then the move."

    def think(self, turn: Turn) -> Steps:
        reason = yield Stage("reason", Words())
        yield Stage("answer", Move(), given={"reason": reason}, final=True)
