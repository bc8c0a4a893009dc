"""Each person's best moment, for the end of a match: one sentence a seat, from what everybody may know by then.

One file a game, each with `moments(events, end, names)`; a game without one tells none.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

from games.rules import values


def moments(game: str, events: Sequence[values.Event], names: Mapping[int, str]) -> dict[int, str]:
    """The best moment of each seat; {} for a game without such moments or a match that ended early.

    events: what everybody may see; their last is the end of the match.
    """
    last = events[-1]
    if last.kind != "finished" or find_spec(f"{__name__}.{game}") is None:
        return {}
    return import_module(f"{__name__}.{game}").moments(events, last.data, names)
