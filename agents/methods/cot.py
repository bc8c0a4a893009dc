"""Chain of thought: the model reasons in words first, then gives the move with that reasoning before it."""

from agents.situation import Situation

from .base import Method, Move, Stage, Words


class Cot(Method):
    name = "cot"
    title = "Chain of thought"
    about = "Two calls: reasoning in words, which nobody at the table sees, then the move."

    def stages(self, situation: Situation) -> tuple[Stage, ...]:
        return (Stage("reason", Words()), Stage("answer", Move()))
