"""The lines of the story at a table's page, as one person sees them."""

from bisect import bisect_right
from operator import itemgetter

from games.match.cache import CachedMatch
from games.match.view import View
from games.rules import table_talk, values
from games.web import feed
from games.web.panels.drawing import draw
from games.web.visits import Visit


def lines(seen: Visit, since: int = 0, private_only: bool = False) -> list[str]:
    """The feed's lines after `since` that this person sees, in order; each has its event's number as id, so that no
    line is ever there twice."""
    source = seen.shown
    if source is None:
        return []
    with source.lock:
        return lines_of(source, source.view(seen.viewer, seen.delayed), since, private_only)


def own_seq(seen: Visit) -> int:
    """The seq of the last event that this person sees."""
    return 0 if (source := seen.shown) is None else source.view(seen.viewer, seen.delayed).seq


def lines_of(source: CachedMatch, view: View, since: int, private_only: bool = False) -> list[str]:
    events = view.events[bisect_right(view.events, since, key=itemgetter(0)) :]
    if private_only:
        events = [event for event in events if event.audience is not None]
    events = [event for event in events if event.kind not in table_talk.KINDS]
    return [source.line(event, view.viewer, _line) for event in events]


def _line(game: str, event: values.Event, names: dict[int, str], viewer: values.Viewer) -> str:
    return "".join(draw("line", {"line": line}) for line in feed.lines(game, [event], names, viewer))
