"""What a table's page is made of, for the first page, the answers to posts and the socket's frames alike.

`public` holds what everybody may see: the same bytes for all, rendered once for each seq and language. `own` holds what
one seat may see: its card, its form, its private lines. Each part carries `data-n`,
"generation.seq.revision": the matches begun in the room, the last event that the viewer sees, and the room's revision
where no log tells what is newer.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.middleware.csrf import get_token
from django.utils.safestring import SafeString, mark_safe

from games.room import talk as room_talk
from games.room.people import name_of
from games.web import talk
from games.web.panels.drawing import NUMBER
from games.web.panels.lines import lines, own_seq
from games.web.panels.own import OwnParts
from games.web.panels.public import last_seq, open_words, public_frame, public_key, public_parts
from games.web.visits import Trouble, Visit
from magic_site.requests import SiteRequest

__all__ = [
    "NUMBER",
    "OwnParts",
    "last_seq",
    "lines",
    "moment",
    "open_words",
    "own_seq",
    "parts",
    "public_frame",
    "public_key",
    "public_parts",
]


@contextmanager
def moment(seen: Visit) -> Iterator[bool]:
    """Hold a table's log as it is: what is rendered inside of the block, public and own, is of one moment. Gives
    whether the look is still good; one at a match that has ended since must be taken anew, as there is more to see."""
    if seen.source is None or seen.match is None:
        yield True
        return
    with seen.source.lock:
        yield seen.source.over == (seen.match.status != "running")


def parts(
    seen: Visit, request: SiteRequest, trouble: Trouble | None = None, since: int = 0, told: str = ""
) -> dict[str, SafeString] | None:
    """All parts of the page by name, the feed lines after `since` as `lines`, and what is said beside the game as
    `talk`; forms that work without scripts, unless scripts ask. None where the look is not good any more (see
    `moment`). told: what came of something, for the place to speak."""
    token = "" if request.htmx else get_token(request)
    name = name_of(request) if seen.match is None or seen.seat is None else ""
    own = OwnParts(seen, token=token, name=name, trouble=trouble)
    messages = room_talk.messages(seen.room, seen.hears, seen.generation) if seen.hears else []
    with moment(seen) as still:
        if not still:
            return None
        shown = public_parts(seen) | own.parts()
        told_so_far = lines(seen, since)
        if seen.hears:
            said = talk.whole(seen, messages)
            told_so_far = talk.with_tallies(told_so_far, said.tallies)
            shown |= {"talk": said.html, "speak": own.speak(said.choice, told)}
        shown["lines"] = mark_safe("".join(told_so_far))  # noqa: S308 (rendered by templates)
    return shown
