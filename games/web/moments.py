"""Each person's best moment, for the end of a match: one sentence a seat, from what everybody may know by then. A game
tells them in its folder, `moments(events, end, names)` in `moments.py`."""

from collections.abc import Mapping, Sequence

from games.registry import RULES
from games.rules import values


def moments(game: str, events: Sequence[values.Seen], names: Mapping[int, str]) -> dict[int, str]:
    """The best moment of each seat; {} for a match that ended early.

    events: what everybody may see; their last is the end of the match.
    """
    told = [event for event in events if isinstance(event, values.Event)]
    last = told[-1]
    return RULES[game].part("moments").moments(told, last.data, names) if last.kind == "finished" else {}
