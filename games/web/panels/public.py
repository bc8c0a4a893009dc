"""What everybody may see of a table: the same bytes for all, rendered once for each seq and language."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import translation
from django.utils.safestring import SafeString

from games.match.cache import CachedMatch
from games.match.view import View
from games.models import Room
from games.registry import RULES, page_part
from games.rules import values
from games.rules.values import PUBLIC
from games.web import talk
from games.web.moments import moments
from games.web.panels.drawing import bare, draw, own_part
from games.web.panels.lines import lines_of
from games.web.visits import Visit

PUBLIC_PARTS = ("status", "seats", "board", "stage")


def public_frame(seen: Visit, since: int) -> str:
    """The public parts that have changed since and the lines after `since`, as one text; rendered once a process for
    all who look on. From 0 it is everything; the status is always there and says of which match the frame is."""
    source = seen.shown
    if source is None:
        return "".join(public_parts(seen).values())
    with source.lock:
        view = source.view(PUBLIC, seen.delayed)

        def render() -> str:
            before = (since and source.kept(_parts_key(seen, source, since))) or {}
            parts = [
                html
                for name, html in public_parts(seen).items()
                if name == "status" or bare(html) != bare(before.get(name, ""))
            ]
            return "".join([*parts, *lines_of(source, view, since), *talk.for_all(seen, source, view, since)])

        return source.once(("frame", since, seen.muted, *_parts_key(seen, source, view.seq)), render)


def _parts_key(seen: Visit, source: CachedMatch, seq: int) -> tuple:
    return ("parts", seen.generation, seq, source.stood, seen.delayed, translation.get_language())


def public_parts(seen: Visit) -> dict[str, SafeString]:
    """Status, seats, board and stage."""
    source = seen.shown
    if source is None:
        return _public_parts(
            {
                "waiting": True,
                "n": f"{seen.generation}.0.{seen.room.revision}",
                "room": seen.room,
                "rules": RULES[seen.room.game],
                "chairs": [] if seen.room.anonymous else seen.chairs,
                "total": len(seen.chairs),
                "taken": sum(not chair.free for chair in seen.chairs),
                "free": sum(chair.free for chair in seen.chairs),
                "barred": seen.match is not None,
            }
        )
    with source.lock:
        view = source.view(PUBLIC, seen.delayed)
        return source.once(
            _parts_key(seen, source, view.seq), lambda: _public_parts(_public_context(seen, source, view))
        )


def _public_parts(context: dict[str, Any]) -> dict[str, SafeString]:
    return {name: draw(name, context) for name in PUBLIC_PARTS}


def public_key(seen: Visit) -> tuple:
    """Changes when the public parts do; cheap to ask for."""
    source = seen.shown
    if source is None:
        if seen.room.anonymous:
            return (seen.generation, sum(chair.free for chair in seen.chairs))
        return (seen.generation, tuple((chair.number, chair.name, chair.free, chair.outside) for chair in seen.chairs))
    return (seen.generation, last_seq(seen), source.stood, seen.delayed)


def last_seq(seen: Visit) -> int:
    """The seq of the last event that everybody who looks on like this person sees."""
    return 0 if (source := seen.shown) is None else source.view(PUBLIC, seen.delayed).seq


def _public_context(seen: Visit, source: CachedMatch, view: View) -> dict[str, Any]:
    state, match, room = view.state, source.match, seen.room
    public = source.rules.public(state)
    asked = [] if state.paused else [request for request in view.requests if request.waits]
    over = state.outcome.status != "running"
    context = {
        "n": f"{seen.generation}.{view.seq}.0",
        "room": room,
        "match": match,
        "rules": source.rules,
        "game": match.game,
        "names": source.names,
        "public": public,
        "state": state,
        "over": over,
        "outcome": state.outcome,
        "seats": [_seat(seat, source, view, asked, public) for seat in source.names],
        "asked": _asked(asked),
        "clock": _clock(source, room, asked, view),
        "delayed": seen.delayed,
        "game_status": page_part(match.game, "status"),
        "game_board": own_part(match.game, "board"),
        "game_track": page_part(match.game, "track"),
        "game_marks": page_part(match.game, "marks"),
        "game_hand": page_part(match.game, "hand"),
    }
    if over:
        context["moments"] = moments(match.game, view.events, source.names)
    return context


def _seat(
    seat: int, source: CachedMatch, view: View, asked: list[values.Request], public: dict[str, Any]
) -> dict[str, Any]:
    """One seat as the list shows it: what it is asked for, or whether it has answered what others still think about."""
    mine = next((request for request in asked if request.seat == seat), None)
    since = min((request.opened_at for request in asked), default=0)
    wanted = {request.kind for request in asked}
    answers = (e for e in reversed(view.events) if e.seat == seat and e.request and e.kind in wanted)
    answer = next(answers, None) if asked and mine is None else None
    return {
        "number": seat,
        "name": source.names[seat],
        "kind": view.kinds.get(seat, ""),
        "asked": mine.kind if mine else "",
        "done": answer is not None and answer.seq > since,
        "outside": seat in view.outside,
        "stand_in": seat in view.stand_ins,
        "out": str(seat) in public.get("out", {}),
        "won": seat in view.state.outcome.winners,
    }


def public_now(source: CachedMatch) -> tuple[dict[str, Any], str]:
    """What everybody knows of a match now, and the same as a text."""
    view = source.view(PUBLIC)

    def read() -> tuple[dict[str, Any], str]:
        public = source.rules.public(view.state)
        return public, repr(public)

    return source.once(("public", view.seq), read)


def open_words(source: CachedMatch) -> set[str]:
    """The words of a match's setting that lie open to all, such as places: what one may cross out."""
    lists = (value for value in public_now(source)[0].values() if isinstance(value, list))
    return {item for value in lists for item in value if isinstance(item, str)}


def _asked(asked: list[values.Request]) -> list[dict[str, Any]]:
    """Who is asked for what, kind by kind."""
    kinds: dict[str, list[int]] = {}
    for request in asked:
        kinds.setdefault(request.kind, []).append(request.seat)
    return [{"kind": kind, "seats": seats, "first": seats[0], "many": len(seats) > 1} for kind, seats in kinds.items()]


def _clock(source: CachedMatch, room: Room, asked: list[values.Request], view: View) -> datetime | None:
    """When the time of those asked is up, from what everybody may know: agents of the house have none where they are
    named."""
    if not room.move_seconds or room.absence == Room.Absence.WAIT:
        return None
    ours = {seat for seat, kind in view.kinds.items() if kind == "agent"} - view.outside
    timed = [r for r in asked if r.seat not in ours | view.state.stand_ins.keys()]
    if not timed:
        return None
    resumed = max((event.seq for event in view.events if event.kind == "resumed"), default=0)
    begun = source.waits_since(max(min(r.opened_at for r in timed), resumed))
    stood = max(source.away.get(request.id, 0.0) for request in timed)
    return begun + timedelta(seconds=room.move_seconds + stood)
