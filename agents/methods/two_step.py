"""Two steps (SpyGame, section III-B): the move in free text, then the same in the form that the table reads.

The second step is shown the record as well, so that it can mend a move that the rules refuse.
"""

import re

from games.rules.fields import Text

from .base import Method, Stage, Steps, Turn
from .readers import Move, Words

_MOVE = re.compile(r"^\W*move\W*$", re.IGNORECASE | re.MULTILINE)


class TwoStep(Method):
    name = "two_step"
    title = "Two steps"
    about = (
        "Two calls: the move and its strategy in free text, then the same move as JSON, by the same or a second model."
    )

    def think(self, turn: Turn) -> Steps:
        limits = [item.limit for item in turn.situation.request.fields if isinstance(item, Text)]
        given = {"limit": min(limits, default=None)}
        decision = yield Stage("decide", Words(), given=given, keep=lambda text: {"thought": _strategy(text)})
        yield Stage("write", Move(), given={"decision": decision}, second=True, final=True)


def _strategy(decision: str) -> str:
    """The part of a decision that must not be said: what stands before the move, all of it where no move is marked."""
    return _MOVE.split(decision, maxsplit=1)[0].strip()
