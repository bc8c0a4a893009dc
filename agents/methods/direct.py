"""The plain way: the model is shown what the seat knows and asked for the move."""

from agents.situation import Situation

from .base import Method, Move, Stage


class Direct(Method):
    name = "direct"
    title = "Direct"
    about = "One call: the move is asked for at once."

    def stages(self, situation: Situation) -> tuple[Stage, ...]:
        return (Stage("answer", Move()),)
